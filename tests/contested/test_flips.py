"""What flips an answer: held against formulas, finite differences, and asking again."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.contested.asking import Asker
from sbg_sim.contested.flips import flips
from sbg_sim.contested.pulls import pulls
from sbg_sim.errors import QuestionError
from tests.contested.field import FIELD

SCENARIOS = Path(__file__).parents[2] / "scenarios"
ASIDE = """
[models.sam]
profile = "man"
side = "good"
engaged = ["gollum"]
at = [20, 3]
[models.gollum]
profile = "man"
side = "evil"
at = [21, 3]
"""


def in_the_open(x):
    return FIELD % (0.0, x, ASIDE)


@pytest.mark.parametrize(("x", "answer", "then"), [(11.3, "no", "yes"), (10.7, "yes", "no")])
def test_in_the_open(x, answer, then):
    """The gap is x - 4 - 1: each base has to shift by what is missing, both at once by half of it."""
    found = flips(sbg.loads(in_the_open(x)), "can-he")
    assert found.verdict.answer == answer
    by = {shift.model: shift for shift in found.shifts}
    for name, sign in (("lurtz", 1), ("merry", -1)):
        assert by[name].inches == pytest.approx(0.3, abs=2e-6)
        assert by[name].answer == then
        assert by[name].verified
        assert by[name].direction == pytest.approx((sign * math.copysign(1, x - 11), 0), abs=1e-3)
    assert by["sam"].inches is None
    assert found.together.inches == pytest.approx(0.15, abs=2e-6)
    assert found.together.verified


@pytest.mark.parametrize(
    ("file", "question"),
    [
        ("amon-hen", "lurtz-to-merry"),
        ("charging-3", "both-at-once"),
        ("disputes/first-zone-entered", "round-the-guard"),
        ("disputes/zone-of-a-prone-model", "past-the-standing"),
        ("prone-and-movement", "walks-in-the-bog"),
    ],
)
def test_pulls_are_the_derivatives_of_the_cost(file, question):
    table = sbg.load(SCENARIOS / f"{file}.toml")
    asked = table.asked(question).question
    found = pulls(sbg.check(table, asked, alternatives=False)).gradient
    step = 1e-5

    def cost(name, dx, dy):
        x, y = table.model(name).at
        there = table.having(name, at=(x + dx, y + dy))
        return sbg.check(there, asked, alternatives=False).needed

    for name in found:
        slope = [(cost(name, *d) - cost(name, -d[0], -d[1])) / (2 * step) for d in ((step, 0), (0, step))]
        assert np.allclose(slope, found[name], atol=1e-3), name


def test_a_string_pulls_with_twice_the_sine_of_half_its_angle():
    table = sbg.load(SCENARIOS / "amon-hen.toml")
    bends = pulls(sbg.check(table, "lurtz-to-merry")).bends
    zone = next(bend for bend in bends if bend.what == "zone")
    assert zone.around == "boromir"
    assert zone.pull == pytest.approx(2 * math.sin(zone.angle / 2), abs=1e-9)
    assert [bend.what for bend in bends] == ["start", "zone", "end"]


def test_no_direction_turns_the_answer_sooner():
    """Bisection in sixty directions finds nothing shorter than the shift stated."""
    table = sbg.load(SCENARIOS / "disputes/first-zone-entered.toml")
    asked = table.asked("round-the-guard").question
    found = flips(table, "round-the-guard")
    for shift in found.shifts:
        if shift.inches is None:
            continue
        assert shift.verified
        x, y = table.model(shift.model).at
        radius = 0.98 * shift.inches
        for k in range(60):
            angle = 2 * math.pi * k / 60
            at = (x + radius * math.cos(angle), y + radius * math.sin(angle))
            assert sbg.check(table.having(shift.model, at=at), asked, alternatives=False).answer == "no"


def test_a_gap_turns_by_what_it_lacks():
    table = sbg.load(SCENARIOS / "movement-3.toml")
    found = flips(table, "not-between-gimli-and-boromir")
    lack = -found.verdict.margin
    assert found.verdict.answer == "no"
    assert found.together.inches == pytest.approx(lack / 2, abs=3e-6)
    for shift in found.shifts[:2]:
        assert shift.inches == pytest.approx(lack, abs=3e-6)
        assert shift.verified


def test_a_look_past_a_wall():
    found = flips(sbg.load(SCENARIOS / "sight-over-a-wall.toml"), "a-hundredth-higher")
    assert found.smallest is not None
    assert all(shift.verified for shift in found.shifts if shift.inches is not None)
    assert found.bends == ()


@pytest.mark.parametrize(("file", "question"), [("jumping", "pippin-goes-on"), ("movement-1", "level-with-the-mark")])
def test_an_answer_by_a_hair_is_turned_by_less_than_a_hair(file, question):
    """Of these nothing is left over: the search for less than nothing comes to an end."""
    table = sbg.load(SCENARIOS / f"{file}.toml")
    found = flips(table, question)
    assert found.verdict.answer != "no"
    assert found.smallest.inches <= 1e-6
    assert found.smallest.verified


def test_what_bounds_settle_is_not_asked(monkeypatch):
    """Five inches too far, a wood beside the way and forty others about: no base within half an inch can turn it."""
    field = in_the_open(16.0) + "".join(
        f"[models.other-{k}]\nprofile = 'man'\nside = 'good'\nat = [{2 + 1.3 * (k % 20)}, {17 + 2 * (k // 20)}]\n"
        for k in range(40)
    )
    field += "[terrain.wood]\ntags = ['difficult']\npolygon = [[8, 13], [12, 13], [12, 15], [8, 15]]\n"
    count = []
    monkeypatch.setattr(Asker, "at", lambda *_, **__: count.append(1))
    found = flips(sbg.loads(field), "can-he", limit=0.5)
    assert [shift.inches for shift in found.shifts] == [None] * 44
    assert len(count) <= 16


def test_a_smallest_shift_where_two_rims_meet():
    """A bystander stops a way by its zone or its base: no direction does so sooner, to a hundredth of a millimetre."""
    table = sbg.loads(in_the_open(10.7)).having("sam", at=(8.0, 15.5), side="good", engaged=frozenset())
    found = flips(table, "can-he", limit=2.5)
    sam = next(shift for shift in found.shifts if shift.model == "sam")
    assert sam.verified
    asked = table.asked("can-he").question
    for k in range(-20, 21, 5):
        angle = math.atan2(sam.direction[1], sam.direction[0]) + k * k * k / 8000
        spot = (8.0 + (sam.inches - 4e-4) * math.cos(angle), 15.5 + (sam.inches - 4e-4) * math.sin(angle))
        assert sbg.check(table.having("sam", at=spot), asked, alternatives=False).answer == "yes"


def test_it_is_drawn_with_arrows():
    found = flips(sbg.loads(in_the_open(11.3)), "can-he")
    gids = [text.get_gid() for text in sbg.plot(found).texts if (text.get_gid() or "").startswith("flip ")]
    assert sorted(gid.split()[1] for gid in gids) == ["lurtz", "merry"]


def test_nobody_is_off_by_more_than_the_table_is_wide():
    found = flips(sbg.loads(in_the_open(11.3)), "can-he", limit=1e300)
    assert found.limit == math.hypot(found.verdict.table.width, found.verdict.table.depth)


def test_questions_that_cannot_turn():
    table = sbg.load(SCENARIOS / "movement-1.toml")
    with pytest.raises(QuestionError, match="could turn"):
        flips(table, "how-far-is-aragorn")
    with pytest.raises(QuestionError, match="above 0"):
        flips(table, "a-hair-too-far", limit=-1)


def test_the_command_line(tmp_path, capsys):
    file = tmp_path / "open.toml"
    file.write_text(in_the_open(11.3))
    out = tmp_path / "flips.svg"
    with pytest.raises(SystemExit) as ended:
        main(["flips", str(file), "can-he", "--json", "--plot", str(out)])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    assert data["shifts"][0]["inches"] == pytest.approx(0.3, abs=2e-6)
    assert data["shifts"][0]["millimetres"] == pytest.approx(7.62, abs=1e-4)
    assert set(data["together"]["moves"]) == {"lurtz", "merry"}
    assert out.stat().st_size > 1000
