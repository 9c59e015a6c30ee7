"""What a file expects of an answer: its keys and names checked when it is read, then held against the answer."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sbg_sim.boards.form import Asked
    from sbg_sim.boards.names import Check, Find

PLACE: Final = "place"
"""The finder of places."""

ANSWER: Final[Mapping[str, Any]] = {
    "answer": None, "cost": None, "turns": None, "route": PLACE, "reachable": PLACE, "costs": PLACE, "rules": None,
    "options": None, "reason": None,
}  # fmt: skip
"""The keys of every answer, in every game."""


def expected(
    asked: Asked, more: Mapping[str, Any], finders: Mapping[str, Find], check: Check, key: str
) -> Mapping[str, Any] | None:
    """Return what a question expects as a table of an answer's keys, places by their ids; None when nothing.

    Parameters
    ----------
    asked
        A word is an answer, a number a cost (turns of a route, how many of a reach), a list a route or a reach.
    more
        Keys of answers beside those of all games: None, the finder of the names there (`PLACE`), a table of keys,
        or (a finder, a table of keys) for a table whose own keys are names.
    finders
        How names are found.
    check
        Notes keys and names that are none.
    key
        Where the expectation stands in the file.

    """
    expect = asked.expect
    if expect is None:
        return None
    if isinstance(expect, Mapping):
        table: Mapping[str, Any] = _named(expect, {**ANSWER, **more}, finders, check, key)
        return table
    if isinstance(expect, str) and expect not in {"yes", "no"}:
        check.fault(key, f'an answer is "yes" or "no", not {expect!r}')
    names = _named(expect, PLACE, finders, check, key) if isinstance(expect, list) else expect
    return {key_of(asked.ask, expect): names}


def key_of(ask: str, expect: object) -> str:
    """Return which key of an answer an expectation that is no table is about."""
    if isinstance(expect, str):
        return "answer"
    if ask == "reach":
        return "reachable"
    return "route" if isinstance(expect, list) else "turns" if ask == "route" else "cost"


def _named(value: Any, scheme: Any, finders: Mapping[str, Find], check: Check, key: str) -> Any:
    """Return `value` with ids for names, as the scheme of its keys has them."""
    if isinstance(scheme, str):
        if isinstance(value, str):
            return check.look(finders[scheme], value, key) or value
        if isinstance(value, list):
            return [_named(one, scheme, finders, check, key) for one in value]
        if isinstance(value, Mapping):
            return {_named(name, scheme, finders, check, f"{key}.{name}"): cost for name, cost in value.items()}
        return value
    if isinstance(scheme, tuple) and isinstance(value, Mapping):
        find, inner = finders[scheme[0]], scheme[1]
        return {
            check.look(find, name, f"{key}.{name}") or name: _named(one, inner, finders, check, f"{key}.{name}")
            for name, one in value.items()
        }
    if not isinstance(scheme, Mapping) or not isinstance(value, Mapping):
        return value
    for name in value.keys() - scheme.keys():
        close = difflib.get_close_matches(name, list(scheme), n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(scheme)}"
        check.fault(f"{key}.{name}", f"an answer has no key `{name}`; {hint}")
    return {
        name: _named(one, scheme[name], finders, check, f"{key}.{name}")
        for name, one in value.items()
        if name in scheme
    }


def meets(result: Mapping[str, Any], expect: Mapping[str, Any]) -> bool:
    """Return whether an answer has what is expected of it; a reach in any order, of tables the keys that are named."""
    return all(_same(result, key, value) for key, value in expect.items())


def _same(result: Mapping[str, Any], key: str, expect: Any) -> bool:
    value = result.get(key)
    if key == "reachable" and value is not None:
        if isinstance(expect, Mapping):  # with what they cost
            return meets(result["costs"], expect)
        return bool(len(value) == expect) if isinstance(expect, int) else sorted(value) == sorted(expect)
    if isinstance(value, Mapping) and isinstance(expect, Mapping):
        return meets(value, expect)
    if isinstance(value, list | tuple) and isinstance(expect, list | tuple):
        return list(value) == list(expect)
    return bool(value == expect) and key in result
