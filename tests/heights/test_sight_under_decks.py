"""Sight under, over and past what sticks out of what it stands on: bridges, decks on a pillar, jutting storeys."""

import random

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.rules.sight import look
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Sight
from tests.heights.stage import box, disc, mover, other, piece, table


def bridge(thick=0.25, **more):
    """Two towers of 3 in, 12 in apart, and a deck from one to the other, 2 in wide along y = 10."""
    towers = [piece(n, "platform", box(x, 8, x + 4, 12), height=3.0) for n, x in (("west", 4), ("east", 20))]
    return *towers, piece("deck", "platform", box(6, 9, 22, 11), height=thick, on="west", **more)


def both_ways(at):
    return look(at, "m", "e").seen, look(at, "e", "m").seen


def test_who_stands_under_a_bridge_sees_and_is_seen():
    for place in ((12, 16), (12, 10), (16, 4)):
        at = table(mover(14, 10), *bridge(), other("e", *place))
        assert both_ways(at) == (True, True)
    assert ask(table(mover(14, 10), *bridge(), other("e", 14, 15)), Charge("m", "e")).answer == "yes"


def test_through_under_a_bridge_from_side_to_side():
    assert both_ways(table(mover(14, 6), *bridge(), other("e", 14, 14))) == (True, True)
    solid = piece("deck", "obstacle", box(6, 9, 22, 11), height=3.25)
    assert both_ways(table(mover(14, 6), solid, other("e", 14, 14))) == (False, False)


@pytest.mark.parametrize(("edge", "seen"), [(-1e-6, True), (1e-6, False)])
def test_under_a_deck_up_to_a_tower(edge, seen):
    """Under the far side of a deck, 6 in off and 1.5 up, to the near side of a tower, 7.5 in off and 15/8 up."""
    tower = piece("t", "platform", box(10, 12.5, 18, 20), height=1.5 + 15 / 8 + edge)
    *towers, deck = bridge(20.0)
    at = table(mover(14, 5), *towers, deck, tower, other("e", 14, 13, on="t"))
    assert look(at, "m", "e").seen == seen


@pytest.mark.parametrize(("reading", "seen"), [("passes", True), ("blocks", False)])
@pytest.mark.parametrize("edge", [1e-6, 0.0, -1e-6])
def test_between_a_deck_and_a_wall(edge, reading, seen):
    """Over a wall half an inch above the eye and 4 in off, under a deck to 6 in off: it hangs 0.75 in above the eye."""
    pillar = piece("p", "unscalable platform", box(30, 9, 31, 11), height=2.25 + edge)
    deck = piece("deck", "platform", box(0, 9, 31, 11), height=20.0, on="p")
    low = piece("w", "obstacle", box(0, 9, 29, 9.5), height=2.0)
    at = table(mover(14, 5), pillar, deck, low, other("e", 14, 17, height=3.5), sight_grazing=reading)
    assert look(at, "m", "e").seen == (seen if edge == 0 else edge > 0)


def test_no_look_along_the_joint():
    """The eye is as high as the towers; where the deck lies on one there is no gap to look through."""
    at = table(mover(5, 4, height=3.0), *bridge(), other("e", 9, 16, height=3.0), other("f", 14, 16, height=3.0))
    assert not look(at, "m", "e").seen
    assert look(table(mover(14, 4, height=3.0), *bridge(), other("f", 14, 16, height=3.0)), "m", "f").seen


def test_who_stands_on_a_bridge_hides_nobody_under_it():
    at = table(mover(14, 6), *bridge(), other("guard", 14, 10, on="deck"), other("e", 14, 14))
    assert both_ways(at) == (True, True)


def test_a_round_deck_on_a_pillar():
    pillar = piece("p", "unscalable platform", disc(14, 10, 0.5), height=3.0)
    deck = piece("deck", "platform", disc(14, 10, 4.0), height=0.2, on="p")
    assert both_ways(table(mover(12, 10), pillar, deck, other("e", 12, 4))) == (True, True)
    assert both_ways(table(mover(11, 10), pillar, deck, other("e", 11, 13))) == (True, True)


