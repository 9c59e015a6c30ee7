"""Moves that no rule allows, or that say nothing, and what is said of them."""

from __future__ import annotations

import math

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.phase import Phase, replay
from sbg_sim.phase.deploy import deploy
from sbg_sim.table.record import MoveRecord, Record
from tests.phase.tables import box, man, table


def facing(**more):
    here = [man("gimli", (10, 10), **more), man("uruk", (10, 14), "evil"), man("orc", (20, 20), "evil")]
    return Phase.begin(table(*here, off=("orc",)), "good")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (MoveRecord("gimli", charge=("gimli",)), "gimli cannot charge itself"),
        (MoveRecord("gimli", charge=("uruk", "uruk")), "gimli charges the same model twice in one move"),
        (MoveRecord("gimli", to=(math.nan, 1)), "gimli has a point that is not two finite numbers: .nan, 1."),
        (MoveRecord("gimli", path=((10, 10), (math.inf, 1))), "the move of gimli has a point that is not two finite"),
        (MoveRecord("gimli", to=(1, 2, 3)), "gimli has a point that is not two finite numbers: .1, 2, 3."),
        (MoveRecord("gimli", crawl="xy"), "gimli has a point that is not two finite numbers: 'xy'"),
        (MoveRecord("gimli", path=((10, 10), (5,))), "gimli has a point that is not two finite numbers: .5,."),
        ("gimli", "'gimli' is no move: a MoveRecord says what a model does"),
        (None, "None is no move"),
    ],
)
def test_moves_that_say_nothing_that_can_be_judged(move, words):
    with pytest.raises(QuestionError, match=words):
        facing().judge(move)


@pytest.mark.parametrize(("path", "legal"), [(((10, 10),), True), (((10, 11),), False), (((10, 11), (10, 12)), False)])
def test_a_path_begins_where_the_model_stands_though_it_has_one_point(path, legal):
    """A single point elsewhere was taken for no move at all."""
    wrong = facing().explain(MoveRecord("gimli", path=path))
    assert [v.reason for v in wrong] == ([] if legal else ["the path does not start where the model stands"])


def test_a_record_holds_moves_and_a_target_is_a_name():
    with pytest.raises(QuestionError, match=r"moves\[1\] 5 is no move"):
        replay(facing().table, Record("good", (MoveRecord("gimli", to=(10, 10.5)), 5)))
    assert MoveRecord("gimli", charge="uruk") == MoveRecord("gimli", charge=("uruk",))


@pytest.mark.parametrize(
    ("more", "move", "rule", "words"),
    [
        ({}, MoveRecord("gimli", crawl=(10, 10.5)), "PRN.2", "gimli is not prone and cannot crawl"),
        ({}, MoveRecord("gimli", stand=True), "PRN.3", "gimli is not prone and cannot stand up"),
        ({"prone": True}, MoveRecord("gimli", stand=True, lie=True), "PRN.3", "may not stand up and lie down"),
        ({}, MoveRecord("gimli", to=(10, 10.5), stand=True), "PRN.3", "gimli is not prone and cannot stand up"),
        ({"prone": True}, MoveRecord("gimli", to=(10, 9), stand=True, lie=True), "PRN.3", "may not stand up and lie"),
        ({"prone": True}, MoveRecord("gimli", crawl=(10, 9.5), lie=True), "PRN.3", "gimli is prone already"),
        ({}, MoveRecord("gimli", charge=("uruk",), lie=True), "PRN.3", "gimli cannot charge and lie down in one move"),
        ({}, MoveRecord("gimli", charge=("orc",)), "CHG.1", "orc is not on the table"),
    ],
)
def test_moves_that_are_refused_at_once(more, move, rule, words):
    (wrong,) = facing(**more).explain(move)
    assert wrong.rule == rule
    assert words in wrong.reason


def test_a_path_ends_on_the_level_that_is_named():
    deck = box("deck", 9, 11, 14, 13, "platform", height=0.5)
    phase = Phase.begin(table(man("gimli", (10, 9.5)), terrain=[deck]), "good")
    short = MoveRecord("gimli", path=((10, 9.5), (10, 10.2)), on="deck")
    assert [(v.rule, v.reason) for v in phase.explain(short)] == [("MOV.5", "the path does not end on deck")]
    assert phase.explain(MoveRecord("gimli", path=((10, 9.5), (10, 10.2)))) == ()


@pytest.mark.parametrize("along", [-0.5, 0.5, 0.9])
def test_a_path_that_ends_on_who_lies_is_no_jump_that_falls_short(along):
    here = table(man("gimli", (8, 10)), man("sam", (10, 10), prone=True))
    reach = 2 * here.model("sam").radius
    (wrong,) = Phase.begin(here, "good").explain(MoveRecord("gimli", path=((8, 10), (10 + along * reach, 10))))
    assert (wrong.rule, wrong.blame) == ("MOV.4", "sam")
    assert Phase.begin(here, "good").explain(MoveRecord("gimli", path=((8, 10), (10 + reach, 10)))) == ()


def test_round_a_zone_one_crawls_along_its_rim():
    # from a thousandth outside the rim, 2 in from the uruk, on a way that would cut it
    deep = math.sqrt(4 - 0.3**2) + 1e-3
    here = table(man("gimli", (9.7, 12 + deep), prone=True), man("uruk", (10, 12), "evil"))
    judged = Phase.begin(here, "good").judge(MoveRecord("gimli", crawl=(10.3, 12 + deep)))
    assert judged.violations == ()
    assert [(leg.kind, leg.center) for leg in judged.route.legs] == [
        ("crawl", None),
        ("crawl", (10.0, 12.0)),
        ("crawl", None),
    ]
    assert 0.6 < judged.route.cost < 2 * 2 * math.asin(0.3 / 2)


def test_what_is_deployed_waits_outside_and_comes_on_over_the_edge():
    here = table(man("gimli", (10, 10)), man("sam", (0, 0)), off=("sam",))
    for names, point, words in (
        (["gimli"], (0, 12), "on the table already: gimli"),
        ([], (0, 12), "nobody waits outside the table"),
        (["sam"], (3, 12), "no point of the table's edge"),
    ):
        with pytest.raises(QuestionError, match=words):
            deploy(here, names, point)
    assert deploy(here, ["sam"], (0, 12)).answer == "yes"
