"""Figures of six inches by four and less: nothing overlaps or is cut, and what is told is whole."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import sbg_sim as sbg

HILL, RUIN, JUMP = "scenarios/amon-hen.toml", "scenarios/levels/ruin.toml", "scenarios/jumping.toml"


@pytest.fixture(scope="module")
def results():
    """Results by name, with the options that they are drawn with."""
    hill, jump = sbg.load(HILL), sbg.load(JUMP)
    run = sbg.simulate(jump, "pippin-goes-on", trials=500, seed=7)
    return {
        "move": (sbg.check(hill, "aragorn-through-the-bog"), {}),
        "reach": (sbg.reach(hill, "lurtz"), {}),
        "cost": (sbg.reach(hill, "lurtz"), {"cost": True}),
        "jump": (sbg.check(jump, "pippin-goes-on"), {}),
        "side view": (sbg.check(sbg.load(RUIN), "up-and-over"), {"section": True}),
        "sight": (sbg.check(sbg.load("scenarios/sight-over-a-wall.toml"), "a-hundredth-higher"), {"section": True}),
        "simulation": (run, {}),
        "outcomes": (run.distribution, {}),
        "turns": (sbg.campaign(jump, "pippin-too-far"), {}),
    }


def drawn(figure):
    """Return the renderer of a figure that was just drawn."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def every(ax):
    return [ax, *ax.child_axes]


def written(ax, renderer):
    """What is written in an Axes and those under it and is no number in a base, by its words."""
    texts = [text for part in every(ax) for text in part.texts if text.get_visible() and text.get_text()]
    texts = [text for text in texts if not text.get_text().isdigit()]
    boxes = [(text.get_text(), Bbox(Text.get_window_extent(text, renderer).get_points())) for text in texts]
    seen = ax.figure.bbox
    return [(words, box.padded(-1)) for words, box in boxes if box.overlaps(seen)]


