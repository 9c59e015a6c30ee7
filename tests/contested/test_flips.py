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
from sbg_sim.contested.shifts import on_ray, settled
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


@pytest.mark.parametrize("between", [("wall", "orc"), ("orc", "wall")])
@pytest.mark.parametrize(("y", "turn"), [(13.4, 1), (13.6, -1)])
def test_a_gap_beside_a_wall_turns_by_one_base(between, y, turn):
    """The wall ends at y = 12: between it and the orc's base there are y - 12.5 inches, and an inch is needed."""
    wall = {"tags": ["obstacle"], "polygon": [[8, 11], [16, 11], [16, 12], [8, 12]], "height": 2}
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"gimli": {**man, "at": [4, 4], "side": "good"}, "orc": {**man, "at": [12, y], "side": "evil"}}
    found = flips(sbg.Table(24, 24, models=models, terrain={"wall": wall}), sbg.Gap(between, "gimli"))
    assert found.verdict.answer == ("no" if turn > 0 else "yes")
    assert (found.smallest.model, found.smallest.verified) == ("orc", True)
    assert found.smallest.inches == pytest.approx(0.1, abs=3e-6)
    assert found.smallest.direction == pytest.approx((0, turn), abs=1e-6)
    assert found.together.inches == pytest.approx(0.1, abs=3e-6)


def test_a_gap_beside_the_foot_of_a_ladder_turns_by_one_base():
    """The foot is a point on the rim of the deck, 1.1 in from the base of the orc; an inch is needed."""
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"gimli": {**man, "at": [4, 4], "side": "good"}, "orc": {**man, "at": [12.4, 16], "side": "evil"}}
    deck = {"tags": ["platform"], "polygon": [[14, 14], [18, 14], [18, 18], [14, 18]], "height": 2}
    terrain = {"deck": deck, "rungs": {"tags": ["ladder"], "at": [14, 16], "to": "deck"}}
    found = flips(sbg.Table(24, 24, models=models, terrain=terrain), sbg.Gap(("orc", "rungs"), "gimli"))
    assert dict(found.gradient) == {"orc": (pytest.approx(1), pytest.approx(0, abs=1e-9))}
    assert (found.smallest.model, found.smallest.inches) == ("orc", pytest.approx(0.1, abs=3e-6))
    assert repr(found) == "<Flips: yes; orc by 0.1 in>"


def test_a_bystander_without_whom_the_answer_is_yes_goes_aside():
    """Six inches straight on with a Move of six: the base beside the way, 0.3 in off it, has to be a whole inch off."""
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    spots = {"me": [4, 12], "by": [7, 12.3], "far": [20, 20], "away": [20, 3]}
    table = sbg.Table(24, 24, models={name: {**man, "at": at} for name, at in spots.items()})
    asked = sbg.Move("me", (10, 12))
    assert Asker.of(table, asked).movable(0.0) == ["me", "by"]
    found = {shift.model: shift for shift in flips(table, asked, limit=1).shifts}
    assert found["by"].inches == pytest.approx(0.7, abs=2e-6)
    assert found["by"].direction == pytest.approx((0, 1), abs=1e-3)
    assert (found["far"].inches, found["away"].inches) == (None, None)


def test_to_stay_is_turned_by_the_whole_of_the_move():
    """Nothing pulls, and no direction is better than another: half an inch away it needs all there is to come back."""
    man = {"at": [6, 12], "base": 1, "height": 1.5, "move": 0.5, "side": "good"}
    found = flips(sbg.Table(24, 24, models={"me": man}), sbg.Move("me", (6, 12)))
    assert found.gradient == {}
    assert (found.smallest.inches, found.smallest.verified) == (pytest.approx(0.5, abs=2e-6), True)


def test_what_lies_far_beyond_the_limit_is_not_walked_to():
    found = flips(sbg.loads(in_the_open(13.3)), "can-he", limit=0.1)
    assert (found.smallest, found.together) == (None, None)
    assert repr(found) == "<Flips: no; nothing within 0.1 in>"


