"""Reaches, charge lists and denials as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sbg_sim.report.verdicts import as_json, number, place
from sbg_sim.report.words import text
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.solver.charges import ChargeEntry
    from sbg_sim.solver.denials import DenialList
    from sbg_sim.solver.reach_areas import Reach


def reach_json(reach: Reach) -> dict[str, Any]:
    """Return a reach as plain data: square inches by chance, and contact arcs by enemy, radians."""
    return {
        "model": getattr(reach.model, "id", reach.model),
        "allowance": number(reach.allowance),
        "area": number(reach.area.area),
        "area_error": number(reach.area_error),
        "areas": {fraction(chance): number(region.area) for chance, region in reach.regions},
        "platforms": {
            name or "ground": {fraction(chance): number(region.area) for chance, region in rows}
            for name, rows in getattr(reach, "platforms", {}).items()
        },
        "swept": number(reach.swept.area),
        "contacts": {name: [place(arc) for arc in arcs] for name, arcs in reach.contacts.items()},
        "reason": "; ".join(getattr(reach, "blocked", ())),
    }


def charges_json(charges: Iterable[ChargeEntry]) -> list[dict[str, Any]]:
    """Return a charge list as plain data, an object for each enemy: the verdict's keys and those of the charge."""
    return [
        {
            "target": entry.target,
            **as_json(entry.verdict),
            "arcs": [place(arc) for arc in entry.arcs],
            "arcs_by_chance": {fraction(c): [place(arc) for arc in arcs] for c, arcs in entry.by_chance},
            "binds": list(entry.binds),
            "violations": [
                {"rule": v.rule, "reason": v.reason, "place": v.place and place(v.place), "blame": v.blame}
                for v in entry.verdict.violations
            ],
        }
        for entry in charges
    ]


def charge_lines(entries: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return a line for each enemy: target, answer, needed, margin, chance, enemies that bind first, reason."""
    return [
        (
            e["target"],
            e["answer"] or "",
            text(e["needed"]),
            text(e["margin"]),
            e["chance"] or "",
            ", ".join(e["binds"]),
            e["reason"]
            if e["certainty"]
            else "; ".join(f"{v['rule']}: {v['reason']}" for v in e["violations"]) or e["reason"],
        )
        for e in entries
    ]


def denials_json(denials: DenialList) -> list[dict[str, Any]]:
    """Return the ground that each enemy's zone denies as plain data, in the order of the list, square inches."""
    return [
        {"enemy": e.enemy, "denied": number(e.area), "area_without": number(e.area_without)} for e in denials.entries
    ]
