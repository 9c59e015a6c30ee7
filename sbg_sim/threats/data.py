"""Threats and safe ground as plain data: lengths in inches, chances as fractions and numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sbg_sim.tolerance import PRINTED
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.geometry.areas import Regions
    from sbg_sim.threats.level import Danger, SafeLevel
    from sbg_sim.threats.safety import SafeGround
    from sbg_sim.threats.sides import Charger, Target, Threat, Threats


def threats_json(found: Threats) -> dict[str, Any]:
    """Return the threats of a side: areas, a row per model and a row per enemy."""
    return {
        "side": found.side,
        "area": _number(found.area.area),
        "areas": _areas(found.regions),
        "levels": [{"models": count, "area": _number(area.area)} for count, area in found.levels],
        "models": [threat_json(row) for row in found.models],
        "targets": [target_json(row) for row in found.targets],
    }


def threat_json(row: Threat) -> dict[str, Any]:
    """Return the ground that one model of a side can cover, and the enemies that it can charge."""
    return {
        "model": row.model,
        "move": _number(row.move),
        "area": _number(row.area.area),
        "areas": _areas(row.regions),
        "targets": list(row.targets),
        "blocked": list(row.blocked),
    }


def target_json(row: Target) -> dict[str, Any]:
    """Return the models that can charge one enemy of a side, and how many can at once."""
    return {
        "target": row.target,
        "chargers": [_charger(charger) for charger in row.chargers],
        "at_once": row.at_once,
        "at_most": row.most,
        "together": [{"model": name, "at": _place(at)} for name, at in row.together],
    }


def _charger(charger: Charger) -> dict[str, Any]:
    verdict = charger.verdict
    chance = verdict.chance
    assert chance is not None
    return {
        "model": charger.model,
        "answer": verdict.answer,
        "needed": _number(verdict.needed),
        "allowance": _number(verdict.allowance),
        "margin": _number(verdict.margin),
        "chance": fraction(chance),
        "chance_value": float(chance),
        "arcs": [_place(arc) for arc in charger.arcs],
    }


def safe_json(found: SafeGround, *, told: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Return safe ground: that of the model's own level, then that of each other level in its reach.

    The safest place of each level takes single charges: ``told`` is called with the number of levels done, and of all.
    """
    rows: list[dict[str, Any]] = []
    for level in found.levels:
        if told is not None:
            told(len(rows), len(found.levels))
        rows.append(level_json(level))
    others = {name or "ground": row for name, row in zip(found.platforms, rows[1:], strict=True)}
    return {"model": found.model, **rows[0], "platforms": others}


def level_json(level: SafeLevel) -> dict[str, Any]:
    """Return one level: its area, the safest place with its margin, and a row per enemy that is a danger."""
    best = level.best
    return {
        "reach": _number(level.certain.area),
        "area": _number(level.area.area),
        "areas": _areas(level.regions),
        "by_chance": _areas(level.by_chance),
        "doubt": _number(level.doubt.area),
        "best": None if best is None else _place(best[0]),
        "chance": fraction(level.best_chance),
        "margin": None if best is None else _number(best[1]),
        "margin_exact": level.best_exact,
        "dangers": [danger_json(row, level) for row in level.dangers],
    }


def danger_json(row: Danger, level: SafeLevel) -> dict[str, Any]:
    """Return where on a level one enemy can charge a model."""
    return {"enemy": row.enemy, "on": level.surface, "area": _number(row.area.area), "areas": _areas(row.regions)}


def _areas(rows: Regions) -> dict[str, float | None]:
    return {fraction(chance): _number(area.area) for chance, area in rows}


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), PRINTED) + 0.0


def _place(at: Sequence[float]) -> list[float | None]:
    return [_number(x) for x in at]
