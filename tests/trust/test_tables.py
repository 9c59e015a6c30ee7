"""Hostile tables: what is told, where, and what is refused, from files and from Python."""

from __future__ import annotations

import logging
import os
import stat
from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.document.whole import write_whole
from sbg_sim.errors import FileFaultsError, QuestionError, SbgError, UnsoundError
from sbg_sim.scenario.files import read_text
from sbg_sim.simulate.vary import ByKey
from sbg_sim.table.frozen import FrozenMap

HEAD = '[table]\nwidth = 24\ndepth = 24\n[profiles.man]\nbase = "25 mm"\nheight = 1.5\nmove = 6\n'


def model(name, at, side='"evil"', more="", profile="man"):
    said = f"side = {side}\n" if side else ""
    return f'[models.{name}]\nprofile = "{profile}"\nat = {at}\n{said}{more}\n'


def pair(one='"evil"', two='"good"', more=""):
    return HEAD + model("a", [4, 4], one) + model("b", [12, 4], two, more)


def faults(text):
    with pytest.raises(FileFaultsError) as caught:
        read_text(text, "f.toml")
    return [(fault.key, fault.line, fault.reason) for fault in caught.value.faults]


CHARGE = '[questions.q]\nask = "charge"\nmodel = "a"\ntarget = "b"\n'


def waiting_outside():
    table = read_text(pair(more="off_table = true") + '[models.c]\nprofile = "man"\nat = [20, 20]\nside = "evil"\n')
    assert table.off == {"b"}
    return table


@pytest.mark.parametrize("ask", [sbg.charges, sbg.denials, sbg.safe, sbg.screen])
def test_whose_enemies_are_asked_about_has_a_side(ask):
    with pytest.raises(QuestionError, match=r"models\.a\.side is missing"):
        ask(read_text(pair(one="")), "a")


@pytest.mark.parametrize(
    "ask",
    [
        lambda t: sbg.reach(t, "b"),
        lambda t: sbg.charges(t, "b"),
        lambda t: sbg.denials(t, "b"),
        lambda t: sbg.check(t, sbg.Move("b", (3, 3))),
        lambda t: sbg.check(t, sbg.Charge("b", "a")),
        lambda t: sbg.check(t, sbg.Charge("a", "b")),
        lambda t: sbg.check(t, sbg.Charge("a", ("b",))),
        lambda t: sbg.check(t, sbg.Sight("a", "b")),
        lambda t: sbg.check(t, sbg.Measure("a", "b")),
        lambda t: sbg.check(t, sbg.Gap(("a", "b"), "c")),
        lambda t: sbg.check(t, sbg.ReachOf("b")),
        lambda t: sbg.simulate(t, sbg.Charge("b", "a"), 10, 1),
    ],
)
def test_who_waits_outside_has_no_place_to_be_asked_about(ask):
    with pytest.raises(QuestionError, match="b is not on the table yet"):
        ask(waiting_outside())


def test_a_fault_in_a_profile_is_told_once_and_there():
    bad = HEAD.replace("move = 6", 'move = "six"')
    told = faults(bad + model("a", [4, 4]) + model("b", [9, 4]) + CHARGE)
    assert [(key, line) for key, line, _ in told] == [("profiles.man.move", 7)]
    gone = faults(HEAD.replace('"25 mm"', '"wide"') + model("a", [4, 4]) + model("b", [9, 4]) + CHARGE)
    assert [(key, line) for key, line, _ in gone] == [("profiles.man.base", 5)]
    low = faults(HEAD.replace("move = 6", "move = -6") + model("a", [4, 4]) + model("b", [9, 4]))
    assert [(key, line) for key, line, _ in low] == [("profiles.man.move", 7)]


def test_a_number_of_thousands_of_digits_has_a_place():
    digits = "9" * 5000
    text = f'# {digits}\ntitle = "{digits}"\n[table]\nwidth = 24\n  depth = {digits}\n'
    with pytest.raises(FileFaultsError, match="too many digits") as caught:
        read_text(text, "f.toml")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column) == (5, 11)


@pytest.mark.parametrize(
    ("question", "expect", "fine"),
    [
        ('ask = "measure"\nfrom = "a"\nto = "b"', '"yes"', False),
        ('ask = "measure"\nfrom = "a"\nto = "b"', "7", True),
        ('ask = "charge"\nmodel = "a"\ntarget = "b"', "5", False),
        ('ask = "charge"\nmodel = "a"\ntarget = "b"', '"5/6"', True),
        ('ask = "sight"\nmodel = "a"\ntarget = "b"', '"1/2"', False),
        ('ask = "sight"\nmodel = "a"\ntarget = "b"', '"chance"', False),
        ('ask = "sight"\nmodel = "a"\ntarget = "b"', '"yes"', True),
        ('ask = "reach"\nmodel = "a"', '"no"', False),
        ('ask = "reach"\nmodel = "a"', "99.5", True),
    ],
)
def test_an_expectation_of_the_wrong_kind_is_a_fault(question, expect, fine):
    text = f"{pair()}[questions.q]\n{question}\nexpect = {expect}\n"
    if fine:
        assert read_text(text).questions["q"].expect is not None
    else:
        ((key, _, reason),) = faults(text)
        assert key == "questions.q.expect"
        assert "is answered with" in reason


@pytest.mark.parametrize("other", ['"Evil"', '"EVIL "', '"e vil"'])
def test_sides_that_differ_in_capitals_are_refused(other):
    ((key, _, reason),) = faults(pair('"evil"', other))
    assert key == "models.b.side"
    assert "`evil` elsewhere" in reason


