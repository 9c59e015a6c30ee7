"""Write the positions anew: ``python conformance/build.py``. Every expected number is a formula worked out here by hand.

Nothing of ``sbg_sim`` is asked: a position says what the rules and geometry say, and the runner holds programs to it.
"""

from __future__ import annotations

import json
from math import acos, atan2, hypot, pi, sqrt
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "positions"
HAIR = 1e-4
Position = dict[str, Any]
CHAPTERS: dict[str, list[Position]] = {}


def num(value: float) -> float:
    """Coordinates as a file holds them: twelve decimals."""
    return round(value, 12)


def model(at: tuple[float, float], side: str = "good", **more: Any) -> dict[str, Any]:
    """A man on a base of one inch who may go six."""
    return {"side": side, "at": [num(at[0]), num(at[1])], "base": 1.0, "height": 2.0, "move": 6.0, **more}


def box(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    """The corners of a rectangle."""
    return [[num(x), num(y)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def table(
    models: dict[str, Any], terrain: dict[str, Any] | None = None, size: float = 24.0, **more: Any
) -> dict[str, Any]:
    """A square table."""
    board = {"width": size, "depth": size} | more
    return {"table": board, "models": models, **({"terrain": terrain} if terrain else {})}


def position(chapter: str, name: str, because: str, on: dict[str, Any], ask: dict[str, Any], **told: Any) -> None:
    """Take in a position: what is expected of it and of its mirror, which a hair of difference turns over."""
    change = told.pop("change")
    mirror = told.pop("mirror")
    entry = {"id": name, "because": because, "table": on, "ask": ask, "expect": told, "change": change}
    CHAPTERS.setdefault(chapter, []).append({**entry, "mirror": mirror})


def short_of(inches: str, cost: float, name: str = "m", **told: Any) -> dict[str, Any]:
    """The change that leaves a mover a hair short of a cost, and what becomes of the answer."""
    return {
        "change": {"models": {name: {"move": num(cost - HAIR)}}},
        "mirror": {"answer": "no", "needed": inches, "rules": ["MOV.3"], **told},
    }


def exactly(cost: float) -> float:
    """A Move that is just enough, whatever the last digit of the cost is."""
    return num(cost + 1e-9)


def open_ground() -> None:
    """MOV.3: straight lines."""
    for dx, dy in ((5, 0), (3, 4), (0, 6), (2.4, 3.2), (-4.5, 2), (1.25, -3), (7, 1), (-2, -2), (0.001, 3)):
        cost, formula = hypot(dx, dy), f"hypot({dx}, {dy})"
        m = model((12, 12), move=exactly(cost))
        ask = {"ask": "move", "model": "m", "to": [12 + dx, 12 + dy]}
        why = "Over open ground the shortest way is straight and costs its length (MOV.3)."
        name = f"straight-{dx}-{dy}"
        position(
            "open-ground", name, why, table({"m": m}), ask, answer="yes", needed=formula, **short_of(formula, cost)
        )
    for x, y in ((0.5, 12), (12, 23.5), (23.5, 12), (12, 0.5)):
        dx, dy = (x > 23) - (x < 1), (y > 23) - (y < 1)
        at = (x - 3 * dx, y - 3 * dy)
        ask = {"ask": "move", "model": "m", "to": [x, y]}
        change = {"table": {"width": num(24 - HAIR), "depth": num(24 - HAIR)}} if dx + dy > 0 else None
        if change is None:  # the near edges stay where they are: the base grows instead
            change = {"models": {"m": {"base": 1 + 2 * HAIR}}}
        why = "A base may touch the table's edge and not cross it."
        told = {"change": change, "mirror": {"answer": "no"}}
        position("open-ground", f"edge-{x}-{y}", why, table({"m": model(at)}), ask, answer="yes", needed="3", **told)


def corners() -> None:
    """MOV.3 round a corner that cannot be passed: tangent, arc, tangent."""
    for a, p, q, b, base in (
        (2, 1, 1, 2, 1.0),
        (3, 0.5, 0.5, 2, 1.0),
        (1, 2, 0.75, 3, 1.0),
        (2.5, 0.8, 1.5, 1, 1.5),
        (0.5, 1, 1, 0.5, 0.984251968504),
        (4, 0.6, 0.6, 1, 1.0),
        (1, 1.2, 2, 2, 2.0),
        (3, 2, 1, 4, 0.5),
    ):
        r = base / 2
        d1, d2 = hypot(a, p), hypot(q, b)
        turn = atan2(p, -a) - atan2(-b, q) - acos(r / d1) - acos(r / d2)
        cost = sqrt(d1**2 - r**2) + sqrt(d2**2 - r**2) + r * turn
        formula = (
            f"sqrt({a}**2 + {p}**2 - {r}**2) + sqrt({q}**2 + {b}**2 - {r}**2) + {r}*(atan2({p}, -{a}) - atan2(-{b}, {q})"
            f" - acos({r}/hypot({a}, {p})) - acos({r}/hypot({q}, {b})))"
        )
        m = model((12 - a, 12 + p), base=base, move=exactly(cost))
        cliff = {"cliff": {"tags": ["unscalable"], "polygon": box(4, 4, 12, 12)}}
        ask = {"ask": "move", "model": "m", "to": [12 + q, 12 - b]}
        why = "Round the corner of what cannot be passed the centre keeps the base's radius off: tangent, arc, tangent."
        name = f"corner-{a}-{p}-{q}-{b}"
        position(
            "corners", name, why, table({"m": m}, cliff), ask, answer="yes", needed=formula, **short_of(formula, cost)
        )


def rocks() -> None:
    """MOV.3 round a disc, and round a friend."""
    for d1, d2, radius, base in (
        (2, 2, 1, 1.0),
        (3, 2, 1, 1.0),
        (1.5, 4, 1, 1.0),
        (2.5, 2.5, 0.5, 1.5),
        (4, 3, 2, 1.0),
        (2, 5, 0.75, 0.984251968504),
        (3, 3, 1.5, 2.0),
    ):
        rho = radius + base / 2
        cost = sqrt(d1**2 - rho**2) + sqrt(d2**2 - rho**2) + rho * (pi - acos(rho / d1) - acos(rho / d2))
        formula = (
            f"sqrt({d1}**2 - {rho}**2) + sqrt({d2}**2 - {rho}**2) + {rho}*(pi - acos({rho}/{d1}) - acos({rho}/{d2}))"
        )
        why = "Round a disc: two tangents of the disc grown by the base's radius, and the arc between them."
        ask = {"ask": "move", "model": "m", "to": [12 + d2, 12]}
        m = model((12 - d1, 12), base=base, move=exactly(cost))
        rock = {"rock": {"tags": ["unscalable"], "circle": {"center": [12, 12], "radius": radius}}}
        told = {"answer": "yes", "needed": formula}
        position(
            "rocks", f"rock-{d1}-{d2}-{radius}", why, table({"m": m}, rock), ask, **told, **short_of(formula, cost)
        )
        friend = {"m": m, "f": model((12, 12), base=2 * radius)}
        why = "Friends are passed as rocks are: nobody walks through a base (MOV.5)."
        position("rocks", f"friend-{d1}-{d2}-{radius}", why, table(friend), ask, **told, **short_of(formula, cost))


def gaps() -> None:
    """MOV.4: a base fits through a gap as wide as itself."""
    for width, r1, r2 in ((1.0, 1, 1), (0.984251968504, 0.5, 2), (2.5, 1.25, 0.75), (1.5, 3, 3)):
        pair = {
            "a": {"tags": ["unscalable"], "circle": {"center": [12, num(12 + width / 2 + r1)], "radius": r1}},
            "b": {"tags": ["unscalable"], "circle": {"center": [12, num(12 - width / 2 - r2)], "radius": r2}},
        }
        ask = {"ask": "gap", "between": ["a", "b"], "model": "m"}
        on = table({"m": model((6, 12), base=width)}, pair)
        why = "The gap between two things is the distance of their nearest edges; a base as wide just fits (MOV.4)."
        told = {
            "change": {"models": {"m": {"base": num(width + HAIR)}}},
            "mirror": {"answer": "no", "inches": f"{width}", "rules": ["MOV.4"]},
        }
        position("gaps", f"discs-{width}", why, on, ask, answer="yes", inches=f"{width}", rules=["MOV.4"], **told)
    for width, thick, at in ((1.0, 0.5, 4), (0.984251968504, 1, 4), (1.5, 2, 3), (0.75, 0.25, 3.5), (2.0, 1, 2)):
        walls = {
            "upper": {"tags": ["unscalable"], "polygon": box(12, 12 + width / 2, 12 + thick, 24)},
            "lower": {"tags": ["unscalable"], "polygon": box(12, 0, 12 + thick, 12 - width / 2)},
        }
        cost = 2 * at + thick
        on = table({"m": model((12 - at, 12), base=width, move=24.0)}, walls)
        ask = {"ask": "move", "model": "m", "to": [num(12 + thick + at), 12]}
        why = (
            "A corridor as wide as the base is passed in a straight line; one a hair narrower is no way at all (MOV.4)."
        )
        told = {"change": {"models": {"m": {"base": num(width + HAIR)}}}, "mirror": {"answer": "no"}}
        position("gaps", f"corridor-{width}", why, on, ask, answer="yes", needed=f"2*{at} + {thick}", **told)
        assert cost <= 24


def difficult() -> None:
    """TER.2: double while any part of the base is over difficult ground."""
    for a, width, b, base in (
        (1, 1, 1, 1.0),
        (2, 0.5, 1, 1.0),
        (1.5, 2, 0.75, 1.5),
        (1, 0.25, 3, 0.984251968504),
        (3, 1.25, 2, 1.0),
        (0.75, 3, 0.75, 0.5),
    ):
        r = base / 2
        bog = {"bog": {"tags": ["difficult"], "polygon": box(12, 0, 12 + width, 24)}}
        cost = a + 2 * (width + base) + b
        formula = f"{a} + 2*({width} + {base}) + {b}"
        on = table({"m": model((12 - r - a, 12), base=base, move=exactly(cost))}, bog)
        ask = {"ask": "move", "model": "m", "to": [num(12 + width + r + b), 12]}
        why = "Straight across: every inch with any part of the base over the strip counts twice (TER.2)."
        told = {"answer": "yes", "needed": formula, "rules": ["TER.2"]}
        position("difficult", f"across-{a}-{width}-{b}", why, on, ask, **told, **short_of(formula, cost))
    for a, b, base in ((2, 2, 1.0), (1, 2.5, 1.0), (0.5, 1, 1.5), (3, 0.25, 0.984251968504)):
        bog = {"bog": {"tags": ["difficult"], "polygon": box(12, 0, 24, 24)}}
        formula, cost = f"{a} + 2*{b}", a + 2 * b
        on = table({"m": model((12 - base / 2 - a, 12), base=base, move=exactly(cost))}, bog)
        ask = {"ask": "move", "model": "m", "to": [num(12 - base / 2 + b), 12]}
        why = "Into the ground and no further: open inches once, the others twice (TER.2)."
        told = {"answer": "yes", "needed": formula, "rules": ["TER.2"]}
        position("difficult", f"into-{a}-{b}", why, on, ask, **told, **short_of(formula, cost))


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


def jumping() -> None:
    """TER.3, JMP: low walls are stepped over, those up to the model's height jumped."""
    for height in (1.0, 1.5, 2.0, 3.0):
        wall = {"wall": {"tags": ["obstacle"], "height": num(height / 2 - HAIR), "polygon": box(12, 0, 12.5, 24)}}
        on = table({"m": model((10, 12), height=height)}, wall)
        ask = {"ask": "move", "model": "m", "to": [13, 12]}
        why = "Less than half as high as the model an obstacle is stepped over, free of tests; half as high it is jumped (TER.3)."
        told = {
            "change": {"terrain": {"wall": {"height": num(height / 2)}}},
            "mirror": {"answer": "chance", "chance": "5/6", "needed": "3", "rules": ["TER.4"]},
        }
        position("jumping", f"half-as-high-{height}", why, on, ask, answer="yes", needed="3", **told)
    for a, thick, beyond in ((1, 0.5, 0), (2, 1, 0), (0.5, 0.25, 0), (1, 0.5, 1), (2, 0.25, 0.5), (1, 1, 1.5)):
        cost, formula = a + thick + 1 + beyond, f"{a} + {thick} + 1 + {beyond}"
        wall = {"wall": {"tags": ["obstacle"], "height": 1.5, "polygon": box(12, 0, 12 + thick, 24)}}
        on = table({"m": model((11.5 - a, 12), move=exactly(cost))}, wall)
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + thick + beyond), 12]}
        chance = "1/6" if beyond else "5/6"
        why = "To the wall, over it from touching to touching: 2 to 6. Beyond it: only a 6 (JMP.1, JMP.2)."
        told = {"answer": "chance", "chance": chance, "needed": formula, "rules": ["TER.4"]}
        position("jumping", f"over-{a}-{thick}-{beyond}", why, on, ask, **told, **short_of(formula, cost, chance="0/1"))


