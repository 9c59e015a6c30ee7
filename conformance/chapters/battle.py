"""What meets on a crowded table: ranks and spears, zones that overlap, riders, ends on difficult ground, edges."""

from __future__ import annotations

from math import acos, cos, pi, radians, sin, sqrt

from chapters.form import HAIR, box, exactly, model, num, position, short_of, table


def ranks() -> None:
    """MOV.4, CZ.2, CHG: through and into gaps between bases."""
    for x, d, base, friend in ((3, 3, 1.0, 1.0), (2, 2.5, 0.984251968504, 0.984251968504), (4, 3, 1.574803149606, 1.0)):
        apart, cost = (base + friend) / 2, x + d - (base + 1.0) / 2
        models = {
            "m": model((12 - x, 12), base=base, move=exactly(cost)),
            "f": model((12, 12 + apart), base=friend, height=1.0),
            "g": model((12, 12 - apart), base=friend, height=1.0),
            "e": model((12 + d, 12), "evil"),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        change = {"models": {"g": {"at": [12, num(12 - apart + HAIR)]}}}
        why = "Between two friends there is just the base's width; through it a charge goes straight on (MOV.4, CHG.1)."
        told = {"change": change, "mirror": {"answer": "no"}}
        formula = f"{x} + {d} - ({base} + 1)/2"
        position("ranks", f"between-friends-{x}-{base}", why, table(models), ask, answer="yes", needed=formula, **told)
    for x, d, base in ((3, 2.5, 1.0), (2, 3, 0.984251968504), (2.5, 2.5, 1.25)):
        apart, cost = (base + 1.0) / 2, x + d - (base + 1.0) / 2
        models = {
            "m": model((12 - x, 12), base=base, move=exactly(cost)),
            "a": model((12, 12 + apart), "evil", engaged=["f"], height=1.0),
            "f": model((12, 13 + apart), engaged=["a"], height=1.0),
            "b": model((12, 12 - apart), "evil", prone=True),
            "e": model((12 + d, 12), "evil"),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        change = {"models": {"b": {"prone": False}}}
        why = "An engaged and a prone enemy have no zones: between their bases a charge passes that just fits (CZ.2)."
        told = {"change": change, "mirror": {"answer": "no"}}
        formula = f"{x} + {d} - ({base} + 1)/2"
        position("ranks", f"between-enemies-{x}-{base}", why, table(models), ask, answer="yes", needed=formula, **told)
    for base, d in ((0.984251968504, 3), (0.9, 2), (0.75, 4)):
        models = {
            "m": model((12 - 2 * base - d, 12), base=base, move=exactly(d)),
            "f": model((12 - base, 12), base=base, engaged=["e"]),
            "e": model((12, 12), "evil", base=base, engaged=["f"]),
        }
        ask = {"ask": "move", "model": "m", "to": [num(12 - 2 * base), 12]}
        free = {"models": {"f": {"engaged": []}, "e": {"engaged": [], "at": [num(12 + HAIR), 12]}}}
        why = "A spear behind a friend stands within an inch of whom that one fights: engaged, he has no zone (CZ.2)."
        told = {"change": free, "mirror": {"answer": "no", "rules": ["CZ.1"]}}
        position("ranks", f"spear-{base}", why, table(models), ask, answer="yes", needed=f"{d}", **told)
    for base, d in ((1.0, 2), (1.25, 3), (0.984251968504, 4.5)):
        apart = (base + 1.0) / 2
        models = {
            "m": model((12, 12 - d), base=base),
            "f": model((12 + apart, 12)),
            "g": model((12 - apart, 12)),
        }
        ask = {"ask": "move", "model": "m", "to": [12, 12]}
        change = {"models": {"f": {"at": [num(12 + apart - HAIR), 12]}}}
        why = "A base may close a rank in which there is just room for it, touching both neighbours (MOV.4)."
        told = {"change": change, "mirror": {"answer": "no", "rules": ["MOV.4"]}}
        position("ranks", f"closes-a-rank-{base}", why, table(models), ask, answer="yes", needed=f"{d}", **told)
    for d, base, friend in ((3, 1.0, 1.0), (2.5, 1.0, 2.362204724409), (4, 1.574803149606, 0.984251968504)):
        models = {"m": model((12, 12), base=base), "f": model((12 + d + (base + friend) / 2, 12), base=friend)}
        ask = {"ask": "move", "model": "m", "to": [12 + d, 12]}
        change = {"models": {"f": {"at": [num(12 + d + (base + friend) / 2 - HAIR), 12]}}}
        why = "A move may end touching a friend, and no nearer (MOV.4)."
        told = {"change": change, "mirror": {"answer": "no", "rules": ["MOV.4"]}}
        position("ranks", f"up-to-a-friend-{d}-{base}", why, table(models), ask, answer="yes", needed=f"{d}", **told)
    for dm in (2, 3, 4):
        cost, formula = sqrt(dm**2 - 1) + 2 * pi / 3 - acos(1 / dm), f"sqrt({dm}**2 - 1) + 2*pi/3 - acos(1/{dm})"
        models = {
            "m": model((11 - dm, 12), move=exactly(cost)),
            "f": model((11, 12), engaged=["e"], height=1.0),
            "e": model((12, 12), "evil", engaged=["f"]),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = (
            "To whom a friend fights: round that friend, to where one touches both (60 degrees off their line; CHG.1)."
        )
        told = {"answer": "yes", "needed": formula}
        position("ranks", f"beside-a-friend-{dm}", why, table(models), ask, **told, **short_of(formula, cost))


def overlaps() -> None:
    """CZ.4, CHG.3, CHG.5: zones that overlap, and zones one starts in."""
    for dm, d, turn in ((4, 3, 30), (3, 3.5, 45), (5, 3, 40), (4, 4, 35)):
        phi = radians(turn)
        cost = sqrt(dm**2 - 4) + 2 * (pi - phi - acos(2 / dm) - acos(2 / d)) + sqrt(d**2 - 4) - 1
        formula = f"sqrt({dm}**2 - 4) + 2*(pi - {turn}*pi/180 - acos(2/{dm}) - acos(2/{d})) + sqrt({d}**2 - 4) - 1"
        models = {
            "m": model((12 - dm, 12), move=exactly(cost)),
            "a": model((12, 12), "evil"),
            "e": model((12 + d * cos(phi), 12 + d * sin(phi)), "evil"),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = "Round the zone of another enemy, and off it along the tangent to whom it charges (CZ.1, CHG.3)."
        told = {"answer": "yes", "needed": formula}
        position("overlaps", f"round-one-{dm}-{d}", why, table(models), ask, **told, **short_of(formula, cost))
    for dm, d, turn in ((4, 2, 30), (3, 2.4, 45), (5, 2.6, 35), (3.5, 1.8, 40)):
        phi = radians(turn)
        cost = sqrt(dm**2 - 4) + 2 * (pi - phi - acos(2 / dm) - acos(d / 4)) + 1
        formula = f"sqrt({dm}**2 - 4) + 2*(pi - {turn}*pi/180 - acos(2/{dm}) - acos({d}/4)) + 1"
        models = {
            "m": model((12 - dm, 12), move=exactly(cost)),
            "a": model((12, 12), "evil", height=1.0),
            "e": model((12 + d * cos(phi), 12 + d * sin(phi)), "evil"),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = (
            "Round a zone to where it meets that of the target, and straight on: from there it counts no more (CHG.5)."
        )
        told = {"answer": "yes", "needed": formula}
        position("overlaps", f"into-both-{dm}-{d}", why, table(models), ask, **told, **short_of(formula, cost))
    for dm, d, turn in ((3.5, 1.5, 60), (3, 1.25, 60)):
        phi = radians(turn)
        cost = sqrt(dm**2 + 4 - 4 * dm * cos(pi - phi - acos(d / 4))) + 1
        formula = f"sqrt({dm}**2 + 4 - 4*{dm}*cos(pi - {turn}*pi/180 - acos({d}/4))) + 1"
        models = {
            "m": model((12 - dm, 12), move=exactly(cost)),
            "a": model((12, 12), "evil", height=1.0),
            "e": model((12 + d * cos(phi), 12 + d * sin(phi)), "evil"),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = "Straight to where both zones are entered at once, and there the target is the player's choice (CHG.3)."
        told = {"answer": "yes", "needed": formula}
        position("overlaps", f"at-once-{dm}-{d}", why, table(models), ask, **told, **short_of(formula, cost))
    for s, d, turn in ((1.5, 2, 0), (1.2, 3, 60), (1.9, 4, -80), (1.05, 1, 30)):
        away = radians(turn)
        models = {"m": model((12 + s, 12)), "e": model((12, 12), "evil")}
        ask = {"ask": "move", "model": "m", "to": [num(12 + s + d * cos(away)), num(12 + d * sin(away))]}
        change = {"ask": {"to": [num(12 + s - HAIR), 12]}}
        why = "Who starts in a zone may move away in it, and come no closer (CZ.4)."
        told = {"change": change, "mirror": {"answer": "no", "rules": ["CZ.4"]}}
        position("overlaps", f"away-{s}-{turn}", why, table(models), ask, answer="yes", needed=f"{d}", **told)
    for base, foe, d in ((1.0, 1.0, 5), (1.574803149606, 1.0, 4), (1.0, 2.362204724409, 6)):
        apart = (base + foe) / 2
        models = {
            "m": model((12 - d / 2, 12), base=base, move=exactly(d)),
            "e": model((12, 12 + apart), "evil", base=foe, engaged=["f"]),
            "f": model((12, 12.5 + apart + foe / 2), engaged=["e"]),
            "g": model((12, 12 - apart), base=foe),
        }
        ask = {"ask": "move", "model": "m", "to": [12 + d / 2, 12]}
        change = {"models": {"g": {"at": [12, num(12 - apart + HAIR)]}}}
        why = "The zone of one who is engaged is gone, his base is not: between it and a friend there is just room (CZ.2)."
        told = {"change": change, "mirror": {"answer": "no"}}
        position("overlaps", f"past-engaged-{base}-{foe}", why, table(models), ask, answer="yes", needed=f"{d}", **told)


def lying() -> None:
    """PRN: charges at and by those who lie, and ways past them."""
    for d, base, foe in ((4, 1.0, 1.0), (5, 1.0, 1.574803149606)):
        cost, formula = d - (base + foe) / 2, f"{d} - ({base} + {foe})/2"
        models = {
            "m": model((8, 12), base=base, move=exactly(cost)),
            "e": model((8 + d, 12), "evil", base=foe, prone=True),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = "Who lies is charged as anybody (PRN.4)."
        told = {"answer": "yes", "needed": formula}
        position("lying", f"at-one-who-lies-{d}", why, table(models), ask, **told, **short_of(formula, cost))
    for d, base, foe in ((3, 1.0, 1.0), (4, 0.984251968504, 0.984251968504), (2.5, 1.0, 2.0)):
        gap = d - (base + foe) / 2
        models = {
            "m": model((8, 12), base=base, move=exactly(2 * gap), prone=True),
            "e": model((8 + d, 12), "evil", base=foe),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        further = {"models": {"e": {"at": [num(8 + d + HAIR), 12]}}}
        why = "Half the Move to stand up, the other half to contact (PRN.3)."
        told = {"change": further, "mirror": {"answer": "no", "rules": ["MOV.3"]}}
        formula = f"2*({d} - ({base} + {foe})/2)"
        position("lying", f"stands-to-charge-{d}", why, table(models), ask, answer="yes", needed=formula, **told)
    for d, foe in ((3, 1.0), (4, 1.574803149606)):
        stop = 8 + d - (1.0 + foe) / 2 - 0.1
        models = {"m": model((8, 12)), "e": model((8 + d, 12), "evil", base=foe, prone=True)}
        ask = {"ask": "move", "model": "m", "to": [num(stop), 12]}
        change = {"models": {"e": {"prone": False}}}
        why = "Within an inch of who lies one may stop, short of contact: he has no zone (PRN.4)."
        told = {"change": change, "mirror": {"answer": "no", "rules": ["CZ.1"]}}
        formula = f"{d} - (1 + {foe})/2 - 0.1"
        position("lying", f"beside-one-who-lies-{d}", why, table(models), ask, answer="yes", needed=formula, **told)
    for a, base, friend in ((1, 1.0, 1.0), (2, 0.984251968504, 0.984251968504), (0.5, 1.0, 1.25)):
        cost, formula = a + base + friend, f"{a} + {base} + {friend}"
        models = {
            "m": model((12 - a - (base + friend) / 2, 12), base=base, move=exactly(cost)),
            "f": model((12, 12), base=friend, prone=True),
        }
        ask = {"ask": "move", "model": "m", "to": [num(12 + (base + friend) / 2), 12]}
        change = {"models": {"f": {"prone": False}}}
        why = "Over a friend who lies: to his base, across it to just beyond it, with 2 to 6 (PRN.5)."
        told = {"change": change, "mirror": {"answer": "no"}}
        got = {"answer": "chance", "chance": "5/6", "needed": formula}
        position("lying", f"over-a-friend-{a}-{friend}", why, table(models), ask, **got, **told)


def ends() -> None:
    """TER.2, FALL.1, MOV.5: ends on difficult ground, below a platform, and at the table's edge."""
    for a, b, radius, base in ((1, 0.5, 2, 1.0), (2, 1, 1.5, 1.574803149606), (0.5, 2, 3, 0.984251968504)):
        cost, formula, rho = a + 2 * b, f"{a} + 2*{b}", radius + base / 2
        bog = {"bog": {"tags": ["difficult"], "circle": {"center": [12, 12], "radius": radius}}}
        on = table({"m": model((12 - rho - a, 12), base=base, move=exactly(cost))}, bog)
        ask = {"ask": "move", "model": "m", "to": [num(12 - rho + b), 12]}
        why = "Straight into round ground: inches count twice from where the base touches it (TER.2)."
        told = {"answer": "yes", "needed": formula}
        position("ends", f"in-round-ground-{a}-{b}", why, on, ask, **told, **short_of(formula, cost))
    for d, base in ((2, 1.0), (4, 1.574803149606), (3, 0.984251968504)):
        bog = {"bog": {"tags": ["difficult"], "polygon": box(4, 12, 20, 16)}}
        on = table({"m": model((12 - d / 2, 12 - base / 2), base=base, move=exactly(d))}, bog)
        ask = {"ask": "move", "model": "m", "to": [num(12 + d / 2), num(12 - base / 2)]}
        change = {"terrain": {"bog": {"polygon": box(4, 12 - HAIR, 20, 16)}}}
        why = "Touching difficult ground is open ground; a hair within, each end costs sqrt(3) hairs (TER.2, sin b = 1/2)."
        told = {"change": change, "mirror": {"answer": "no", "needed": f"{d} + 2*sqrt(3)*{HAIR}", "rules": ["MOV.3"]}}
        position("ends", f"along-the-rim-{d}-{base}", why, on, ask, answer="yes", needed=f"{d}", **told)
    for a, b, height in ((0.5, 1, 2.0), (1, 0.5, 1.0), (2, 1.5, 1.5)):
        cost, formula = a + 1 + 2 * b, f"{a} + 1 + 2*{b}"
        things = {
            "low": {"tags": ["platform"], "height": height, "polygon": box(4, 6, 12, 18)},
            "bog": {"tags": ["difficult"], "polygon": box(13, 6, 20, 18)},
        }
        on = table({"m": model((11.5 - a, 12), move=exactly(cost), on="low")}, things)
        ask = {"ask": "move", "model": "m", "to": [num(12.5 + b), 12]}
        why = "Down from a platform no higher than the model is free, a base wide; then into the ground before it (FALL.1)."
        told = {"answer": "yes", "needed": formula}
        position("ends", f"down-and-in-{a}-{b}", why, on, ask, **told, **short_of(formula, cost))
    for a, g, foe in ((0.5, 0.5, 1.0), (1, 1.25, 1.574803149606)):
        cost, formula = a + 1 + g, f"{a} + 1 + {g}"
        low = {"low": {"tags": ["platform"], "height": 1.5, "polygon": box(4, 6, 12, 18)}}
        models = {
            "m": model((11.5 - a, 12), move=exactly(cost), on="low"),
            "e": model((13 + g + foe / 2, 12), "evil", base=foe),
        }
        ask = {"ask": "charge", "model": "m", "target": "e"}
        why = "A charge down over the rim: the height is free, the way across counts (FALL.1, CHG.1)."
        told = {"answer": "yes", "needed": formula}
        position("ends", f"charge-down-{a}-{g}", why, table(models, low), ask, **told, **short_of(formula, cost))
    for base, d in ((1.0, 2.5), (1.574803149606, 2)):
        rock = {"rock": {"tags": ["platform"], "height": 3.0, "polygon": box(18, 6, 24, 18)}}
        edge = 24 - base / 2
        on = table({"m": model((edge - d, 12), base=base, on="rock")}, rock)
        ask = {"ask": "move", "model": "m", "to": [num(edge), 12], "on": "rock"}
        why = "A platform at the table's edge ends there: the whole base stays on the table (MOV.5)."
        told = {"change": {"ask": {"to": [num(edge + HAIR), 12]}}, "mirror": {"answer": "no", "rules": ["MOV.5"]}}
        position("ends", f"edge-of-a-platform-{base}", why, on, ask, answer="yes", needed=f"{d}", **told)
    for base in (1.0, 2.362204724409):
        on = table({"m": model((base / 2 + 3, base / 2 + 4), base=base)})
        ask = {"ask": "move", "model": "m", "to": [num(base / 2), num(base / 2)]}
        why = "Into the very corner of the table, touching both edges (MOV.5)."
        further = {"to": [num(base / 2), num(base / 2 - HAIR)]}
        told = {"change": {"ask": further}, "mirror": {"answer": "no", "rules": ["MOV.5"]}}
        position("ends", f"corner-of-the-table-{base}", why, on, ask, answer="yes", needed="5", **told)
    for a, b, height in ((1, 0.75, 3), (2, 1.5, 2.5)):
        things = {
            "rock": {"tags": ["platform", "unscalable"], "height": float(height), "polygon": box(12, 6, 20, 18)},
            "ladder": {"tags": ["ladder"], "at": [12, 12], "to": "rock"},
        }
        cost, formula = sqrt(a**2 + b**2) + height, f"hypot({a}, {b}) + {height}"
        on = table({"m": model((11.5 - a, 12 - b), move=exactly(cost))}, things)
        ask = {"ask": "move", "model": "m", "to": [12.5, 12], "on": "rock"}
        why = "Slantwise to the foot of a ladder, and up it for its height (CLB.5)."
        told = {"answer": "yes", "needed": formula}
        position("ends", f"to-a-ladder-{a}-{height}", why, on, ask, **told, **short_of(formula, cost))


def riders() -> None:
    """CLB.3, MOV.4, JMP: big bases, and what horses do not do."""
    for base, height, a in ((1.574803149606, 3.0, 1), (2.362204724409, 3.5, 0.5)):
        tower = {"tower": {"tags": ["platform"], "height": height + 1.0, "polygon": box(12, 4, 20, 20)}}
        on = table(
            {"m": model((12 - base / 2 - a, 12), base=base, height=height, move=12.0, keywords=["cavalry"])}, tower
        )
        ask = {"ask": "move", "model": "m", "to": [num(12 + base / 2), 12], "on": "tower"}
        climbs = {"answer": "chance", "chance": "5/6", "needed": f"{a} + 2*({height} + 1)"}
        why = "Horses do not climb, who goes on foot does, twice the height (CLB.3)."
        told = {"change": {"models": {"m": {"keywords": []}}}, "mirror": climbs}
        position("riders", f"no-climb-{base}", why, on, ask, answer="no", rules=["CLB.3"], **told)
    for base, tree, d in ((1.574803149606, 1, 4), (2.362204724409, 0.5, 5), (3.937007874016, 2, 6)):
        half = base / 2 + tree
        trees = {
            "a": {"tags": ["unscalable"], "circle": {"center": [12, num(12 + half)], "radius": tree}},
            "b": {"tags": ["unscalable"], "circle": {"center": [12, num(12 - half)], "radius": tree}},
        }
        on = table({"m": model((12 - d / 2, 12), base=base, move=exactly(d), keywords=["cavalry"])}, trees)
        ask = {"ask": "move", "model": "m", "to": [12 + d / 2, 12]}
        change = {"models": {"m": {"base": num(base + 2 * HAIR)}}}
        why = "Between two trees just as far apart as the base is wide (MOV.4)."
        told = {"change": change, "mirror": {"answer": "no"}}
        position("riders", f"between-trees-{base}", why, on, ask, answer="yes", needed=f"{d}", **told)
    for base, thick, a in ((1.574803149606, 0.5, 1), (2.362204724409, 0.25, 2), (1.0, 0.75, 0.5)):
        cost, formula = a + thick + base, f"{a} + {thick} + {base}"
        wall = {"wall": {"tags": ["obstacle"], "height": 2.0, "polygon": box(12, 0, 12 + thick, 24)}}
        on = table({"m": model((12 - base / 2 - a, 12), base=base, height=2.0, move=exactly(cost))}, wall)
        ask = {"ask": "move", "model": "m", "to": [num(12 + thick + base / 2), 12]}
        why = "A wall as high as the model is jumped; higher by a hair it is climbed, twice its height (JMP.3, CLB.1)."
        told = {"change": {"terrain": {"wall": {"height": 2.0 + HAIR}}}, "mirror": {"answer": "no"}}
        got = {"answer": "chance", "chance": "5/6", "needed": formula}
        position("riders", f"as-high-as-it-is-{base}", why, on, ask, **got, **told)
    for base, foe, d in (
        (1.574803149606, 1.0, 5),
        (2.362204724409, 0.984251968504, 6),
        (1.574803149606, 1.574803149606, 7),
    ):
        rho = (base + foe) / 2
        half = rho - 0.3
        x = d - sqrt(rho**2 - half**2)
        models = {
            "m": model((12 - d, 12), base=base, move=exactly(x), keywords=["cavalry"]),
            "a": model((12, 12 + half), "evil", base=foe),
            "b": model((12, 12 - half), "evil", base=foe),
        }
        ask = {"ask": "charge", "model": "m", "target": ["a", "b"]}
        formula = f"{d} - sqrt((({base} + {foe})/2)**2 - (({base} + {foe})/2 - 0.3)**2)"
        why = "A rider into two at once, from whose middle it comes: it touches both (CHG.6)."
        told = {"answer": "yes", "needed": formula}
        position("riders", f"two-at-once-{base}-{foe}", why, table(models), ask, **told, **short_of(formula, x))
