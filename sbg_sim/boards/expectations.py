"""What a file expects of an answer, compared with the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def meets(result: Mapping[str, Any], expect: object) -> bool:
    """Return whether a question's answer is the expected one.

    Parameters
    ----------
    result
        An answer as the faces give it: ``answer``, ``cost``, ``route``, ``reachable`` and the rest.
    expect
        A word is compared with ``answer``, a number with ``cost`` (or with how many spaces are reachable),
        a list with the ``reachable`` spaces in any order, else with ``route``; a table compares each key it
        has, and so do tables in it.

    """
    if isinstance(expect, Mapping):
        return all(key in result and _same(result[key], value) for key, value in expect.items())
    reachable = result.get("reachable")
    if isinstance(expect, str):
        return bool(result.get("answer") == expect)
    if isinstance(expect, int):
        return bool((len(reachable) if reachable is not None else result.get("cost")) == expect)
    if isinstance(expect, list | tuple):
        if reachable is not None:
            return _same(sorted(reachable), sorted(expect))
        return _same(result.get("route"), expect)
    return False


def _same(value: object, expect: object) -> bool:
    if isinstance(value, Mapping) and isinstance(expect, Mapping):
        return all(key in value and _same(value[key], wanted) for key, wanted in expect.items())
    if isinstance(value, list | tuple) and isinstance(expect, list | tuple):
        return list(value) == list(expect)
    return value == expect


def met(result: Mapping[str, Any], expect: Any, known: Callable[[str], str]) -> bool | None:
    """Return whether an answer is the expected one, places by any of their names, or None without `expect`.

    Parameters
    ----------
    result
        The answer; a route's number means its turns.
    expect
        As for `meets`.
    known
        Turns a name into an id, and leaves what is none as it is.

    """
    if expect is None:
        return None
    if isinstance(expect, int) and result["ask"] == "route":
        expect = {"turns": expect}
    elif isinstance(expect, list):
        expect = [known(name) for name in expect]
    elif isinstance(expect, Mapping):
        expect = {key: [known(name) for name in value] if key == "route" else value for key, value in expect.items()}
    return meets(result, expect)
