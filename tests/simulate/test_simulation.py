"""Simulations, and sweeps of them, on a corridor judged by hand."""

from __future__ import annotations

import csv
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sbg_sim.dice import processes, wilson
from sbg_sim.dice.executors import WorkersDiedError
from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.simulate import DisagreementError, Shifted, simulate, simulate_verdict, sweep
from sbg_sim.simulate.vary import ByKey, InARow
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Asked, Measure, Move
from tests.simulate.corridor import Y, judge, table

BEYOND = Move("merry", (6.0, Y))
KEYS = ["question", "trials", "seed", "successes", "frequency", "interval", "chance", "chance_value"]


def with_question():
    return replace(table(), questions=FrozenMap({"can-he": Asked(BEYOND)}))


def test_the_json_is_what_the_contract_says():
    sim = simulate_verdict(judge(with_question(), "can-he"), 100_000, 7)
    found = json.loads(json.dumps(sim.as_json()))
    assert list(found) == KEYS
    assert found["question"] == "can-he"
    assert (found["trials"], found["seed"]) == (100_000, 7)
    assert found["frequency"] == found["successes"] / 100_000
    assert found["interval"] == list(wilson(found["successes"], 100_000))
    assert (found["chance"], found["chance_value"]) == ("1/6", pytest.approx(1 / 6))
    assert found["interval"][0] < 1 / 6 < found["interval"][1]
    assert sum(count for _, count in sim.counts) == 100_000
    assert set(sim.distribution) == {end for end, _ in sim.counts}
    assert "1/6" in repr(sim)
    assert sim._repr_svg_().startswith("<svg")


@pytest.mark.parametrize(("height", "chance", "share"), [(0.25, "1/1", 1.0), (2.0, "0/1", 0.0)])
def test_without_dice_the_frequency_is_the_chance(height, chance, share):
    board = ByKey("terrain.wall.height")(table(), height)
    found = simulate_verdict(judge(board, BEYOND), 1000, 1).as_json()
    assert (found["chance"], found["frequency"]) == (chance, share)


def test_a_verdict_that_contradicts_its_play_is_not_hidden():
    with pytest.raises(DisagreementError, match=r"5/6.*1/6"):
        simulate_verdict(replace(judge(table(), BEYOND), chance=Fraction(5, 6)), 10, 1)


def test_questions_that_cannot_be_played_are_refused():
    with pytest.raises(QuestionError, match="measure"):
        simulate(table(), Measure("merry", "uruk"), 10, 1)
    with pytest.raises(UnknownNameError, match="no question"):
        simulate(table(), "nobody-asked", 10, 1)
    with pytest.raises(QuestionError, match="at least 1"):
        simulate(table(), BEYOND, 0, 1)


def test_a_sweep_over_the_height_of_the_wall():
    """Half of 1 inch is still tested, 1 inch still jumped, and a hair more is not."""
    heights = [0.01, 0.49, 0.5, 1.0, 1.001]
    rows = sweep(table(), BEYOND, "terrain.wall.height", heights, judge=judge, executor=ThreadPoolExecutor(2))
    assert rows.column("terrain.wall.height") == heights
    assert rows.column("chance") == ["1/1", "1/1", "1/6", "1/6", "0/1"]
    assert rows.column("dice") == [0, 0, 1, 1, None]
    with pytest.raises(QuestionError, match="no column"):
        rows.column("height")


def test_a_sweep_over_distance_and_move():
    near = sweep(table(), BEYOND, Shifted("merry", (-3.0, 0.0)), [0.0, 0.5, 1.0, 1.5], name="back", judge=judge)
    assert near.columns[0] == "back"
    assert near.column("margin") == pytest.approx([1.0, 0.5, 0.0, -0.5])
    assert near.column("answer") == ["chance", "chance", "chance", "no"]
    moves = sweep(table(), BEYOND, "models.merry.move", [4, 5, 6], judge=judge)
    assert moves.column("chance_value") == pytest.approx([0, 1 / 6, 1 / 6])
    along = sweep(table(), BEYOND, "models.merry.at.x", [1.0, 2.0], judge=judge)
    assert along.column("needed") == [5.0, 4.0]
    by_hand = sweep(table(), BEYOND, lambda t, v: t.having("merry", move=v), [4, 5], judge=judge)
    assert by_hand.column("answer") == ["no", "chance"]


def test_a_sweep_is_the_same_whoever_works():
    def run(executor):
        heights = np.linspace(0.3, 1.2, 7).tolist()
        return sweep(
            table(),
            BEYOND,
            "terrain.wall.height",
            heights,
            judge=judge,
            trials=5000,
            seed=3,
            executor=executor,
        )

    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as three, processes(2) as pool:
        alone = run(one)
        assert run(three) == alone
        assert run(pool) == alone
    assert run(None) == alone  # processes of its own
    jumped = [row for row in alone.rows if row["chance"] == "1/6"]
    assert len({row["successes"] for row in jumped}) > 1  # each value has dice of its own
    assert all(row["low"] <= row["frequency"] <= row["high"] for row in alone.rows)


def test_a_sweep_on_a_cluster():
    distributed = pytest.importorskip("distributed")
    heights = [0.4, 0.6, 1.1]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = sweep(
            table(),
            BEYOND,
            "terrain.wall.height",
            heights,
            judge=judge,
            trials=1000,
            executor=client.get_executor(pure=False),
        )
    with ThreadPoolExecutor(1) as one:
        again = sweep(table(), BEYOND, "terrain.wall.height", heights, judge=judge, trials=1000, executor=one)
    assert found == again