def leaping() -> None:
    """LEAP: gaps of up to twice the model's height."""
    for height, a in ((0.75, 1), (1.0, 1), (1.5, 0.5), (2.0, 0.25)):
        width = 2 * height
        gap = {"gap": {"tags": ["gap"], "depth": 4.0, "polygon": box(12, 0, 12 + width, 24)}}
        on = table({"m": model((11.5 - a, 12), height=height, move=8.0)}, gap)
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + width), 12]}
        why = "A gap of just twice the model's height is leapt, 2 to 6; a hair wider is too wide (LEAP.1)."
        wider = {"gap": {"polygon": box(12, 0, 12 + width + HAIR, 24)}}
        told = {
            "change": {"terrain": wider, "ask": {"to": [num(12.5 + width + HAIR), 12]}},
            "mirror": {"answer": "no"},
        }
        formula = f"{a} + {width} + 1"
        position(
            "leaping",
            f"as-wide-as-can-be-{height}",
            why,
            on,
            ask,
            answer="chance",
            chance="5/6",
            needed=formula,
            **told,
        )
    for a, width, beyond in ((1, 1, 0), (2, 0.5, 0), (0.5, 1.5, 0.5), (1, 0.75, 1)):
        cost, formula = a + width + 1 + beyond, f"{a} + {width} + 1 + {beyond}"
        gap = {"gap": {"tags": ["gap"], "depth": 4.0, "polygon": box(12, 0, 12 + width, 24)}}
        on = table({"m": model((11.5 - a, 12), move=exactly(cost))}, gap)
        on["rulings"] = {"leap_needs": "remaining"}  # by the other reading a leap begun may end beyond the Move
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + width + beyond), 12]}
        chance = "1/6" if beyond else "5/6"
        why = "The leap goes from touching one lip to touching the other; on from there only with a 6 (LEAP.2)."
        told = {"answer": "chance", "chance": chance, "needed": formula}
        position("leaping", f"over-{a}-{width}-{beyond}", why, on, ask, **told, **short_of(formula, cost, chance="0/1"))


