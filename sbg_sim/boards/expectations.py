"""What a file expects of an answer, by the keys of answers, held against one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.form import Strict

if TYPE_CHECKING:
    from sbg_sim.boards.form import Asked
    from sbg_sim.boards.names import Check


def expected(asked: Asked, check: Check, key: str) -> Mapping[str, Any] | None:
    """Return what a question expects as a table of an answer's keys; None when nothing.

    A word is an answer, a number a cost (turns of a route, how many of a reach), a list a route or a reach.

    Parameters
    ----------
    asked
        With ids for names.
    check
        Notes a word that is no answer.
    key
        Where the expectation stands in the file.

    """
    expect = asked.expect
    if expect is None:
        return None
    if isinstance(expect, Strict):
        return expect.model_dump(exclude_unset=True)
    if isinstance(expect, str) and expect not in {"yes", "no"}:
        check.fault(key, f'an answer is "yes" or "no", not {expect!r}')
    return {key_of(asked.ask, expect): expect}


def key_of(ask: str, expect: object) -> str:
    """Return which key of an answer an expectation that is no table is about."""
    if isinstance(expect, str):
        return "answer"
    if ask == "reach":
        return "reachable"
    return "route" if isinstance(expect, list) else "turns" if ask == "route" else "cost"


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