def test_a_sweep_leaves_as_csv_and_as_an_array(tmp_path):
    rows = sweep(table(), BEYOND, "terrain.wall.height", [0.4, 2.0], judge=judge, trials=10)
    text = rows.to_csv(tmp_path / "sweep.csv")
    assert (tmp_path / "sweep.csv").read_text() == text
    read = list(csv.DictReader(text.splitlines()))
    assert [row["answer"] for row in read] == ["yes", "no"]
    assert read[1]["needed"] == ""
    array = rows.to_array()
    assert array["terrain.wall.height"].tolist() == [0.4, 2.0]
    assert np.isnan(array["needed"][1])
    assert array["chance"].tolist() == ["1/1", "0/1"]
    assert rows._repr_svg_().startswith("<svg")
    assert sweep(table(), BEYOND, "models.merry.move", [], judge=judge).to_csv().startswith("models.merry.move,answer")


def test_terrain_can_be_shifted():
    moved = ByKey("terrain.wall.x")(table(), 2.0)
    assert moved.piece("wall").shape.bounds == (6.0, 0.0, 6.5, 24.0)
    assert ByKey("rulings.eye")(table(), "volume").rulings["eye"] == "volume"
    assert ByKey("table.tolerance")(table(), 0.1).tolerance == 0.1


def test_a_piece_can_stand_in_a_row():
    three = InARow("wall", (1.5, 0.0))(table(), 3)
    lefts = {name: piece.shape.bounds[0] for name, piece in three.terrain.items() if "wall" in name}
    assert lefts == {"wall": 4.0, "wall-2": 5.5, "wall-3": 7.0}
    assert [piece.id for piece in three.terrain.values()] == list(three.terrain)
    assert InARow("wall", (1.5, 0.0))(table(), 1).terrain == table().terrain
    assert "wall" not in InARow("wall", (1.5, 0.0))(table(), 0).terrain
    with pytest.raises(QuestionError, match="already"):
        InARow("wall", (1.5, 0.0))(three, 2)
    with pytest.raises(QuestionError, match="whole number"):
        InARow("wall", (1.5, 0.0))(table(), 1.5)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("models.mery.move", 5, "merry"),
        ("models.merry.mvoe", 5, "move"),
        ("terrain.wall.hieght", 5, "height"),
        ("weather.rain", 5, "begins with"),
        ("models.merry.move", "six", "inches"),
        ("models.merry.move", float("nan"), "inches"),
        ("models.merry.move", True, "inches"),
        ("models.merry.move", -1, "cannot be"),
        ("models.merry.base", 0, "cannot be"),
        ("rulings.eye", "third", "no reading"),
    ],
)
def test_keys_and_values_that_make_no_sense_say_so(key, value, says):
    with pytest.raises((QuestionError, UnknownNameError), match=says):
        ByKey(key)(table(), value)


def test_no_direction_is_refused():
    with pytest.raises(QuestionError):
        Shifted("merry", (0.0, 0.0))


def test_a_sweep_over_whole_numbers_alone_has_no_finer_threshold():
    """What is refused between two values ends the search there: Merry jumps and goes on with 5 inches, not with 4."""

    def whole(board, value):
        if value != int(value):
            raise QuestionError("only whole inches")
        return board.having("merry", move=value)

    found = sweep(table(), BEYOND, whole, [4, 5], name="move", judge=judge)
    (threshold,) = found.thresholds()
    assert (threshold.low, threshold.high) == (4, 5)
    assert found.as_json() == {"parameter": "move", "rows": [dict(row) for row in found.rows]}
    assert repr(found).endswith("\n  4: no, 0/1\n  5: chance, 1/6")
    assert found.to_frame()[["move", "chance"]].values.tolist() == [[4, "0/1"], [5, "1/6"]]


def test_a_sweep_where_no_processes_are_to_be_had(monkeypatch):
    heights = [0.4, 0.6, 1.1]
    with ThreadPoolExecutor(1) as one:
        wanted = sweep(table(), BEYOND, "terrain.wall.height", heights, judge=judge, trials=100, executor=one)

    def none(*_):
        raise WorkersDiedError("no processes")

    monkeypatch.setattr(sys.modules["sbg_sim.simulate.sweep"], "processes", none)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert sweep(table(), BEYOND, "terrain.wall.height", heights, judge=judge, trials=100) == wanted


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_a_state_is_swept_over_true_and_false(value):
    with pytest.raises(QuestionError, match=r"models\.merry\.prone takes true or false"):
        sweep(table(), BEYOND, "models.merry.prone", [False, value], judge=judge)


def test_every_jump_of_an_answer_between_two_values_is_told():
    """Over the wall from 3.5 in on with a die, round its end from 4.92 in on without: no, a chance, yes."""
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[9, 11], [9.5, 11], [9.5, 16], [9, 16]]}
    there = Table(24, 24, models={"m": {"at": [7, 12], "base": 1, "height": 1.5}}, terrain={"wall": wall})
    goal = Move("m", (10.5, 12))
    with ThreadPoolExecutor(1) as here:
        found = sweep(there, goal, "models.m.move", [2, 12], executor=here)
    jumps = found.thresholds()
    assert [(t.before, t.after) for t in jumps] == [("no", "chance"), ("chance", "yes")]
    tangents = math.sqrt(5 - 0.25) + math.sqrt(2 - 0.25)  # to and from the rounded corners of the wall's end
    turned = math.atan2(1, 2) + math.asin(0.5 / math.sqrt(5)) + math.atan2(1, 1) + math.asin(0.5 / math.sqrt(2))
    assert jumps[0].high == pytest.approx(3.5, abs=1e-6)
    assert jumps[1].high == pytest.approx(tangents + 0.5 + 0.5 * turned, abs=1e-6)
    assert found.thresholds(most=1) == jumps[:1]
    assert found.thresholds(most=0) == ()
