"""The sheet: what it says, that it stands alone, and that it is one page."""

from __future__ import annotations

import importlib
import math
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.sheet import facts, page, sheet
from sbg_sim.sheet.facts import _flips

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@cache
def verdict(file, question):
    return sbg.check(sbg.load(SCENARIOS / f"{file}.toml"), question)


@pytest.fixture
def no_shifts(monkeypatch):
    """What turns an answer takes seconds to find, and is left out where a test looks at something else."""
    monkeypatch.setattr(importlib.import_module("sbg_sim.sheet.facts"), "_flips", lambda _: ())


def test_the_arithmetic_adds_up():
    found = facts(verdict("prone-and-movement", "walks-in-the-bog"))
    rows = {what: float(inches) for what, _, inches in found.sums}
    parts = [value for what, value in rows.items() if what not in {"in all", "has"}]
    assert math.fsum(parts) == pytest.approx(rows["in all"], abs=2e-4)
    assert rows["in all"] == 4.4
    assert (found.answer, found.margin) == ("No", "0.4000 in = 10.16 mm short")
    assert any(what == "difficult ground" for what, _, _ in found.sums)
    assert any(what == "stand up" for what, _, _ in found.sums)


def test_dice_rules_and_rulings_are_told(no_shifts):
    found = facts(verdict("jumping", "pippin-goes-on"))
    assert found.answer == "1 in 6"
    assert found.dice[0].startswith("Die 1, jump over")
    assert "Best play succeeds 1 in 6 times" in found.dice[-1]
    assert {rule for rule, _, _ in found.rules} >= {"MOV.3", "TER.4"}
    decides = facts(verdict("sight-over-a-wall", "just-so")).rulings
    assert decides[0][:2] == ("sight_grazing", "blocks")
    assert decides[0][2]


def test_the_answer_stands_on_it_once(no_shifts):
    """A large No, and under it what it needs; that it holds within the doubt has a line of its own."""
    assert facts(verdict("charging-2", "third-to-pippin")).reason == "Needs 8.2222 in and has 6, 2.2222 in short."
    assert facts(verdict("amon-hen", "lurtz-to-merry")).reason == "5.0385 of 6 in, 0.9615 in to spare."
    body = {"base": 1, "height": 1.5, "move": 6}
    models = {"a": {**body, "side": "good", "at": [6, 12]}, "b": {**body, "side": "evil", "at": [12, 12]}}
    sure = sbg.Table(24, 24, models=models, tolerance=0.05)
    found = facts(sbg.check(sure, sbg.Charge("a", "b")))
    assert (found.answer, found.reason) == ("Yes", "5.0000 of 6 in, 1.0000 in to spare.")
    assert found.certain == "It holds with any model off by up to 0.05 in (1.3 mm)."
    near = sbg.Table(24, 24, models={**models, "b": {**models["b"], "at": [13.01, 12]}}, tolerance=0.05)
    found = facts(sbg.check(near, sbg.Charge("a", "b")))
    assert found.answer == "Too close to call"
    assert found.reason.startswith("As it is placed no, needs 6.0100 in")


def test_what_flips_it_is_told_in_both_units():
    found = facts(verdict("amon-hen", "lurtz-to-merry"))
    assert found.flips[0].startswith("boromir by 0.9411 in (23.90 mm) down")
    assert found.flips[-1].startswith("All of them off at once")


def test_a_no_for_another_reason_than_the_move_tells_no_margin(no_shifts):
    """Who is engaged is not 0.02 in short, and who sees nobody has nothing to spare."""
    models = {
        "a": {"base": 1, "height": 1.5, "move": 6, "side": "good", "at": [6, 12], "engaged": ["b"]},
        "b": {"base": 1, "height": 1.5, "move": 6, "side": "evil", "at": [6, 13]},
        "c": {"base": 1, "height": 1.5, "move": 6, "side": "evil", "at": [13.02, 12]},
    }
    held = sbg.check(sbg.Table(24, 24, models=models), sbg.Charge("a", "c"))
    assert (held.margin, facts(held).margin) == (pytest.approx(-0.02), "")
    wall = {"tags": ["obstacle"], "height": 3, "polygon": [[8, 11], [8.5, 11], [8.5, 13], [8, 13]]}
    free = {name: {**model, "engaged": []} for name, model in models.items() if name != "b"}
    blind = sbg.check(sbg.Table(24, 24, models={**free, "c": {**models["c"], "at": [10, 12]}}, terrain={"w": wall}),
                      sbg.Charge("a", "c"))  # fmt: skip
    assert blind.violations[0].rule == "CHG.1"
    assert blind.margin > 0
    assert facts(blind).margin == ""


