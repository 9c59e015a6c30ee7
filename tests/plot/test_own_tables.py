"""Pictures of tables as players set them up: ranks with numbers in their names, storeys, hedges, far and near views."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from matplotlib.colors import to_rgb

import sbg_sim as sbg
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import sheet
from sbg_sim.plot.names import numbered
from sbg_sim.simulate.campaign import compare
from tests.fuzz.kinds import make

MAN = {"base": "25 mm", "height": 1.5, "move": 6}


def area_of(ax, text):
    """The box of a text, inches of the table."""
    box = text.get_window_extent().transformed(ax.transData.inverted())
    return shapely.box(box.x0, box.y0, box.x1, box.y1)


def named(ax):
    """The texts that are names, by what they name."""
    return {t.get_gid().removeprefix("name-"): t for t in ax.texts if (t.get_gid() or "").startswith("name-")}


@pytest.fixture(scope="module")
def ranks():
    models = {}
    for side, word, y in (("good", "warrior", 10.0), ("evil", "orc", 13.4)):
        for i in range(1, 15):
            models[f"{word}_of_a_long_name_{i}"] = {"at": [2 + 1.05 * i, y + 1.1 * (i % 2)], "side": side, **MAN}
    return sbg.Table(24, 24, models=models)


def test_numbers_in_bases_are_those_in_the_names_of_each_side(ranks):
    ax = sbg.plot(ranks)
    numbers = {name: text.get_text() for name, text in named(ax).items()}
    assert numbers == {name: name.rpartition("_")[2] for name in ranks.models}
    assert sorted(side for *_, side in sheet(ax).key) == ["evil", "good"]
    told = ax.get_legend()
    rims = {text.get_text(): sign.get_color() for text, sign in zip(told.get_texts(), told.legend_handles, strict=True)}
    styles = palette.side_styles(["good", "evil"])
    for side, word in (("good", "warrior"), ("evil", "orc")):
        assert [rim for text, rim in rims.items() if word in text] == [styles[side].rim]


def test_who_has_no_number_in_its_name_gets_one_beyond_all(ranks):
    crowd = [*ranks.models.values(), *(sbg.Model(n, (8.0, 17.0), 1.0, 1.5, 6.0, "evil") for n in ("captain", "troll"))]
    numbers = {model.id: number for model, number in numbered(crowd)}
    assert numbers == {name: int(name.rpartition("_")[2]) for name in ranks.models} | {"captain": 15, "troll": 16}
    twice = [
        sbg.Model(f"{kind}-{k}", (2.0 * k, 3.0), 1.0, 1.5, 6.0, "evil") for kind in ("orc", "uruk") for k in (1, 2)
    ]
    assert [number for _, number in numbered(twice)] == [1, 2, 3, 4]


@pytest.mark.parametrize("ask", [sbg.reach, sbg.safe, sbg.denials])
def test_names_stay_off_the_rings_of_whom_a_picture_is_about(ask):
    places = {"one": (8, 8), "two": (9.4, 8.3), "three": (7.5, 6.4), "four": (5, 11), "five": (10.4, 6)}
    models = {name: {"at": list(at), "side": "good", **MAN} for name, at in places.items()}
    models |= {f"foe of a longer name {k}": {"at": [4.0 + 3 * k, 13], "side": "evil", **MAN} for k in range(3)}
    table = sbg.Table(20, 20, models=models)
    ax = sbg.plot(ask(table, "one"))
    rings = [a for a in ax.patches if (a.get_gid() or "").startswith(("mover-", "danger-"))]
    assert rings
    for ring in rings:
        disc = shapely.Point(ring.center).buffer(ring.radius - 0.01, quad_segs=64)  # within the base a name may stand
        assert not any(shapely.intersects(disc.boundary, area_of(ax, t)) for t in named(ax).values())


def test_a_storey_is_named_where_no_higher_one_lies():
    square = {"hall": (4, 4, 16, 14, 1.5), "tower": (4, 4, 7, 7, 7), "gallery": (4, 4, 10, 12, 4)}
    terrain = {
        name: {"tags": ["platform"], "height": high, "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}
        for name, (x0, y0, x1, y1, high) in square.items()
    }
    ax = sbg.plot(sbg.Table(20, 20, terrain=terrain, models={"a": {"at": [18, 18], **MAN}}))
    bare = {name: shapely.box(*square[name][:4]) for name in square}
    bare = {"tower": bare["tower"], "gallery": bare["gallery"] - bare["tower"], "hall": bare["hall"] - bare["gallery"]}
    for name, area in bare.items():
        assert shapely.covers(area, shapely.buffer(area_of(ax, named(ax)[name]), -0.02)), name
    layers = [p.get_gid() for p in ax.patches if (p.get_gid() or "").startswith("terrain-")]
    assert layers == ["terrain-hall", "terrain-gallery", "terrain-tower"]


def test_no_name_of_terrain_covers_what_is_smaller_than_it():
    lines = {"high-hedge": ((8, 30), (14, 30.5)), "low-hedge": ((17, 25), (17.4, 32)), "dyke": ((20, 30), (25, 33))}
    terrain = {
        name: {"tags": ["obstacle"], "height": 1, "line": [list(a), list(b)], "thickness": 0.5}
        for name, (a, b) in lines.items()
    }
    ax = sbg.plot(sbg.Table(96, 72, terrain=terrain))
    hedges = {name: shapely.LineString(line).buffer(0.25) for name, line in lines.items()}
    texts = {name: area_of(ax, text) for name, text in named(ax).items()}
    assert texts.keys() == hedges.keys()
    for name, area in texts.items():
        assert not any(area.intersection(hedge).area > 0.01 for hedge in hedges.values())
        nearest = min(hedges, key=lambda other: shapely.distance(area, hedges[other]))
        assert nearest == name


def test_numbers_of_bases_smaller_than_type_stand_beside_them():
    models = {f"orc-{k}": {"at": [100 + 2.0 * k, 30 - k], "side": "evil", **MAN} for k in range(6)}
    ax = sbg.plot(sbg.Table(240, 72, models=models))
    texts = [area_of(ax, text) for text in named(ax).values()]
    assert len(texts) == 6
    bases = [shapely.Point(at["at"]).buffer(25 / 50.8) for at in models.values()]
    assert not any(a.intersects(b) for a, b in itertools.combinations(texts, 2))
    assert not any(shapely.buffer(base, -0.02).intersects(text) for base in bases for text in texts)


def test_numbers_along_a_long_side_view_have_room():
    models = {"eye": {"at": [10, 10], "side": "good", **MAN}, "far": {"at": [110, 12], "side": "evil", **MAN}}
    hedge = {"tags": ["obstacle"], "height": 0.5, "line": [[40, 5], [40, 20]], "thickness": 0.5}
    table = sbg.Table(120, 48, models=models, terrain={"a-hedge": hedge})
    ax = sbg.plot(sbg.check(table, sbg.Sight("eye", "far")), section=True)
    (side,) = ax.child_axes
    ax.figure.canvas.draw()
    for axis in (side.xaxis, side.yaxis):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
        assert len(boxes) > 2
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))
    (block,) = [p for p in side.patches if p.get_gid() == "terrain-a-hedge"]
    (name,) = [t for t in side.texts if t.get_text().startswith("a-hedge")]
    assert not block.get_window_extent().overlaps(name.get_window_extent().padded(-1))


def gap():
    models = {f"rider-{k}": {"at": [5 + 2.0 * k, 14], "base": "40 mm", "height": 2, "move": 12} for k in range(2)}
    models = {name: {**one, "side": "good"} for name, one in models.items()}
    models |= {f"orc-{k}": {"at": [12.0 + 2 * k, 13 + k], "side": "evil", **MAN} for k in range(3)}
    ditch = {"tags": ["gap"], "depth": 1, "polygon": [[9, 0], [10, 0], [10, 28], [9, 28]]}
    return sbg.Table(36, 28, models=models, terrain={"ditch": ditch})


def test_what_dice_endanger_does_not_look_safe():
    models = {
        "rider": {"at": [5, 4], "base": "40 mm", "height": 2, "move": 6, "side": "good"},
        "orc": {"at": [12, 4], "base": "25 mm", "height": 1.5, "move": 2, "side": "evil"},
    }
    ditch = {"tags": ["gap"], "depth": 1, "polygon": [[9, 0], [10, 0], [10, 8], [9, 8]]}
    safe = sbg.safe(sbg.Table(24, 8, models=models, terrain={"ditch": ditch}), "orc")
    chances = [chance for chance, _ in safe.regions if 0 < chance < 1]
    assert chances
    ax = sbg.plot(safe)
    fills = {a.get_gid(): a for a in ax.patches if (a.get_gid() or "").startswith("safe-")}
    looks = {}
    for chance in chances:
        if (patch := fills.get(f"safe-{chance}")) is not None:
            red, green, blue = to_rgb(patch.get_facecolor())
            assert red >= green >= blue
            looks[chance] = patch.get_hatch()
    assert len(looks) > 1
    assert len(set(looks.values())) == len(looks)


def test_the_likelier_a_charge_the_darker_its_ground():
    shades = [sum(to_rgb(palette.danger_colour(Fraction(k, 6)))) for k in range(7)]
    assert shades == sorted(shades, reverse=True)
    assert palette.danger_colour(1) == palette.DANGER.lower()


def test_of_all_levels_one_place_is_the_safest():
    terrain = {"roof": {"tags": ["platform"], "height": 2, "polygon": [[4, 4], [12, 4], [12, 12], [4, 12]]}}
    terrain |= {"ladder": {"tags": ["ladder"], "at": [12.5, 8], "to": "roof"}}
    models = {"a": {"at": [10, 8], "on": "roof", "side": "good", **MAN}, "b": {"at": [22, 8], "side": "evil", **MAN}}
    safe = sbg.safe(sbg.Table(30, 16, models=models, terrain=terrain), "a")
    assert len([level for level in safe.levels if level.best is not None]) > 1
    ax = sbg.plot(safe)
    stars = [a for a in ax.lines if (a.get_gid() or "").startswith("safest")]
    full = [star for star in stars if star.get_markerfacecolor() != palette.PAPER]
    assert len(stars) > len(full) == 1
    assert "at the safest place, on roof, the nearest" in ax.get_title(loc="left").replace("\n", " ")
    best = max((level for level in safe.levels if level.best), key=lambda level: level.best[1])
    assert (full[0].get_xdata()[0], full[0].get_ydata()[0]) == best.best[0]


def test_what_zones_take_is_shown_with_the_reach_of_every_level():
    terrain = {"roof": {"tags": ["platform"], "height": 1, "polygon": [[4, 4], [12, 4], [12, 12], [4, 12]]}}
    terrain |= {"ladder": {"tags": ["ladder"], "at": [12.5, 8], "to": "roof"}}
    models = {"a": {"at": [10, 8], "on": "roof", "side": "good", **MAN}}
    models |= {"b": {"at": [7, 7], "on": "roof", "side": "evil", **MAN}}
    table = sbg.Table(30, 30, models=models, terrain=terrain)
    (x0, x1), (y0, y1) = (sbg.plot(sbg.denials(table, "a")).get_xlim(), sbg.plot(sbg.denials(table, "a")).get_ylim())
    levels = sbg.reach(table, "a").platforms
    assert levels
    for rows in levels.values():
        for _, area in rows:
            assert shapely.box(x0, y0, x1, y1).covers(area)


def test_a_test_of_several_ways_is_told_once():
    charges = sbg.charges(gap(), "rider-1")
    ax = sbg.plot(charges)
    dice = [a for a in ax.lines if a.get_gid() == "die"]
    assert len(dice) > 1
    assert len([t for t in ax.texts if t.get_text().startswith("Leap test: ditch")]) == 1


def test_a_reach_under_its_own_base_is_drawn_over_it():
    models = {"a": {"at": [0.6, 0.6], "side": "good", **MAN}, "b": {"at": [2.3, 1.7], "side": "evil", **MAN}}
    table = sbg.Table(3, 2.5, models=models)
    ax = sbg.plot(sbg.reach(table, "a"))
    (base,) = [p for p in ax.patches if p.get_gid() == "model-a"]
    assert [p.get_zorder() > base.get_zorder() for p in ax.patches if p.get_gid() == "reach-1"] == [True]
    far = table.having("b", at=(2.3, 1.7), side="good")
    (area,) = [p for p in sbg.plot(sbg.reach(far, "a")).patches if p.get_gid() == "reach-1"]
    assert area.get_zorder() < base.get_zorder()


def test_who_asks_is_ringed_where_no_way_begins_at_it(ranks):
    name = "orc_of_a_long_name_3"
    at = ranks.model("orc_of_a_long_name_4").at
    rings = {
        to: [p.get_gid() for p in sbg.plot(sbg.check(ranks, sbg.Move(name, to))).patches if "mover" in str(p.get_gid())]
        for to in (at, (5.15, 17.0))
    }
    assert rings == {at: [f"mover-{name}"], (5.15, 17.0): []}


def test_the_chance_to_have_arrived_rises_at_its_turn():
    ax = sbg.plot(sbg.campaign(sbg.load("scenarios/jumping.toml"), "pippin-too-far"))
    lines = [line for line in ax.lines if line.get_drawstyle().startswith("steps")]
    assert lines
    assert {line.get_drawstyle() for line in lines} == {"steps-post"}
    assert all(np.all(np.diff(line.get_ydata()) >= 0) for line in lines)
    assert math.isclose(max(max(line.get_ydata()) for line in lines), 1.0, abs_tol=0.01)


def test_ways_to_one_goal_say_where_it_is():
    table = sbg.load("scenarios/jumping.toml")
    x, y = table.questions["pippin-too-far"].question.to
    ax = sbg.plot(compare(table, "pippin-too-far"))
    assert ax.get_title(loc="left") == f"turns to the goal at ({x:g}, {y:g}), exact chances"


@pytest.mark.parametrize(("kind", "seed"), [("towers", 916), ("yards", 912)])
def test_no_hair_of_an_area_is_drawn_as_a_line(kind, seed):
    table, question = make(kind, seed, False)
    ax = sbg.plot(sbg.reach(table, question.model))
    areas = [p for p in ax.patches if (p.get_gid() or "").startswith("reach-")]
    assert len(areas) > 1
    for patch in areas:
        bodies = [shapely.Polygon(ring) for ring in patch.get_path().to_polygons() if len(ring) > 3]
        assert not any(shapely.buffer(body.buffer(0), -0.0004).is_empty for body in bodies)
    (sure,) = [p for p in areas if p.get_gid() == "reach-1"]
    parts = [shapely.Polygon(ring).buffer(0) for ring in sure.get_path().to_polygons()]
    assert all(a.distance(b) > 0.0009 or a.within(b) or b.within(a) for a, b in itertools.combinations(parts, 2))
