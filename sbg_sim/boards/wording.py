"""Words for answers: numbers with their nouns, and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.boards.game import Violation


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless there is one.

    Examples
    --------
    >>> counted(1, "region"), counted(0, "region")
    ('1 region', '0 regions')

    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_order(rules: Iterable[str]) -> list[str]:
    """Return rule ids by their numbers, each once."""
    return sorted(set(rules), key=lambda rule: int(rule[1:]))


def refused(violations: Iterable[Violation]) -> dict[str, Any]:
    """Return the answer no, with every rule broken and every reason, each once."""
    found = tuple(violations)
    reason = "; ".join(dict.fromkeys(violation.reason for violation in found))
    rules = list(dict.fromkeys(violation.rule for violation in found))
    return {"answer": "no", "cost": None, "route": None, "rules": rules, "reason": f"{reason}."}