def test_all_at_once_is_no_more_than_one_alone():
    """An orc at the table's edge cannot go away from another: the other alone has to."""
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"gimli": {**man, "at": [4, 4], "side": "good"}} | {
        name: {**man, "at": [x, 12], "side": "evil"} for name, x in (("edge", 0.5), ("orc", 2.4))
    }
    found = flips(sbg.Table(24, 24, models=models), sbg.Gap(("edge", "orc"), "gimli"))
    assert found.smallest.model == "orc"
    assert found.smallest.inches == pytest.approx(0.1, abs=3e-6)
    assert (found.together.model, found.together.moves) == ("", found.smallest.moves)


def test_a_gap_between_walls_turns_with_nobody():
    walls = {
        name: {"tags": ["obstacle"], "polygon": [[8, y], [16, y], [16, y + 1], [8, y + 1]], "height": 2}
        for name, y in (("low", 11), ("high", 12.9))
    }
    gimli = {"base": 1, "height": 1.5, "move": 6, "at": [4, 4], "side": "good"}
    found = flips(sbg.Table(24, 24, models={"gimli": gimli}, terrain=walls), sbg.Gap(("low", "high"), "gimli"))
    assert found.verdict.margin == pytest.approx(-0.1)
    assert (found.smallest, found.together) == (None, None)


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


def test_all_at_once_each_goes_in_its_own_worst_direction():
    """The ways turn as the bases go: no base that goes another way, a little less far with all others, turns it."""
    table = sbg.load(SCENARIOS / "amon-hen.toml")
    found = flips(table, "lurtz-to-merry").together
    assert found.verified
    asker = Asker.of(table, table.asked("lurtz-to-merry").question)
    for name in found.moves:
        for turn in np.radians([-12, -8, -4, 0, 4, 8, 12]):
            moves = {n: 0.998 * np.array(v) for n, v in found.moves.items()}
            x, y = moves[name]
            moves[name] = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            assert not asker.turns(moves), (name, math.degrees(turn))


def test_the_pull_leads_to_where_an_answer_turns(monkeypatch):
    """Along the one direction that matters few tables need be asked: a fan of sixteen directions asks many more."""
    count = []
    ask = Asker.at
    monkeypatch.setattr(Asker, "at", lambda *given, **kinds: (count.append(1), ask(*given, **kinds))[1])
    flips(sbg.load(SCENARIOS / "disputes/first-zone-entered.toml"), "round-the-guard")
    assert len(count) <= 60


@pytest.mark.parametrize(("inches", "good"), [(0.3, True), (0.29, False), (0.31, False)])
def test_a_shift_is_verified_only_where_the_answer_turns_there_and_not_before(inches, good):
    """Who lacks 0.3 in: a hundredth less does not turn the answer, and of a hundredth more the last is not needed."""
    table = sbg.loads(in_the_open(11.3))
    asker = Asker.of(table, table.asked("can-he").question)
    assert settled(asker, "lurtz", {"lurtz": np.array([inches, 0.0])}).verified == good


def test_a_turn_between_the_guess_and_the_limit_is_found():
    table = sbg.loads(in_the_open(11.3))
    asker = Asker.of(table, table.asked("can-he").question)
    found = on_ray(asker, {"lurtz": np.array([1.0, 0.0])}, 0.28, 0.302)
    assert found["lurtz"] == pytest.approx([0.3, 0.0], abs=1e-6)


def test_all_at_once_a_bystander_comes_in_the_way():
    """Two who are 0.3 in near enough turn it by 0.15 each; whose zone is 0.05 in beside the way bends it as well."""
    man = {"base": 1, "height": 1, "move": 7.3}
    table = sbg.Table(24, 24, models={
        "lurtz": {**man, "at": [4, 12], "side": "evil"},
        "merry": {**man, "at": [12, 12], "side": "good"},
        "sam": {**man, "at": [7.5, 14.05], "side": "good"},
    })  # fmt: skip
    asked = sbg.Charge("lurtz", "merry")
    off = 0.1495
    there = table.having("lurtz", at=(4 - off, 12)).having("merry", at=(12 + off, 12))
    assert sbg.check(there, asked).answer == "yes"
    assert sbg.check(there.having("sam", at=(7.5, 14.05 - off)), asked).answer == "no"
    found = flips(table, asked).together
    assert found.inches < off
    assert found.verified
    assert found.moves["sam"] == pytest.approx((0, -found.inches), abs=1e-2)


