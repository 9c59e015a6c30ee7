"""Open ground, corners, rocks, gaps, difficult ground."""

from __future__ import annotations

from math import acos, atan2, hypot, pi, sqrt

from chapters.form import HAIR, box, exactly, model, num, position, short_of, table


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