def climbing() -> None:
    """CLB, FALL, ladders: heights count twice in a climb, once on a ladder, not at all on a free way down."""
    for a, height, beyond in ((1, 2.5, 0), (0.5, 3, 0), (2, 2.25, 0), (0.5, 2.5, 0.5), (1, 3, 1)):
        cost, formula = a + 2 * height + beyond, f"{a} + 2*{height} + {beyond}"
        tower = {"tower": {"tags": ["platform"], "height": height, "polygon": box(12, 6, 20, 18)}}
        on = table({"m": model((11.5 - a, 12), move=exactly(cost))}, tower)
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + beyond), 12], "on": "tower"}
        chance = "1/6" if beyond else "5/6"
        why = "A climb costs twice its height, the shift across the rim nothing; on from the top only with a 6 (CLB.1, CLB.2)."
        told = {"answer": "chance", "chance": chance, "needed": formula, "rules": ["CLB.1"]}
        position("climbing", f"up-{a}-{height}-{beyond}", why, on, ask, **told, **short_of(formula, cost, chance="0/1"))
    for a, height, beyond in ((1, 3, 0), (0.5, 2, 1), (2, 4, 0.5)):
        cost, formula = a + height + beyond, f"{a} + {height} + {beyond}"
        things = {
            "rock": {"tags": ["platform", "unscalable"], "height": float(height), "polygon": box(12, 6, 20, 18)},
            "ladder": {"tags": ["ladder"], "at": [12, 12], "to": "rock"},
        }
        on = table({"m": model((11.5 - a, 12), move=exactly(cost), height=1.0)}, things)
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + beyond), 12], "on": "rock"}
        why = "A ladder costs its height and needs no test (CLB.5)."
        told = {"answer": "yes", "needed": formula}
        position("climbing", f"ladder-{a}-{height}-{beyond}", why, on, ask, **told, **short_of(formula, cost))
    for height in (1.0, 2.0):
        low = {"low": {"tags": ["platform"], "height": height, "polygon": box(4, 6, 12, 18)}}
        on = table({"m": model((11, 12), height=height, on="low")}, low)
        ask = {"ask": "move", "model": "m", "to": [13, 12]}
        why = "Down by as much as the model is tall is free; by a hair more it takes a Climb test and twice the height (FALL.1)."
        told = {"change": {"models": {"m": {"height": num(height - HAIR)}}}, "mirror": {"answer": "chance"}}
        position("climbing", f"down-{height}", why, on, ask, answer="yes", needed="2", **told)