def test_a_bystander_who_hardly_reaches_the_way_within_the_limit():
    """Only straight toward the middle of the way does one get there: far from where it begins and where it ends."""
    turned = np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    spots = {"lurtz": (4, 12), "merry": (12, 12), "sam": (7.5, 14.5)}
    at = {name: tuple(turned @ (np.array(spot) - 12) + 12) for name, spot in spots.items()}
    table = sbg.Table(24, 24, models={
        "lurtz": {"at": at["lurtz"], "base": 1, "height": 1.5, "move": 7.05, "side": "evil"},
        "merry": {"at": at["merry"], "base": 1, "height": 1, "move": 4, "side": "good"},
        "sam": {"at": at["sam"], "base": 1, "height": 1, "move": 4, "side": "good"},
    })  # fmt: skip
    asked = sbg.Charge("lurtz", "merry")
    low, high = 0.5, 1.5
    while high - low > 1e-7:
        nearer = np.array(at["sam"]) + turned @ (0, -(low + high) / 2)
        stands = sbg.check(table.having("sam", at=tuple(nearer)), asked, alternatives=False).answer == "yes"
        low, high = ((low + high) / 2, high) if stands else (low, (low + high) / 2)
    found = flips(table, asked, limit=1.0005 * high)
    sam = next(shift for shift in found.shifts if shift.model == "sam")
    assert sam.verified
    assert sam.inches == pytest.approx(high, rel=1e-3)  # the best direction is a hair beside it
    assert sam.inches <= high


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


def test_who_hangs_on_a_face_stays_in_touch_with_it():
    """4 of 6 in lead to the place on top: along the face the model may be 2 in off, and off the face it is nowhere."""
    table = sbg.Table(
        24,
        24,
        models={"m": {"at": [7.5, 12], "base": 1, "height": 1.5, "move": 6, "side": "good", "climbed": 3}},
        terrain={"t": {"tags": ["platform"], "height": 5, "polygon": [[8, 8], [14, 8], [14, 16], [8, 16]]}},
    )
    question = sbg.Move("m", (8.5, 12), "t")
    first = sbg.flips(table, question).smallest
    assert first.verified
    assert first.inches == pytest.approx(2, abs=1e-5)
    assert abs(first.direction[0]) < 1e-6
    assert sbg.doubt(table, question, trials=40).answers == {"chance": 40}


@pytest.fixture(scope="module")
def far_shift():
    """What flips an answer is more than an inch away."""
    apart = sbg.load(SCENARIOS / "disputes/charge-round-a-friend.toml")
    return flips(apart.having("gimli", at=(8, 12)).having("uruk", at=(8 + 25 / 25.4, 12)), "round-gimli")


@pytest.mark.parametrize("given", [False, True])
def test_the_arrow_of_a_shift_is_in_view_however_far_it_points(far_shift, given):
    found = far_shift
    ax = sbg.plot(found, ax=sbg.plot(found.verdict)) if given else sbg.plot(found)
    ax.figure.canvas.draw()
    (shift,) = [s for s in found.shifts if s.direction is not None]
    (x, y), (dx, dy) = found.verdict.table.model(shift.model).at, shift.direction
    tip = ax.transData.transform((x + shift.inches * dx, y + shift.inches * dy))
    frame = ax.get_window_extent()
    assert frame.contains(*tip)
    (words,) = [text.get_window_extent() for text in ax.texts if text.get_text() == "1.39″"]
    assert (words.x0 > frame.x0, words.x1 < frame.x1) == (True, True)
