"""Zones, charges, lines of sight."""

from __future__ import annotations

from math import acos, hypot, pi, sqrt

from chapters.form import HAIR, box, exactly, model, num, position, short_of, table


def zones() -> None:
    """CZ.1: an inch round an enemy's base may be touched and not entered."""
    for base, foe in ((1.0, 1.0), (0.984251968504, 0.984251968504), (1.5, 1.0), (1.0, 2.0), (2.0, 1.5)):
        half = (foe + 2 + base) / 2
        models = {
            "m": model((9, 12), base=base, move=6.5),
            "a": model((12, 12 + half), "evil", base=foe),
            "b": model((12, 12 - half), "evil", base=foe),
        }
        ask = {"ask": "move", "model": "m", "to": [15, 12]}
        change = {"models": {"a": {"at": [12, num(12 + half - HAIR)]}}}
        why = "Between two Control Zones there is just the base's width; zones may be touched (CZ.1)."
        told = {"change": change, "mirror": {"answer": "no", "rules": ["CZ.1"]}}
        position("zones", f"between-{base}-{foe}", why, table(models), ask, answer="yes", needed="6", **told)
    for d, base, foe in ((3, 1.0, 1.0), (2, 1.5, 1.0), (4, 0.984251968504, 2.0), (5, 1.0, 1.5)):
        edge = 12 - 1 - foe / 2 - base / 2
        models = {"m": model((edge - d, 12), base=base), "e": model((12, 12), "evil", base=foe)}
        ask = {"ask": "move", "model": "m", "to": [num(edge), 12]}
        why = "A move may end touching a Control Zone, and no deeper (CZ.1)."
        change = {"models": {"e": {"at": [num(12 - HAIR), 12]}}}
        told = {"change": change, "mirror": {"answer": "no", "rules": ["CZ.1"]}}
        position("zones", f"touching-{d}-{base}-{foe}", why, table(models), ask, answer="yes", needed=f"{d}", **told)
    for d1, d2, base, foe in ((3, 3, 1.0, 1.0), (2.5, 4, 1.0, 1.0), (4, 3, 1.5, 1.0), (3, 3.5, 1.0, 2.0)):
        rho = 1 + (base + foe) / 2
        cost = sqrt(d1**2 - rho**2) + sqrt(d2**2 - rho**2) + rho * (pi - acos(rho / d1) - acos(rho / d2))
        formula = (
            f"sqrt({d1}**2 - {rho}**2) + sqrt({d2}**2 - {rho}**2) + {rho}*(pi - acos({rho}/{d1}) - acos({rho}/{d2}))"
        )
        models = {"m": model((12 - d1, 12), base=base, move=exactly(cost)), "e": model((12, 12), "evil", base=foe)}
        ask = {"ask": "move", "model": "m", "to": [12 + d2, 12]}
        why = "Round an enemy: tangents and an arc of his zone grown by the mover's radius (CZ.1, MOV.3)."
        position(
            "zones",
            f"round-{d1}-{d2}-{foe}",
            why,
            table(models),
            ask,
            answer="yes",
            needed=formula,
            **short_of(formula, cost),
        )
    for state in ("prone", "engaged"):
        more = {"prone": True} if state == "prone" else {"engaged": ["f"]}
        models = {"m": model((9, 12)), "e": model((12, 13.9), "evil", **more)}
        back = {"prone": False}
        if state == "engaged":
            models["f"] = model((12, 14.9))
            back = {"engaged": []}
        ask = {"ask": "move", "model": "m", "to": [15, 12]}
        why = f"A model that is {state} has no Control Zone (CZ.2); with one the straight way is barred (CZ.1)."
        told = {"change": {"models": {"e": back}}, "mirror": {"needed_above": "6", "answer": "no"}}
        models["m"]["move"] = 6.0
        position("zones", f"no-zone-{state}", why, table(models), ask, answer="yes", needed="6", **told)


