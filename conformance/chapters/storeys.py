"""What sticks out over what is below: bridges, decks on a pillar, jutting storeys; and zones that one is stuck in."""

from __future__ import annotations

from math import acos, hypot, pi
from typing import Any

from chapters.form import HAIR, box, exactly, model, num, position, record, short_of, table

Rows = dict[str, Any]
LOOK: Rows = {"ask": "sight", "model": "m", "target": "e"}
UP_ON: Rows = {"tags": ["unscalable", "platform"]}


def deck(under: float, shape: list[list[float]], thick: float = 9.0) -> Rows:
    """A deck with its underside so high, on a pillar at the right side of the table."""
    pillar = UP_ON | {"height": num(under), "polygon": box(22, 9.5, 23, 10.5)}
    return {"pillar": pillar, "deck": {"tags": ["platform"], "on": "pillar", "height": thick, "polygon": shape}}


def looks_under() -> None:
    """LOS: a line passes through no volume, and below a deck there is none."""
    wide = box(0, 9, 23, 11)
    wall = {"tags": ["obstacle"], "height": 2.5, "polygon": box(0, 9, 22, 9.5)}
    far = model((12, 17), "evil", height=4.0)
    why = "Over a wall half an inch above the eye and 4 in off a look rises 1 in 8, and is 2.75 in up at the deck's far side."
    on = table({"m": model((12, 5)), "e": far}, {"wall": wall} | deck(2.75 + HAIR, wide))
    lower = {"terrain": {"pillar": {"height": num(2.75 - HAIR)}}}
    position("storeys", "wall-and-deck", why, on, LOOK, answer="yes", change=lower, mirror={"answer": "no"})

    tower: Rows = {"tags": ["platform"], "height": num(3.875 - HAIR), "polygon": box(8, 12.5, 16, 18)}
    why = "Under a deck 3.5 in up, 6 in off at its far side, a look rises 1 in 4: to 3.875 in at a tower 7.5 in off."
    models = {"m": model((12, 5)), "e": model((12, 13), "evil", on="tower")}
    on = table(models, {"tower": tower} | deck(3.5, wide))
    higher = {"terrain": {"tower": {"height": num(3.875 + HAIR)}}}
    position("storeys", "up-to-a-tower", why, on, LOOK, answer="yes", change=higher, mirror={"answer": "no"})

    why = "A guard on a bridge stands above the look; on the ground he is in its way."
    guard = model((12, 10), "good", height=3.0, on="deck")
    on = table({"m": model((12, 6)), "e": model((12, 14), "evil"), "guard": guard}, deck(3.5, wide, 0.25))
    down = {"models": {"guard": {"on": None}}}
    position("storeys", "guard-on-a-bridge", why, on, LOOK, answer="yes", change=down, mirror={"answer": "no"})

    why = "Who stands under a bridge sees out, and charges (CHG.1): 5 in away, less an inch."
    on = table({"m": model((12, 10), move=exactly(4)), "e": model((12, 15), "evil")}, deck(3.5, wide, 0.25))
    charge = {"ask": "charge", "model": "m", "target": "e"}
    position("storeys", "from-under-a-bridge", why, on, charge, answer="yes", needed="5 - 1", **short_of("5 - 1", 4))


