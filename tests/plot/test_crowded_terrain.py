"""Names of terrain where much of it stands close together."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.plot.canvas import sheet


def palisades(count, step, angle=90.0):
    """A table with walls side by side, a third of an inch broad, ten long."""
    way, off = (np.array([math.cos(a), math.sin(a)]) for a in (math.radians(angle), math.radians(angle + 90)))
    walls = {}
    for k in range(count):
        at = np.array([6 + step * k, 12])
        corners = [at + 5 * i * way + 0.15 * j * off for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        walls[f"palisade-{k}"] = sbg.Terrain(f"palisade-{k}", {"obstacle"}, sbg.polygon(corners), height=2)
    model = {"at": [2, 12], "base": 1, "height": 1, "move": 6}
    return sbg.Table(24, 24, models={"frodo": model}, terrain=walls)


def strewn(seed):
    """Fifty models amid a hundred small pieces."""
    rng = np.random.default_rng(seed)
    spots = rng.permutation([(3.0 + 4.6 * i, 3.0 + 4.2 * j) for i in range(15) for j in range(11)])
    spots = (spots + rng.uniform(-1.2, 1.2, spots.shape)).tolist()
    models = {
        f"m{k}": {"at": spots.pop(), "base": 25 / 25.4, "height": 1.5, "side": ("good", "evil")[k % 2]}
        for k in range(50)
    }
    terrain = {}
    for k, (size, tall) in enumerate(zip(rng.uniform(0.3, 1.4, 100), rng.choice([0.5, 1.3, 4.0], 100), strict=True)):
        shape = sbg.circle(spots.pop(), size)
        terrain[f"t{k}"] = sbg.Terrain(f"t{k}", {("obstacle", "unscalable")[k % 2]}, shape, height=float(tall))
    return sbg.Table(72, 48, models=models, terrain=terrain)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_of_a_hundred_small_pieces_are_named(seed):
    table = strewn(seed)
    ax = sbg.plot(table)
    ax.figure.canvas.draw()
    names = {t.get_gid().removeprefix("name-"): t for t in ax.texts if (t.get_gid() or "").startswith("name-")}
    assert set(names) == {*table.models, *table.terrain}
    key = {sign: words.split()[0] for sign, words, _ in sheet(ax).key}
    told = {piece: names[piece].get_text() for piece in table.terrain}
    assert all(key.get(words, words.split()[0]) == piece for piece, words in told.items())
    legend = [t.get_text() for t in ax.get_legend().get_texts()]
    assert all(f"{words}  {piece}" in " ".join(legend) for piece, words in told.items() if words in key)
    boxes = [shapely.box(*t.get_window_extent().extents).buffer(-1) for t in names.values()]
    assert len(shapely.STRtree(boxes).query(boxes, predicate="intersects")[0]) == len(boxes)
    at = {name: text.get_position() for name, text in names.items() if name in table.terrain}
    led = [line.get_xydata() for line in ax.lines if line.get_gid() == "leader"]
    for piece, words in told.items():
        if words in key:  # a letter stands in its piece, or a line leads there
            shape = table.terrain[piece].shape.to_shapely()
            assert shape.covers(shapely.Point(at[piece])) or any(shape.covers(shapely.Point(way[0])) for way in led)


@pytest.mark.parametrize(("seed", "left"), [(4, {"t73"}), (7, {"t94"})])
def test_a_small_piece_with_no_room_for_a_letter_is_told_in_the_key_with_its_place(seed, left):
    table = strewn(seed)
    ax = sbg.plot(table)
    names = {t.get_gid().removeprefix("name-") for t in ax.texts if (t.get_gid() or "").startswith("name-")}
    assert {*table.models, *table.terrain} - names == left
    legend = " ".join(t.get_text() for t in ax.get_legend().get_texts()).replace("\xa0", " ").replace("\n", " ")
    for name in left:
        piece = table.terrain[name]
        x, y = piece.shape.spine[0]
        told = f"at ({x:.1f}, {y:.1f}) {name} {piece.height:g}″"
        assert told in " ".join(legend.split()), told


@pytest.mark.parametrize(("step", "angle"), [(0.8, 90.0), (1.2, 90.0), (1.2, 75.0), (1.5, 110.0)])
def test_no_name_of_a_wall_lies_over_the_next_wall(step, angle):
    table = palisades(8, step, angle)
    ax = sbg.plot(table)
    turn = ax.transData.inverted()
    names = {t.get_gid(): t for t in ax.texts}
    written = [(piece, names.get(f"name-{piece.id}")) for piece in table.terrain.values()]
    assert all(text is not None for _, text in written)
    for piece, text in written:
        text.set_bbox(None)
        middle, turned = text.get_transform().transform(text.get_position()), text.get_rotation()
        text.set_rotation(0)
        box = shapely.box(*text.get_window_extent().extents)
        box = shapely.affinity.rotate(box, turned, origin=tuple(middle))
        room = shapely.Polygon(turn.transform(shapely.get_coordinates(box)))
        others = [other.shape.to_shapely() for other in table.terrain.values() if other is not piece]
        assert not shapely.intersects(room, others).any(), piece.id
        assert math.cos(math.radians(turned)) > -1e-9  # it reads from the left, or upwards


def test_a_wall_that_leaves_the_view_is_named():
    """Most of it is out of view, and it is no broader than a name needs, but what is seen of it is long."""
    table = palisades(1, 1.0, 55.0)
    ax = sbg.plot(table, view=(1, 9, 7, 13))
    assert "palisade-0 2″" in {text.get_text() for text in ax.texts}


def test_the_line_from_the_name_of_what_a_base_covers_does_not_run_over_the_base(by_gid):
    table = sbg.load("scenarios/levels/plinth.toml")
    ax = sbg.plot(sbg.screen(table, "left"))
    above = table.model("above-left")
    base = shapely.Point(above.at).buffer(0.95 * above.radius)
    assert [line for line in by_gid(ax, "leader") if shapely.LineString(line.get_xydata()).intersects(base)] == []


def test_a_long_name_stands_on_its_wall_where_the_way_over_it_is_not():
    wall = {"tags": ["obstacle"], "height": 0.75, "polygon": [[9, 8], [9.4, 8], [9.4, 16], [9, 16]]}
    body = {"base": "25 mm", "height": 1.5, "move": 6}
    lurtz = "Lurtz, der erste der kämpfenden Uruk-hai aus Isengart unter der Weißen Hand"
    models = {
        lurtz: {"at": [6, 12], "side": "evil", **body},
        "merry": {"at": [13.3, 12], "side": "good", **body},
    }
    name = "die lange niedrige Mauer am Ufer"
    table = sbg.Table(24, 24, models=models, terrain={name: wall})
    ax = sbg.plot(sbg.check(table, sbg.Charge(lurtz, "merry")))
    ax.figure.canvas.draw()
    (written,) = [t for t in ax.texts if t.get_gid() == f"name-{name}"]
    low, high = ax.transData.inverted().transform(written.get_window_extent())
    assert not low[1] <= 12 <= high[1]
    assert 9 < written.get_position()[0] < 9.4