@pytest.mark.parametrize("reading", ["centre", "volume"])
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_dense_sampling(seed, reading):
    """Lines from the eye to the target's hull, against volumes a little smaller and a little larger."""
    rng = random.Random(seed)
    up = rng.uniform(1.0, 3.0)
    pillar = piece("p", "unscalable platform", box(13.5, 9.5, 14.5, 10.5), height=up)
    x, y = rng.uniform(8, 13), rng.uniform(8, 9)
    deck = piece("deck", "platform", box(x, y, x + 8, y + 3), height=rng.uniform(0.1, 1.5), on="p")
    low = piece("w", "obstacle", box(6, 12, 22, 12.4), height=rng.uniform(0.3, 1.2))
    tower = piece("t", "platform", box(10, 14, 18, 20), height=rng.uniform(0.5, 4.0))
    at = table(mover(14, 5), pillar, deck, low, tower, other("e", 14, 16, on="t"), eye=reading)
    found = look(at, "m", "e")
    volumes = [(p, 0.0 if p.on is None else up) for p in (pillar, deck, low, tower)]
    if sampled(volumes, tower.height or 0.0, 0.04):
        assert found.seen
    if reading == "centre" and not sampled(volumes, tower.height or 0.0, -0.04):
        assert not found.seen


def sampled(volumes, foot, grow):
    eye = np.array([14.0, 5.0, 1.5])
    angle = np.linspace(0, 2 * np.pi, 49)[:-1]
    goals = np.array(
        [(14 + np.cos(a) / 2, 16 + np.sin(a) / 2, foot + h) for a in angle for h in np.linspace(0, 1.5, 13)]
    )
    goals = goals[(goals[:, 1] < 16) | (goals[:, 2] >= foot + 1.5)]
    points = eye + np.linspace(0, 1, 400)[:-1, None, None] * (goals - eye)
    blocked = np.zeros(points.shape[:2], dtype=bool)
    for one, low in volumes:
        between = (points[..., 2] < low + one.height + grow) & (points[..., 2] > (low - grow if low else -1.0))
        depth = np.full(between.shape, 1.0)
        depth[between] = one.shape.depth(points[..., :2][between])
        blocked |= between & (depth < grow)
    return bool((~blocked.any(axis=0)).any())


def test_a_certificate_of_a_look_under_a_bridge():
    at = table(mover(14, 6), *bridge(), other("e", 14, 14))
    named = sbg.loads(sbg.dump(at) + '\n[questions.q]\nask = "sight"\nmodel = "m"\ntarget = "e"\n')
    paper = certificate.issue(named, "q", report.as_json(ask(named, Sight("m", "e"))))
    assert certificate.verify(paper).refuted == []


def test_whom_a_bridge_does_not_hide_is_not_safe():
    at = table(mover(14, 6, move=1.0), *bridge(), other("e", 14, 13, move=8.0))
    assert sbg.safe(at, "m").area.area == pytest.approx(0.0, abs=1e-6)


def test_lists_know_who_stands_on_the_other_half_of_a_level():
    """Two pieces make one level, by whose id the other half is known no more."""
    man = {"base": 1, "height": 1.5, "move": 6}
    top = {"tags": ["platform"], "height": 2}
    terrain = {
        "one": top | {"polygon": [[8, 8], [12, 8], [12, 12], [8, 12]]},
        "two": top | {"polygon": [[12, 8], [16, 8], [16, 12], [12, 12]]},
    }
    models = {
        "m": man | {"at": [9, 10], "on": "one", "side": "good"},
        "near": man | {"at": [13, 10], "on": "two", "side": "evil"},
        "far": man | {"at": [15.4, 10], "on": "two", "side": "evil"},
    }
    table = sbg.Table(24, 24, models=models, terrain=terrain)
    found = sbg.charges(table, "m")
    assert [entry.target for entry in found] == ["near", "far"]
    assert found["near"].verdict.needed == pytest.approx(3)
