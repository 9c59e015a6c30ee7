"""What a record of moves leads to: where a fall ends, hits, pairing off, reinforcements (CZ.3, FALL.2, PAIR, REINF)."""

from __future__ import annotations

from typing import Any

from chapters.form import HAIR, Position, box, exactly, model, num, record, table

TOWER = box(10, 6, 16, 18)


def _hanging(climbed: float, tall: float, far: Position | None = None, **more: Any) -> Position:
    """One that hangs on the face of a tower, so many inches up, and perhaps somebody else."""
    tower = {"tower": {"tags": ["platform"], "height": tall, "polygon": TOWER}}
    on = {"m": model((9.5, 12), climbed=climbed, **more), "far": model((20, 22), "evil")}
    return table(on | (far or {}), tower)


def falls() -> None:
    """CLB.2, CLB.4, CZ.3, FALL.2: who hangs on a face rolls a 1."""
    up = {"model": "m", "to": [10.5, 12], "on": "tower"}

    beside = {"e": model((8.45, 12), "evil")}
    on = _hanging(2.0, 3.0, beside)
    why = "It falls into the zone of an enemy 0.05 in beside the foot, and lies there in no contact (CZ.3, CLB.2)."
    told: dict[str, Any] = {"change": {"moves": [up | {"rolls": [2]}]}}
    told["mirror"] = {"legal": True, "prone": False, "on": "tower", "at": ["10 + 0.5", "12"], "used": "2 * (3 - 2)"}
    here = {"at": ["10 - 0.5", "12"], "on": None, "prone": True, "engaged": [], "hits": 0}
    record("falls", "into-a-zone", why, on, [up | {"rolls": [1]}], legal=True, rules=["FALL.2"], **here, **told)

    on = _hanging(2.0, 6.0, {})
    on["models"]["m"]["move"] = 3.0
    why = "Three inches of Move are an inch and a half up; it hangs there until the next turn (CLB.4)."
    told = {"change": {"models": {"m": {"climbed": num(2 - HAIR)}}}}
    told["mirror"] = {"legal": True, "climbed": f"2 - {HAIR} + 3 / 2", "on": None, "used": "3"}
    record("falls", "goes-on", why, on, [up | {"rolls": [3]}], legal=True, climbed="2 + 3 / 2", on=None, **told)

    on = _hanging(3.5, 6.0, height=1.5)
    why = "Two inches beyond its height: a hit, and one for each inch more; an inch begun does not count (FALL.2)."
    told = {
        "change": {"models": {"m": {"climbed": num(3.5 - HAIR)}}},
        "mirror": {"legal": True, "hits": 2, "prone": True},
    }
    record("falls", "three-hits", why, on, [up | {"rolls": [1]}], legal=True, hits=3, prone=True, **told)

    on = _hanging(1.5, 6.0, height=1.5)
    why = "Who falls no farther than its height is not hurt; a hair more is a hit (FALL.2)."
    told = {
        "change": {"models": {"m": {"climbed": num(1.5 + HAIR)}}},
        "mirror": {"legal": True, "hits": 1, "prone": True},
    }
    record("falls", "no-hit", why, on, [up | {"rolls": [1]}], legal=True, hits=0, prone=True, **told)


