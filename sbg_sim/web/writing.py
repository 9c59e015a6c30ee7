"""A changed table written into its text: comments, order and units stay where nothing changed."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import tomli_w
import tomlkit
from tomlkit.exceptions import TOMLKitError

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping


def merged(text: str, data: Mapping[str, Any]) -> str:
    r"""Return the text changed to hold some data; written anew if its layout cannot be edited.

    Examples
    --------
    >>> print(merged("a = 1  # one\nb = 2", {"a": 1, "b": 3}))
    a = 1  # one
    b = 3

    """
    try:
        edited = tomlkit.parse(normalize("NFC", text))  # normalised, as on reading
        _put(edited, data)
        found = tomlkit.dumps(edited)
        if tomllib.loads(found) == data:
            return found
    except (TOMLKitError, ValueError, TypeError, KeyError, IndexError, AttributeError):
        pass  # a layout that cannot be edited in place
    return tomli_w.dumps(data)


def _put(there: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    for key in [key for key in there if key not in data]:
        del there[key]
    for key, value in data.items():
        if key not in there:
            there[key] = value
        elif isinstance(value, dict) and isinstance(there[key], dict):
            _put(there[key], value)
        elif there[key] != value:
            there[key] = value
