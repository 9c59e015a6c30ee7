"""What blocks sight and what does not, its readings, and calls that are wrong."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.geometry.shapes import circle
from sbg_sim.rules.sight import look
from sbg_sim.scenario import read
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain
from tests.rules.sight_tables import man, platform, table, wall

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def test_sheer_things_without_a_height_are_taller_than_all():
    thing = Terrain("pillar", frozenset({"unscalable"}), circle((10, 5), 2.0))
    found = look(table([man("a", (5, 5), 50.0), man("b", (15, 5), 50.0)], [thing]), "a", "b")
    assert not found.seen
    assert found.hidden_by == ("pillar",)


@pytest.mark.parametrize(
    "piece",
    [
        Terrain("mud", frozenset({"difficult"}), circle((10, 5), 2.0)),
        Terrain("pit", frozenset({"gap"}), circle((10, 5), 2.0), depth=3.0),
        Terrain("pit", frozenset({"gap"}), circle((10, 5), 2.0), height=3.0),
        Terrain("rungs", frozenset({"ladder"}), at=(10, 5), to="deck"),
    ],
)
def test_flat_things_hide_nothing(piece):
    assert look(table([man("a", (5, 5)), man("b", (15, 5))], [piece]), "a", "b").seen


def test_a_wood_has_a_volume():
    wood = Terrain("wood", frozenset({"difficult"}), circle((10, 5), 2.0), height=4.0)
    assert not look(table([man("a", (5, 5)), man("b", (15, 5))], [wood]), "a", "b").seen


def test_no_look_along_the_seam_of_two_walls():
    halves = [wall(8, 12, 9.0, 0, 5, name="right"), wall(8, 12, 9.0, 5, 10, name="left")]
    models = [man("a", (5, 5)), man("b", (15, 5))]
    found = look(table(models, halves), "a", "b")
    assert not found.seen
    assert set(found.hidden_by) == {"left", "right"}
    ajar = [wall(8, 12, 9.0, 0, 5, name="right"), wall(8, 12, 9.0, 5 + 1e-6, 10, name="left")]
    assert look(table(models, ajar), "a", "b").seen
    uneven = [wall(8, 12, 1.2, 0, 5, name="right"), wall(8, 12, 9.0, 5, 10, name="left")]
    assert look(table(models, uneven), "a", "b").seen  # over the lower one


def test_no_look_along_the_joint_of_a_platform_and_what_stands_on_it():
    deck = platform("deck", 8, 12, 1.5)
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert look(table(models, [deck]), "a", "b").seen  # level with the deck
    assert not look(table(models, [deck, wall(9, 11, 2.0, on="deck")]), "a", "b").seen


def test_reading_models_do_not_block():
    models = [man("a", (5, 5)), man("c", (10, 5), 3.0), man("b", (15, 5), base=0.5)]
    assert look(table(models), "a", "b").hidden_by == ("c",)
    assert look(table(models, models_block_sight="no"), "a", "b").seen


def test_reading_grazing_blocks():
    models = [man("a", (5, 5)), man("c", (10, 5)), man("b", (15, 5), base=0.5)]
    assert look(table(models), "a", "b").seen  # level with all three tops
    assert not look(table(models, sight_grazing="blocks"), "a", "b").seen
    free = [man("a", (5, 5)), man("b", (15, 5))]
    assert look(table(free, sight_grazing="blocks"), "a", "b").seen


def test_reading_inside_terrain():
    wood = Terrain("wood", frozenset({"difficult"}), circle((5, 5), 2.0), height=4.0)
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert not look(table(models, [wood]), "a", "b").seen
    assert not look(table(models, [wood]), "b", "a").seen
    assert look(table(models, [wood], sight_within="ignored"), "a", "b").seen
    assert look(table(models, [wood], sight_within="ignored"), "b", "a").seen


def test_reading_the_eye_is_anywhere_over_the_base():
    # hidden from the centre, but not from the rim, until the wall passes the common tangent y = 5.5
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert not look(table(models, [wall(9, 10, 9.0, y1=5.45)]), "a", "b").seen
    assert look(table(models, [wall(9, 10, 9.0, y1=5.45)], eye="volume"), "a", "b").seen
    assert not look(table(models, [wall(9, 10, 9.0, y1=5.6)], eye="volume"), "a", "b").seen


def test_the_eye_anywhere_is_exact_round_a_wall():
    # both discs have radius 1/2, so their common upper tangent is y = 5.5: the wall may come up to it
    models = [man("a", (5, 5)), man("b", (15, 5))]
    for less, seen in ((-1e-6, True), (0.0, True), (1e-6, False), (0.01, False)):
        found = look(table(models, [wall(9, 10, 9.0, y1=5.5 + less)], eye="volume"), "a", "b")
        assert found.seen is seen
        assert found.certain


def test_the_eye_anywhere_is_exact_over_a_wall():
    # looking down the best eye is the foremost: (5.5, 1.5) to (15.5, 1.0) over the far edge at 11
    models = [man("a", (5, 5)), man("b", (15, 5), 1.0)]
    h = 1.5 - 0.5 * (11 - 5.5) / (15.5 - 5.5)
    assert look(table(models, [wall(10, 11, h - 1e-6)], eye="volume"), "a", "b").seen
    assert look(table(models, [wall(10, 11, h)], eye="volume"), "a", "b").seen
    found = look(table(models, [wall(10, 11, h + 1e-3)], eye="volume"), "a", "b")
    assert not found.seen
    assert found.certain


def test_looking_at_another_place():
    models = [man("a", (5, 5)), man("b", (15, 5))]
    pieces = [wall(10, 11, 9.0, y0=3, y1=7)]
    assert not look(table(models, pieces), "a", "b").seen
    assert look(table(models, pieces), "a", "b", at=(12, 5)).seen


def test_what_hides_each_part_leaves_no_part():
    posts = [wall(10, 10.5, 9.0, 3, 5.05, name="left"), wall(11, 11.5, 9.0, 4.9, 7, name="right")]
    found = look(table([man("a", (5, 5)), man("b", (15, 5))], posts), "a", "b")
    assert not found.seen
    assert set(found.hidden_by) == {"left", "right"}
    lean = math.asin(0.5 / 10)
    spans = sorted((a, b) for _, a, b in found.hides)
    assert spans[0][0] == pytest.approx(-lean)
    assert spans[-1][1] == pytest.approx(lean)
    assert spans[0][1] >= spans[1][0] - 1e-12
    right = next(h for h in found.hides if h[0] == "right")
    assert right[1] == pytest.approx(math.atan2(-0.1, 6.0))  # its nearer lower corner (11, 4.9)


def test_missing_heights_are_asked_for_only_when_they_matter():
    bare = [Model("a", (5, 5), 1.0), Model("b", (15, 5), 1.0)]
    assert look(table(bare), "a", "b").seen
    with pytest.raises(QuestionError, match=r"models\.\w\.height"):
        look(table(bare, [wall(10, 11, 1.0)]), "a", "b")
    known = [man("a", (5, 5)), man("b", (15, 5)), Model("c", (10, 5), 1.0)]
    with pytest.raises(QuestionError, match=r"models\.c\.height"):
        look(table(known), "a", "b")


def test_what_hides_nothing_asks_for_no_height():
    bare = [replace(man("a", (5, 5)), height=None), replace(man("b", (15, 5)), height=None)]
    flat = Terrain("mud", frozenset({"difficult"}), circle((10, 5), 2.0))
    pit = Terrain("pit", frozenset({"gap"}), circle((10, 5), 2.0), depth=3.0)
    assert look(table(bare, [flat, pit]), "a", "b").seen
    assert look(table([bare[0], man("b", (15, 5))]), "a", "b").seen  # and of one alone neither
    assert look(table([man("a", (5, 5)), bare[1]]), "a", "b").seen


def test_who_is_not_on_the_table_looks_from_where_it_is_asked_to():
    off = replace(table([man("a", (0, 0)), man("b", (15, 5))]), off=frozenset({"a"}))
    with pytest.raises(QuestionError, match="a is not on the table yet"):
        look(off, "a", "b")
    assert look(off, "a", "b", at=(5.0, 5.0)).seen
    with pytest.raises(QuestionError, match="a is not on the table yet"):
        look(off, "b", "a", at=(5.0, 5.0))


@pytest.mark.parametrize(("x", "seen"), [(7.501, True), (7.5, False)])
def test_within_a_wood_is_any_part_of_the_base(x, seen):
    wood = Terrain("wood", frozenset({"difficult"}), circle((10, 5), 2.0), height=4.0)
    models = [man("a", (x, 5)), man("b", (18, 5))]
    assert look(table(models, [wood], sight_within="ignored"), "a", "b").seen is seen


def test_wrong_calls():
    t = table([man("a", (5, 5)), man("b", (15, 5), on="nowhere")])
    with pytest.raises(QuestionError):
        look(t, "a", "a")
    with pytest.raises(QuestionError, match="not on the table"):
        look(replace(t, off=frozenset("b")), "a", "b")
    with pytest.raises(UnknownNameError):
        look(t, "a", "c")
    with pytest.raises(UnknownNameError):
        look(t, "a", "b")


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("sight-*.toml")), ids=lambda p: p.stem)
def test_scenarios(path):
    there = read(path)
    for asked in there.questions.values():
        seen = look(there, asked.question.model, asked.question.target).seen
        assert seen is (asked.expect == "yes")


def test_the_eye_anywhere_meets_what_stands_beside_the_middle_line():
    # The wall leaves open what is between 5.42 and the common tangent y = 5.5; the tower, off the middle line, bars it.
    models = [man("a", (5, 5)), man("b", (15, 5))]
    tower = Terrain("tower", frozenset({"obstacle"}), circle((10, 5.9), 0.49), height=9.0)
    low = wall(9.99, 10.01, 9.0, y1=5.42)
    assert look(table(models, [low], eye="volume"), "a", "b").seen
    assert look(table(models, [tower], eye="volume"), "a", "b").seen
    assert not look(table(models, [low, tower], eye="volume"), "a", "b").seen
