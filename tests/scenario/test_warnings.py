"""Files that can be used but look odd: what is warned of, and what makes no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbg_sim import scenario
from tests.scenario.faulty import DECK, HEAD


@pytest.mark.parametrize(
    ("entry", "told", "key", "words"),
    [
        ("models.a", "climbed = 2", None, ""),
        ("models.a", "climbed = 2.5", "models.a.climbed", "2 in high"),
        ("models.b", "climbed = 1", "models.b.climbed", "touches nothing"),
        ("models.c", "climbed = 3", None, ""),
        ("models.c", "climbed = 4.5", "models.c.climbed", "4 in high"),
        ("models.d", "climbed = 2", None, ""),
        ("terrain.l", "at = [16, 12]", None, ""),
        ("terrain.l", "at = [19, 12]", "terrain.l.at", "5 in from the rim of `deck`"),
        ("terrain.pit", "tags = ['gap', 'obstacle']\nheight = 1", "terrain.pit.tags", "no effect"),
        ("terrain.pit", "tags = ['gap', 'unscalable']", None, ""),
    ],
)
def test_odd_climbs_ladders_and_gaps_are_told(entry, told, key, words, caplog):
    """`a` hangs on a deck 2 in high, `b` nowhere, `c` on the side of a pit from inside, `d` on a ladder's foot."""
    given = {
        "models.a": "at = [9.5, 12]\nbase = 1",
        "models.b": "at = [3, 3]\nbase = 1",
        "models.c": "at = [2.5, 18]\nbase = 1\non = 'pit'",
        "models.d": "at = [16.4, 12]\nbase = 1",
        "terrain.pit": "depth = 4\npolygon = [[2, 16], [6, 16], [6, 20], [2, 20]]",
        "terrain.l": "tags = ['ladder']\nto = 'deck'",
    }
    given["terrain.l"] += "" if entry == "terrain.l" else "\nat = [16, 12]"
    given["terrain.pit"] += "" if entry == "terrain.pit" else "\ntags = ['gap']"
    given[entry] += f"\n{told}"
    scenario.read_text(HEAD + DECK + "".join(f"[{name}]\n{keys}\n" for name, keys in given.items()))
    found = [record.message.split(": ")[1] for record in caplog.records if ".side" not in record.message]
    assert found == ([] if key is None else [key])
    assert all(words in record.message for record in caplog.records)


@pytest.mark.parametrize(
    ("foot", "on", "told"),
    [
        ([9, 12], "", "lies in `low`"),
        ([8.8, 12], "", "lies in `low`"),
        ([9, 12], "on = 'low'", ""),
        ([6.2, 12], "", "lies in `low`"),  # the upper storey is set back there
        ([11, 6], "", ""),  # its side goes on down flush
        ([11, 6.2], "", ""),
    ],
)
def test_a_ladder_on_a_storey_that_does_not_say_so_is_told(foot, on, told, caplog):
    """It led nowhere, without a word: from the ground nobody comes to its foot."""
    storeys = (
        "[terrain.low]\ntags = ['platform']\nheight = 3\npolygon = [[6, 6], [18, 6], [18, 18], [6, 18]]\n"
        "[terrain.high]\ntags = ['platform']\non = 'low'\nheight = 3\npolygon = [[9, 6], [18, 6], [18, 18], [9, 18]]\n"
    )
    scenario.read_text(HEAD + storeys + f"[terrain.l]\ntags = ['ladder']\nto = 'high'\nat = {foot}\n{on}\n")
    assert [record.message.split(": ")[1] for record in caplog.records] == ["terrain.l.at"] * bool(told)
    assert all(told in record.message for record in caplog.records)


