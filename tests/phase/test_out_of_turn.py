"""What is done out of turn, to whom it cannot be done, and records that do not go on."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.phase import IllegalMoveError, Phase
from sbg_sim.phase.legality import judge
from sbg_sim.phase.order import find_order
from sbg_sim.phase.record import resumed
from sbg_sim.phase.too_far import goes_farther
from sbg_sim.phase.turn import roll_off
from sbg_sim.phase.turn_taking import open_moves
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.terrain import Terrain
from tests.phase.tables import R, box, man, table

BAND = frozenset({"warband"})


def coming(*others, **more) -> Phase:
    """A ranger outside, Legolas on the table, and it is the reinforcements' turn."""
    ranger = man("ranger", keywords=BAND)
    models = [ranger, man("legolas", (12, 12)), man("orc", (20, 20), "evil"), *others]
    phase = Phase.begin(table(*models, off=("ranger",), **more), "good")
    while not phase.reinforcing:
        phase = phase.end()
    return phase


def rules(phase: Phase, *given, **does) -> list[str]:
    return [v.rule for v in phase.explain(MoveRecord(*given, **does))]


def test_when_reinforcements_come_on_the_others_have_finished():
    phase = coming()
    assert rules(phase, "legolas", to=(12, 13)) == ["REINF.1"]
    assert rules(phase, "ranger", arrive=(0, 12)) == []
    with pytest.raises(IllegalMoveError, match="only its reinforcements come on now") as refused:
        phase.push(MoveRecord("legolas", to=(12, 13)))
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.violations == refused.value.violations
    assert str(again) == str(refused.value)


def test_a_warband_that_waits_comes_on_next_turn():
    phase = coming().delay(["ranger"])
    assert rules(phase, "ranger", arrive=(0, 12)) == ["REINF.2"]


@pytest.mark.parametrize(
    ("name", "does"),
    [
        ("legolas", {"arrive": (0, 12)}),  # is on the table
        ("ranger", {"arrive": (0, 12), "charge": ("orc",)}),
        ("ranger", {"arrive": (-3, 12)}),  # outside, on no edge
        ("ranger", {"arrive": (3, 12)}),
        ("ranger", {"to": (2, 12)}),  # from nowhere
    ],
)
def test_what_no_reinforcement_does(name, does):
    found = judge(coming().table, MoveRecord(name, **does))
    assert ([v.rule for v in found.violations], found.chance) == (["REINF.1"], 0)


def test_coming_on_and_lying_down():
    """Half of the Move is left to walk: from half a base outside two inches in, and three go into lying down."""
    found = judge(coming().table, MoveRecord("ranger", arrive=(0, 12), to=(2, 12), lie=True))
    assert (found.violations, found.chance) == ((), 1)
    assert [(leg.kind, leg.cost) for leg in found.route.legs] == [("straight", pytest.approx(2 + R)), ("lie", 3.0)]
    too_far = judge(coming().table, MoveRecord("ranger", arrive=(0, 12), to=(3, 12), lie=True))
    assert [v.rule for v in too_far.violations] == ["MOV.3"]


@pytest.mark.parametrize(
    ("x", "sheer", "rule", "words"),
    [
        (5.5, False, None, ""),
        (5.6, False, "MOV.3", "ranger needs 6.1000 inches from the edge and has 6"),
        (5.500001, False, "MOV.3", "ranger needs 6.000001000 inches from the edge and has 6"),
        (20, False, "MOV.3", "ranger needs at least 20.5 in and has 6 in, from the edge"),
        (5.5, True, "TER.5", "terrain closes every way"),
    ],
)
def test_a_reinforcement_is_told_what_keeps_it_away(x, sheer, rule, words):
    """It begins half an inch outside the edge; the wall runs across the whole table."""
    wall = [box("wall", 2, 0, 3, 24, "unscalable")] if sheer else []
    found = judge(coming(terrain=wall).table, MoveRecord("ranger", arrive=(0, 12), to=(x, 12)))
    assert [v.rule for v in found.violations] == ([rule] if rule else [])
    assert all(words in v.reason for v in found.violations)


def test_what_who_waits_outside_may_do():
    phase = coming()
    assert open_moves(phase, "ranger").does == ("arrive",)
    before = phase.pop()
    closed = open_moves(before, "ranger")
    assert (closed.does, [v.rule for v in closed.closed]) == ((), ["REINF.1"])


def test_who_stays_is_said_to_stay():
    phase = Phase.begin(table(man("gimli", (10, 10)), man("orc", (20, 20), "evil")), "good")
    assert phase.push(MoveRecord("gimli", to=(10, 10))).steps[-1].reason == "gimli stays at (10, 10)"


