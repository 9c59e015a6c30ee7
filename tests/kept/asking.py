"""Questions as data, and their whole answers as data: what the corpus of kept answers holds.

A question is what is asked and of whom: ``{"ask": "charges", "model": "me"}``. An answer has all that a view is read
from, short of drawings: of an area its size and the length of its outline, of a way its legs, of a reach the costs of
places on a spiral about the mover as well.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.solver.answer import ask
from sbg_sim.solver.charges import charges
from sbg_sim.wording import fraction

SPOTS = 24
"""Places of a spiral that costs are asked of, on each level."""

GOLDEN = math.pi * (3 - math.sqrt(5))  # radians: no two places of a spiral lie in one direction
COARSE = 0.05  # inches by which an area that is drawn while it changes may stray
NO_LENGTH = 1e-4  # inches of a leg that may as well be left out
DIGITS = 9


def answered(table, asked):
    """The whole answer to a question, as data; of a question that is refused why."""
    try:
        return _HOW[asked["ask"]](table, asked)
    except SbgError as error:
        return {"refused": str(error)}


def question(asked):
    """The question of a move or a charge."""
    if asked["ask"] == "move":
        return sbg.Move(asked["model"], tuple(asked["to"]), asked.get("on"))
    return sbg.Charge(asked["model"], tuple(asked["targets"]))


def places(table, model):
    """Places within a little more than the Move of a model: inches."""
    k, me = np.arange(1, SPOTS + 1), table.model(model)
    far = 1.1 * (me.move or 0.0) * np.sqrt(k / SPOTS)
    return np.array(me.at) + far[:, None] * np.stack([np.cos(GOLDEN * k), np.sin(GOLDEN * k)], axis=1)


# -- one answer -----------------------------------------------------------------------------------------------------


def _move(table, asked):
    verdict = ask(table, question(asked), alternatives=asked.get("rulings", False))
    way_, play = way(verdict.route), way(verdict.play)
    return {**_verdict(verdict), "way": way_, "play": "the way" if play and play == way_ else play}


def _simple(table, asked):
    """Of a look, a measure or a gap what it is asked as in a file."""
    verdict = ask(table, {k: v for k, v in asked.items() if k != "rulings"}, alternatives=asked.get("rulings", False))
    line = verdict.sightline and [numbers(at) for at in verdict.sightline]
    return {**_verdict(verdict), "inches": number(verdict.inches), "line": line, "hidden_by": list(verdict.hidden_by)}


def _verdict(verdict):
    return {
        "answer": verdict.answer,
        "needed": number(verdict.needed),
        "at_least": number(verdict.at_least),
        "at_most": number(verdict.at_most),
        "margin": number(verdict.margin),
        "chance": None if verdict.chance is None else fraction(verdict.chance),
        "rules": list(verdict.rules),
        "rulings": list(verdict.rulings),
        "reason": verdict.reason,
        "violations": [[v.rule, v.blame, v.place and numbers(v.place), v.reason] for v in verdict.violations],
    }


def way(route):
    """The legs of a way: kind, where each ends and on what, its cost and its die; without those of no length."""
    if route is None:
        return None
    return [_leg(leg) for leg in route.legs if leg.test or leg.rise or leg.cost > NO_LENGTH]


def _leg(leg):
    found = [leg.kind, numbers(leg.end), leg.surface, number(leg.cost)]
    if leg.test is None:
        return found
    t = leg.test
    falls = [t.landing_on, number(t.drop), t.prone_on_fail, t.fail_at and numbers(t.fail_at), t.fail_on, t.fail_hits]
    return [*found, t.kind, t.over, numbers(t.at), numbers(t.landing), dict(t.results), t.rule, falls]


# -- reaches and lists ----------------------------------------------------------------------------------------------


def _reach(table, asked):
    least, without = Fraction(asked.get("least", "1/36")), frozenset(asked.get("without", ()))
    found, xy = sbg.reach(table, asked["model"], least=least, without=without), places(table, asked["model"])
    costs = found.distance(xy)
    ends = [xy[k] for k in np.argsort(np.where(np.isfinite(costs), -costs, np.inf))[:2] if np.isfinite(costs[k])]
    return {
        "area": area(found.area),
        "error": number(found.area_error),
        "regions": regions(found.regions),
        "levels": {
            name or "ground": {"regions": regions(rows), "costs": numbers(found.distance_on(name, xy))}
            for name, rows in found.platforms.items()
        },
        "afoot": area(found.afoot),
        "sketch": number(found.sketch(COARSE).area),
        "half": area(found.within(found.allowance / 2, found.surface)),
        "costs": numbers(costs),
        "ways": [way(found.path(tuple(at.tolist()))) for at in ends],
        "blocked": list(found.blocked),
        "contacts": {name: [numbers(arc) for arc in arcs] for name, arcs in found.contacts.items()}
        if asked.get("contacts")
        else None,
    }


def _charges(table, asked):
    return [
        {
            "target": entry.target,
            **_verdict(entry.verdict),
            "arcs": [numbers(arc) for arc in entry.arcs],
            "by_chance": [[fraction(chance), [numbers(arc) for arc in arcs]] for chance, arcs in entry.by_chance],
            "binds": list(entry.binds),
        }
        for entry in charges(table, asked["model"], within=asked.get("within", math.inf))
    ]


def _denies(table, asked):
    found = sbg.denials(table, asked["model"])
    rows = [[entry.enemy, area(entry.region), number(entry.area_without)] for entry in found]
    return {"area": number(found.area), "rows": rows}


def _threats(table, asked):
    found = sbg.threats(table, asked["side"])
    return {
        "regions": regions(found.regions),
        "models": [[row.model, regions(row.regions), *row.targets, *row.blocked] for row in found.models],
        "targets": [
            {
                "target": row.target,
                "chargers": [
                    {"model": one.model, **_verdict(one.verdict), "arcs": [numbers(arc) for arc in one.arcs]}
                    for one in row.chargers
                ],
                "at_most": row.most,
                "together": [name for name, _ in row.together],
            }
            for row in found.targets
        ],
    }


def _safe(table, asked):
    return [
        {
            "on": level.surface,
            "regions": regions(level.regions),
            "by_chance": regions(level.by_chance),
            "doubt": area(level.doubt),
            "dangers": [[row.enemy, regions(row.regions)] for row in level.dangers],
        }
        for level in sbg.safe(table, asked["model"]).levels
    ]


_HOW = {
    "move": _move, "charge": _move, "measure": _simple, "gap": _simple, "sight": _simple,
    "reach": _reach, "charges": _charges, "denies": _denies, "threats": _threats, "safe": _safe,
}  # fmt: skip


# -- numbers --------------------------------------------------------------------------------------------------------


def number(value):
    """A length rounded; None for what is missing or infinite."""
    return None if value is None or not math.isfinite(value) else round(float(value), DIGITS) + 0.0


def numbers(values):
    """Several lengths rounded."""
    return [number(value) for value in values]


def area(region):
    """The size of an area and the length of its outline, or of the lines in it."""
    return [number(region.area), number(region.length)]


def regions(rows):
    """Areas by chance."""
    return [[fraction(chance), *area(region)] for chance, region in rows]


def slim(value):
    """An answer without what is empty: what is not there is empty."""
    if not isinstance(value, dict):
        return [slim(one) for one in value] if isinstance(value, list) else value
    return {key: slim(one) for key, one in value.items() if one is not None and one not in ([], {})}
