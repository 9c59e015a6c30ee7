"""Where several rules meet: zones behind zones, pockets, walls beside targets, leaps off roofs, ditches at a foot."""

from __future__ import annotations

from math import acos, asin, atan2, cos, hypot, pi, sin, sqrt
from typing import Any

from chapters.form import HAIR, Position, box, exactly, model, num, position, record, short_of, table

Rows = dict[str, Any]


def strip(x0: float, x1: float, tags: str, **more: Any) -> Rows:
    """A piece across the whole table."""
    return {"tags": tags.split(), "polygon": box(x0, 0, x1, 24), **more}


def lane() -> Rows:
    """Two sheer walls that leave a lane 1.2 in wide about y = 12."""
    sheer = {"tags": ["unscalable"], "height": 9.0}
    return {"below": sheer | {"polygon": box(0, 11, 24, 11.4)}, "above": sheer | {"polygon": box(0, 12.6, 24, 13)}}


def asked(name: str, why: str, models: Rows, terrain: Rows, ask: Rows, cost: float, formula: str, **told: Any) -> None:
    """Take in a position in which the mover has just what it needs; its mirror has a hair less unless told."""
    on = table({**models, "m": models["m"] | {"move": exactly(cost)}}, terrain)
    if "rulings" in told:
        on["rulings"] = told.pop("rulings")
    mirrored = {k: told.pop(k) for k in ("change", "mirror") if k in told} or short_of(formula, cost)
    position("meeting", name, why, on, ask, **({"answer": "yes"} | told), needed=formula, **mirrored)


def move(*to: float, on: str | None = None) -> Rows:
    """Ask whether it can end there."""
    return {"ask": "move", "model": "m", "to": list(to)} | ({} if on is None else {"on": on})


def charge(*targets: str) -> Rows:
    """Ask whether it can charge these."""
    return {"ask": "charge", "model": "m", "target": targets[0] if len(targets) == 1 else list(targets)}


