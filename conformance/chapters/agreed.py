"""What players agree on, readings of the rules and gates; and barriers that nobody goes round."""

from __future__ import annotations

from typing import Any

from chapters.form import HAIR, box, exactly, model, num, position, short_of, table

WALL = box(12, 0, 12.5, 24)


def _by(on: dict[str, Any], ruling: str, reading: str, other: str) -> dict[str, Any]:
    """Play a table by one reading of a ruling, and return the change to the other."""
    on["rulings"] = {ruling: reading}
    return {"rulings": {ruling: other}}


def readings() -> None:
    """Positions that two readings answer differently."""
    wall = {"wall": {"tags": ["obstacle"], "height": 1.0, "polygon": WALL}}
    on = table({"m": model((10, 12))}, wall)
    why = "Just half as high as the model: by one reading stepped over, by the other jumped (TER.3, TER.4)."
    told = {"change": _by(on, "obstacle_exactly_half", "free", "test")}
    told["mirror"] = {"answer": "chance", "chance": "5/6", "needed": "3", "rules": ["TER.4"]}
    ask: dict[str, Any] = {"ask": "move", "model": "m", "to": [13, 12]}
    position("readings", "half-as-high", why, on, ask, answer="yes", needed="3", **told)

    wall = {"wall": {"tags": ["obstacle"], "height": 1.5, "polygon": WALL}}
    on = table({"m": model((10, 12), move=exactly((9 + 1) ** 0.5))}, wall)
    why = "Aslant over the wall on one straight line; straight across only, it is aslant up to it and then across (JMP.1)."
    told = {"change": _by(on, "jump_landing", "any", "across")}
    told["mirror"] = {"answer": "no", "chance": "0/1", "needed": "hypot(1.5, 1) + 1.5"}
    ask = {"ask": "move", "model": "m", "to": [13, 13]}
    position("readings", "aslant", why, on, ask, answer="chance", chance="5/6", needed="hypot(3, 1)", **told)

    on = table({"m": model((6, 12)), "f": model((9, 12), height=3.0), "e": model((12, 12), "evil")})
    why = "A taller model of the same base stands just between: it hides the other, unless terrain alone does (CHG.1)."
    told = {"change": _by(on, "models_block_sight", "yes", "no"), "mirror": {"answer": "yes"}}
    position("readings", "hidden", why, on, {"ask": "sight", "model": "m", "target": "e"}, answer="no", **told)

    top = {"top": {"tags": ["platform"], "height": 0.5, "polygon": box(12, 6, 20, 18)}}
    on = table({"m": model((10, 12))}, top)
    why = "A quarter of an inch past the edge of a step: its centre is on it, and not its whole base."
    told = {"change": _by(on, "stand_on", "centre", "whole"), "mirror": {"answer": "no"}}
    ask = {"ask": "move", "model": "m", "to": [12.25, 12], "on": "top"}
    position("readings", "half-on", why, on, ask, answer="yes", needed="2.25", **told)

    on = table({"m": model((12, 12)), "a": model((10.5, 12), "evil"), "b": model((16, 12), "evil")})
    why = "From the zone of one enemy, straight away from it, into another: by one reading it may not charge (CZ.4)."
    told = {"change": _by(on, "stuck_then_charge", "yes", "no"), "mirror": {"answer": "no", "rules": ["CZ.4"]}}
    position(
        "readings",
        "away-and-into-another",
        why,
        on,
        {"ask": "charge", "model": "m", "target": "b"},
        answer="yes",
        needed="4 - 1",
        **told,
    )


def barriers() -> None:
    """MOV.8, TER.5, CHG.8: gates, walls that nobody climbs, and who stands behind one."""
    gate = {"gate": {"tags": ["unscalable"], "polygon": WALL, "lets_through": ["m"]}}
    on = table({"m": model((9, 12))}, gate)
    why = "Players let a model through a gate; without that the wall closes the table (MOV.8)."
    told = {"change": {"terrain": {"gate": {"lets_through": []}}}, "mirror": {"answer": "no"}}
    ask: dict[str, Any] = {"ask": "move", "model": "m", "to": [15, 12]}
    position("barriers", "gate", why, on, ask, answer="yes", needed="6", **told)

    wall = {"wall": {"tags": ["obstacle", "unscalable"], "height": 2.0, "polygon": WALL}}
    on = table({"m": model((10, 12))}, wall)
    why = "What cannot be climbed may still be jumped up to the model's height, and is no way a hair above it (TER.5, JMP.3)."
    told = {"change": {"terrain": {"wall": {"height": num(2 + HAIR)}}}, "mirror": {"answer": "no"}}
    ask = {"ask": "move", "model": "m", "to": [13, 12]}
    position("barriers", "sheer", why, on, ask, answer="chance", chance="5/6", needed="3", **told)

    cost = 11.5 - 6
    wall = {"wall": {"tags": ["obstacle"], "height": 0.9, "polygon": WALL}}
    on = table({"m": model((6, 12), move=exactly(cost)), "e": model((13, 12), "evil")}, wall)
    why = "Who touches a barrier is charged across it: the charger ends at it, just opposite (CHG.8)."
    ask = {"ask": "charge", "model": "m", "target": "e"}
    told = {"answer": "yes", "needed": "11.5 - 6", "rules": ["CHG.8"]}
    position("barriers", "defended", why, on, ask, **told, **short_of("11.5 - 6", cost))