def prone() -> None:
    """PRN.2, PRN.3: crawl an inch, or stand up for half the Move."""
    for dx, dy in ((1, 0), (0.6, 0.8), (0, -1)):
        on = table({"m": model((12, 12), prone=True, move=2.0)})
        ask = {"ask": "move", "model": "m", "to": [12 + dx, 12 + dy]}
        why = "A prone model crawls an inch; for a hair more it must stand up, which leaves it half its Move (PRN.2, PRN.3)."
        further = {"to": [num(12 + dx * (1 + 2 * HAIR)), num(12 + dy * (1 + 2 * HAIR))]}
        told = {"change": {"ask": further}, "mirror": {"answer": "no"}}
        position("prone", f"crawls-{dx}-{dy}", why, on, ask, answer="yes", needed="1", **told)
    for move, d in ((6.0, 3), (4.0, 2), (8.0, 4), (5.0, 2.5)):
        on = table({"m": model((12, 12), prone=True, move=num(move + 1e-9))})
        ask = {"ask": "move", "model": "m", "to": [12 + d, 12]}
        why = "Standing up costs half the Move, and the other half is what is left (PRN.3)."
        told = {"change": {"ask": {"to": [12 + d + HAIR, 12]}}, "mirror": {"answer": "no", "rules": ["MOV.3"]}}
        position("prone", f"stands-{move}", why, on, ask, answer="yes", needed=f"{move}/2 + {d}", **told)