def zones() -> None:
    """CZ and CHG: which zone is entered first, and how who is stuck goes away."""
    behind = {
        2.2: (
            sqrt(21) + 2 * (pi - acos(2 / 5) - acos(2.2 / 4)) + 1,
            "sqrt(25 - 4) + 2*(pi - acos(2/5) - acos(2.2/4)) + 1",
            "Along the first zone's rim to where the rims cross, both are entered at once, and the player chooses (CHG.3, CHG.5).",
        ),
        3.0: (
            sqrt(21) + 2 * (pi - acos(2 / 5) - acos(2 / 3)) + sqrt(5) - 1,
            "sqrt(25 - 4) + 2*(pi - acos(2/5) - acos(2/3)) + sqrt(9 - 4) - 1",
            "Far enough behind, the tangent at the rim of the first zone enters the second alone (CHG.3).",
        ),
    }
    for s, (cost, formula, why) in behind.items():
        models = {"m": model((5, 12)), "a": model((10, 12), "evil", height=1.0), "b": model((10 + s, 12), "evil")}
        asked(f"behind-a-zone-{s}", why, models, {}, charge("b"), cost, formula)

    turn = atan2(1.5, -0.5) + acos((1 + 2.5 - 4) / (2 * sqrt(2.5)))
    models = {"m": model((5, 12)), "t": model((10, 12), "evil", prone=True), "u": model((9.5, 13.5), "evil")}
    why = "Who lies has no zone: it is touched where the zone of its friend does not reach, on that zone's rim (CZ.2, CHG.3)."
    angle = "(atan2(1.5, -0.5) + acos((1 + 2.5 - 4)/(2*sqrt(2.5))))"
    formula = f"hypot(5 + cos{angle}, sin{angle})"
    asked("lies-beside-a-zone", why, models, {}, charge("t"), hypot(5 + cos(turn), sin(turn)), formula)

    d = hypot(1.3, 3)
    models = {"m": model((12, 12)), "a": model((10.5, 12), "evil"), "b": model((13.5, 12), "evil")}
    why = "Stuck amid two, it is no closer to either at first: along the circle about one, then off it on a tangent (CZ.4)."
    cost = 1.5 * (acos(1.3 / d) - acos(1.5 / d)) + sqrt(d**2 - 2.25)
    formula = "1.5*(acos(1.3/hypot(1.3, 3)) - acos(1.5/hypot(1.3, 3))) + sqrt(1.3**2 + 3**2 - 2.25)"
    asked("held-by-two", why, models, {}, move(12.2, 15), cost, formula)

    models = {"m": model((10, 12)), "a": model((11.5, 12), "evil", height=1.0), "b": model((14.5, 12), "evil")}
    why = "Stuck at one, round it no closer, and off the circle straight at the one behind (CZ.4; by the other reading not at all)."
    change = {"rulings": {"stuck_then_charge": "no"}}
    told: Position = {"change": change, "mirror": {"answer": "no", "rules": ["CZ.4"]}}
    asked("round-one-at-another", why, models, {}, charge("b"), pi + sqrt(6.75) - 1, "pi + sqrt(9 - 2.25) - 1", **told)

    models = {"m": model((10, 12)), "a": model((11.5, 12), "evil")}
    why = "Inside the zone it began in, to the back of the enemy: half round, never closer (CZ.4)."
    asked("to-its-back", why, models, {}, move(13, 12), 1.5 * pi, "1.5*pi")
    cost = 1.5 * (pi - acos(1.5 / 1.7)) + sqrt(1.7**2 - 2.25)
    formula = "1.5*(pi - acos(1.5/1.7)) + sqrt(1.7**2 - 1.5**2)"
    asked("to-its-back-and-off", why, models, {}, move(13.2, 12), cost, formula)

    ring = {
        n: model((12 + 1.5 * cos(a), 12 + 1.5 * sin(a)), "evil")
        for n, a in zip("abd", (2 * pi / 3, -2 * pi / 3, 0), strict=True)
    }
    why = "Held by three around it: whichever way it goes is closer to one of them (CZ.4); it may charge one (CZ.4, CHG.5)."
    told = {
        "change": {"ask": {"ask": "charge", "target": "d", "to": None}},
        "mirror": {"answer": "yes", "needed": "1.5 - 1"},
    }
    on = table({"m": model((12, 12))} | ring)
    position("meeting", "held-by-three", why, on, move(12.01, 12), answer="no", rules=["CZ.4"], **told)

    on = table({"m": model((9.5, 12)), "a": model((8, 12), "evil")}, {"p": strip(10, 16, "platform", height=4.0)})
    on["terrain"]["steps"] = {"tags": ["ladder"], "at": [10, 12], "to": "p"}
    on["models"]["m"]["move"] = exactly(4)
    why = "Stuck at the foot of a ladder: up it is away, for its height (CZ.4, CLB.5)."
    position(
        "meeting", "away-up-a-ladder", why, on, move(10.5, 12, on="p"), answer="yes", needed="4", **short_of("4", 4)
    )