def test_a_ladder_that_stands_two_storeys_up_is_told_the_upper(caplog):
    storey = "tags = ['platform']\nheight = 2\npolygon = [[{0}, 6], [18, 6], [18, 18], [{0}, 18]]\n"
    deck = "".join(
        f"[terrain.{name}]\n{on}{storey.format(west)}"
        for name, west, on in (("low", 6, ""), ("middle", 8, "on = 'low'\n"), ("high", 10, "on = 'middle'\n"))
    )
    ladder = "[terrain.l]\ntags = ['ladder']\nto = 'high'\nat = [10, 12]\n"
    scenario.read_text(HEAD + deck + ladder)
    (record,) = caplog.records
    assert record.message.endswith('lies in `low`, where nobody can stand; if it stands on top, say on = "middle"')
    caplog.clear()
    scenario.read_text(HEAD + deck + ladder + "on = 'middle'\n")
    assert not caplog.records


@pytest.mark.parametrize("word", ["cavalry", "Cavalry", "CAVALRY"])
def test_capitals_of_keywords_make_no_difference(word):
    table = scenario.read_text(HEAD + f"[models.a]\nat = [3, 3]\nbase = 1\nkeywords = ['{word}', 'Hero']\n")
    assert table.model("a").keywords == {"cavalry", "hero"}


FIGHT = "[models.b]\nside = 'evil'\nat = [11, 12]\nbase = 1\nengaged = ['c']"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("[models.b]\nside = 'evil'\nat = [11, 12]\nbase = 1", "models.a"),
        ("[models.b]\nside = 'evil'\nat = [11.00001, 12]\nbase = 1", None),
        ("[models.b]\nside = 'good'\nat = [11, 12]\nbase = 1", None),
        ("[models.b]\nside = 'evil'\nat = [11, 12]\nbase = 1\nengaged = ['a']", None),
        ("[models.b]\nside = 'evil'\nat = [11, 12]\nbase = 1\non = 'deck'", None),
        (f"{FIGHT}\n[models.c]\nside = 'good'\nat = [12, 12]\nbase = 1", "models.a"),
    ],
    ids=["enemies", "apart", "friends", "engaged", "on another level", "one of them with another"],
)
def test_enemies_in_contact_who_are_not_engaged_are_told(given, told, caplog):
    """In a fight at the end of the phase (PAIR.1), and free to move before it: who is held (CHG.2) says so."""
    deck = "[terrain.deck]\ntags = ['platform']\nheight = 2\npolygon = [[10.5, 10], [20, 10], [20, 14], [10.5, 14]]\n"
    given += f"\n{deck}" if "deck" in given else ""
    scenario.read_text(HEAD + f"[models.a]\nside = 'good'\nat = [10, 12]\nbase = 1\n{given}\n")
    found = [record.message for record in caplog.records if "touches" in record.message]
    assert len(found) == (told is not None)
    assert all(f": {told}.at: touches `b`" in line for line in found)


