"""Jumps between bases and difficult ground, held against dense lines over the wall."""

import math
from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz import judging
from tests.fuzz.kinds import make
from tests.fuzz.squeezes import Lines, wall_across
from tests.fuzz.stage import box


def lines(table, question):
    return Lines(table, question, wall_across(table, question)).least()


def wall_alone(seed):
    table, question = make("squeezes", seed, small=True)
    walls = {name: piece for name, piece in table.terrain.items() if not piece.difficult}
    return replace(table, models=FrozenMap({"me": table.model("me")}), terrain=FrozenMap(walls)), question


@pytest.mark.parametrize("seed", [0, 1])
def test_with_nothing_about_the_straight_line_is_found(seed):
    table, question = wall_alone(seed)
    assert lines(table, question) == pytest.approx(math.dist(table.model("me").at, question.to), abs=1e-9)


def test_a_bog_all_about_is_paid_for_twice():
    table, question = wall_alone(0)
    bog = sbg.Terrain("b", frozenset({"difficult"}), sbg.polygon([(0, 0), (20, 0), (20, 20), (0, 20)]))
    table = replace(table, terrain=FrozenMap({**table.terrain, "b": bog}))
    assert lines(table, question) == pytest.approx(2 * math.dist(table.model("me").at, question.to), abs=1e-9)


def test_a_base_on_the_line_is_gone_round():
    """It stands where the straight line lands: lines are longer, and none leads through it."""
    table, question = wall_alone(1)
    me, (low, _) = table.model("me"), wall_across(table, question)
    straight = math.dist(me.at, question.to)
    share = (me.at[1] - (low - me.radius)) / (me.at[1] - question.to[1])
    landing = me.at[0] + share * (question.to[0] - me.at[0])
    for aside, longer in ((0.0, True), (2.0, False)):
        base = sbg.Model("m1", (landing + aside, low - 0.1), 0.2, 1.5, 6.0, "good")
        beside = replace(table, models=FrozenMap({"me": me, "m1": base}))
        assert (lines(beside, question) > straight + 1e-3) == longer


@pytest.mark.parametrize("seed", [4, 5])
def test_a_cost_that_is_a_hair_too_dear_is_told(seed):
    table, question = make("squeezes", seed, small=True)
    verdict = sbg.check(table, question)
    assert list(judging.against_squeezes(table, question, verdict)) == []
    dear = replace(verdict, needed=verdict.needed + 1e-5)
    assert list(judging.against_squeezes(table, question, dear))


def test_an_arc_that_ran_out_stays_out_where_the_way_on_is_clear():
    """From where the jump was sampled the straight on would cut the bog: told 0.02 in too dear, as if proven."""
    table, question = make("squeezes", 177_010_031, small=True)
    assert list(judging.against_squeezes(table, question, ask(table, question, alternatives=False))) == []


@pytest.mark.parametrize(
    ("seed", "small"),
    [
        (177_100_055, False),  # through an inward corner of two bogs, beside a base: 0.026 in too dear
        (177_010_242, True),  # from beside a bog's corner, the jump's samples showing one cut through it: 5e-4 in
        (179_620_025, True),  # round a corner that the walk no longer needed once the jump stood elsewhere: 1e-3 in
        (179_620_108, True),  # off a bog's corner that is cut deeper from where it was sampled: 3e-4 in
    ],
)
def test_jumps_along_what_they_touch_are_no_dearer_than_lines(seed, small):
    table, question = make("squeezes", seed, small)
    assert list(judging.against_squeezes(table, question, ask(table, question, alternatives=False))) == []


def test_other_tables_are_no_matter_of_lines():
    table, question = make("squeezes", 0, small=True)
    assert wall_across(*make("melee", 1, small=True)) is None
    assert wall_across(table, sbg.Charge("me", "m1")) is None
    lying = FrozenMap({name: replace(one, prone=name != "me") for name, one in table.models.items()})
    assert wall_across(replace(table, models=lying), question) is None


@pytest.mark.parametrize(
    ("start", "goal", "bases", "bogs"),
    [
        (  # past corners of two bogs at once: told 0.005 in too dear
            (9.914, 10.335),
            (9.823, 8.134),
            [(11.104, 9.511, 0.98)],
            [
                [(9.943, 8.722), (9.996, 9.228), (9.633, 9.486), (9.312, 9.14), (9.465, 8.668)],
                [(9.587, 9.1), (9.352, 8.8), (9.705, 8.706)],
            ],
        ),
        (  # beside a base it pays to go round the bog, and not to cut its corner: told 0.03 in too dear
            (10.201, 9.835),
            (9.605, 7.501),
            [(10.593, 10.947, 0.98), (11.401, 9.737, 1.26)],
            [
                [(8.922, 8.233), (9.101, 8.183), (9.134, 8.397), (8.947, 8.447)],
                [(9.776, 9.044), (9.676, 8.349), (10.211, 8.617)],
            ],
        ),
    ],
)
def test_jumps_that_were_told_too_dear_as_if_proven(start, goal, bases, bogs):
    models = [sbg.Model("me", start, 1.0, 1.5, 6.0, "good")]
    models += [sbg.Model(f"m{k}", (x, y), base, 1.5, 6.0, "good") for k, (x, y, base) in enumerate(bases)]
    terrain = [sbg.Terrain("w", frozenset({"obstacle"}), box(-1, 8.7, 25, 9), height=1.5)]
    terrain += [sbg.Terrain(f"b{k}", frozenset({"difficult"}), sbg.polygon(bog)) for k, bog in enumerate(bogs)]
    things = ({one.id: one for one in some} for some in (models, terrain))
    table, question = sbg.Table(24.0, 24.0, *map(FrozenMap, things)), sbg.Move("me", goal)
    verdict = ask(table, question, alternatives=False)
    assert verdict.needed == pytest.approx(lines(table, question), abs=1e-7)
    assert verdict.needed - verdict.at_least <= 1e-8


def test_a_yard_right_across_is_no_wall():
    """It has a hole, in which one may stand."""
    assert wall_across(*make("yards", 190000015, small=True)) is None