def contacts() -> None:
    """CHG with TER, JMP and PRN: where a base may end, and what a die has to show for it."""
    models = {"m": model((5, 12)), "b": model((10, 12), "evil")}
    low = {"hedge": strip(8.6, 8.9, "obstacle", height=0.5)}
    why = "Straight ahead it would end on a hedge it steps over: it touches further round (TER.3), or straight ahead where that is ruled."
    told: Position = {
        "change": {"rulings": {"end_on_low_obstacle": "yes"}},
        "mirror": {"answer": "yes", "needed": "5 - 1"},
    }
    asked("not-on-the-hedge", why, models, low, charge("b"), hypot(4.4, 0.8), "hypot(4.4, 0.8)", **told)

    models = {
        "m": model((4, 12)),
        "b": model((10, 11.2), "evil"),
        "c": model((10, 12.8), "evil"),
        "f": model((8.5, 12), height=1.0),
    }
    cost = sqrt(35.64) + pi + atan2(0.8, 6) - acos(1 / sqrt(36.64)) - atan2(-0.8, 0.6)
    formula = "sqrt(35.64) + pi + atan2(0.8, 6) - acos(1/sqrt(36.64)) - atan2(-0.8, 0.6)"
    why = "A friend bars the pocket between two enemies: round one of them to the pocket behind (MOV.4, CHG.6)."
    told = {"change": {"models": {"f": None}}, "mirror": {"answer": "yes", "needed": "6 - sqrt(1 - 0.8**2)"}}
    asked("the-pocket-behind", why, models, {}, charge("b", "c"), cost, formula, **told)

    models = {"m": model((5, 12)), "b": model((10.5, 12), "evil", on="p")}
    roof = {"p": strip(10, 16, "platform", height=1.2)}
    told = {
        "change": {"terrain": {"p": {"height": num(1 - HAIR)}}},
        "mirror": {"answer": "yes", "needed": "10.5 - 5 - 1"},
    }
    told |= {"answer": "chance", "chance": "5/6"}
    why = "More than half its height up, it must stand beside the enemy on top: jumped straight across the rim (JMP.1); less, it touches from below."
    asked("beside-it-on-top", why, models, roof, charge("b"), hypot(4.5, 1) + 1, "hypot(4.5, 1) + 1", **told)

    low = {"p": strip(8, 16, "platform", height=1.5), "hedge": strip(7.2, 7.4, "obstacle", height=0.5)}
    why = "Down from a deck its base comes to lie over a hedge, and goes on: who takes no die there ends there no move (FALL.1, TER.3)."
    told = {"change": {"ask": {"to": [7.5, 12]}}, "mirror": {"answer": "no", "rules": ["TER.3"]}}
    asked("down-over-a-hedge", why, {"m": model((10, 12), on="p")}, low, move(6, 12), 4.0, "10 - 6", **told)

    models = {"m": model((7, 12)), "b": model((12, 12), "evil", on="p"), "c": model((10.9, 10.2), "evil")}
    roof = {"p": {"tags": ["platform"], "height": 1.5, "polygon": box(10, 11, 16, 13)}}
    why = "On its way up it is on both levels, and in the zone of whom it charges before that of the enemy below (CHG.3, CHG.5); the other way round it is barred."
    told = {"answer": "chance", "chance": "1/6", "rules": ["CHG.3"], "change": {"models": {"c": {"at": [10.85, 10.2]}}}}
    asked("up-into-two-zones", why, models, roof, charge("b"), 4.0, "12 - 7 - 1", **told, mirror={"answer": "no"})

    models = {"m": model((7, 12)), "b": model((11.5, 12), "evil")}
    wall = {"wall": strip(9, 9.5, "obstacle", height=1.5)}
    why = "Straight over and on with a 6: with a 2 to 5 it stays in the zone of whom it charges and touches nobody (JMP.1, CHG.3)."
    change = {"rulings": {"charge_on_a_six": "no"}}
    aslant = "hypot(3, sqrt(4 - 1.5**2)) + 1"  # to where the zone's rim crosses the wall's far side, and on with a 6
    told = {"answer": "chance", "chance": "1/6", "change": change}
    told |= {"mirror": {"answer": "no", "chance": "0/1", "needed": aslant, "rules": ["MOV.3"]}}
    asked("on-a-six", why, models, wall, charge("b"), 3.5, "4.5 - 1", **told)
    why = "Where a 6 alone is tried only from outside the zone, it lands on the zone's rim (CZ.1, JMP.1)."
    cost = hypot(3, sqrt(4 - 1.5**2)) + 1
    told = {"answer": "chance", "chance": "1/6", "rulings": {"charge_on_a_six": "no"}}
    told |= short_of(aslant, cost, chance="0/1")
    asked("on-a-six-from-the-rim", why, models, wall, charge("b"), cost, aslant, **told)

    models = {"m": model((8.5, 12)), "b": model((10.4, 12), "evil")}
    wall = {"wall": strip(9, 9.5, "obstacle", height=1.5)}
    cost = sqrt(0.84) - 0.6 / sqrt(0.84) + 1.5 / sqrt(0.84)
    formula = "sqrt(0.84) - 0.6/sqrt(0.84) + 1.5/sqrt(0.84)"
    why = "Set down touching an enemy behind the wall: along the wall until the straight jump just clears its base (JMP.1, CHG.1, MOV.4)."
    turned = "1.5/cos(asin(1/1.9)) + hypot(0.4, 1.5*tan(asin(1/1.9))) - 1"  # past its side, and back with a 6
    told = {"answer": "chance", "chance": "5/6", **short_of(turned, cost, answer="chance", chance="1/6")}
    told["mirror"].pop("rules")
    asked("jumped-past-its-side", why, models, wall, charge("b"), cost, formula, **told)

    models = {"m": model((7, 12)), "f": model((10, 12), "evil", prone=True), "b": model((13.02, 12), "evil")}
    why = "Over who lies in a lane, and on into contact behind: 2 to 5 would leave it short, in the zone (PRN.5, CZ.1): a 6."
    told = {"answer": "chance", "chance": "1/6", **short_of("13.02 - 7 - 1", 5.02, chance="0/1")}
    asked("over-who-lies-and-on", why, models, lane(), charge("b"), 5.02, "13.02 - 7 - 1", **told)


