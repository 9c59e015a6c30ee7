"""Safe ground on every level that a model gets to: single charges beside its outlines, and what is told of it."""

from __future__ import annotations

import json
import sys
from fractions import Fraction

import numpy as np
import pytest
import shapely
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.threats.shadows import hidden

FOOT = {"base": 1, "height": 1.5, "move": 6}


def box(x0, y0, x1, y1, **given):
    return {"polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], **given}


DECK = box(13, 8, 18, 12.5, tags=["platform"], height=0.7)  # one step up
ROOF = box(9, 14, 15, 18, tags=["platform"], height=1.4)  # a jump up
MODELS = {
    "merry": {**FOOT, "side": "good", "at": [12, 11]},
    "orc": {**FOOT, "side": "evil", "at": [4, 12.5]},
    "lurtz": {**FOOT, "side": "evil", "at": [12, 3]},
}


def make():
    return sbg.Table(26, 22, models=MODELS, terrain={"deck": DECK, "roof": ROOF}, rulings={"leap_needs": "remaining"})


@pytest.fixture(scope="module")
def table():
    return make()


@pytest.fixture(scope="module")
def found(table):
    return sbg.safe(table, "merry")


def spots_beside(area, dice, count):
    rim = shapely.boundary(area)
    at = shapely.get_coordinates(shapely.line_interpolate_point(rim, dice.uniform(0, rim.length, count)))
    return at + dice.choice([-0.03, 0.03], at.shape)


def test_levels_are_those_of_the_reach(found, table):
    reach = sbg.reach(table, "merry")
    assert found.surface is None
    assert list(found.platforms) == list(reach.platforms) == ["deck", "roof"]
    for level in found.levels:
        ends = dict(level.ends)
        assert [chance for chance, _ in level.by_chance] == list(ends)
        assert all(free.area <= ends[chance].area for chance, free in level.by_chance)
        assert level.area.equals(level.below(Fraction(0)))
    assert found.area.area < found.reach.area.area


@pytest.mark.parametrize("name", [None, "deck", "roof"])
def test_single_charges_agree_on_both_sides_of_the_outline(found, name):
    level = next(level for level in found.levels if level.surface == name)
    walk, free = level.ends[-1][1], level.by_chance[-1][1]
    rims = shapely.union_all(
        [shapely.boundary(free), *(shapely.boundary(a) for d in level.dangers for _, a in d.regions)]
    )
    seen = set()
    for at in spots_beside(shapely.union_all(shapely.get_parts(free)[-3:]), np.random.default_rng(3), 40).tolist():
        spot = shapely.Point(at)
        if not walk.contains(spot) or shapely.distance(rims, spot) < 0.02 or level.doubt.covers(spot):
            continue
        chances = [verdict.chance for verdict in level.charges_at(at) if verdict.answer != "no"]
        told = [next((c for c, area in d.regions if area.covers(spot)), 0) for d in level.dangers]
        assert max(told, default=0) == max(chances, default=0), at
        assert free.covers(spot) == (not chances), at
        seen.add(bool(chances))
    assert seen == {True, False}


def test_a_die_may_land_it_safely_on_a_line(found):
    """Jumping onto the roof, 2 to 5 end with the base at its rim, where the orc comes to only by dice of its own."""
    roof = found.platforms["roof"]
    assert roof.area.is_empty
    assert (roof.best_chance, roof.best is not None) == (Fraction(5, 6), True)
    landing = roof.by_chance[0][1]
    assert landing.area == 0
    assert landing.length > 5
    for at in shapely.get_coordinates(
        shapely.line_interpolate_point(landing, np.linspace(0.2, landing.length - 0.2, 9))
    ):
        assert all(verdict.answer == "no" for verdict in roof.charges_at(at.tolist())), at
        assert roof.margin(at.tolist()) > 0


def test_a_place_up_there_is_no_place_below(found):
    spot = found.platforms["deck"].dangers[-1].area.representative_point()
    assert not found.reach.area.covers(spot)
    at = (spot.x, spot.y)
    there = found.platforms["deck"].charges_at(at)
    assert there[0].answer == "yes"
    assert there[0].table.model("merry").on == "deck"
    assert found.platforms["deck"].margin(at) == -there[0].margin


def test_who_stands_on_a_top_is_safe_below_where_nobody_comes():
    """Down by less than its height is free, so that the ground on the far side is a level that it gets to."""
    models = {
        "a": {**FOOT, "side": "good", "at": [12, 12], "on": "deck"},
        "b": {**FOOT, "side": "evil", "at": [3, 12]},
    }
    deck = box(10, 9, 14, 15, tags=["platform"], height=1.0)
    found = sbg.safe(sbg.Table(26, 24, models=models, terrain={"deck": deck}), "a")
    assert list(found.platforms) == [None]
    assert found.as_json()["platforms"].keys() == {"ground"}
    ground = found.platforms[None]
    # The enemy's Move and an inch from centre to centre end at x = 10; what it jumps onto hides nobody.
    for at, safe in [((9.0, 12.0), False), ((15.0, 12.0), True), ((9.4, 14.0), False)]:
        assert ground.area.covers(shapely.Point(at)) is safe
        assert all(verdict.answer == "no" for verdict in ground.charges_at(at)) is safe
    assert "on the ground: " in repr(found)
    told = f"{ground.area.area:.3f} of {ground.certain.area:.3f} square inches are safe from every charge"
    assert repr(ground) == f"<SafeLevel of a on the ground: {told}>"


def test_the_ground_hides_who_stands_in_a_pit():
    """From the ground, an inch and a half up, a look into a pit two inches deep passes over who is near."""
    models = {
        "a": {**FOOT, "height": 1.0, "side": "good", "at": [12, 12], "on": "pit"},
        "b": {**FOOT, "side": "evil", "at": [6.8, 12]},
    }
    pit = box(9, 9, 16, 15, tags=["gap"], depth=2.0)
    table = sbg.Table(26, 24, models=models, terrain={"pit": pit})
    dark = hidden(table, table.model("b"), table.model("a"), shapely.box(9.5, 9.5, 15.5, 14.5))
    told = set()
    for x in np.linspace(9.6, 15.4, 15).tolist():
        if shapely.distance(shapely.boundary(dark), shapely.Point(x, 12)) < 5e-3:
            continue
        seen = sbg.check(table.having("a", at=(x, 12)), sbg.Sight("b", "a")).answer == "yes"
        assert dark.covers(shapely.Point(x, 12)) == (not seen), x
        told.add(seen)
    assert told == {True, False}


def test_commands_tell_every_level(tmp_path, found, table, monkeypatch):
    file = tmp_path / "deck.toml"
    file.write_text(sbg.dump(make()), encoding="utf-8")

    def known(there, model, **_):  # the same once more, which need not be worked out again
        assert (there.models, there.terrain, there.rulings, model) == (
            table.models,
            table.terrain,
            table.rulings,
            "merry",
        )
        return found

    def run(*args):
        done = CliRunner().invoke(_sbg_sim, ["safe", str(file), "merry", *args])
        assert done.exit_code == 0, done.output
        return done.stdout

    monkeypatch.setattr(sys.modules["sbg_sim.threats"], "safe", known)
    data = json.loads(run("--json"))
    deck, roof = data["platforms"]["deck"], data["platforms"]["roof"]
    assert 0 < deck["area"] < deck["reach"]
    assert (roof["area"], roof["chance"]) == (0, "5/6")
    assert roof["by_chance"]["1/6"] > 10
    lines = [json.loads(line) for line in run("--jsonl").splitlines()]
    assert lines == data["dangers"] + deck["dangers"] + roof["dangers"]
    assert {line["on"] for line in lines} == {None, "deck", "roof"}
    said = run()
    assert "on deck" in said
    assert "it gets there with 5/6" in said


def test_the_command_answers_what_it_is_asked(tmp_path):
    """All of the 3 by 5 in on top are safe, and one side of the deck below; to the other the enemy comes."""
    models = {
        "a": {**FOOT, "move": 3, "side": "good", "at": [12, 12], "on": "deck"},
        "b": {**FOOT, "move": 3, "side": "evil", "at": [7, 12]},
    }
    deck = box(10, 9, 14, 15, tags=["platform"], height=1.0)
    file = tmp_path / "deck.toml"
    file.write_text(sbg.dump(sbg.Table(26, 24, models=models, terrain={"deck": deck})), encoding="utf-8")
    done = CliRunner().invoke(_sbg_sim, ["safe", str(file), "a", "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    ground = data["platforms"]["ground"]
    assert data["area"] == data["reach"] == pytest.approx(15, abs=1e-3)
    assert ground["area"] == pytest.approx(ground["reach"] / 2, abs=1e-4)
    assert [danger["enemy"] for danger in ground["dangers"]] == ["b"]


def test_every_level_is_drawn_with_its_safest_place(found):
    ax = sbg.plot(found)
    gids = {str(artist.get_gid()) for artist in ax.get_children()}
    assert {"safe-0", "safe-None", "safe-deck-0", "safe-roof-dice-1/6", "safe-roof-dice-5/6-line"} <= gids
    assert {"safest", "safest-deck", "safest-roof"} <= gids
    (roof,) = [artist for artist in ax.lines if artist.get_gid() == "safest-roof"]
    assert (roof.get_xdata()[0], roof.get_ydata()[0]) == pytest.approx(found.platforms["roof"].best[0])
    words = [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]
    assert "safe, and it gets there with 1/6 (17 %)" in words
