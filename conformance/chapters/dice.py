"""Jumps, leaps, climbs, and who lies."""

from __future__ import annotations

from chapters.form import HAIR, box, exactly, model, num, position, short_of, table


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
    top = {"top": {"tags": ["platform"], "height": 1.5, "polygon": box(12, 0, 13 - HAIR, 24)}}
    on = table({"m": model((10, 12))}, top)
    ask = {"ask": "move", "model": "m", "to": [num(13.5 - HAIR), 12]}
    why = "Too narrow to be stood on a platform is an obstacle, jumped over: 2 to 6. Just wide enough it is jumped onto, and gone down from with a 6 (TER.4, JMP.1)."
    told = {"answer": "chance", "chance": "5/6", "needed": f"3.5 - {HAIR}"}
    wider = {"terrain": {"top": {"polygon": box(12, 0, 13, 24)}}, "ask": {"to": [13.5, 12]}}
    told |= {"change": wider, "mirror": {"answer": "chance", "chance": "1/6", "needed": "3.5"}}
    position("jumping", "too-narrow-to-stand-on", why, on, ask, **told)
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
    # A top with an arm too narrow to stand on, before the side that is climbed; and one with a pit filled to a step.
    arm = [[10, 4], [20, 4], [20, 14], [24, 14], [24, 14.4], [20, 14.4], [20, 15.5], [24, 15.5], [24, 20], [10, 20]]
    pit = [[15.75, 20], [15.75, 16], [13.75, 16], [13.75, 14.5], [15.75, 14.5], [15.75, 14], [11, 14], [11, 20]]
    step = {"tags": ["platform"], "height": 1.5, "polygon": [[15.75, 16], [15.75, 14.5], [13.75, 14.5], [13.75, 16]]}
    why = "A climb begins at the side that it crosses, and not yet where the base touches another (CLB.1)."
    for d in (0.1, 0.05):
        formula, cost = f"{d} + 2*2.5 + 1", d + 6.0
        top = {"top": {"tags": ["platform"], "height": 2.5, "polygon": arm}}
        on = table({"m": model((22, 15 - d), move=exactly(cost))}, top)
        ask = {"ask": "move", "model": "m", "to": [22, 17], "on": "top"}
        told = {"answer": "chance", "chance": "1/6", "needed": formula, "rules": ["CLB.1"]}
        position("climbing", f"past-an-arm-{d}", why, on, ask, **told, **short_of(formula, cost, chance="0/1"))
        formula, cost = f"{d} + 2*2.5", d + 5.0
        things = {"top": {"tags": ["platform"], "height": 2.5, "polygon": pit}, "step": step}
        on = table({"m": model((13.25, 14.5 + d), move=exactly(cost), on="top")}, things)
        ask = {"ask": "move", "model": "m", "to": [13.25, 13.5]}
        told = {"answer": "chance", "chance": "5/6", "needed": formula, "rules": ["FALL.1"]}
        position("climbing", f"past-a-step-{d}", why, on, ask, **told, **short_of(formula, cost, chance="0/1"))


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
    for height in (3.0, 4.0):
        sides = {"near": box(0, 0, 24, 10.9), "far": box(0, 13.1, 24, 24)}
        walls = {name: {"tags": ["unscalable"], "height": 5.0, "polygon": ring} for name, ring in sides.items()}
        troll = model((12, 12), "evil", base=2.0, height=height, prone=True)
        on = table({"m": model((9, 12), height=height / 2), "e": troll}, walls)
        on["rulings"] = {"jump_prone_height": "half"}
        ask = {"ask": "move", "model": "m", "to": [13.5, 12]}
        why = "Who lies is jumped where half its height is no more than the jumper's, by the ruling that asks for that (PRN.5)."
        told = {"change": {"models": {"m": {"height": num(height / 2 - HAIR)}}}, "mirror": {"answer": "no"}}
        told |= {"answer": "chance", "chance": "5/6", "needed": "1.5 + 2 + 1", "rules": ["PRN.5"]}
        position("prone", f"jumped-by-height-{height}", why, on, ask, **told)