def test_who_hangs_on_a_ladder_touches_its_foot(caplog):
    """As a base touches anything: to rounding, and no further."""
    ladder = DECK + "[terrain.l]\ntags = ['ladder']\nat = [16, 12]\nto = 'deck'\n"
    for apart, told in ((0.5, []), (0.5 + 1e-4, ["models.d.climbed"])):
        caplog.clear()
        scenario.read_text(HEAD + ladder + f"[models.d]\nat = [{16 + apart}, 12]\nbase = 1\nclimbed = 1\n")
        assert [record.message.split(": ")[1] for record in caplog.records] == told


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        # difficult ground has no face; a roof 3 in above the deck it stands on has one of 3 in, and so has its ladder
        ("[models.a]\nat = [3.5, 5]\nclimbed = 1", "its base touches nothing that can be climbed"),
        ("[models.a]\nat = [16.5, 16]\non = 'low'\nclimbed = 3", ""),
        ("[models.a]\nat = [16.5, 16]\non = 'low'\nclimbed = 3.1", "what its base touches is 3 in high"),
        ("[models.a]\nat = [15.5, 12]\non = 'low'\nclimbed = 3\n[terrain.l]\nat = [15, 12]\non = 'low'", ""),
        (
            "[models.a]\nat = [15.5, 12]\non = 'low'\nclimbed = 3.1\n[terrain.l]\nat = [15, 12]\non = 'low'",
            "what its base touches is 3 in high",
        ),
        # a ladder leans as far off as it is high at the most, and an inch whatever it leads to
        ("[terrain.l]\nat = [13.9, 16]\non = 'low'", "is 3.1 in from the rim of `high`, which is 3 in high"),
        ("[terrain.l]\nat = [14.1, 16]\non = 'low'", ""),
        ("[terrain.l]\nat = [3.5, 12]\nto = 'kerb'", "is 1.5 in from the rim of `kerb`, which is 0.5 in high"),
        ("[terrain.l]\nat = [4.1, 12]\nto = 'kerb'", ""),
    ],
)
def test_what_is_climbed_has_a_face_as_high_as_it_is(entries, told, caplog):
    given = "[terrain.bog]\ntags = ['difficult']\npolygon = [[4, 4], [6, 4], [6, 6], [4, 6]]\n"
    for name, height, low, more in (("low", 2, 10, ""), ("high", 3, 17, "on = 'low'\n"), ("kerb", 0.5, 5, "")):
        high = {"low": 23, "high": 21, "kerb": 8}[name]
        corners = [[low, 10], [high, 10], [high, 20], [low, 20]]
        given += f"[terrain.{name}]\ntags = ['platform']\nheight = {height}\npolygon = {corners}\n{more}"
    entries = entries.replace("[models.a]", "[models.a]\nbase = 1").replace(
        "[terrain.l]", "[terrain.l]\ntags = ['ladder']"
    )
    entries += "\nto = 'high'" if "ladder" in entries and "to =" not in entries else ""
    scenario.read_text(HEAD + given + entries + "\n")
    assert [told in record.message for record in caplog.records if ".side" not in record.message] == [True] * bool(told)


def test_who_hangs_on_a_face_is_in_contact_with_nobody(caplog):
    deck = DECK + "[models.a]\nside = 'good'\nat = [9.5, 12]\nbase = 1\nclimbed = 1\n"
    scenario.read_text(HEAD + deck + "[models.b]\nside = 'evil'\nat = [9.5, 13]\nbase = 1\n")
    assert [record.message for record in caplog.records] == []


@pytest.mark.parametrize(("apart", "told"), [(0.0, False), (1e-4, False), (0.25, True)])
def test_who_is_engaged_stands_in_contact(apart, told, caplog):
    """Bases of 1 and of 2 in: how far apart they stand is told from rim to rim."""
    foe = f"[models.b]\nside = 'evil'\nat = [{11.5 + apart}, 12]\nbase = 2\nengaged = ['a']\n"
    scenario.read_text(HEAD + "[models.a]\nside = 'good'\nat = [10, 12]\nbase = 1\nengaged = ['b']\n" + foe)
    found = [record.message for record in caplog.records]
    assert len(found) == told
    assert all("stands 0.25 in away" in line for line in found)


@pytest.mark.parametrize(("y", "b", "told"), [(12, 11.4, False), (13, 11.4, False), (12, 11.6, True), (16, 11.4, True)])
def test_who_is_engaged_across_a_barrier_is_in_contact(y, b, told, caplog):
    """Both touch a wall of 0.4 in from its two sides (CHG.8); one 0.2 in off it, or past its end, does not."""
    wall = "[terrain.w]\ntags = ['obstacle']\nheight = 1\npolygon = [[10.5, 8], [10.9, 8], [10.9, 14], [10.5, 14]]\n"
    models = "[models.a]\nside = 'good'\nat = [10, 12]\nbase = 1\nengaged = ['b']\n"
    models += f"[models.b]\nside = 'evil'\nat = [{b}, {y}]\nbase = 1\nengaged = ['a']\n"
    scenario.read_text(HEAD + wall + models)
    assert ["engaged models are in contact" in record.message for record in caplog.records] == [True] * told


def test_no_scenario_is_odd(caplog):
    """What is warned of is what hardly anybody means; these files mean all they say."""
    scenarios = Path(__file__).parents[2] / "scenarios"
    files = [file for file in sorted(scenarios.rglob("*.toml")) if "boards" not in file.parts]
    assert len(files) > 50
    for file in files:
        scenario.read(file)
    assert [record.message for record in caplog.records] == []
