"""Names on boards of spaces: beside what they name, on nothing else, and no line to one over another."""

import math
from pathlib import Path

import numpy as np
import pytest
import shapely

from sbg_sim import document
from sbg_sim.plot import plot
from sbg_sim.plot.spaces import plot_board
from sbg_sim.scenario import games


@pytest.mark.parametrize("game", ["metw", "war-of-the-ring"])
def test_names_of_a_whole_map_cover_no_space_and_no_other_name(game):
    folder = Path(__file__).parents[2] / "scenarios" / "boards" / game
    _, scenario = games.load(document.read(min(folder.glob("*.toml"))))
    ax = plot(scenario)
    inverse = ax.transData.inverted()
    boxes = [t.get_window_extent().transformed(inverse) for t in ax.texts if (t.get_gid() or "").startswith("name-")]
    spaces = [p for p in ax.patches if (p.get_gid() or "").startswith("space-")]
    assert len(spaces) > 50
    named = {
        t.get_gid().removeprefix("name-"): t.get_window_extent().transformed(inverse)
        for t in ax.texts
        if (t.get_gid() or "").startswith("name-")
    }

    def apart(box, at):
        return math.hypot(*(max(low - c, 0, c - high) for c, low, high in zip(at, box.min, box.max, strict=True)))

    leads = [line.get_xydata()[0] for line in ax.get_lines() if line.get_gid() == "leader"]
    lines = [shapely.LineString(line.get_xydata()) for line in ax.get_lines() if line.get_gid() == "leader"]
    inner = shapely.union_all([shapely.Point(s.center).buffer(0.8 * s.radius) for s in spaces])
    assert not [line for line in lines if line.intersects(inner)]  # a line to a name runs over no space
    astray = []
    for space in spaces:  # a name stands by its own space, or a line leads to it
        box = named[space.get_gid().removeprefix("space-")]
        led = any(math.dist(start, space.center) < 1.5 * space.radius for start in leads)
        if not led and apart(box, space.center) > min(apart(box, other.center) for other in spaces) + 0.05:
            astray.append(space.get_gid())
    assert len(astray) <= 3  # where no other place is left
    for i, box in enumerate(boxes):
        assert not [b for b in boxes[:i] if box.x0 < b.x1 and box.x1 > b.x0 and box.y0 < b.y1 and box.y1 > b.y0]
        for space in spaces:
            dx, dy = (max(low - c, 0, c - high) for c, low, high in zip(space.center, box.min, box.max, strict=True))
            assert math.hypot(dx, dy) > space.radius - 0.01


def test_the_line_to_several_names_ends_at_what_is_written():
    scenario = games.load(document.read("scenarios/boards/war-of-the-ring/levels-and-groups.toml"))[1]
    ax = plot_board(scenario, lit=scenario.lit(None))
    ax.figure.canvas.draw()
    (told,) = [text for text in ax.texts if text.get_gid() == "who-rivendell"]
    assert told.get_text().split("\n") == ["Legolas", "Meriadoc Brandybuck", "Strider"]  # only the second is as wide
    box = told.get_window_extent()
    ends = [ax.transData.transform(line.get_xydata()[-1]) for line in ax.lines if line.get_gid() == "leader"]
    (end,) = [end for end in ends if box.padded(8).contains(*end)]
    assert box.height / 3 <= end[1] - box.y0 + 2 <= box.height * 2 / 3 + 4


def test_no_word_of_a_name_is_broken_on_a_map():
    ax = plot_board(games.load(document.read("scenarios/boards/metw/starter-movement.toml"))[1], around=1)
    lines = {line for text in ax.texts for line in text.get_text().split("\n")}
    assert any("Glittering" in line for line in lines)


@pytest.mark.parametrize(
    "file", ["war-of-the-ring/the-nine-together", "war-of-the-ring/levels-and-groups", "metw/region-types"]
)
def test_no_line_to_a_name_on_a_map_runs_over_another_one(file):
    """That of Minas Morgul ran over the Mouth of Sauron, Ettenmoors lay on that of the companions in Rivendell."""
    ax = plot(games.load(document.read(f"scenarios/boards/{file}.toml"))[1])
    ax.figure.canvas.draw()
    named = [text for text in ax.texts if (text.get_gid() or "").startswith(("name-", "who-"))]
    boxes = shapely.box(*np.array([text.get_window_extent().extents for text in named]).T)
    ways = [ax.transData.transform(line.get_xydata()) for line in ax.lines if line.get_gid() == "leader"]
    assert ways
    met = [(a + (b - a) * [[0.05], [0.9]]) for a, b in ways]  # without its end beside what it leads to
    assert not shapely.intersects(shapely.linestrings(met)[:, None], boxes).any()