def test_what_cannot_befall():
    phase = Phase.begin(table(man("gimli", (10, 10)), man("orc", (20, 20), "evil")), "good")
    for does, words in (
        ({"place": (5, math.nan)}, "has to be finite"),
        ({"place": (5, 5), "stand": True, "lie": True}, "cannot both stand and lie"),
        ({"delayed": True}, "on the table already"),
    ):
        with pytest.raises(QuestionError, match=words):
            phase.judge(MoveRecord("gimli", **does))
    with pytest.raises(UnknownNameError, match="tower"):
        phase.judge(MoveRecord("gimli", place=(5, 5), on="tower"))


def test_a_hole_lets_nobody_through_who_is_gone():
    hatch = box("hatch", 5, 5, 6, 6, "unscalable", lets_through=frozenset({"gimli", "gloin"}))
    models = man("gimli", (10, 10)), man("gloin", (12, 10)), man("orc", (20, 20), "evil")
    after = Phase.begin(table(*models, terrain=[hatch]), "good").slain("gimli").table
    assert "gimli" not in after.models
    assert after.piece("hatch").lets_through == {"gloin"}


def test_fights_that_do_not_go_together():
    models = [man("gimli", (10, 10)), man("legolas", (14, 10)), man("orc", (11, 10), "evil")]
    there = table(
        replace(models[0], engaged=frozenset({"orc"})), models[1], replace(models[2], engaged=frozenset({"gimli"}))
    )
    phase = Phase.begin(there, "good").end().end()
    assert phase.choose([("gimli", "orc")]).chosen == (("gimli", "orc"),)
    with pytest.raises(IllegalMoveError, match="legolas against orc"):
        phase.choose([("legolas", "orc")])


def test_dice_need_two_sides():
    with pytest.raises(QuestionError, match="here are good"):
        roll_off(table(man("gimli", (10, 10))), "good", lambda: 6)


def test_chargers_of_several_sides_are_in_no_order():
    there = table(man("gimli", (10, 10)), man("orc", (12, 10), "evil"))
    with pytest.raises(QuestionError, match="several sides: evil, good"):
        find_order(there, [("gimli", "orc"), ("orc", "gimli")])


def test_a_record_goes_on_as_far_as_it_holds():
    models = man("gimli", (10, 10)), man("orc", (20, 20), "evil")
    moves = (MoveRecord("gimli", to=(10, 12)), MoveRecord("orc", to=(18, 20)))
    good = Record("good", moves, later=(Record("evil", key="turns[0]."),))
    phase = resumed(table(*models, record=good))
    assert (phase.number, phase.side) == (2, "evil")
    with pytest.raises(QuestionError, match=r"turns\[0\]\.priority"):
        resumed(table(*models, record=replace(good, later=(Record("elves", key="turns[0]."),))))
    fought = replace(good, fights=(("gimli", "orc"),))  # they do not touch
    with pytest.raises(IllegalMoveError, match="no legal pairing off"):
        resumed(table(*models, record=fought))


def test_whoever_may_jump_without_movement_gets_farther():
    """Else only who is shifted over a rim: by a ladder within so many inches of its base."""
    rungs = Terrain("rungs", frozenset({"ladder"}), at=(14.0, 12.0), to="roof")
    gimli = man("gimli", (10, 12))
    free = table(gimli, rulings={"jump_without_movement": "yes"})
    assert goes_farther(free, [gimli])
    assert not goes_farther(table(gimli), [gimli])
    there = table(gimli, terrain=[rungs])
    assert goes_farther(there, [gimli], within=4 - R)
    assert not goes_farther(there, [gimli], within=4 - R - 0.01)
    assert Fraction(1) == judge(there, MoveRecord("gimli", to=(10, 13))).chance


def test_what_is_open_to_a_model_is_what_is_legal():
    """Who hangs on a face cannot lie down there (CLB.4); who lies may crawl or stand."""
    tower = box("tower", 10, 8, 16, 16, "platform", height=4.0)
    here = table(
        man("hangs", (9.5, 12), climbed=2.0), man("lies", (4, 4), prone=True), man("orc", (20, 20), "evil"),
        man("stands", (4, 20)), terrain=(tower,),
    )  # fmt: skip
    phase = Phase.begin(here, "good")
    for name, does in (("hangs", ("move",)), ("lies", ("crawl", "stand")), ("stands", ("move", "lie"))):
        assert open_moves(phase, name).does == does
        for posture in ("stand", "lie"):
            assert phase.legal(MoveRecord(name, **{posture: True})) == (posture in does)
