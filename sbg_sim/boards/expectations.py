"""The expectations of a file, by the keys of answers, and their comparison with an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.form import Strict

if TYPE_CHECKING:
    from sbg_sim.boards.form import Asked
    from sbg_sim.boards.names import Check


def expected(asked: Asked, check: Check, key: str) -> Mapping[str, Any] | None:
    """Return the expectation of a question as a table of an answer's keys; None if it has none.

    A word is an answer, a number a cost (or the turns of a route, the size of a reach), a list a route or a reach.

    Parameters
    ----------
    asked
        The question, with ids for names.
    check
        Records a fault for a word that is no answer.
    key
        The key of the expectation in the file.

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
    """Return the key of the answer to which an expectation that is no table applies."""
    if isinstance(expect, str):
        return "answer"
    if ask == "reach":
        return "reachable"
    return "route" if isinstance(expect, list) else "turns" if ask == "route" else "cost"


def meets(result: Mapping[str, Any], expect: Mapping[str, Any]) -> bool:
    """Return whether an answer meets an expectation; a reach in any order, tables in the keys that are given."""
    return all(_same(result, key, value) for key, value in expect.items())


def _same(result: Mapping[str, Any], key: str, expect: Any) -> bool:
    value = result.get(key)
    if key == "reachable" and value is not None:
        if isinstance(expect, Mapping):  # a reach with costs
            return meets(result["costs"], expect)
        return bool(len(value) == expect) if isinstance(expect, int) else sorted(value) == sorted(expect)
    if isinstance(value, Mapping) and isinstance(expect, Mapping):
        return meets(value, expect)
    if isinstance(value, list | tuple) and isinstance(expect, list | tuple):
        return list(value) == list(expect)
    return bool(value == expect) and key in result