def test_all_bases_off_at_once_are_told_where_none_alone_turns_it():
    """A log keeps each of two bases from moving so far that a third does not fit between them."""
    models = {n: {"base": 1, "height": 1, "move": 6, "side": "good", "at": at} for n, at in
              (("a", [12, 10]), ("b", [12, 14]), ("m", [3, 3]))}  # fmt: skip
    log = {"tags": ["obstacle"], "height": 0.3, "polygon": [[10, 11.9], [14, 11.9], [14, 12.1], [10, 12.1]]}
    found = facts(sbg.check(sbg.Table(24, 24, models=models, terrain={"log": log}), sbg.Gap(("a", "b"), "m")))
    assert found.flips[0].startswith("No single base")
    assert found.flips[1].startswith("All of them off at once in the worst way: 1.0000 in")


def test_rulings_stand_on_the_page(no_shifts):
    read = sheet(verdict("sight-over-a-wall", "just-so"), ".html").decode()
    assert "Rulings that would change it" in read
    assert "<b>sight_grazing = blocks</b>" in read


def test_the_sheet_of_a_reach_shows_it_and_its_area():
    found = sbg.check(sbg.load(SCENARIOS / "jumping.toml"), sbg.ReachOf("pippin"))
    told, unit = facts(found).answer.split(" ", 1)
    assert unit == "square inches"
    assert float(told) == pytest.approx(found.area, abs=0.005)
    assert f"can certainly end on {told} square inches" in found.reason
    assert facts(found).flips == ()
    assert b"reach" in sheet(found, ".html")


def test_a_sheet_of_another_kind_is_refused():
    with pytest.raises(sbg.SbgError, match=r"\.doc: a sheet is written to a file ending in \.html"):
        sheet(verdict("amon-hen", "lurtz-to-merry"), ".doc")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.pictures, self.titles, self._in = [], [], [], [], False

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        self.links += [found[key] for key in ("src", "href", "xlink:href") if key in found]
        self.pictures += [[name for name, _ in attrs]] if tag == "svg" else []
        self._in = tag == "title"

    def handle_data(self, data):
        self.titles += [data] if self._in else []
        self._in = False


def alone():
    """Two models in the open, whose shifts are soon found."""
    models = {
        "lurtz": {"at": [6, 12], "base": "25 mm", "height": 1.5, "move": 6, "side": "evil"},
        "merry": {"at": [11, 12], "base": "25 mm", "height": 1, "move": 4, "side": "good"},
    }
    return sbg.check(sbg.Table(24, 24, models=models), sbg.Charge("lurtz", "merry"))


def test_the_page_stands_alone():
    text = sheet(alone(), ".html", file="amon-hen.toml").decode()
    read = Tags()
    read.feed(text)
    assert "script" not in read.tags
    assert [link for link in read.links if not link.startswith("#")] == []
    _, picture = read.titles
    assert picture.startswith("Plan of the table. Can lurtz charge merry? Yes.")
    assert '<desc id="picture-desc">It shows' in text  # nothing over it says the answer again
    (names,) = read.pictures
    assert len(names) == len(set(names))
    assert "prefers-color-scheme: dark" in text
    assert "size: A4" in text
    assert "amon-hen.toml" in text
    assert "SHA-256" in text
    assert sheet(alone(), ".html", file="amon-hen.toml").decode() == text


def test_the_picture_is_as_dark_as_the_page_on_a_screen_and_light_on_paper():
    text = sheet(alone(), ".html").decode()
    picture = text[text.index("<svg") : text.index("</svg>")]
    assert "@media screen and (prefers-color-scheme: dark)" in picture
    assert "@media (prefers-color-scheme: dark)" not in picture


def test_names_cannot_break_the_page():
    said = facts(verdict("movement-1", "how-far-is-aragorn"))
    from dataclasses import replace

    text = page(replace(said, question="<b>&\"'", answer="<script>"), "<svg >")
    assert "<script>" not in text
    assert "&lt;b&gt;&amp;" in text