def pairing() -> None:
    """PAIR.1 to PAIR.5: who fights whom, of models in a row that touch."""
    charge = [{"model": "a", "charge": ["x"]}]
    on = table({"a": model((10, 12), move=exactly(3)), "x": model((14, 12), "evil")})
    why = "A charge of three inches into contact: the two fight (PAIR.1, CHG.2)."
    told: dict[str, Any] = {"change": {"moves": [{"model": "a", "to": [num(13 - 1 - HAIR), 12]}]}}
    told["mirror"] = {"legal": True, "fights": [[]], "engaged": []}
    record("pairing", "in-contact", why, on, charge, legal=True, fights=[[["a", "x"]]], used="4 - 1", **told)

    on = table({"a": model((10, 12)), "x": model((11.05, 12), "evil")})
    on["models"]["a"]["engaged"] = ["x"]
    why = "Moved apart a little so that people see who is who, they fight as before (PAIR.5)."
    told = {"change": {"models": {"a": {"engaged": []}}}, "mirror": {"legal": True, "fights": [[]]}}
    record("pairing", "nudged-apart", why, on, [], legal=True, fights=[[["a", "x"]]], **told)

    row = {"a": (10, "good"), "x": (11, "evil"), "b": (12, "good"), "y": (13, "evil"), "c": (14, "good")}
    touch = {"a": ["x"], "b": ["x", "y"], "c": ["y"]}
    on = table(
        {n: model((x, 12), side, **({"engaged": touch[n]} if n in touch else {})) for n, (x, side) in row.items()}
    )
    why = "Good, evil, good, evil, good in a row: the one amid joins either fight, as the Priority player says (PAIR.2, PAIR.3)."
    apart = {n: {"at": [num(row[n][0] + HAIR), 12]} for n in ("y", "c")}
    told = {"change": {"models": apart | {"b": {"engaged": ["x"]}}}}
    told["mirror"] = {"legal": True, "pairings": 1, "fights": [[["a", "b", "x"], ["c", "y"]]]}
    both = [[["a", "b", "x"], ["c", "y"]], [["a", "x"], ["b", "c", "y"]]]
    record("pairing", "three-on-two", why, on, [], legal=True, pairings=2, fights=both, **told)

    short = table({n: one for n, one in on["models"].items() if n != "c"})
    why = "Two on two in a row: one on one, in one way alone (PAIR.2). With a fifth the choice is two ways."
    told = {"change": {"models": {"c": on["models"]["c"]}}, "mirror": {"legal": True, "pairings": 2, "fights": both}}
    record("pairing", "one-on-one", why, short, [], legal=True, pairings=1, fights=[[["a", "x"], ["b", "y"]]], **told)

    why = "The Priority player splits the row before anybody moves again: one of the two ways, and no other (PAIR.4, PAIR.3)."
    split = {"priority": "good", "fights": [["a", "x"], ["b", "c", "y"]]}
    wrong = {"phase": {"fights": [["a", "b", "x", "y"], ["c"]]}}
    told = {"change": wrong, "mirror": {"legal": False}}
    record("pairing", "split", why, on, [], phase=split, legal=True, chosen=[["a", "x"], ["b", "c", "y"]], **told)


def _outside(**more: Any) -> dict[str, Any]:
    """One that has no place yet."""
    return {key: value for key, value in model((0, 0), off_table=True, **more).items() if key != "at"}


def reinforcements() -> None:
    """REINF.1, REINF.2: from a point of the edge, a warband whole, from one point or next turn."""
    late = {"r": _outside(move=exactly(6)), "e": model((20, 12), "evil")}
    on = table(late)
    why = "It comes on from (0, 12), touching the edge from outside: half an inch to it, and what it goes on (REINF.1)."
    told: dict[str, Any] = {"change": {"models": {"r": {"move": num(6 - HAIR)}}}}
    told["mirror"] = {"legal": False, "rules": ["MOV.3"]}
    move = [{"model": "r", "arrive": [0, 12], "to": [5.5, 12]}]
    record("reinforcements", "as-far", why, on, move, legal=True, used="0.5 + 5.5", at=["5.5", "12"], **told)

    on = table(late | {"e": model((4, 12), "evil")})
    why = "Who comes on may not charge in the same phase (REINF.1), but may come as near as the zone lets it."
    near = [{"model": "r", "arrive": [0, 12], "to": [2, 12]}]
    told = {"change": {"moves": [{"model": "r", "arrive": [0, 12], "charge": ["e"]}]}}
    told["mirror"] = {"legal": False, "rules": ["REINF.1"]}
    record("reinforcements", "no-charge", why, on, near, legal=True, used="0.5 + 2", engaged=[], **told)

    band = {n: _outside(keywords=["warband-1"]) for n in ("r", "s")}
    on = table(band | {"e": model((20, 12), "evil")})
    first = {"model": "r", "arrive": [0, 12], "to": [3, 12]}
    why = "The second of a warband comes on from the very point of the first (REINF.2)."
    told = {"change": {"moves": [first, {"model": "s", "arrive": [0, num(12 + HAIR)]}]}}
    told["mirror"] = {"legal": False, "rules": ["REINF.2"]}
    both = [first, {"model": "s", "arrive": [0, 12]}]
    record("reinforcements", "one-point", why, on, both, legal=True, used="0.5 + 0.5", at=["0.5", "12"], **told)

    why = "A warband that cannot be placed tries again next turn with one more on its roll; one that need not wait has none."
    wait = [{"model": "r", "delayed": True}, {"model": "s", "delayed": True}]
    later: dict[str, Any] = {"turns": [{"priority": "good", "moves": []}]}
    told = {"change": {"moves": []}, "mirror": {"legal": True, "due": {"r": 0, "s": 0}}}
    record("reinforcements", "next-turn", why, on | later, wait, legal=True, due={"r": 1, "s": 1}, **told)

    why = "Half of a warband on the table and half of it waiting is not allowed (REINF.2)."
    half = [first, {"model": "s", "delayed": True}]
    told = {"change": {"moves": both}, "mirror": {"legal": True, "due": {}}}
    record("reinforcements", "no-half", why, on, half, legal=False, rules=["REINF.2"], **told)
