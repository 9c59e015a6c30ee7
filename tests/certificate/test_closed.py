"""A no that is confirmed without a search: bases, zones and what is sheer part start from goal."""

import math
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.certificate.closed import _ellipse, closed_by
from sbg_sim.certificate.ends import no_end
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


def walled(move):
    """A mover 3 in from its goal, a sheer wall of 4 in midway between them."""
    wall = {"tags": ["unscalable"], "height": 9, "polygon": [[9.9, 4], [10.1, 4], [10.1, 8], [9.9, 8]]}
    mover = {"at": [8.5, 6], "base": 1, "height": 1, "move": move, "side": "good"}
    return sbg.Table(20, 12, models={"m": mover}, terrain={"wall": wall})


def test_ways_within_the_move_stay_in_an_ellipse():
    """Midway a centre keeps half an inch off the wall's ends, 2.5 in aside: no shorter way leads past them."""
    question, least = Move("m", (11.5, 6)), 2 * math.hypot(1.5, 2.5)
    assert sbg.check(walled(20), question).needed > least
    assert closed_by(walled(9), question) == ()
    assert closed_by(walled(9), question, least - 0.01) == ("wall",)
    assert closed_by(walled(9), question, least + 0.01) == ()


@pytest.mark.parametrize("path", sorted([*SCENARIOS.glob("*.toml"), *(SCENARIOS / "disputes").glob("*.toml")]))
def test_no_way_that_is_short_enough_is_shut_out(path):
    table = sbg.load(path)
    for name, asked in table.questions.items():
        if isinstance(asked.question, Move | Charge):
            cost = sbg.check(table, name, alternatives=False).needed
            if cost is not None and not table.model(asked.question.model).prone:
                assert closed_by(table, asked.question, cost + 1e-6) == (), name


ENDS = [
    ("disputes/zone-of-a-prone-model", "onto-the-prone", "MOV.4"),
    ("disputes/the-edge-of-the-world", "half-over-the-edge", "MOV.5"),
    ("disputes/starting-in-two-zones", "charge-both", "CHG.6"),
    ("disputes/leaving-one-zone-for-another-not", "away-and-charge", "CZ.4"),
    ("obstacles", "man-not-on-top", "TER.3"),
    ("jumping", "sam-not-on-top", "TER.4"),
    ("leaping", "not-in-the-chasm", "LEAP.1"),
]


@pytest.mark.parametrize(("name", "key", "rule"), ENDS)
def test_an_end_that_is_none_is_confirmed(name, key, rule):
    table = sbg.load(SCENARIOS / f"{name}.toml")
    assert any(f"({rule})" in line for line in no_end(table, table.asked(key).question))
    found = certificate.verify(certificate.issue(table, key, report.as_json(sbg.check(table, key))))
    assert found.refuted == []
    assert any(f"({rule})" in line for line in found.confirmed)


@pytest.mark.parametrize("path", sorted(SCENARIOS.rglob("*.toml")))
def test_ends_that_are_come_to_are_ends(path):
    if "boards" in path.parts:
        pytest.skip("no table")
    table = sbg.load(path)
    for name, asked in table.questions.items():
        if isinstance(asked.question, Move | Charge) and asked.expect not in {"no", None}:
            assert no_end(table, asked.question) == [], name


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(("room", "closed"), [(0.49, True), (0.51, False)])
def test_between_the_last_zone_and_the_edge_a_base_needs_its_radius(far, upright, room, closed):
    """Centres keep 2 in off three enemies in a row, whose zones overlap; beside the last one ``room`` is left."""
    ys = [2 + room + 3.95 * k for k in range(3)]
    ys = [12 - y for y in ys] if far else ys
    things = {f"e{i}": ((10, y), 1, "evil") for i, y in enumerate(ys)} | {"m": ((4, 6), 40, "good")}
    models = {
        name: {"at": at if upright else at[::-1], "base": 1, "height": 1, "move": move, "side": side}
        for name, (at, move, side) in things.items()
    }
    table = sbg.Table(*((20, 12) if upright else (12, 20)), models=models)
    question = Move("m", (16, 6) if upright else (6, 16))
    assert bool(closed_by(table, question)) == closed
    assert sbg.check(table, question).answer == ("no" if closed else "yes")


@pytest.mark.parametrize(("length", "area"), [(3.0, 0.0), (2.9, 0.0), (5.0, 2.5 * 2.0 * math.pi)])
def test_no_way_is_shorter_than_straight(length, area):
    """Half the length and the root of what it has more than half of 3 in as half axes; a polygon round it is larger."""
    found = _ellipse((1.0, 1.0), (1.0, 4.0), length)
    assert area <= found.area <= 1.001 * area