def crossings() -> None:
    """TER, JMP, LEAP and CLB, one behind the other or on one another."""
    pillar = {"tags": ["unscalable"], "height": 9.0, "circle": {"center": [12, 12], "radius": 1.0}}
    low = {"rubble": strip(9, 15, "obstacle", height=num(1 - HAIR)), "pillar": pillar}
    cost = 2 * sqrt(25 - 2.25) + 1.5 * (pi - 2 * acos(0.3))
    why = "What is stepped over is no hindrance, however broad: the way bends on it, round a pillar (TER.3, MOV.3)."
    formula = "2*sqrt(25 - 1.5**2) + 1.5*(pi - 2*acos(1.5/5))"
    asked("bends-on-rubble", why, {"m": model((7, 12))}, low, move(17, 12), cost, formula)

    cost = 2 - sqrt((3 * 3.9 / 2.9) ** 2 - 3.9**2) + 3 * 3.9 / 2.9
    formula = "2 - sqrt((3*3.9/2.9)**2 - 3.9**2) + 3*3.9/2.9"
    why = "Aslant only as far as the gap along the leap is twice the height; the rest along the brim (LEAP.1). By its narrowest width, straight."
    told: Position = {"change": {"rulings": {"leap_width": "narrowest"}}}
    told["mirror"] = {"answer": "chance", "chance": "5/6", "needed": "hypot(3.9, 2)"}
    told |= {"answer": "chance", "chance": "5/6"}
    gap = {"gap": strip(9, 11.9, "gap", depth=3.0)}
    asked("aslant-over-a-gap", why, {"m": model((8.5, 12), height=1.5)}, gap, move(12.4, 14), cost, formula, **told)

    roofs = {"p": strip(10, 12, "platform", height=2.5), "q": strip(14, 18, "platform", height=2.5)}
    why = "Up by a climb that must go on, an inch, and a leap to the next roof: 6, then 2 or better (CLB.2, LEAP.2)."
    told = {"answer": "chance", "chance": "5/36", **short_of("2*2.5 + 1 + 3", 9, chance="0/1")}
    told["rulings"] = {"leap_needs": "remaining"}  # by the other reading a leap begun may end beyond the Move
    asked("climb-and-leap", why, {"m": model((9.5, 12))}, roofs, move(14.5, 12, on="q"), 9, "2*2.5 + 1 + 3", **told)

    walls = {"w": strip(9, 9.5, "obstacle", height=1.5), "v": strip(12, 12.5, "obstacle", height=1.5)}
    why = "Two walls: a 6 over the first, 2 or better over the second (JMP.1)."
    told = {"answer": "chance", "chance": "5/36", **short_of("13 - 7", 6, chance="0/1")}
    asked("two-walls", why, {"m": model((7, 12))}, walls, move(13, 12), 6, "13 - 7", **told)

    foot = {"ditch": strip(9, 10, "gap", depth=num(1.3 + HAIR)), "p": strip(10, 16, "platform", height=0.7)}
    cost = 1.5 + 1 + 2 * (2 + HAIR)
    why = "Down into a ditch at a platform's foot for nothing, then up both sides as one face: a hair above its height, a climb (FALL.1, CLB.1)."
    told = {"change": {"terrain": {"ditch": {"depth": 1.3}}}, "answer": "chance", "chance": "5/6"}
    told["mirror"] = {"answer": "chance", "chance": "5/6", "needed": "1.5 + 1 + 1"}
    asked(
        "ditch-at-the-foot",
        why,
        {"m": model((7, 12))},
        foot,
        move(10.5, 12, on="p"),
        cost,
        f"1.5 + 1 + 2*(2 + {HAIR})",
        **told,
    )

    storeys = {"p": strip(10, 16, "platform", height=3.0), "q": strip(12, 16, "platform", height=3.0, on="p")}
    storeys["steps"] = {"tags": ["ladder"], "at": [12, 12], "to": "q", "on": "p"}
    why = "A ladder from storey to storey costs its own height, whatever is below (CLB.5)."
    asked("ladder-on-a-roof", why, {"m": model((10.5, 12), on="p")}, storeys, move(12.5, 12, on="q"), 4, "1 + 3")

    rock = {"rock": {"tags": ["obstacle"], "height": 1.5, "circle": {"center": [10, 12], "radius": 0.3}}}
    why = "A round rock fills a lane: touched, and straight over to where the base touches it again (JMP.1)."
    told = {"answer": "chance", "chance": "5/6", **short_of("10.8 - 7", 3.8, chance="0/1")}
    asked("rock-in-a-lane", why, {"m": model((7, 12))}, rock | lane(), move(10.8, 12), 3.8, "10.8 - 7", **told)