def warned(text, caplog):
    with caplog.at_level(logging.WARNING, logger="sbg_sim"):
        table = read_text(text, "f.toml")
    return table, [record.getMessage() for record in caplog.records]


def test_no_side_at_all(caplog):
    table, told = warned(pair("", "") + CHARGE, caplog)
    assert told == ["f.toml:8:2: models: no model has a side: nobody is an enemy, and nobody has a Control Zone"]
    with pytest.raises(QuestionError, match=r"models\.a\.side is missing"):
        sbg.check(table, "q")
    with pytest.raises(QuestionError, match=r"models\.a\.side is missing"):
        sbg.charges(table, "a")


def test_one_without_a_side(caplog):
    _, told = warned(pair('"evil"', "") + '[questions.q]\nask = "reach"\nmodel = "a"\n', caplog)
    assert len(told) == 1
    assert "models.b.side: is missing" in told[0]
    caplog.clear()
    table, told = warned(pair('"evil"', "") + CHARGE, caplog)
    assert told == []  # the charge says so itself, and once
    with pytest.raises(QuestionError, match=r"models\.b\.side is missing"):
        sbg.check(table, next(iter(table.questions)))


def test_a_reach_of_who_is_on_no_side(caplog):
    table, _ = warned(pair("", '"evil"') + '[questions.q]\nask = "reach"\nmodel = "a"\n', caplog)
    found = sbg.reach(table, "a")
    assert found.contacts == {}
    assert found.as_json()["area"] > 0


@pytest.mark.parametrize(("x", "count"), [(4 + 0.984252, 0), (5.02, 0), (5.1, 1), (12, 1)])
def test_engaged_models_that_stand_apart(x, count, caplog):
    text = HEAD + model("a", [4, 4]) + model("b", [x, 4], '"good"', 'engaged = ["a"]')
    _, told = warned(text, caplog)
    assert len(told) == count
    assert all("engaged models are in contact" in line for line in told)


def test_a_gap_between_a_thing_and_itself():
    text = pair() + '[questions.q]\nask = "gap"\nbetween = ["a", "a"]\nmodel = "b"\n'
    assert [(key, line) for key, line, _ in faults(text)] == [("questions.q.between[1]", 20)]
    with pytest.raises(QuestionError, match="itself"):
        sbg.check(read_text(pair()), sbg.Gap(("a", "a"), "b"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: sbg.circle((1, 1), -1),
        lambda: sbg.line([(1, 1), (2, 2)], -0.5),
        lambda: sbg.Terrain("x", frozenset({"dificult"}), sbg.circle((1, 1), 1)),
    ],
)
def test_things_that_cannot_be_are_not_made(make):
    with pytest.raises(UnsoundError):
        make()
    assert issubclass(UnsoundError, SbgError | ValueError)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("models.a.base", 0, "must be greater than 0"),
        ("models.a.base", "wide", "is not a length"),
        ("models.a.move", -1, "must be at least 0, not -1"),
        ("models.a.move", True, "takes inches"),
        ("models.a.prone", 3, "takes true or false"),
        ("models.a.side", 3, "takes a word"),
        ("rulings.eye", 3, "takes a word"),
        ("rulings.zzz", 3, "no ruling is called 'zzz'"),
        ("models.a.at.x", -5, "over the table's edge"),
        ("models.a.at.x", 12, "overlaps that of"),
        ("models.a.on", "cloud", "no platform is called"),
        ("table.width", 3, "over the table's edge"),
    ],
)
def test_varying_refuses_what_the_reader_refuses(key, value, said):
    with pytest.raises(SbgError, match=said):
        ByKey(key)(read_text(pair()), value)


def test_varying_takes_units():
    table = read_text(pair())
    assert ByKey("models.a.base")(table, "25.4 mm").model("a").base == 1.0
    rows = sbg.sweep(table, sbg.Measure("a", "b"), "models.a.base", ["25.4 mm", 2])
    assert rows.column("models.a.base") == [1.0, 2]


def test_who_moved_already_is_told_so():
    from sbg_sim import report

    table = read_text(pair(more="moved = true"))
    found = report.reach_json(sbg.reach(table, "b"))
    assert found["area"] == 0
    assert "already moved" in found["reason"]
    assert report.reach_json(sbg.reach(table, "a"))["reason"] == ""


def test_names_are_names_and_no_formulas(recwarn, tmp_path):
    odd = ["$x_$", "$\\frac{$", "中つ国", "العربية", "a\nb", "_", "x" * 200]
    one = read_text(HEAD + model("a", [4, 4])).model("a")
    models = FrozenMap({n: replace(one, id=n, at=(2.0 + 3 * i, 4.0)) for i, n in enumerate(odd)})
    table = sbg.Table(24, 24, models=models, title="$_$")
    from sbg_sim.plot import save

    for kind in ("png", "svg", "pdf"):
        assert save(table, tmp_path / f"odd.{kind}").stat().st_size > 1000
    # What other tests left open may come to be collected meanwhile.
    assert not [str(w.message) for w in recwarn.list if not issubclass(w.category, ResourceWarning)]


def test_writing_whole(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "one")
    path.chmod(0o600)
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        link = tmp_path / "link.txt"
        link.symlink_to(path)
        write_whole(link, "three")
        assert link.is_symlink()
        assert path.read_text() == "three"
    with pytest.raises(OSError, match="none") as caught:
        write_whole(tmp_path / "none" / "b.txt", "x")
    assert caught.value.filename == str(tmp_path / "none" / "b.txt")
    assert sorted(p.name for p in tmp_path.iterdir() if not p.is_symlink()) == ["a.txt"]
