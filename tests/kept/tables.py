"""What the corpus of kept answers asks: small tables of the fuzz by their seeds, scenarios, and the lists of each."""

from __future__ import annotations

import json
import math
import random
from dataclasses import fields, replace
from pathlib import Path

import sbg_sim as sbg
from sbg_sim.scenario import read
from sbg_sim.scenario.values import from_data
from sbg_sim.scenario.write import as_data
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.kinds import make
from tests.kept.asking import DIGITS, places

FILES = {
    **dict.fromkeys(("platforms", "stairs", "storeys", "ledges", "towers", "ditches"), "levels"),
    **dict.fromkeys(("hedges", "mounds", "rows", "bends", "riders", "yards", "readings"), "over"),
}
"""In which file tables of a kind stand; all others on open ground."""


def drawn(kind, seed):
    """A small table of the fuzz, and what is asked of it."""
    table, question = make(kind, seed, small=True)
    if seed % 7 == 3:
        table = replace(table, horizon=1.3 * (table.model(question.model).move or 0.0))
    data = json.loads(json.dumps(_rounded(as_data(table)), sort_keys=True))  # in the order of lines
    return {"name": f"{kind} {seed}", "table": data, "asked": _asked(from_data(data), question, f"asked {kind} {seed}")}


def _rounded(value):
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def _asked(table, question, seed):
    """What is asked of a table: the question it was made for, moves elsewhere, and each list there is."""
    dice, me = random.Random(seed), table.model(question.model)
    foes = [m.id for m in table.standing() if m.is_enemy(me)]
    if isinstance(question, sbg.Move):
        own = {"ask": "move", "model": me.id, "to": [round(x, DIGITS) for x in question.to]}
        own |= {"on": question.on} if question.on else {}
    else:
        own = {"ask": "charge", "model": me.id, "targets": list(question.targets)}
    own |= {"rulings": True} if dice.random() < 0.5 else {}
    found = [own, *_moves(table, me, dice)]
    reach, drawn_lot = {"ask": "reach", "model": me.id}, dice.random()
    if drawn_lot < 0.35:
        reach["least"] = "1/216" if drawn_lot < 0.2 else "1"
    elif drawn_lot < 0.45 and foes:
        reach["without"] = [dice.choice(foes)]
    return [*found, reach, *(_at(table, me, foes, own, dice) if foes else ())]


def _moves(table, me, dice):
    """Three moves elsewhere, on any level, if they lead to the table at all."""
    levels = [
        None,
        None,
        *(p.id for p in table.terrain.values() if "platform" in p.tags or ("gap" in p.tags and p.depth)),
    ]
    for _ in range(3):
        at, on = places(table, me.id)[dice.randrange(6, 24)].tolist(), dice.choice(levels)
        if on:
            x0, y0, x1, y1 = table.terrain[on].shape.bounds
            at = [dice.uniform(x0, x1), dice.uniform(y0, y1)]
        if me.radius <= at[0] <= table.width - me.radius and me.radius <= at[1] <= table.depth - me.radius:
            asked = {"ask": "move", "model": me.id, "to": [round(x, 4) for x in at], **({"on": on} if on else {})}
            yield asked | ({"rulings": True} if dice.random() < 0.25 else {})


def _at(table, me, foes, own, dice):
    """What is asked about enemies."""
    yield {"ask": "charges", "model": me.id}
    yield {"ask": "denies", "model": me.id}
    near = sorted(foes, key=lambda foe: math.dist(table.model(foe).at, me.at))
    if dice.random() < 0.4:
        asked = {"ask": "charge", "model": me.id, "targets": near[:1]}
        if len(near) > 1 and dice.random() < 0.6:
            asked["targets"] = near[:2]
        asked |= {"rulings": True} if dice.random() < 0.5 else {}
        if asked != own:
            yield asked
    lot = dice.random()
    if lot < 0.3:
        yield {"ask": "threats", "side": table.model(foes[0]).side} if lot < 0.15 else {"ask": "safe", "model": me.id}


def of_scenario(path):
    """The table of a scenario, with the questions of its file and the lists of the first who is asked about."""
    table, asked, seen = read(path), [], set()
    for one in table.questions.values():
        q = one.question
        if q.ask == "reach":
            continue
        asked.append({"ask": q.ask, **_keys(q), **({} if q.ask == "measure" else {"rulings": True})})
        name = getattr(q, "model", None)
        if q.ask in {"move", "charge"} and not seen and table.model(name).move:
            seen.add(name)
            asked.append({"ask": "reach", "model": name, "contacts": True})
            foes = any(m.is_enemy(table.model(name)) for m in table.standing())
            asked += [{"ask": what, "model": name} for what in ("charges", "denies") if foes]
    bare = replace(table, questions=FrozenMap(), record=None, title="", source="")
    data = json.loads(json.dumps(as_data(bare), sort_keys=True))  # in the order of lines
    return {"name": f"scenario {path.stem}", "table": data, "asked": asked}


def _keys(q):
    """A question by the keys of the corpus."""
    found = {one.name: getattr(q, one.name) for one in fields(q) if getattr(q, one.name) is not None}
    found = {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}
    if q.ask == "charge":
        return {"model": q.model, "targets": list(q.targets)}
    return {"from": q.start, "to": q.end} if q.ask == "measure" else found


def taken_in(name):
    """In which file a table stands, and its line: of a kind and a seed, or of the path of a scenario."""
    if name.endswith(".toml"):
        return "scenarios", of_scenario(Path(name))
    kind, _, seed = name.partition(":")
    return FILES.get(kind, "ground"), drawn(kind, int(seed))