def told(ax):
    return [" ".join(text.get_text().split()) for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize(("size", "rows", "theme"), [((6, 4), 1, "light"), ((6, 4), 1, "dark"), ((9, 7), 2, "light")])
def test_a_cost_map_in_subplots_tells_all_of_its_steps(results, size, rows, theme):
    figure, axes = plt.subplots(rows, 2, figsize=size)
    result, options = results["cost"]
    for ax in axes.flat:
        sbg.plot(result, ax=ax, theme=theme, **options)
    figure.canvas.draw()
    plt.close(figure)
    for ax in axes.flat:
        assert "costs 0 to 6″, a shade an inch" in told(ax)
        fills = {patch.get_facecolor() for patch in ax.patches if (patch.get_gid() or "").startswith("costs-")}
        strip = {patch.get_facecolor() for patch in ax.get_legend().findobj(Patch)}
        assert len(fills) == 6
        assert fills <= strip


def test_where_there_is_room_each_step_of_cost_has_a_row():
    found = sbg.reach(sbg.load(HILL), "lurtz")
    assert [words for words in told(sbg.plot(found, cost=True)) if words.startswith("costs")] == [
        f"costs {n} to {n + 1}″" for n in range(6)
    ]
    fast = sbg.load(HILL).having("lurtz", move=23)
    ax = sbg.plot(sbg.reach(fast, "lurtz"), ax=Figure(figsize=(4, 4)).subplots(), cost=True)
    assert "costs 0 to 23″, a shade each 2″" in told(ax)  # the last step is of one


def test_a_short_key_of_numbers_runs_on_before_entries_are_left_out():
    figure, axes = plt.subplots(2, 2, figsize=(9, 7))
    for ax in axes.flat:
        sbg.plot(sbg.reach(sbg.load(HILL), "lurtz"), ax=ax, cost=True)
    plt.close(figure)
    key = "1 boromir, 2 merry, 3 pippin, 4 lurtz, 5 ugluk, 6 uruk-1, 7 uruk-2, 8 uruk-3"
    assert any(key in told(ax) for ax in axes.flat)
    for ax in axes.flat:
        assert (key in told(ax)) != ("boromir" in [text.get_text() for text in ax.texts])  # named where there is room
        assert not any(words.startswith("and ") for words in told(ax))


@pytest.mark.parametrize("kind", ["side view", "sight", "jump", "move"])
@pytest.mark.parametrize("grid", [None, (1, 2), (2, 2)])
def test_no_words_overlap_in_six_by_four_inches(results, kind, grid):
    result, options = results[kind]
    if grid is None:
        axes = [sbg.plot(result, figsize=(6, 4), **options)]
        figure = axes[0].figure
    else:
        figure = Figure(figsize=(6, 4))
        axes = [sbg.plot(result, ax=ax, **options) for ax in figure.subplots(*grid).flat]
    renderer = drawn(figure)
    rooms = []
    for ax in axes:
        words = written(ax, renderer)
        assert words or grid == (2, 2)
        assert [(a, b) for (a, one), (b, two) in itertools.combinations(words, 2) if one.overlaps(two)] == []
        for text, box in words:
            assert figure.bbox.padded(2).x0 <= box.x0 < box.x1 <= figure.bbox.padded(2).x1, text
        rooms.append([part.get_window_extent(renderer) for part in every(ax)])
        legend = ax.get_legend()
        rooms[-1] += [] if legend is None else [legend.get_window_extent(renderer)]
    for one, two in itertools.combinations(itertools.chain(*rooms), 2):
        assert not one.padded(-1).overlaps(two)


@pytest.mark.parametrize("kind", ["move", "reach", "cost", "jump", "simulation", "outcomes", "turns"])
def test_a_miniature_is_its_picture_under_a_brief_title(results, kind, title_of):
    result, options = results[kind]
    ax = sbg.plot(result, figsize=(3, 2), **options)
    figure = ax.figure
    renderer = drawn(figure)
    assert tuple(figure.get_size_inches()) == (3, 2)
    assert ax.get_window_extent(renderer).height > 0.45 * figure.bbox.height
    assert ax.child_axes == []
    title = title_of(ax).get_window_extent(renderer)
    assert title_of(ax).get_text().count("\n") <= 1
    assert title.x1 <= figure.bbox.x1
    assert title.y1 <= figure.bbox.y1
    legend = ax.get_legend()
    assert legend is None or not any(
        legend.get_window_extent(renderer).overlaps(box) for _, box in written(ax, renderer)
    )
    asked = sbg.plot(result, figsize=(3, 2), legend="below", **options)
    assert (asked.get_legend() is None) == (kind == "outcomes")  # which has nothing to explain


@pytest.mark.parametrize("kind", ["move", "jump", "reach", "simulation", "side view"])
def test_titles_of_figures_of_a_given_size_are_not_cut(results, kind, title_of):
    result, options = results[kind]
    ax = sbg.plot(result, figsize=(6, 4), **options)
    for dots in (72, 100, 150):
        ax.figure.set_dpi(dots)
        box = title_of(ax).get_window_extent(drawn(ax.figure))
        assert box.x0 >= 0, dots
        assert box.x1 <= ax.figure.bbox.x1, dots
        assert box.y1 <= ax.figure.bbox.y1, dots


@pytest.mark.parametrize("kind", ["simulation", "outcomes"])
@pytest.mark.parametrize("size", [(6, 4), (3, 2)])
def test_words_beside_bars_stay_in_a_figure_of_a_given_size(results, kind, size):
    result, _ = results[kind]
    for ax in (sbg.plot(result, figsize=size), sbg.plot(result, ax=Figure(figsize=size).subplots())):
        renderer = drawn(ax.figure)
        boxes = [text.get_window_extent(renderer) for text in ax.get_yticklabels()]
        assert len(boxes) > 2
        assert min(box.x0 for box in boxes) >= 0
        assert all(lower.y1 <= upper.y0 + 1 for upper, lower in itertools.pairwise(boxes))
        numbers = [text.get_window_extent(renderer) for text in ax.get_xticklabels()]
        assert all(one.x1 < two.x0 for one, two in itertools.pairwise(numbers))
        ends = [text for text in ax.texts if Text.get_window_extent(text, renderer).x1 > ax.figure.bbox.x1 + 1]
        assert [text.get_text() for text in ends] == []


@pytest.mark.parametrize("grid", [(1, 1), (1, 2), (2, 2)])
def test_a_legend_lies_on_no_line_or_bar_of_a_chart(results, grid):
    figure = Figure(figsize=(6, 4))
    axes = [sbg.plot(results["turns"][0], ax=ax) for ax in figure.subplots(*grid, squeeze=False).flat]
    renderer = drawn(figure)
    for ax in axes:
        legend = ax.get_legend()
        if legend is not None:
            box = legend.get_window_extent(renderer)
            for line in ax.lines:
                assert not line.get_path().transformed(line.get_transform()).intersects_bbox(box, filled=False)
            assert not any(patch.get_window_extent(renderer).overlaps(box) for patch in ax.patches)