def faces() -> None:
    """FALL.1, CLB.1: there must be some way to climb, and under what sticks out there is none."""
    house = {
        "floor": {"tags": ["platform"], "height": 3.0, "polygon": box(14, 6, 20, 18)},
        "jut": {"tags": ["platform"], "height": 3.0, "on": "floor", "polygon": box(10, 6, 20, 18)},
    }
    down: Rows = {"ask": "move", "model": "m", "to": [14, 18.5]}
    aslant = hypot(2, 3.5) + 12
    for name, at, cost, formula in (
        ("down-where-it-is-flush", (14, 17.5), 12.0, "2*6"),
        ("down-aslant", (12, 14), aslant, "hypot(2, 3.5) + 2*6"),
    ):
        why = "The upper storey juts out; its sides are flush with the lower's from x = 14 on, and are climbed down there alone."
        on = table({"m": model(at, on="jut", move=exactly(cost))}, house)
        told = {"answer": "chance", "chance": "5/6", "rules": ["FALL.1"]}
        position("storeys", name, why, on, down, needed=formula, **told, **short_of(formula, cost))

    why = "Up to where the sides are flush, which is at x = 14 at the least."
    on = table({"m": model((13, 18.5), move=exactly(13))}, house)
    up: Rows = {"ask": "move", "model": "m", "to": [14, 17.5], "on": "jut"}
    told = {"answer": "chance", "chance": "5/6", "rules": ["CLB.1"]}
    position("storeys", "up-where-it-is-flush", why, on, up, needed="1 + 2*6", **told, **short_of("1 + 2*6", 13))

    why = "Off a deck by no more than the height is free and needs no face; a hair more takes one, and there is none (FALL.1)."
    over: Rows = {"pillar": UP_ON | {"height": 1.8, "polygon": box(15, 11, 16, 12)}}
    over["deck"] = {"tags": ["platform"], "on": "pillar", "height": 0.2, "polygon": box(6, 11, 18, 13)}
    on = table({"m": model((10, 12), on="deck", move=12.0)}, over)
    off: Rows = {"ask": "move", "model": "m", "to": [10, 10]}
    higher = {"terrain": {"deck": {"height": num(0.2 + HAIR)}}}
    position("storeys", "off-a-deck", why, on, off, answer="yes", needed="2", change=higher, mirror={"answer": "no"})

    low = {"pillar": over["pillar"] | {"height": 0.7}, "deck": over["deck"]}
    on = table({"m": model((10, 10), move=exactly(1.5))}, low)
    onto: Rows = {"ask": "move", "model": "m", "to": [10, 11.5], "on": "deck"}
    why = "Onto what is less than half its height up it steps, though that sticks out over the ground; half its height is a jump (TER.3)."
    half: Rows = {"change": {"terrain": {"deck": {"height": 0.3}}}}
    half["mirror"] = {"answer": "chance", "chance": "5/6", "needed": "1.5"}
    position("storeys", "up-onto-a-deck", why, on, onto, answer="yes", needed="1.5", **half)
    on = table({"m": model((10, 10), move=exactly(1.5))}, low | {"deck": over["deck"] | {"height": 1.3}})
    why = "As high as the model it is jumped onto; a hair higher it would have to be climbed, and sticks out: no face (TER.4, CLB.1)."
    told = {"answer": "chance", "chance": "5/6", "rules": ["TER.4"]}
    higher = {"terrain": {"deck": {"height": num(1.3 + HAIR)}}}
    position(
        "storeys", "jumped-onto-a-deck", why, on, onto, needed="1.5", **told, change=higher, mirror={"answer": "no"}
    )

    flush = {
        "p": {"tags": ["platform"], "height": 1.5, "polygon": box(10, 4, 20, 20)},
        "q": {"tags": ["platform"], "height": 1.5, "on": "p", "polygon": box(10, 8, 14, 16)},
    }
    why = "Two storeys flush with one another are one face of 3 in: one Climb test down, 6 in of movement (CLB.1, FALL.1)."
    on = table({"m": model((10.5, 12), on="q", move=exactly(6))}, flush)
    low: Rows = {"ask": "move", "model": "m", "to": [9.5, 12]}
    told = {"answer": "chance", "chance": "5/6"}
    position("storeys", "two-flush-storeys", why, on, low, needed="2*3", **told, **short_of("2*3", 6))


def stuck() -> None:
    """CZ.4: what a model that starts in zones gets to, in areas by formula."""
    why = "Away from an enemy 1.5 in off: half a disc, and behind it on either side what is unrolled from the circle it keeps to."
    on = table({"m": model((10.5, 12), move=3.0), "e": model((12, 12), "evil")})
    area = "pi * 3**2 / 2 + 3**3 / (3 * 1.5)"
    t, b = "sqrt(1.5**2 - 1)", "acos(1 / 1.5)"
    free = f"(pi - asin(1 / 1.5)) * 9 + {t} - {b} + (3 - {t})**3 / 3"
    lies = {"models": {"e": {"prone": True}}}
    reach: Rows = {"ask": "reach", "model": "m"}
    position("stuck", "away-from-one", why, on, reach, area=area, change=lies, mirror={"area": free})

    why = "Amid two zones, 1.2 in from either: out at both ends, closing in on neither."
    both = {"e": model((10.8, 12), "evil"), "f": model((13.2, 12), "evil")}
    on = table({"m": model((12, 12), move=1.5), **both})
    area, more = (f"2 * {m}**3 / (3 * 1.2)" for m in (1.5, 1.6))
    longer = {"models": {"m": {"move": 1.6}}}
    position("stuck", "away-from-two", why, on, reach, area=area, change=longer, mirror={"area": more})

    psi = acos((1.5**2 + 1.9**2 - 2**2) / (2 * 1.5 * 1.9))
    cost = (pi / 2 - psi) * 1.5 + 1
    why = "Along the circle it keeps to until it enters the zone of whom it charges; from there the other zone is ignored (CHG.5)."
    models = {"m": model((10.5, 12), move=exactly(cost)), "e": model((12, 12), "evil"), "f": model((12, 13.9), "evil")}
    formula = "(pi/2 - acos((1.5**2 + 1.9**2 - 2**2) / (2 * 1.5 * 1.9))) * 1.5 + 1"
    charge: Rows = {"ask": "charge", "model": "m", "target": "f"}
    told = {"answer": "yes", "rules": ["CZ.4"]}
    position(
        "stuck", "into-the-next-zone", why, table(models), charge, needed=formula, **told, **short_of(formula, cost)
    )


def rows() -> None:
    """PAIR.2, PAIR.3: rows and rings of models in contact."""
    row = {f"{'g' if i % 2 == 0 else 'e'}{i}": (i + 4, "evil" if i % 2 else "good") for i in range(7)}
    touch = {"g0": ["e1"], "g2": ["e1", "e3"], "g4": ["e3", "e5"], "g6": ["e5"]}
    on = table({n: model((x, 12), side, engaged=touch.get(n, [])) for n, (x, side) in row.items()})
    why = "Four and three in a row: the two amid go either way, but not both away from the one between them, who must fight."
    less = {"models": {"g6": None}}
    told: Rows = {"change": less, "mirror": {"legal": True, "pairings": 1}}
    record("pairing", "seven-in-a-row", why, on, [], legal=True, pairings=3, **told)
