"""What is drawn into a taller platform ends at its rim on pictures and on the page, where it ends by the rules."""

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.web.scene import scene

TOWER = {"tags": ["platform"], "height": 3, "polygon": [[8, 6], [14, 6], [14, 12], [8, 12]]}
DRUM = {"tags": ["platform"], "height": 3, "circle": {"center": [11, 9], "radius": 3}}
DRAWN = {
    "wall": {"tags": ["obstacle"], "height": 1, "line": [[4, 9], [10, 9]], "thickness": 0.5},
    "rock": {"tags": ["unscalable"], "height": 2, "polygon": [[13, 7], [16, 7], [16, 8], [13, 8]]},
    "ditch": {"tags": ["gap"], "depth": 1, "polygon": [[9, 1], [10, 1], [10, 17], [9, 17]]},
    "wood": {"tags": ["difficult"], "polygon": [[12, 2], [18, 2], [18, 8], [12, 8]]},
    "porch": {"tags": ["platform"], "height": 1, "polygon": [[13, 10], [17, 10], [17, 11], [13, 11]]},
}


def drawn_areas(ax, name):
    """What of a piece is filled, ringed or hatched, inches."""
    gid = f"terrain-{name}"
    return shapely.union_all([area_of(artist) for artist in ax.patches if artist.get_gid() == gid])


def area_of(patch):
    path = patch.get_path().transformed(patch.get_patch_transform())
    return shapely.union_all([shapely.Polygon(p).buffer(0) for p in path.to_polygons()])


@pytest.mark.parametrize("top", [TOWER, DRUM])
@pytest.mark.parametrize("name", DRAWN)
def test_only_what_sticks_out_is_drawn_and_named(top, name):
    table = sbg.Table(24, 18, terrain={name: DRAWN[name], "top": top})
    ax = sbg.plot(table)
    tower = table.piece("top").shape.to_shapely()
    within = shapely.buffer(tower, -0.05)
    for artist in ax.patches:
        if artist.get_gid() in {"table", "terrain-top"} or artist.get_zorder() < 1:
            continue
        area = area_of(artist)
        if not shapely.covers(shapely.buffer(tower, 0.1), area):  # else it is of the top itself
            assert not shapely.intersects(area, within)
    left = shapely.difference(table.piece(name).shape.to_shapely(), tower)
    assert shapely.symmetric_difference(drawn_areas(ax, name), left).area < 0.02
    assert any(text.get_text().startswith(name) for text in ax.texts)


def test_what_lies_all_within_is_not_drawn_named_or_told(words):
    mire = {"tags": ["difficult"], "circle": {"center": [11, 9], "radius": 1}}
    ax = sbg.plot(sbg.Table(24, 18, terrain={"top": TOWER, "mire": mire}))
    assert drawn_areas(ax, "mire").is_empty
    assert not any(text.get_text() == "mire" for text in ax.texts)
    assert not any("difficult" in line for line in words(ax))


@pytest.mark.parametrize("height", [3, 4])
def test_what_is_no_lower_is_drawn_whole(height):
    wall = DRAWN["wall"] | {"height": height}
    table = sbg.Table(24, 18, terrain={"top": TOWER, "wall": wall})
    whole = table.piece("wall").shape.to_shapely()
    assert shapely.symmetric_difference(drawn_areas(sbg.plot(table), "wall"), whole).area < 0.02


def test_what_stands_on_top_is_drawn_whole():
    chest = {"tags": ["obstacle"], "height": 0.5, "on": "top", "polygon": [[9, 8], [10, 8], [10, 9], [9, 9]]}
    table = sbg.Table(24, 18, terrain={"top": TOWER, "chest": chest})
    assert drawn_areas(sbg.plot(table), "chest").area == pytest.approx(1)


def test_the_page_draws_the_taller_top_later():
    table = sbg.Table(24, 18, terrain={"top": TOWER, **DRAWN, "spire": DRAWN["wall"] | {"height": 4}})
    order = [piece["id"] for piece in scene(table)["terrain"]]
    assert [name for name in DRAWN if order.index(name) > order.index("top")] == []
    assert order.index("spire") > order.index("top")