def measuring() -> None:
    """MOV.3: distances are measured between nearest edges."""
    for dx, dy, b1, b2 in ((5, 0, 1.0, 1.0), (3, 4, 1.0, 2.0), (6, 2.5, 0.984251968504, 1.5)):
        formula = f"hypot({dx}, {dy}) - ({b1} + {b2})/2"
        on = table({"m": model((8, 8), base=b1), "e": model((8 + dx, 8 + dy), "evil", base=b2)})
        told = {
            "change": {"models": {"m": {"base": num(b1 + 2 * HAIR)}}},
            "mirror": {"inches": f"{formula} - {HAIR}"},
        }
        why = "From base to base: the distance of the centres less both radii."
        position(
            "measuring", f"bases-{dx}-{dy}", why, on, {"ask": "measure", "from": "m", "to": "e"}, inches=formula, **told
        )
    for dx, dy in ((3, 4), (2, 0), (0, 2.5), (1, 1)):
        formula = f"hypot({dx}, {dy}) - 0.5"
        house = {"house": {"tags": ["obstacle"], "height": 3.0, "polygon": box(12, 12, 16, 16)}}
        on = table({"m": model((12 - dx, 12 - dy))}, house)
        told = {"change": {"models": {"m": {"base": 1 + 2 * HAIR}}}, "mirror": {"inches": f"{formula} - {HAIR}"}}
        why = "From a base to a corner: the distance of the centre from it less the radius."
        position(
            "measuring",
            f"corner-{dx}-{dy}",
            why,
            on,
            {"ask": "measure", "from": "m", "to": "house"},
            inches=formula,
            **told,
        )