def looks() -> None:
    """LOS: what just covers a target, and what just does not."""
    side = asin(0.5 / 3) - asin(0.5 / 6)
    post = lambda a: [num(5 + 3 * cos(a)), num(12 + 3 * sin(a))]  # noqa: E731
    on = table({"m": model((5, 12)), "b": model((11, 12), "evil"), "f": model((0, 0), height=9.0)})
    on["models"]["f"]["at"] = post(side - HAIR)
    why = "Half way a tall friend's base spans the angle of the target's from edge to edge; further aside an edge looks out (LOS)."
    told: Position = {"change": {"models": {"f": {"at": post(side + HAIR)}}}, "mirror": {"answer": "yes"}}
    position("meeting", "behind-a-friend", why, on, {"ask": "sight", "model": "m", "target": "b"}, answer="no", **told)

    on = table({"m": model((3, 12), on="p", height=0.5), "b": model((num(17.5 - HAIR), 12), "evil", height=1.0)})
    on["terrain"] = {"p": strip(2, 6, "platform", height=3.0)}
    why = "Over the rim of the roof, half an inch below the eye and three away, to the far edge of the target's top, fifteen away (LOS)."
    told = {"change": {"models": {"b": {"at": [num(17.5 + HAIR), 12]}}}, "mirror": {"answer": "yes"}}
    position("meeting", "below-the-rim", why, on, {"ask": "sight", "model": "m", "target": "b"}, answer="no", **told)


def leaps_that_fail() -> None:
    """LEAP.2, FALL.2: where who fails a leap comes to lie, and how hurt."""
    over = {"model": "m", "to": [11.5, 12], "rolls": [1]}
    pit = {"pit": strip(9, 11, "gap", depth=3.0)}
    lies: Position = {"legal": True, "prone": True, "on": "pit"}
    on = table({"m": model((7, 12)), "far": model((20, 22), "evil")}, pit)
    why = "A 1 falls: at the foot of the side it leapt from, the base touching it (FALL.2); by the other reading amid the gap."
    told: Position = {"change": {"rulings": {"leap_fall": "middle"}}, "mirror": lies | {"at": ["10", "12"]}}
    record("falls", "at-the-foot-of-a-leap", why, on, [over], at=["9 + 0.5", "12"], **lies, **told)

    on = table({"m": model((7, 12)), "far": model((20, 22), "evil"), "f": model((10, 11.9), on="pit")}, pit)
    why = "A friend stands there: it lies beside, as near to where it leapt from as there is room (MOV.4, FALL.2)."
    told = {
        "change": {"models": {"f": {"at": [10, 12.1]}}},
        "mirror": lies | {"at": ["9 + 0.5", "12.1 - sqrt(1 - 0.25)"]},
    }
    record("falls", "beside-who-is-below", why, on, [over], at=["9 + 0.5", "11.9 + sqrt(1 - 0.25)"], **lies, **told)

    roofs = {"p": strip(5, 10, "platform", height=3.0), "q": strip(12, 16, "platform", height=3.0)}
    roofs["ledge"] = strip(10, 12, "platform", height=num(0.5 + HAIR))
    on = table({"m": model((9.5, 12), on="p", height=1.5), "far": model((20, 22), "evil")}, roofs)
    why = "Off a roof onto a ledge: a hit beyond its height; another for each whole inch more, a hair short of one here (FALL.2)."
    lies = {"legal": True, "prone": True, "on": "ledge", "at": ["10 + 0.5", "12"]}
    told = {"change": {"terrain": {"ledge": {"height": 0.5}}}, "mirror": lies | {"hits": 2}}
    over = {"model": "m", "to": [12.5, 12], "on": "q", "rolls": [1]}
    record("falls", "onto-a-ledge", why, on, [over], hits=1, **lies, **told)
