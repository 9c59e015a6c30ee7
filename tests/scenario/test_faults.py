"""Files that cannot be used: many faults at once, what is no fault, and what only follows from another."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import pytest

from sbg_sim import scenario
from sbg_sim.errors import FileFaultsError
from sbg_sim.table.board import Table
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.tolerance import LARGEST, TOUCH
from tests.scenario.faulty import DECK, HEAD, MODELS, SQUARE, faults


def test_all_faults_at_once_in_the_order_of_the_file():
    body = (
        "[models.a]\nat = [3, 3]\nbase = '1'\n"
        "[models.b]\nat = [6, 3]\nbase = 1\nhieght = 2\n"
        "[models.c]\nat = [6.5, 3]\nbase = 1\nengaged = ['a', 'x']\n"
        "[models.b]\nat = [1, 1]\n"
        "[terrain.w]\ntags = ['obstacle']\npolygon = [[10, 10], [12, 12], [12, 10], [10, 12]]\n"
        "[questions.q]\nask = 'move'\nmodel = 'd'\nto = [1, 1]\n"
        "[questions.p]\nask = 'sight'\nmodel = 'a'\n"
    )
    found = [(key, line) for key, line, _ in faults(body)]
    assert found == [
        ("models.a.base", 3),
        ("models.b.hieght", 7),
        ("models.c.at", 9),
        ("models.c.engaged", 11),
        ("models.b", 12),
        ("terrain.w.height", 14),
        ("terrain.w.polygon", 16),
        ("questions.q.model", 19),
        ("questions.p.target", 21),
    ]


def test_names_in_entries_that_are_spoilt_otherwise_are_looked_up_too():
    body = (
        "[profiles.man]\nbase = 1\n"
        "[models.a]\nprofile = 'mann'\nat = [3]\n"
        "[models.b]\nprofile = 'man'\nat = [6, 3]\n"
        "[questions.q]\nask = 'move'\nmodel = 'x'\nto = [1, nan]\n"
        "[questions.r]\nask = 'charge'\nmodel = 'b'\ntarget = ['a', 'y']\nexpect = true\n"
        "[questions.s]\nask = 'sight'\nmodel = 'a'\ntarget = 'b'\n"
    )
    found = {key: reason for key, _, reason in faults(body)}
    assert list(found) == [
        "models.a.profile",
        "models.a.at",
        "questions.q.model",
        "questions.q.to[1]",
        "questions.r.target[1]",
        "questions.r.expect",
    ]
    assert found["models.a.profile"] == "no profile is called `mann`; did you mean `man`?"
    assert "there are `a`, `b`" in found["questions.q.model"]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("models = true\n[questions.q]\nask = 'sight'\nmodel = 'a'\ntarget = 'b'\n", "models"),
        ("models = { a = 1, b = 2 }\n[questions.q]\nask = 'sight'\nmodel = 'a'\ntarget = 'b'\n", "models.a"),
        ("profiles = []\n[models.a]\nprofile = 'orc'\nat = [3, 3]\n", "profiles"),
        ("terrain = 1\n[questions.q]\nask = 'measure'\nfrom = 'w'\nto = 'v'\n", "terrain"),
        ("[models.a]\nprofile = 'orc'\nat = [3, 3]\n", "models.a.profile"),
        ("[terrain.w]\ntags = 'gap'\ndepth = 2\n" + SQUARE, "terrain.w.tags"),
        (
            DECK.replace("['platform']", "['platfrom']")
            + "[terrain.l]\ntags = ['ladder']\nat = [10, 12]\nto = 'deck'\n",
            "terrain.deck.tags[0]",
        ),
        ("[terrain.l]\ntags = 7\nat = [10, 12]\nto = 'deck'\n" + DECK, "terrain.l.tags"),
        (MODELS + "[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = ''\n", "questions.q.target"),
    ],
)
def test_nothing_that_only_follows_is_told(body, key):
    assert key in [k for k, _, _ in faults(HEAD, head=body)]
    assert {k for k, _, _ in faults(HEAD, head=body)} <= {key, "models.b"}


def test_a_word_in_a_place_is_not_taken_for_a_name():
    body = "[models.a]\nat = [3, 3]\nbase = 1\n[questions.q]\nask = 'move'\nmodel = 'a'\nto = [3, 'x']\n"
    assert [(key, reason) for key, _, reason in faults(body)] == [
        ("questions.q.to[1]", 'must be a number, not the string "x"')
    ]


@pytest.mark.parametrize(
    ("told", "key", "words"),
    [
        ("height = 2", "terrain.w.height", "hinders nobody"),
        ("", "terrain.w", "changes no answer"),
        ("height = 2\ntags = ['obstacle']", None, ""),
    ],
)
def test_terrain_without_a_tag_is_told(told, key, words, caplog):
    body = f"[models.a]\nat = [3, 3]\nbase = 1\n[terrain.w]\npolygon = [[6, 6], [8, 6], [8, 8]]\n{told}\n"
    scenario.read_text(HEAD + body)
    assert [record.message.split(": ")[1] for record in caplog.records] == ([] if key is None else [key])
    assert all(words in record.message for record in caplog.records)


@pytest.mark.parametrize(
    ("one", "other", "keys"),
    [
        ("side = 'good'", "side = 'evil'", []),
        ("side = 'good'", "", ["models.b.side"]),
        ("", "side = 'good'", []),
        ("", "", ["models"]),
        ("side = 'good'\nengaged = ['b']", "side = 'evil'\nengaged = ['a']", ["models.a.engaged"]),
    ],
)
def test_what_is_hardly_meant_is_told(one, other, keys, caplog):
    """Nobody has a side, one has none (a charge of theirs says so itself), and who is engaged stands 7 in apart."""
    body = f"[models.a]\nat = [2, 3]\nbase = 1\nmove = 6\n{one}\n[models.b]\nat = [10, 3]\nbase = 1\n{other}\n"
    body += "[models.c]\nat = [2, 9]\nbase = 1\n" + ("side = 'evil'\n" if one or other else "")
    scenario.read_text(HEAD + body + "[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = 'c'\n")
    assert [record.message.split(": ")[1] for record in caplog.records] == keys


def test_what_only_touches_is_no_fault():
    close = 1 - TOUCH / 2
    body = (
        f"[models.a]\nat = [0.5, 0.5]\nbase = 1\n[models.b]\nat = [{0.5 + close}, 0.5]\nbase = 1\n"
        f"[models.c]\nat = [5, {4.5 - TOUCH / 2}]\nbase = 1\n"
        "[terrain.w]\ntags = ['unscalable']\nline = [[2, 3.5], [8, 3.5]]\nthickness = 1\n"
        "[models.d]\nat = [10.5, 10.5]\nbase = 1\non = 'deck'\n" + DECK
    )
    assert len(scenario.read_text(HEAD + body).models) == 4
    far = body.replace(f"{0.5 + close}", f"{1.5 - 2 * TOUCH}")
    assert [key for key, _, _ in faults(far)] == ["models.b.at"]


def test_who_may_overlap_what():
    low = "[terrain.w]\ntags = ['obstacle']\nheight = 0.75\n" + SQUARE
    rulings = "[rulings]\nend_on_low_obstacle = 'yes'\n"
    assert [k for k, _, _ in faults(low + MODELS)] == ["models.a.at"]
    assert [k for k, _, _ in faults(rulings + low + MODELS)] == ["models.a.at"]  # exactly h/2 asks for a test
    scenario.read_text(HEAD + rulings + "obstacle_exactly_half = 'free'\n" + low + MODELS)
    scenario.read_text(HEAD + rulings + low.replace("0.75", "0.74") + MODELS)
    scenario.read_text(HEAD + low + "lets_through = ['a']\n" + MODELS)
    scenario.read_text(HEAD + "[terrain.w]\ntags = ['difficult']\n" + SQUARE + MODELS)
    fallen = MODELS.replace("height = 1.5", "prone = true")
    scenario.read_text(HEAD + "[terrain.w]\ntags = ['gap']\n" + SQUARE + fallen)


def test_a_hole_is_no_solid():
    ring = "[terrain.w]\ntags = ['unscalable']\npolygon = [[1, 1], [5, 1], [5, 5], [1, 5]]\n"
    assert [k for k, _, _ in faults(ring + MODELS)] == ["models.a.at"]
    scenario.read_text(HEAD + ring + "holes = [[[2, 2], [4, 2], [4, 4], [2, 4]]]\n" + MODELS)


def test_bases_on_two_surfaces_may_lie_over_each_other():
    there = "[models.a]\nat = [12, 12]\nbase = 1\non = 'deck'\n"
    under = "[terrain.roof]\ntags = ['platform']\nheight = 1\non = 'deck'\n"
    under += "circle = { center = [12, 12], radius = 1 }\n"
    over = "[models.b]\nat = [12, 12]\nbase = 1\non = 'roof'\n"
    assert [k for k, _, _ in faults(DECK + under + over + there)] == ["models.a.at"]
    scenario.read_text(HEAD + DECK + under + over)


def test_a_climber_hangs_on_the_face():
    body = DECK + "[models.a]\nat = [9.5, 12]\nbase = 1\nclimbed = 1\n"
    scenario.read_text(HEAD + body)
    assert [k for k, _, _ in faults(body.replace("9.5", "9.6"))] == ["models.a.at"]


def test_who_hangs_does_not_lie():
    """Who falls lies at the foot (FALL.2)."""
    body = DECK + "[models.a]\nat = [9.5, 12]\nbase = 1\nclimbed = 1\nprone = true\n"
    assert [(k, line) for k, line, _ in faults(body)] == [
        ("models.a.climbed", body[: body.index("climbed")].count("\n") + 1)
    ]
    scenario.read_text(HEAD + body.replace("climbed = 1", "climbed = 0"))


def test_faults_of_tables_made_in_python():
    model = Model("a", (1.0, math.nan), 1.0, move=math.inf)
    table = Table(10.0, 10.0, FrozenMap({"a": model}))
    assert [key for key, _ in table_faults(table)] == [("models", "a", "at"), ("models", "a", "move")]
    assert table_faults(replace(table, models=FrozenMap())) == []


@pytest.mark.parametrize(
    "body",
    [
        "".join(f"[models.m{i}]\nat = [5, 5]\nbase = 1\n" for i in range(5_000)),
        "".join(f"[models.m{i}]\nat = [5, 5]\nbase = 1\non = 'x'\nengaged = ['n{i}']\n" for i in range(3_000)),
        "".join(f"[models.m{i}]\nat = [5, 5]\nbsae = 1\n" for i in range(5_000)),
        "[terrain.w]\npolygon = [" + "[true]," * 50_000 + "]\n",
        "".join(f"[models.m{i}]\nat = [5, 5]\nbase = 1\n" for i in range(1_000))
        + "".join(
            f"[terrain.t{i}]\ntags = ['unscalable']\ncircle = {{ center = [5, 5], radius = 1 }}\n" for i in range(1_000)
        ),
    ],
    ids=["heap", "references", "keys", "corners", "heap in solids"],
)
def test_a_file_full_of_faults_ends_soon(body):
    start = time.process_time()
    assert faults(body)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("many", [99, 100, 101, 103])
def test_of_a_heap_a_hundred_are_listed(many):
    """Of bases in one wall a hundred; of bases over one another a hundred, and that there are more."""
    apart = "".join(f"[models.m{i}]\nat = [{1 + i % 20}, {1 + i // 20}]\nbase = 0.5\n" for i in range(many))
    wall = "[terrain.w]\ntags = ['unscalable']\npolygon = [[0, 0], [23, 0], [23, 23], [0, 23]]\n"
    assert len(faults(apart + wall)) == min(many, 100)
    pairs = "".join(f"[models.m{i}]\nat = [{1 + i // 2 % 20}, {1 + i // 40}]\nbase = 0.5\n" for i in range(2 * many))
    assert len(faults(pairs)) == min(many, 101)
    assert ("and more" in faults(pairs)[-1][2]) == (many > 100)


def test_as_far_off_as_a_place_may_be_a_model_is_off_the_table():
    assert [key for key, _, _ in faults(f"[models.a]\nat = [{LARGEST}, 3]\nbase = 1\n")] == ["models.a.at"]


def test_twenty_thousand_are_refused_in_one_sentence():
    body = "".join(f"[models.m{i}]\n" for i in range(20_001))
    with pytest.raises(FileFaultsError, match="20001 entries; 20000 is the most"):
        scenario.read_text(HEAD + body)


def test_a_size_that_is_told_counts_where_the_other_is_missing():
    text = '[table]\nwidth = 10\n[models.a]\nat = [12, 300]\nbase = 1\nheight = 1\nmove = 6\nside = "good"\n'
    with pytest.raises(FileFaultsError) as caught:
        scenario.read_text(text)
    assert [(fault.key, fault.line) for fault in caught.value.faults] == [("table.depth", 1), ("models.a.at", 4)]
    with pytest.raises(FileFaultsError, match=r"table\.width: must be greater than 0, not -3"):
        scenario.read_text("[table]\nwidth = -3\n")


def test_the_file_of_a_board_game_is_one_fault():
    ((key, line, reason),) = faults('game = "metw"\n[companies.a]\nsite = "Rivendell"\n', head="")
    assert (key, line) == ("game", 1)
    assert reason.startswith("a board game's file can be checked, drawn and played")


def test_what_a_misspelt_key_gives_is_looked_at_too():
    found = faults(MODELS.replace("at = [6, 3]", "att = [3.2, 3]") + "[terrain.w]\ntags = ['obstacle']\n")
    assert [(key, line) for key, line, _ in found] == [
        ("models.b.att", 7),
        ("models.b.at", 7),
        ("terrain.w.height", 10),
        ("terrain.w", 10),
    ]
    assert "overlaps" in found[1][2]


def test_a_key_that_cannot_be_what_it_is_like_stays_unknown():
    found = faults("", head="[tabel]\nwidth = 'x'\ndepth = 3\n[table]\nwidth = 24\ndepth = 24\n")
    assert [(key, reason) for key, _, reason in found] == [("tabel", "unknown key; did you mean `table`?")]
    found = faults("", head="title = 'a'\ntable = 4\n")
    assert [key for key, _, _ in found] == ["table"]
    (only,) = faults("[models.a]\nat = [3, 3]\nbase = 1\nbsae = 2\n")
    assert only[0] == "models.a.bsae"


def test_of_more_than_a_thousand_faults_of_form_it_is_said_that_there_are_more():
    told = faults("".join(f"x{i} = 1\n" for i in range(1200)))
    assert len(told) == 1001
    assert told[-1][2] == "and more: only 1000 faults of form are listed"
    assert "and more" not in faults("".join(f"x{i} = 1\n" for i in range(1000)))[-1][2]


def test_faults_within_a_model_that_is_spoilt_as_a_whole_are_all_told():
    told = faults("[models.a]\nat = [1, 1]\nbase = 1\nbse = 3\nkeywords = [1]\nprofile = {a = 1}\n")
    assert [key for key, _, _ in told] == ["models.a.bse", "models.a.keywords[0]", "models.a.profile"]


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("bog", "`bog` is no platform; give it the tag `platform` to be stood on"),
        ("pit", "`pit` has no depth; give it"),
    ],
)
def test_nobody_stands_on_what_has_no_level(on, said):
    terrain = "".join(
        f"[terrain.{name}]\ntags = ['{tag}']\npolygon = [[{x}, 1], [{x + 4}, 1], [{x + 4}, 5], [{x}, 5]]\n"
        for name, tag, x in (("bog", "difficult", 1), ("pit", "gap", 8))
    )
    told = faults(f"[models.a]\nat = [{3 if on == 'bog' else 10}, 3]\nbase = 1\non = '{on}'\n{terrain}")
    assert any(key == "models.a.on" and reason.startswith(said) for key, _, reason in told)
