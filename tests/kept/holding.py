"""What stands behind an answer before it is kept: the referee, slow oracles, the table in other words, single answers.

``held`` says by which words an answer is confirmed, and everything that speaks against it:

=============  =======================================================================================================
referee        the way is legal and its cost the same, and bounds hold the cost between them, a micro-inch apart
graph          a graph of tangents among discs, or of samples refined, written without the solver has the same costs
turned         the table mirrored and turned by quarters has the same answer
asked anew     the readings that are told to turn the answer are those under which it is another
costs          areas hold the places beside their outlines that costs say, and no others; zones take away what they bar
singles        every entry of a list, and places about safe ground, are what single charges answer
=============  =======================================================================================================
"""

from __future__ import annotations

import random

import numpy as np

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.rules.zones import zones
from sbg_sim.solver.answer import ask
from sbg_sim.table.rulings import Rulings
from tests.fuzz import alike, judging, lists, related
from tests.fuzz.kinds import rebuilt
from tests.fuzz.oracle import Oracle
from tests.kept.asking import places, question

SEED = 5  # of which places are looked at, and of how a table is turned
FLAT = frozenset({"unscalable", "difficult", "obstacle"})
AGREED = 2e-4  # inches: the graph of samples finds legal ways, so it is never below
LOOKED_AT = 3  # places of a reach whose costs are asked of the graph


def held(table, asked):
    """By which words an answer is confirmed, and what speaks against it."""
    behind, against = [], []
    for word, faults in BEHIND[asked["ask"]](table, asked):
        found = list(faults)
        against += found
        behind += [] if found else [word]
    return list(dict.fromkeys(behind)), against


def _one(table, asked):
    q = question(asked)
    try:
        verdict = ask(table, q, alternatives=False)
    except SbgError:
        return
    if verdict.route is not None:
        yield "referee", [*judging.bounds(verdict), *judging.witness(table, q, verdict)]
    if judging.all_discs(table, q) and verdict.needed is not None:
        yield "graph", judging.against_tangents(table, q, verdict)
    elif verdict.needed is not None and not verdict.violations and isinstance(q, sbg.Move) and _plain(table, q.model):
        yield from _by_graph(table, q.model, [q.to], [verdict.needed])
    if table.width == table.depth:
        yield "turned", judging.turned(table, q, verdict, SEED)
    if asked.get("rulings"):
        yield "asked anew", related.readings(table, q)


def _plain(table, name):
    """Whether the graph of samples knows all that there is on a table."""
    me = table.model(name)
    flat = all(p.tags <= FLAT and p.on is None and p.shape and not p.lets_through for p in table.terrain.values())
    flat &= not any(p.height is not None and p.height <= (me.height or 0.0) / 2 for p in table.terrain.values())
    stands = not any(m.prone or m.on or m.climbed for m in table.standing())
    free = not any(zone.stuck for zone in zones(table, me))
    return flat and stands and free and name == "me" and table.rulings == Rulings() and max(me.at) < judging.FAR


def _by_graph(table, name, xy, costs):
    """Whether a graph of samples, refined about bends, finds these costs; no word where steps or dice save some."""
    most = max(costs) + 1.0
    theirs = Oracle(table, name, spacing=0.15, reach=max(most, table.model(name).move)).costs(xy)
    wrong = [
        f"graph: {list(at)} costs {b} at most, not {a}"
        for at, a, b in zip(xy, costs, theirs, strict=True)
        if a > b + judging.CLOSE
    ]
    if wrong or max(b - a for a, b in zip(costs, theirs, strict=True)) <= AGREED:
        yield "graph", wrong


def _reach(table, asked):
    name = asked["model"]
    me, found = table.model(name), sbg.reach(table, name, without=frozenset(asked.get("without", ())))
    move = sbg.Move(name, me.at, me.on)
    if not asked.get("without"):
        yield "costs", [*judging.drawn(table, move, 2), *judging.landed(table, move, 1)]
        if table.width == table.depth and max(me.at) < judging.FAR:
            yield "turned", alike.reaches(alike.turned(table, move, random.Random(SEED)), np.random.default_rng(SEED))
    if _plain(table, name) and not asked.get("without"):
        xy = places(table, name)
        costs = found.distance(xy)
        bent = np.flatnonzero(np.isfinite(costs) & (costs > np.hypot(*(xy - me.at).T) + 1e-3))[-LOOKED_AT:]
        if len(bent):
            yield from _by_graph(table, name, xy[bent].tolist(), costs[bent].tolist())


def _charges(table, asked):
    me = table.model(asked["model"])
    yield "singles", lists.listed(table, me, [m for m in table.standing() if m.is_enemy(me)])
    if table.width == table.depth and max(me.at) < judging.FAR:
        yield "turned", alike.lists(alike.turned(table, sbg.Move(me.id, me.at, me.on), random.Random(SEED)))


def _denies(table, asked):
    me = table.model(asked["model"])
    foes = [m for m in table.standing() if m.is_enemy(me)]
    yield "costs", lists.denied(table, me, foes, np.random.default_rng(SEED))


def _threats(table, asked):
    foes = [m for m in table.standing() if m.side == asked["side"]]
    me = next(m for m in table.standing() if m.is_enemy(foes[0]))
    yield "singles", lists.threatened(table, me, foes, np.random.default_rng(SEED))


def _safe(table, asked):
    me = table.model(asked["model"])
    foes = [m for m in table.standing() if m.is_enemy(me)]
    yield "singles", lists.safely(table, me, foes, np.random.default_rng(SEED))


def _told(table, asked):
    """Measures, gaps and looks are alike on the table turned."""
    q = {key: asked[key] for key in asked if key != "rulings"}
    other, _ = rebuilt(table, table.asked(q).question, judging.by_quarters(table.width, random.Random(SEED)))
    one, two = (ask(at, q, alternatives=False) for at in (table, other))
    alike_ = (one.answer, set(one.hidden_by)) == (two.answer, set(two.hidden_by))
    if table.width == table.depth:
        close = one.inches is None or abs(one.inches - two.inches) <= judging.CLOSE
        yield "turned", [] if alike_ and close else [f"turned: {one.reason}, but {two.reason}"]


BEHIND = {
    "move": _one, "charge": _one, "reach": _reach, "charges": _charges, "denies": _denies, "threats": _threats,
    "safe": _safe, "measure": _told, "gap": _told, "sight": _told,
}  # fmt: skip