def charging() -> None:
    """CHG.1, CHG.3, CHG.6: contact costs the distance of the bases."""
    for dx, dy, base, foe in (
        (4, 0, 1.0, 1.0),
        (3, 4, 1.0, 1.0),
        (0, 5, 0.984251968504, 0.984251968504),
        (6, 2.5, 1.5, 1.0),
        (-2, 4, 1.0, 2.0),
        (5, -5, 2.0, 1.0),
    ):
        cost = hypot(dx, dy) - (base + foe) / 2
        formula = f"hypot({dx}, {dy}) - ({base} + {foe})/2"
        models = {
            "m": model((12, 12), base=base, move=exactly(cost)),
            "e": model((12 + dx, 12 + dy), "evil", base=foe),
        }
        why = "A charge ends in contact: the distance between the bases is what it costs (CHG.1)."
        told = {"answer": "yes", "needed": formula, "rules": ["CHG.1"]}
        ask = {"ask": "charge", "model": "m", "target": "e"}
        position("charging", f"straight-{dx}-{dy}", why, table(models), ask, **told, **short_of(formula, cost))
    for x, k, base, foe in ((5, 0.75, 1.0, 1.0), (4, 0.6, 1.0, 1.0), (6, 1.0, 1.5, 1.5), (3, 0.5, 1.0, 1.0)):
        rho = (base + foe) / 2
        cost, formula = x - sqrt(rho**2 - k**2), f"{x} - sqrt({rho}**2 - {k}**2)"
        models = {
            "m": model((12 - x, 12), base=base, move=exactly(cost)),
            "a": model((12, 12 + k), "evil", base=foe),
            "b": model((12, 12 - k), "evil", base=foe),
        }
        if 2 * k < foe:
            continue
        why = "Into two at once: the centre ends where the circles about both meet (CHG.6)."
        told = {"answer": "yes", "needed": formula, "rules": ["CHG.6"]}
        ask = {"ask": "charge", "model": "m", "target": ["a", "b"]}
        position("charging", f"two-at-once-{x}-{k}", why, table(models), ask, **told, **short_of(formula, cost))
    for away, gap in ((3.0, 0.1), (4.0, 0.3), (2.5, 0.02)):
        cost = sqrt(away**2 - 1) + pi - acos(1 / away) - acos((1 + gap) / 2)
        formula = f"sqrt({away}**2 - 1) + pi - acos(1 / {away}) - acos((1 + {gap}) / 2)"
        models = {
            "m": model((11 - gap - away, 12), move=exactly(cost)),
            "f": model((11 - gap, 12), height=0.5),
            "e": model((12, 12), "evil"),
        }
        why = "A friend stands before the target: it goes round inside the zone to another part of the base (CHG.4)."
        ask = {"ask": "charge", "model": "m", "target": "e"}
        told = {"answer": "yes", "needed": formula, "rules": ["CHG.3"], **short_of(formula, cost)}
        position("charging", f"round-{away}-{gap}", why, table(models), ask, **told)
    for base, foe in ((1.0, 1.0), (1.5, 1.0), (0.984251968504, 1.5)):
        half = (base + foe) / 2
        models = {
            "m": model((8, 12), base=base, move=9.0),
            "a": model((12, 12 + half), "evil", base=foe),
            "b": model((12, 12 - half), "evil", base=foe),
        }
        change = {"models": {"a": {"at": [12, num(12 + half + HAIR)]}}}
        why = "Two enemies just a base apart can both be touched, from between them (CHG.6)."
        told = {"change": change, "mirror": {"answer": "no"}}
        ask = {"ask": "charge", "model": "m", "target": ["a", "b"]}
        position("charging", f"from-between-{base}-{foe}", why, table(models), ask, answer="yes", needed="4", **told)
    for why, more, rule in (
        ("Who is engaged may not move (MOV.6).", {"engaged": ["x"]}, "MOV.6"),
        ("Who has moved may not move again (MOV.6).", {"moved": True}, "MOV.6"),
        ("Who is held by an effect may not move (MOV.6).", {"may_move": False}, "MOV.6"),
    ):
        key, back = next(iter(more)), {"engaged": [], "moved": False, "may_move": True}
        models = {"m": model((8, 12), **more), "e": model((12, 12), "evil")}
        if key == "engaged":
            models["x"] = model((8, 11), "evil", engaged=["m"])
        ask = {"ask": "charge", "model": "m", "target": "e"}
        undone = {"m": {key: back[key]}} | ({"x": None} if key == "engaged" else {})
        told = {"change": {"models": undone}, "mirror": {"answer": "yes", "needed": "3", "rules": ["CHG.1"]}}
        position("charging", f"held-{key}", why, table(models), ask, answer="no", rules=[rule], **told)


def sight() -> None:
    """LOS: straight lines from the eye at the centre at full height."""
    for eye, top, foe, d, far in (
        (2.0, 1.0, 1.0, 10, 6),
        (1.5, 1.0, 1.0, 8, 5),
        (2.0, 0.5, 1.5, 12, 3),
        (3.0, 1.0, 1.0, 6, 2),
    ):
        rim = d + foe / 2
        height = eye - (eye - top) * far / rim
        formula = f"{eye} - ({eye} - {top})*{far}/({d} + {foe}/2)"
        models = {"m": model((4, 12), height=eye), "e": model((4 + d, 12), "evil", base=foe, height=top)}
        wall = {
            "wall": {"tags": ["obstacle"], "height": num(height - HAIR), "polygon": box(4 + far - 0.5, 2, 4 + far, 22)}
        }
        ask = {"ask": "sight", "model": "m", "target": "e"}
        why = f"The last of the target to show is the far rim of its top: the wall may be {formula} in high (LOS)."
        told = {
            "change": {"terrain": {"wall": {"height": num(height + HAIR)}}},
            "mirror": {"answer": "no", "rules": ["LOS"]},
        }
        position(
            "sight",
            f"over-a-wall-{eye}-{top}-{far}",
            why,
            table(models, wall),
            ask,
            answer="yes",
            rules=["LOS"],
            **told,
        )
    for foe, d, far in ((1.0, 8, 4), (2.0, 10, 4), (1.5, 6, 2)):
        r = foe / 2
        slope = r / sqrt(d**2 - r**2)
        edge = slope * far
        models = {"m": model((4, 12)), "e": model((4 + d, 12), "evil", base=foe)}
        wall = {"wall": {"tags": ["unscalable"], "polygon": box(4 + far, 0, 4 + far + 0.25, 12 + edge - HAIR)}}
        ask = {"ask": "sight", "model": "m", "target": "e"}
        hidden = {"wall": {"polygon": box(4 + far, 0, 4 + far + 0.25, 12 + slope * (far + 0.25) + HAIR)}}
        why = "Past the end of a wall the look is the tangent to the target's base on that side (LOS)."
        told = {"change": {"terrain": hidden}, "mirror": {"answer": "no", "rules": ["LOS"]}}
        position("sight", f"past-a-wall-{foe}-{d}", why, table(models, wall), ask, answer="yes", rules=["LOS"], **told)
