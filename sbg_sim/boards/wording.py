"""Words for answers: yes with its reasons, no with the broken rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sbg_sim.boards.game import Reached, Violation


def in_order(rules: Iterable[str]) -> list[str]:
    """Return rule ids in the order of their numbers, each once."""
    return sorted(set(rules), key=lambda rule: int(rule[1:]))


def allowed(rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer yes, with the rules that allow it, and a sentence without its full stop."""
    return {"answer": "yes", **more, "rules": list(rules), "reason": f"{reason}."}


def denied(rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer no, with the rules that forbid it, and a sentence without its full stop."""
    return {**allowed(rules, reason, **more), "answer": "no"}


def refused(violations: Iterable[Violation], **more: Any) -> dict[str, Any]:
    """Return the answer no, with every broken rule and every reason, each once."""
    found = tuple(violations)
    reasons = dict.fromkeys(violation.reason for violation in found)
    return denied(dict.fromkeys(violation.rule for violation in found), "; ".join(reasons), **more)


def reached(ways: Mapping[str, Reached], rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer to a question about a reach: no if nothing can be reached."""
    costs = {place: way.cost for place, way in ways.items()}
    return (allowed if costs else denied)(rules, reason, reachable=list(costs), costs=costs, **more)
