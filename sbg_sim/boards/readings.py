"""Rules that can be read in several ways: options as frozen dataclasses, checked, and varied one at a time."""

from __future__ import annotations

import json
from dataclasses import Field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import DataclassInstance

O = TypeVar("O", bound="DataclassInstance")


def least(field: Field[Any]) -> int:
    """Return the smallest value of a number among the options: ``least`` in its field's metadata, or 0."""
    return int(field.metadata.get("least", 0))


def check_readings(options: DataclassInstance) -> None:
    """Refuse invalid options: a ``bool`` of another type, an unknown word, a number too small.

    Raises
    ------
    ValueError
        For an invalid option; the message gives its valid values.

    """
    hints = get_type_hints(type(options))
    for field in fields(options):
        name, value, kind = field.name, getattr(options, field.name), hints[field.name]
        words = get_args(kind)
        if words and value not in words:
            raise ValueError(f"{name} is one of {', '.join(map(repr, words))}, not {value!r}")
        if kind is bool and not isinstance(value, bool):
            raise ValueError(f"{name} is True or False, not {value!r}")
        if kind is int and (not isinstance(value, int) or isinstance(value, bool) or value < least(field)):
            raise ValueError(f"{name} is a whole number, {least(field)} or more, not {value!r}")


def variants(options: O) -> Iterator[tuple[str, O]]:
    """Yield every change of one reading: the options with one field changed.

    Parameters
    ----------
    options
        A frozen dataclass with readings as ``bool`` or ``Literal`` fields; numbers are not varied.

    Yields
    ------
    tuple
        The change in words, such as ``"same_region_move = false"``, and the changed options.

    """
    hints = get_type_hints(type(options))
    for field in fields(options):
        now = getattr(options, field.name)
        choices = (True, False) if hints[field.name] is bool else get_args(hints[field.name])
        for value in choices:
            if value != now:
                yield f"{field.name} = {json.dumps(value)}", replace(options, **{field.name: value})


def changing(
    options: O, kept: object, solve: Callable[[O], object], *, matters: Callable[[str], bool] = bool
) -> list[str]:
    """Return the changes of one reading under which `solve` finds another answer than `kept`.

    Parameters
    ----------
    options
        The readings in force.
    kept
        The answer under them.
    solve
        Returns the answer under given options.
    matters
        Says whether a change, in words, needs to be tried at all.

    """
    return [change for change, other in variants(options) if matters(change) and solve(other) != kept]
