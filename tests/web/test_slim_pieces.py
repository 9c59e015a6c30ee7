"""Names of walls and hedges on the page: none is written across a narrow piece."""

from __future__ import annotations

import shapely

from tests.web.conftest import DUEL

_SLIM = """
[terrain.east-hedge]
tags = ["obstacle"]
height = 1
line = [[18, 6], [18, 14]]
thickness = 0.25
[terrain.south-hedge-with-a-long-name]
tags = ["obstacle"]
height = 1
line = [[12, 4], [14, 4]]
thickness = 0.25
[terrain.slanting-fence]
tags = ["obstacle"]
height = 0.5
line = [[3, 15], [9, 20]]
thickness = 0.2
[terrain.a-corner-of-walls]
tags = ["obstacle"]
height = 2
line = [[13, 18], [13, 22], [17, 22]]
thickness = 0.2
[terrain.ruin]
tags = ["unscalable"]
height = 4
polygon = [[18, 15], [22, 15], [22, 18], [21.7, 18], [21.7, 15.3], [18, 15.3]]
[terrain.stake-1]
tags = ["obstacle"]
height = 1
polygon = [[12, 5], [14, 5], [14, 5.2], [12, 5.2]]
[terrain.stake-2]
tags = ["obstacle"]
height = 1
polygon = [[12, 5.6], [14, 5.6], [14, 5.8], [12, 5.8]]
"""

_WRITTEN = """[...document.querySelectorAll("#names text.piece")].map((text) => {
  const box = text.getBBox(), matrix = text.getScreenCTM();
  const corners = [[0, 2], [1, 2], [1, -2], [0, -2]].map(([u, v]) => {
    const at = new DOMPoint(box.x + u * box.width, v > 0 ? box.y + v : box.y + box.height + v).matrixTransform(matrix);
    return [at.x, at.y];
  });
  return [text.textContent, corners];
})"""


def written(page):
    """The names of pieces, and the rooms that they take on the screen."""
    return {words: shapely.Polygon(corners) for words, corners in page.page.evaluate(_WRITTEN)}


def bodies(page):
    """Pieces by name, as they lie on the screen."""
    ends = {
        "east-hedge": ([(18, 6), (18, 14)], 0.25),
        "south-hedge-with-a-long-name": ([(12, 4), (14, 4)], 0.25),
        "slanting-fence": ([(3, 15), (9, 20)], 0.2),
        "a-corner-of-walls": ([(13, 18), (13, 22), (17, 22)], 0.2),
        "ruin": ([(18.15, 15.15), (21.85, 15.15), (21.85, 17.85)], 0.3),
        "stake-1": ([(12, 5.1), (14, 5.1)], 0.2),
        "stake-2": ([(12, 5.7), (14, 5.7)], 0.2),
        "wall": ([(5, 4.2), (9, 4.2)], 0.4),
    }
    inch = page.at(1, 0)[0] - page.at(0, 0)[0]
    return {
        name: shapely.LineString([page.at(*at) for at in spine]).buffer(broad / 2 * inch)
        for name, (spine, broad) in ends.items()
    }


def test_names_of_narrow_pieces_stand_along_or_beside_them_and_cross_none(duel):
    page = duel(DUEL + _SLIM)
    page.page.wait_for_selector("#names text.piece")
    names, pieces = written(page), bodies(page)
    assert {words.split(" ")[0] for words in names} == set(pieces)
    for words, room in names.items():
        own = pieces[words.split(" ")[0]]
        crossed = [name for name, body in pieces.items() if body.intersects(room)]
        assert crossed == [], words
        assert own.distance(room) < 75
    written_so = """[...document.querySelectorAll("#names text.piece")].map(
      (text) => [text.textContent.split(" ")[0], text.getAttribute("transform")])"""
    turned = dict(page.page.evaluate(written_so))
    assert turned["east-hedge"].startswith("rotate(-90 ")
    assert turned["slanting-fence"].startswith("rotate(-39.8")
    assert turned["south-hedge-with-a-long-name"] is None


def test_a_line_leads_to_a_name_that_stands_off(duel):
    kind = 'tags = ["obstacle"]\nheight = 1\nthickness = 0.1\n'
    rows = [(n, 12 + 0.8 * (n % 3), 8 + 0.2 * (n // 3)) for n in range(12)]
    many = "".join(f"[terrain.stile-{n}]\n{kind}line = [[{x}, {y}], [{x + 0.6}, {y}]]\n" for n, x, y in rows)
    page = duel(DUEL + many)
    page.page.wait_for_selector("#names text.piece")
    names = [words for words in written(page) if words.startswith("stile")]
    assert len(names) > len(rows) / 2
    assert page.page.locator("#names path.lead").count() >= 1
