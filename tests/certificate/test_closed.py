"""A no that is confirmed without a search: bases, zones and what is sheer part start from goal."""

from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.certificate.closed import closed_by
from sbg_sim.table.questions import Charge, Move

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def row(gap, wall=None):
    """Enemies in a row across a table 12 in deep, a gap between their zones; a mover of 1 in on the left."""
    ys = [0.5, 3.5, 6.5 + gap, 9.5 + gap]
    foes = {f"e{i}": {"at": [10, y], "base": 1, "height": 1, "side": "evil"} for i, y in enumerate(ys)}
    mover = {"at": [4, 6], "base": 1, "height": 1, "move": 20, "side": "good"}
    return sbg.Table(20, 12, models={"m": mover, **foes}, terrain=wall or {})


@pytest.mark.parametrize(("gap", "closed"), [(0.9, True), (1.01, False)])
def test_zones_side_by_side(gap, closed):
    """Centres keep 2 in off: rows 3 + gap apart leave a strip as soon as the gap is more than 1 in."""
    table = row(gap)
    question = Move("m", (16, 6))
    assert bool(closed_by(table, question)) == closed
    assert sbg.check(table, question).answer == ("no" if closed else "yes")


def test_what_might_be_jumped_or_charged_is_open():
    prone = row(0.9).having("e1", prone=True)
    assert closed_by(prone, Move("m", (16, 6))) == ()
    assert closed_by(row(0.9), Charge("m", "e1")) == ()
    behind = row(0.9).having("e3", at=(14, 6))
    assert sbg.check(behind, Charge("m", "e3")).answer in {"no", "yes"}


def test_what_closes_it_is_named():
    assert closed_by(row(0.9), Move("m", (10, 7.9))) == ("e2",)
    assert closed_by(row(0.9), Move("m", (19.8, 6))) == ("the edge of the table",)


@pytest.mark.parametrize("path", sorted([*SCENARIOS.glob("*.toml"), *(SCENARIOS / "disputes").glob("*.toml")]))
def test_nothing_that_can_be_done_is_closed(path):
    table = sbg.load(path)
    for name, asked in table.questions.items():
        if isinstance(asked.question, Move | Charge) and asked.expect not in {"no", None}:
            assert closed_by(table, asked.question) == (), name


def test_a_certificate_of_a_no_is_confirmed():
    table = sbg.load(SCENARIOS / "charging-2.toml")
    paper = certificate.issue(table, "through-the-gap", report.as_json(sbg.check(table, "through-the-gap")))
    found = certificate.verify(paper)
    assert found.refuted == []
    assert any("no way leads there at any cost" in line for line in found.confirmed)
    assert not any("no other way" in line for line in found.unconfirmed)
