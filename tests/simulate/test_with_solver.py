"""The solver's own verdicts, played: its chance is the play's chance, and dice agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sbg_sim.simulate import InARow, campaign, compare, play_of, simulate, sweep
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Charge, Move
from tests.simulate.corridor import Y, table

answer = pytest.importorskip("sbg_sim.solver.answer")


@pytest.fixture
def board():
    """A wall from edge to edge: contact at x = 3.5, landing at x = 5."""
    whole = table()
    return replace(whole, terrain=FrozenMap({"wall": whole.piece("wall")}))


@pytest.mark.parametrize(
    ("x", "chance"),
    [
        (3.5, Fraction(1)),
        (5.0, Fraction(5, 6)),
        (5.01, Fraction(1, 6)),
        (7.0, Fraction(1, 6)),
        (7.01, Fraction(0)),
    ],
)
def test_moves_over_a_wall(board, x, chance):
    sim = simulate(board, Move("merry", (x, Y)), 20_000, 1)
    assert sim.chance == chance
    assert sim.verdict.chance == chance
    assert sim.interval[0] <= chance <= sim.interval[1]


@pytest.mark.parametrize(("x", "chance"), [(6.0, Fraction(5, 6)), (7.0, Fraction(1, 6)), (9.0, Fraction(0))])
def test_charges_over_a_wall(board, x, chance):
    """Contact is an inch before the target's centre: right at the landing, beyond it, out of reach."""
    facing = board.having("uruk", at=(x, Y))
    assert simulate(facing, Charge("merry", "uruk"), 1000, 1).chance == chance


def test_a_sweep_over_heights(board):
    rows = sweep(board, Move("merry", (6.0, Y)), "terrain.wall.height", [0.4, 0.5, 1.0], trials=1000)
    assert rows.column("chance") == ["1/1", "1/6", "1/6"]


def test_a_campaign_over_the_wall(board):
    """To x = 9, M 6: at the wall after 2.5, over it after 4; 4 more behind it, of which a 6 does 2."""
    found = campaign(board, Move("merry", (9.0, Y)))
    assert found.route.cost == pytest.approx(8.0)
    # At the wall: E = 1 + E/6 + 4/6, so 2; from the start 1 + 2/6 + 5/6.
    assert found.expected == 1 + Fraction(2, 6) + Fraction(5, 6)


def test_dice_needed(board):
    """Walls 1.5 apart: every landing touches the next wall, where a 6 goes on at once."""
    strider = board.having("merry", move=12.0)
    rows = sweep(strider, Move("merry", (9.0, Y)), InARow("wall", (1.5, 0.0)), [0, 1, 2, 3], executor=None)
    assert rows.column("chance") == ["1/1", "1/6", "1/36", "1/216"]
    behind = Move("merry", (8.0, Y))  # touching the third wall's far side
    assert simulate(InARow("wall", (1.5, 0.0))(strider, 3), behind, 10, 1).chance == Fraction(5, 216)


def test_round_a_short_wall_or_over_it(board):
    """Round an inch of wall: at most sqrt(10) to its corner, then 0.5 and sqrt(1.9^2 + 1): under 6."""
    from sbg_sim.geometry.shapes import polygon

    short = replace(board.piece("wall"), shape=polygon([(4, 11.5), (4.5, 11.5), (4.5, 12.5), (4, 12.5)]))
    open_ = replace(board, terrain=FrozenMap({"wall": short}))
    found = compare(open_, Move("merry", (6.4, Y)))
    assert found.best.name == "without dice"
    assert found.best.expected == 1
    assert play_of(answer.ask(open_, Move("merry", (5.0, Y)))).final.success
