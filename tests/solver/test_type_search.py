"""Which of several types of path is told: the cheapest that can be mended, by as little work as that takes."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.solver.path import cheapest, type_search
from sbg_sim.solver.path.cheapest import Sampled, better
from sbg_sim.solver.path.options import Option, chance_of
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide
from sbg_sim.solver.path.polish import Polished
from sbg_sim.table.route import Leg, Route, Test
from tests.solver.stage import level, net

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))
WAY = Path((A, B), (Link(0),))


def option(cost, slack=0.0, *, over=0.0, tests=0, landing=False, path=None):
    die = Test("jump", "t", (0.0, 0.0), (over, 0.0)) if tests else None
    legs = (Leg("straight", (0.0, 0.0), (1.0, 0.0), 1.0), Leg("jump", (0.0, 0.0), (over, 0.0), over, test=die))
    return Option(tests, landing, cost, slack, Route(legs), path=path)


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        (option(3.0), option(4.0), True),
        (option(4.0, 0.0), option(3.0, 0.5), False),
        (option(3.0, 1e-6), option(3.0 + 1e-10, 0.0), False),  # as cheap, and better proven
        (option(3.0, 0.0), option(3.0 + 1e-10, 0.0), True),
        (option(3.0, over=2.0), option(3.0 + 1e-10, over=1.0), False),  # by a shorter way over
        (option(3.0, 0.0, over=2.0), option(3.0, 1e-6, over=1.0), True),
    ],
)
def test_of_two_options_the_cheaper_is_better_then_the_better_proven(one, other, first):
    want = one if first else other
    for found in (better(one, other), better(other, one)):
        assert found.route == want.route
        assert found.cost == want.cost
        # What the other cost less by is not proven.
        assert found.slack == pytest.approx(want.slack + max(want.cost - min(one.cost, other.cost), 0.0), abs=1e-15)
    assert better(None, one) is one
    assert better(one, None) is one
    assert better(None, None) is None


def test_a_path_is_as_free_that_is_fixed_nowhere_but_where_another_is():
    free, at, else_ = (None, None), (A, None), (B, None)
    assert cheapest._as_free(free, free)
    assert cheapest._as_free(free, at)
    assert not cheapest._as_free(at, free)
    assert cheapest._as_free(at, at)
    assert not cheapest._as_free(at, else_)
    path = Path((A, Slide(0, 1.0), B, Slide(0, 2.0)), (Link(0), Link(0, transition=0), Link(0)))
    assert cheapest._fixed_ends(path) == (None, B, None)
    assert cheapest._fixed_ends(Path((A, B), (Link(0),))) == (B,)


# -- mended types ------------------------------------------------------------------------------------------------------


class Mended:
    """Types on one line: what each comes to when it is made shortest, and when it is mended."""

    def __init__(self, monkeypatch, polished, mended, *, sampled=None, slack=0.0, loci=None, up=()):
        self.asked, self.net, self.bar = [], None, math.inf
        self.paths = [Path((A, Slide(0, float(n)), B), (Link(0), Link(0))) for n in range(len(polished))]
        self.of = {path: n for n, path in enumerate(self.paths)}
        self.result, self.slack, self.up = mended, slack, up
        sampled = polished if sampled is None else sampled
        self.types = list(map(Sampled, sampled, self.paths))
        self.polished = list(map(Polished, self.paths, polished))
        loci = list(range(len(polished))) if loci is None else loci
        monkeypatch.setattr(cheapest, "loci_of", lambda _net, paths: [loci[self.of[path]] for path in paths])
        costs = np.array(sampled)
        monkeypatch.setattr(cheapest, "gather", lambda _net, _paths: SimpleNamespace(cost=lambda: costs))
        monkeypatch.setattr(cheapest, "_options", self.options)

    def options(self, _mender, which, bar):
        self.asked += [one.number for one in which]
        self.bar = bar if which else self.bar
        found = [self.result[one.number] for one in which]
        return [None if cost is None else option(cost, self.slack) for cost in found]

    def gave_up(self, path):
        return self.of[path] in self.up

    def cheaper_along(self, polished, bar):
        self.dear = [self.of[best.path] for best in polished]
        return []

    def told(self, winner=None, most=math.inf):
        return cheapest._cheapest_mended(self, self.types, self.polished, winner, most)


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_that_can_be_mended_is_told_and_what_costs_more_is_not_mended(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    polished = (5 + rng.uniform(0, 3, n)).tolist()
    mended = [None if rng.random() < 0.4 else cost + float(rng.choice([0.0, rng.uniform(0, 2)])) for cost in polished]
    here = Mended(monkeypatch, polished, mended)
    winner, costs = here.told()
    some = [cost for cost in mended if cost is not None]
    assert (winner.cost if winner else None) == min(some, default=None)
    # Mending makes no path cheaper: what costs more than the cheapest is looked at only among those tried together.
    assert len(here.asked) == len(set(here.asked))
    needed = [k for k in range(n) if winner is None or polished[k] <= winner.cost]
    assert set(needed) <= set(here.asked)
    assert len(here.asked) <= 2 * len(needed) + 1
    assert sorted(here.asked + here.dear) == list(range(n))
    for k in range(n):
        assert costs[k] == (mended[k] if k in here.asked and mended[k] is not None else polished[k])
    assert here.asked[0] == int(np.argmin(polished))


def test_nothing_dearer_than_a_bar_or_a_winner_is_mended(monkeypatch):
    for given in ({"most": 6.0}, {"winner": option(6.0)}):
        here = Mended(monkeypatch, [5.0, 5.5, 6.5, 7.0], [None] * 4)
        here.told(**given)
        assert here.asked == [0, 1]
        assert here.dear == [2, 3]
    here = Mended(monkeypatch, [5.0, 5.5, 5.8], [8.0, 8.5, None])
    here.told(most=6.0)
    assert here.asked == [0, 1, 2]
    assert here.bar == pytest.approx(6.0)  # though what was found costs more
    here = Mended(monkeypatch, [5.0, 5.5], [None, None], up={1})
    here.told()
    assert here.asked == [0]  # the other was given up before


def test_a_winner_that_is_known_stays_where_none_is_cheaper(monkeypatch):
    known = option(5.2)
    here = Mended(monkeypatch, [5.0, 5.1, 5.3], [5.4, 5.25, 5.3])
    assert here.told(winner=known)[0] is known
    here = Mended(monkeypatch, [5.0, 5.1, 5.3], [5.4, 5.15, 5.3])
    assert here.told(winner=known)[0].cost == 5.15


def test_what_came_to_cost_more_than_it_began_with_may_cost_little_less(monkeypatch):
    """Polished by weights that mean less farther on: it is mended though it is dearer than the bar."""
    here = Mended(monkeypatch, [5.0, 7.0], [5.5, 5.2], sampled=[5.0, 5.3])
    assert here.told()[0].cost == 5.2
    here = Mended(monkeypatch, [5.0, 7.0], [5.5, 5.2], sampled=[5.0, 7.0])
    assert here.told()[0].cost == 5.5


def test_types_that_come_to_one_locus_are_mended_once_if_that_is_proven(monkeypatch):
    loci = [0, 0, 1, 0]
    here = Mended(monkeypatch, [5.0, 5.0, 5.0, 5.0], [5.0] * 4, loci=loci)
    winner, costs = here.told()
    assert sorted(here.asked) == [0, 2]
    assert costs == [5.0] * 4
    assert winner.cost == 5.0
    here = Mended(monkeypatch, [5.0, 5.0, 5.0, 5.0], [5.0] * 4, loci=loci, slack=1e-3)
    here.told()
    assert sorted(here.asked) == [0, 1, 2, 3]  # not proven: each is tried from where it was sampled
    here = Mended(monkeypatch, [5.0, 5.0, 5.0, 5.0], [None, 5.0, 5.0, 5.0], loci=loci)
    assert here.told()[0].cost == 5.0
    assert 1 in here.asked or 3 in here.asked  # where the first fails another may not


@pytest.mark.parametrize(("slack", "again"), [(0.0, False), (1e-3, True), (None, True)])
def test_what_is_not_proven_is_tried_from_elsewhere_unless_the_winner_is(monkeypatch, slack, again):
    """Types that come to one locus are mended to what is not proven; another way as cheap is, or is not, or is none."""
    here = Mended(monkeypatch, [5.0] * 3, [5.0] * 3, loci=[0] * 3, slack=1e-3)
    winner, _ = here.told(winner=None if slack is None else option(5.0, slack))
    assert sorted(here.asked) == ([0, 1, 2] if again else [0])
    assert winner.slack == pytest.approx(1e-3 if again else 0.0)


@pytest.mark.parametrize("least", [0.0, 0.03, 0.1, 0.26, 0.5])
def test_a_last_way_is_held_where_it_costs_least_of_all_spots_that_are_allowed(monkeypatch, least):
    """From half an inch of a rim: where it is cheapest, which may be its very end, beside what is barred."""
    here = net([replace(level(2.0), length=0.5)])
    path = Path((A, Slide(0, 0.25), B), (Link(0), Link(0, transition=0)))
    barred = 0.02

    def polish(_net, tries, *, hops):
        assert not hops
        at = [one.elements[1].at for one in tries]
        return [Polished(one, 5.0 + abs(x - start - least)) for one, (x, _) in zip(tries, at, strict=True)]

    def first_allowed(polished):
        ranked = sorted((one.cost, k) for k, one in enumerate(polished))
        open_ = [(cost, k) for cost, k in ranked if abs(polished[k].path.elements[1].at[0] - start - 0.4) > barred]
        return next(((k, SimpleNamespace(cost=cost)) for cost, k in open_), None)

    start = float(here.pieces[0].start[0])
    monkeypatch.setattr(type_search, "polish", polish)
    monkeypatch.setattr(type_search, "option_of", lambda _m, done, *_: option(done[0].cost))
    mender = SimpleNamespace(net=here, first_allowed=first_allowed)
    found = type_search._held_at_spots(mender, path)
    assert found.cost == pytest.approx(5.0, abs=1e-4)
    assert found.slack < 1e-3


# -- what could be of use ----------------------------------------------------------------------------------------------


def asked(left=6.0, *, landing=False):
    return SimpleNamespace(fits=lambda one: one.cost <= left, landing=landing)


def test_a_way_with_more_dice_is_of_use_where_it_could_be_the_best():
    long, sure, die = option(9.0), option(5.0), option(4.5, tests=1)
    one_six, landed = chance_of(1, landing=False), chance_of(1, landing=True)
    of = type_search._most_of_use
    below = pytest.approx
    assert of(asked(), long, [], one_six) == below(9.0 - 2e-6)
    assert of(asked(), long, [option(8.0)], one_six) == below(8.0 - 2e-6)  # of what does not fit the cheapest counts
    assert of(asked(), long, [sure, option(5.5)], one_six) == below(5.0 - 2e-6)
    assert of(asked(), long, [die], one_six) == below(4.5 - 2e-6)
    assert of(asked(), long, [die], landed) == below(9.0 - 2e-6)  # a better chance than what fits
    assert of(asked(landing=True), long, [sure], one_six) == below(9.0 - 2e-6)


def test_the_first_that_fits_as_it_was_sampled_will_do(monkeypatch):
    paths = [Path((A, Slide(0, float(n)), B), (Link(0), Link(0))) for n in range(4)]
    cost = dict(zip(paths, (7.0, 5.5, 5.0, 4.0), strict=True))
    search = SimpleNamespace(left=6.0, may_end=lambda one: True, fits=lambda one: one.cost <= 6.0)
    barred, tried = {paths[1]}, []

    def route(path):
        tried.append(path)
        return None if path in barred else Route((Leg("straight", (0, 0), (1, 0), cost[path]),))

    mender = SimpleNamespace(landed=False, tests=0, route=route)
    types = [Sampled(cost[path], path) for path in paths]
    found = type_search.first_fitting(search, mender, types)
    assert found.cost == 5.0
    assert tried == paths[1:3]  # what costs more than is left is not even tried
    tried.clear()
    landed = SimpleNamespace(landed=True, tests=1, route=route)
    assert type_search.first_fitting(search, landed, types).cost == 5.0
    assert tried == paths[:3]  # a last way may cost more than is left
    search.may_end = lambda one: one.cost == 4.0
    assert type_search.first_fitting(search, mender, types).cost == 4.0
    search.fits = lambda one: False
    assert type_search.first_fitting(search, mender, types) is None


@pytest.mark.parametrize("near", [True, False])
def test_a_winner_is_polished_once_more_if_that_is_allowed_cheaper_and_proven(monkeypatch, near):
    here = net([level(2.0)])
    links = (Link(0), Link(0, transition=0))
    path = Path((A, Slide(0, 1e-9 if near else 5.0), B), links)
    other, third = (Path((A, Slide(0, u), B), links) for u in (3.0, 4.0))
    winner, given = option(5.0, 1e-5, path=path), []
    bests = [SimpleNamespace(cost=4.8, path=third), SimpleNamespace(cost=4.5, path=other)]
    monkeypatch.setattr(type_search, "let_go", lambda *_: [other, third])
    monkeypatch.setattr(type_search, "optimise", lambda _net, some, inner: given.append((some, inner)) or bests)
    routes = {other: 4.5, third: 4.8}

    def mender(**more):
        found = {**routes, **more}
        legs = {p: None if c is None else Route((Leg("straight", (0, 0), (1, 0), c),)) for p, c in found.items()}
        return SimpleNamespace(net=here, route=lambda one: legs[one])

    slack = {4.5: 1e-7, 4.8: 1e-7}
    monkeypatch.setattr(type_search, "option_of", lambda _m, done, *_: option(done[0].cost, slack[done[0].cost]))
    found = type_search._polished_within(mender(), winner)
    assert found.cost == 4.5
    assert given == [([*([path] if near else []), other, third], True)]
    routes[other] = None  # barred
    assert type_search._polished_within(mender(), winner).cost == 4.8
    routes[other], slack[4.5] = 4.5, 2e-5  # worse proven
    assert type_search._polished_within(mender(), winner).cost == 4.8
    routes[third] = 5.0  # no cheaper as it is allowed
    assert type_search._polished_within(mender(), winner) is winner
    cheap = replace(winner, cost=4.5)
    assert type_search._polished_within(mender(), cheap) is cheap
    for one in (replace(winner, path=None), replace(winner, path=replace(path, links=(Link(0), Link(0))))):
        assert type_search._polished_within(mender(), one) is one


@pytest.mark.parametrize("landed", [True, False])
def test_types_that_walk_on_are_made_of_what_no_landing_ends_alone(landed, monkeypatch):
    over, here = Link(0, transition=0), net()
    before = Path((A, Slide(0, 1.0), B), (Link(0), over))
    beyond = Path((A, Slide(0, 1.0), B), (over, Link(0)))
    monkeypatch.setattr(type_search, "walked_beside", lambda net, path: [before, beyond])
    mender = SimpleNamespace(net=here, landed=landed)
    types = [Sampled(4.0, Path((A, B), (over,)))]
    found = type_search._beside_types(mender, types, [4.0], {()})
    assert [one.path for one in found] == ([before] if landed else [before, beyond])


@pytest.mark.parametrize("transition", [-1, 0, 1])
@pytest.mark.parametrize("landing", [True, False])
def test_what_goes_over_instead_lands_by_its_last_die_if_that_or_its_way_did(monkeypatch, transition, landing):
    """Then a 2 does at the last, and what takes two 6s is no rival, cheaper though it is."""
    over, made = Path((A, B), (Link(0, transition=transition),)), []

    def mender(_table, _mover, _net, tests, *, landed):
        made.append((tests, landed))

    def cheapest_of(_mender, sampled, _known, most):
        made.append((sampled[0].path, most))
        return replace(option(4.0), tests=2), math.inf

    for name, instead in (
        ("Mender", mender),
        ("cheapest", cheapest_of),
        ("over_rings", lambda _, path: [(1, over)] if path is WAY else ()),
        ("gather", lambda *_: SimpleNamespace(cost=lambda: [4.0])),
    ):
        monkeypatch.setattr(type_search, name, instead)
    search = SimpleNamespace(
        dice=True, landing=False, table=None, mover=None, fits=lambda one: one.cost < 4.5, may_end=lambda _: True
    )
    late, rival = option(5.0, tests=1, landing=landing, path=WAY), option(4.4, tests=2)
    (found,) = type_search.over_instead(search, None, [late], [rival])
    lands = landing or transition >= 0
    assert found.cost == 4.0
    assert made == [(2, lands), (over, pytest.approx(5.0 if lands else 4.4, abs=1e-5))]
