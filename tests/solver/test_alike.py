"""What a search found is taken over where a reading changes nothing that it met, or bars none of it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.judge import judge_charge, judge_move
from sbg_sim.solver.path import best_path, type_search
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.path.routes import route_again
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.kinds import make

CHARGE = sbg.Charge("me", "foe")


def across(*pieces, at=(13.0, 12.0)):
    """A charge past some pieces."""
    me, foe = sbg.Model("me", (6.0, 12.0), 1.0, 2.0, 6.0, "good"), sbg.Model("foe", at, 1.0, 2.0, 6.0, "evil")
    return sbg.Table(24.0, 24.0, {"me": me, "foe": foe}, {piece.id: piece for piece in pieces})


def wall(x, height, name="wall", low=7, high=17):
    return sbg.Terrain(name, frozenset({"obstacle"}), sbg.line([(x, low), (x, high)], 0.2), height=height)


def search(table):
    goal = Goal(None, contact=((*table.model("foe").at, 1.0),), bound=True)
    return Search(table, table.model("me"), "foe", goal, 6.0, dice=True, horizon=12.0)


HIGH, HALF, LOW = wall(9, 1.2), wall(9, 1.0), wall(11, 0.5, "low")
AFAR = wall(22, 0.5, "low", 21, 22)
GAP = sbg.Terrain("gap", frozenset({"gap"}), sbg.polygon([(9, 2), (10.5, 2), (10.5, 22), (9, 22)]), depth=3.0)


@pytest.mark.parametrize(
    ("pieces", "name", "reading", "alike"),
    [
        ((HIGH,), "climb_over", "over", True),
        ((wall(9, 3.0),), "climb_over", "over", False),
        ((HIGH,), "leap_needs", "remaining", True),
        ((HIGH,), "stand_on", "centre", True),
        ((HIGH,), "stuck_no_closer", "monotone", True),
        ((HIGH,), "zones_across_surfaces", "yes", True),
        ((HIGH,), "charge_stays_in_zone", "no", False),
        ((HIGH,), "jump_landing", "across", False),
        ((HIGH,), "end_on_low_obstacle", "yes", True),
        ((HIGH, AFAR), "end_on_low_obstacle", "yes", True),
        ((HIGH, LOW), "end_on_low_obstacle", "yes", False),
        ((HIGH,), "obstacle_exactly_half", "free", True),
        ((HALF,), "obstacle_exactly_half", "free", False),
        ((HIGH,), "jump_without_movement", "yes", True),  # no charge ends beside the wall
        ((HIGH, wall(14.5, 1.2, "beyond")), "jump_without_movement", "yes", True),  # nor is it come to in time
        ((HIGH, wall(11.9, 1.2, "beyond")), "jump_without_movement", "yes", False),
        ((HIGH,), "leap_width", "narrowest", True),
        ((GAP,), "leap_width", "narrowest", False),
    ],
)
def test_what_a_search_meets_tells_readings_apart(pieces, name, reading, alike):
    table = across(*pieces)
    assert (search(table).meets == search(table.under(name, reading)).meets) == alike


def test_what_else_is_asked_is_told_apart():
    one = search(across(HIGH))
    assert one.meets == replace(one, only_fits=True, horizon=6.1).meets
    assert one.meets != replace(one, set_down=False).meets
    assert one.meets != search(across(HIGH, LOW)).meets


def test_nothing_is_looked_for_again_where_a_reading_changes_nothing(monkeypatch):
    table, known, looks = across(HIGH), [], []
    chance, within = judge_charge(table, CHARGE, known=known).chance, best_path._look
    monkeypatch.setattr(best_path, "_look", lambda *a, **k: looks.append(a) or within(*a, **k))
    assert judge_charge(table.under("stand_on", "centre"), CHARGE, only_fits=True, known=known).chance == chance
    assert not looks
    judge_charge(across(HIGH, LOW), CHARGE, only_fits=True, known=known)
    assert looks


def test_only_better_ways_are_looked_for_beside_one_that_still_fits(monkeypatch):
    """Where a 2 puts it down in contact nothing is better but a way without dice."""
    table, looks = across(HIGH, at=(10.6, 12.0)), []
    within = best_path._look
    monkeypatch.setattr(best_path, "_look", lambda search, *a, **k: looks.append(search) or within(search, *a, **k))
    verdict = sbg.check(table, CHARGE)
    assert (verdict.chance, verdict.rulings) == (Fraction(5, 6), ())
    dice = [search.dice for search in looks if search.only_fits]
    assert dice
    assert not any(dice)


def freely(seed):
    """A small table of some kind, a move or charge on it, and the search that answers it."""
    kind = ("melee", "hedges", "platforms", "stairs", "riders", "chain")[seed % 6]
    table, question, *_ = make(kind, seed, small=True)
    known = []
    found = judge_charge if isinstance(question, sbg.Charge) else judge_move
    found(table, question, known=known)
    return known


def test_a_way_is_a_way_again_for_what_it_cost():
    told, refused, kinds = 0, 0, set()
    for one, found in (pair for seed in range(120) for pair in freely(seed)):
        for option in found.found:
            again = route_again(one.around(option.cost), one.goal, option.route)
            assert again is not None, option
            assert [leg.kind for leg in again.legs] == [leg.kind for leg in option.route.legs]
            assert again.cost == pytest.approx(option.cost, abs=1e-9)
            told += 1
            kinds |= {leg.kind for leg in option.route.legs}
            # With a friend's base in the middle of its longest straight it is none.
            leg = max((leg for leg in option.route.legs if leg.kind == "straight"), key=lambda leg: leg.length)
            middle = tuple((np.array(leg.start) + leg.end) / 2)
            if leg.length > 2:
                post = sbg.Model("post", middle, 0.1, 1.5, 0.0, one.mover.side, on=leg.surface)
                there = replace(one.table, models=FrozenMap({**one.table.models, "post": post}))
                assert route_again(replace(one, table=there).around(option.cost), one.goal, option.route) is None
                refused += 1
    assert told > 30
    assert refused > 10
    assert kinds >= {"straight", "arc", "jump", "leap", "climb", "up"}


def test_a_graph_for_what_fits_holds_nothing_but_what_leads_on_in_time():
    table = across(GAP, wall(5, 1.2, "back"), at=(12.0, 12.0))
    asked = search(table)
    whole = GraphBuilder(asked.around(12.0), asked.goal, SPACING, 12.0).build()
    slim = GraphBuilder(asked.around(12.0), asked.goal, SPACING, 12.0, begun=3.0, late={"leap"}).build()
    assert slim.graph.size < whole.graph.size
    # Its leaps begin where one gets to for 3 in, and lead to contact for more than that.
    start, end = slim.graph.src[slim.transition_of >= 0], slim.graph.dst[slim.transition_of >= 0]
    leaps = [(slim.nodes.xy[a, 0], slim.nodes.xy[b, 0]) for a, b in zip(start, end, strict=True) if b in slim.goals]
    assert leaps
    assert all(a <= 9.0 and b >= 11.0 for a, b in leaps)


def test_a_leap_that_begins_too_late_but_for_samples_is_not_made_shortest(monkeypatch):
    # 2.5 in to the gap: no more than a sample's distance beyond the Move, but plainly beyond it.
    table, asked = across(GAP, at=(12.0, 12.0)).having("me", move=2.4), []
    shortest = type_search.cheapest

    def noted(mender, types, *limits):
        asked.append([one for one in types if any(g.begun is not None for g in one.path.constraints)])
        return shortest(mender, types, *limits)

    monkeypatch.setattr(type_search, "cheapest", noted)
    assert judge_charge(table, CHARGE, only_fits=True).chance == 0
    assert asked
    assert not any(asked)