@pytest.mark.parametrize(("suffix", "begins"), [(".pdf", b"%PDF-"), (".png", b"\x89PNG")])
def test_pictures_of_it_need_no_browser(tmp_path, suffix, begins):
    out = tmp_path / f"sheet{suffix}"
    with pytest.raises(SystemExit) as ended:
        main(["check", str(SCENARIOS / "jumping.toml"), "pippin-goes-on", "--report", str(out)])
    assert ended.value.code == 0
    content = out.read_bytes()
    assert content.startswith(begins)
    if suffix == ".pdf":
        assert content.count(b"/Type /Page ") + content.count(b"/Type /Page\n") == 1


@pytest.mark.parametrize("question", [None, "lurtz-to-merry"])
def test_calls_that_are_wrong(tmp_path, capsys, question):
    file = str(SCENARIOS / "amon-hen.toml")
    out = tmp_path / ("sheet.html" if question is None else "sheet.docx")
    with pytest.raises(SystemExit) as ended:
        main(["check", file, *([question] if question else []), "--report", str(out)])
    assert ended.value.code == 2
    assert "--report" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser to look with")
@pytest.mark.parametrize(
    ("file", "question"),
    [("amon-hen", "lurtz-to-merry"), ("leaping-and-climbing", "aragorn-and-on"), ("charging-2", "third-to-pippin")],
)
def test_it_prints_on_one_page(tmp_path, file, question):
    html, pdf = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    html.write_bytes(sheet(verdict(file, question), ".html", file=f"{file}.toml"))
    call = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run([*call, f"--print-to-pdf={pdf}", html.as_uri()], check=True, capture_output=True, timeout=120)
    assert b"/Count 1" in pdf.read_bytes()


def test_under_doubt_it_says_what_it_hangs_on():
    table = replace(alone().table, tolerance=0.03)
    said = facts(sbg.check(table, sbg.Charge("lurtz", "merry")))
    assert any("any model off by up to 0.03 in (0.76 mm)" in text for text in _texts(said))
    table = replace(sbg.load(SCENARIOS / "jumping.toml"), tolerance=0.03)
    said = facts(sbg.check(table, "pippin-goes-on"))
    assert any("With any model off by up to 0.03 in (0.76 mm) it could be otherwise" in t for t in _texts(said))


def test_doubts_that_differ_are_told_of_whom_they_are():
    table = replace(alone().table, tolerance=0.03).having("merry", doubt=0.05)
    said = facts(sbg.check(table, sbg.Charge("lurtz", "merry"))).certain
    assert "merry off by up to 0.05 in (1.3 mm) and any other model off by up to 0.03 in (0.76 mm)" in said
    alone_in_doubt = alone().table.having("merry", doubt=0.05)
    said = facts(sbg.check(alone_in_doubt, sbg.Charge("lurtz", "merry"))).certain
    assert "ith merry off by up to 0.05 in (1.3 mm)" in said
    assert "any" not in said
    many = {f"m{i}": {"at": [2 + i, 20], "base": 0.5, "doubt": 0.01 + i / 100} for i in range(6)}
    two = {name: {"at": [x, 4], "base": 1, "move": 9, "height": 1, "side": name} for name, x in (("x", 4), ("y", 12))}
    crowd = sbg.Table(24, 24, models={**two, **many})
    said = facts(sbg.check(crowd, sbg.Charge("x", "y"))).certain
    assert "m5 off by up to 0.06 in (1.5 mm), m4 off by up to 0.05 in (1.3 mm)" in said
    assert "2 more by up to 0.02 in (0.51 mm)" in said


def _texts(found):
    for value in vars(found).values():
        if isinstance(value, str):
            yield value


def test_a_gap_is_compared_with_the_base():
    found = facts(verdict("movement-3", "not-between-gimli-and-boromir"))
    rows = {what: inches for what, _, inches in found.sums}
    assert set(rows) >= {"between the nearest edges", "the base"}
    assert found.margin.endswith("narrower than the base")


def test_a_sheet_of_what_its_table_cannot_be_asked_any_more_tells_no_shifts():
    """An answer may be kept with a table that says less: its facts stand, and what would flip it nobody can say."""
    verdict = alone()
    assert _flips(verdict)
    unsaid = replace(verdict, table=verdict.table.having("lurtz", move=None))
    assert _flips(unsaid) == ()
