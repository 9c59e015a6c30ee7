"""Words for answers: yes with its reasons, no with what is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sbg_sim.boards.game import Reached, Violation


def in_order(rules: Iterable[str]) -> list[str]:
    """Return rule ids by their numbers, each once."""
    return sorted(set(rules), key=lambda rule: int(rule[1:]))


def allowed(rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer yes, with the rules that allow it and a sentence without its stop."""
    return {"answer": "yes", **more, "rules": list(rules), "reason": f"{reason}."}


def denied(rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer no likewise."""
    return {**allowed(rules, reason, **more), "answer": "no"}


def refused(violations: Iterable[Violation], **more: Any) -> dict[str, Any]:
    """Return the answer no, with every rule broken and every reason, each once."""
    found = tuple(violations)
    reasons = dict.fromkeys(violation.reason for violation in found)
    return denied(dict.fromkeys(violation.rule for violation in found), "; ".join(reasons), **more)


def reached(ways: Mapping[str, Reached], rules: Iterable[str], reason: str, **more: Any) -> dict[str, Any]:
    """Return the answer to what can be reached: no when it is nothing."""
    costs = {place: way.cost for place, way in ways.items()}
    return (allowed if costs else denied)(rules, reason, reachable=list(costs), costs=costs, **more)