def reaching() -> None:
    """MOV.3: where a move can end."""
    for move, x in ((6.0, 12), (3.0, 12), (4.5, 12)):
        on = table({"m": model((x, 12), move=move)})
        told = {
            "change": {"models": {"m": {"move": num(move + 0.01)}}},
            "mirror": {"area": f"pi*({move} + 0.01)**2"},
        }
        why = "On open ground the centre can end anywhere in a disc of the Move's radius."
        position("reaching", f"open-{move}", why, on, {"ask": "reach", "model": "m"}, area=f"pi*{move}**2", **told)
    on = table({"m": model((12, 0.5), move=4.0)})
    told = {"change": {"models": {"m": {"move": 4.01}}}, "mirror": {"area": "pi*4.01**2/2"}}
    why = "Along the table's edge half of the disc is left."
    position("reaching", "edge", why, on, {"ask": "reach", "model": "m"}, area="pi*4**2/2", **told)


def doubtful() -> None:
    """Contested measuring: what is within the table's tolerance is too close to call."""
    for d, tolerance in ((4, 0.03125), (3, 0.05), (5, 0.02)):
        on = table({"m": model((8, 12), move=num(d + tolerance - HAIR))}, tolerance=tolerance)
        ask = {"ask": "move", "model": "m", "to": [8 + d, 12]}
        why = "A margin within the tolerance settles nothing; a hair beyond it does."
        told = {"change": {"models": {"m": {"move": num(d + tolerance + HAIR)}}}, "mirror": {"answer": "yes"}}
        position("doubtful", f"just-enough-{d}", why, on, ask, answer="too-close", needed=f"{d}", **told)
        on = table({"m": model((8, 12), move=num(d - tolerance + HAIR))}, tolerance=tolerance)
        told = {"change": {"models": {"m": {"move": num(d - tolerance - HAIR)}}}, "mirror": {"answer": "no"}}
        position("doubtful", f"just-short-{d}", why, on, ask, answer="too-close", needed=f"{d}", **told)


def main() -> None:
    """Write a file per chapter."""
    for chapter in (
        *(open_ground, corners, rocks, gaps, difficult, zones, charging, sight),
        *(jumping, leaping, climbing, prone, measuring, reaching, doubtful),
    ):
        chapter()
    HERE.mkdir(exist_ok=True)
    for name, entries in CHAPTERS.items():
        lines = ",\n".join(json.dumps(entry) for entry in entries)
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(sum(map(len, CHAPTERS.values())), "positions")


if __name__ == "__main__":
    main()
