"""A legend below stays inside a figure whose size was given; what finds no room there is counted."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import matplotlib.pyplot as plt
import pytest

import sbg_sim as sbg


def _meets(one, two):
    return one.x0 < two.x1 and one.x1 > two.x0 and one.y0 < two.y1 and one.y1 > two.y0


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("size", [(3, 3), (2.5, 2.5), (6, 3), (6, 8)])
def test_it_is_inside_the_users_figure_and_off_the_axes(size):
    figure, ax = plt.subplots(figsize=size)
    sbg.plot(sbg.load("scenarios/amon-hen.toml"), ax=ax, legend="below")
    figure.canvas.draw()
    box, whole = ax.get_legend().get_window_extent(), figure.bbox
    assert tuple(figure.get_size_inches()) == size
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= whole.x1 + 1
    assert not _meets(box, ax.get_window_extent())
    assert not _meets(box, ax.xaxis.get_tightbbox())


@pytest.mark.parametrize("dots", [90, 100, 130, 150, 200, 300])
def test_no_edge_cuts_a_legend_beside_a_map_at_other_dots_an_inch(dots):
    """At 100 dots an inch letters are set closer than at most others."""
    man = {"base": 1, "height": 1.5, "move": 10}
    turns = [(r, -math.pi * (i + 0.5) / k) for r, k in ((6, 6), (10, 12)) for i in range(k)]
    models = {"me": man | {"at": [24, 44], "side": "evil"}}
    for i, (r, turn) in enumerate(turns):
        name, side = ("warriors-of-minas-tirith", "good") if i % 2 else ("uruk-hai", "evil")
        models[f"{name}-{20 + i}"] = man | {"at": [24 + r * math.cos(turn), 44 + r * math.sin(turn)], "side": side}
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[26, 40], [26.3, 40], [26.3, 47], [26, 47]]}
    table = sbg.Table(48, 48, models=models, terrain={"wall": wall})
    figure = sbg.plot(sbg.reach(table, "me"), figsize=(6, 4)).figure
    figure.set_dpi(dots)
    figure.canvas.draw()
    (legend,) = (ax.get_legend() for ax in figure.axes if ax.get_legend() is not None)
    assert legend.get_window_extent().x1 <= figure.bbox.x1


def test_entries_without_room_are_counted():
    _, ax = plt.subplots(figsize=(3, 2.5))
    sbg.plot(sbg.charges(sbg.load("scenarios/charging-2.toml"), "uruk-3"), ax=ax, legend="below")
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said[-2].startswith("and ")
    assert said[-2].endswith(" more")
    assert said[-1].startswith("1\xa0aragorn, ")  # the key of the numbers stays


def test_a_subplot_keeps_its_legend_out_of_the_row_beneath():
    figure, axes = plt.subplots(2, 2, figsize=(8, 8))
    for ax in axes[0]:
        sbg.plot(sbg.load("scenarios/charging-2.toml"), ax=ax, legend="below")
    figure.canvas.draw()
    left, right = (ax.get_legend().get_window_extent() for ax in axes[0])
    assert not _meets(left, right)
    assert not any(_meets(box, ax.get_window_extent()) for box in (left, right) for ax in axes[1])


@pytest.mark.parametrize("size", [None, (10, 4), (12, 6)])
def test_titles_and_legends_of_subplots_stay_in_the_figure(size, title_of):
    """Two results on one Axes have two titles; the Axes makes room for them."""
    table = sbg.load("scenarios/charging-2.toml")
    figure, (one, two) = plt.subplots(1, 2, figsize=size)
    sbg.plot(sbg.reach(table, "aragorn"), ax=one, legend="below")
    for result in (sbg.safe(table, "pippin"), sbg.reach(table, "pippin")):
        sbg.plot(result, ax=two)
    figure.canvas.draw()
    for ax in (one, two):
        title, box, mine = (a.get_window_extent() for a in (title_of(ax), ax.get_legend(), ax))
        assert title.y1 <= figure.bbox.y1
        assert title.y0 >= mine.y1
        assert not _meets(box, mine)


def test_a_title_of_several_lines_stays_off_the_legend_above_it(title_of):
    table = sbg.load("scenarios/jumping.toml")
    figure, axes = plt.subplots(2, 2, figsize=(7, 8))
    for ax in axes[:, 0]:
        sbg.plot(sbg.check(table, "pippin-goes-on"), ax=ax, legend="below")
    figure.canvas.draw()
    assert not _meets(axes[0, 0].get_legend().get_window_extent(), title_of(axes[1, 0]).get_window_extent())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_legend_below_stands_under_what_stands_under_the_axes(theme):
    """Side views and closings-in are Axes in the Axes, with words under them."""
    hill = sbg.load("scenarios/amon-hen.toml")
    simulation = sbg.simulate(sbg.load("scenarios/jumping.toml"), "pippin-goes-on", trials=200, seed=1)
    tapes = sbg.load("scenarios/disputes/placed-by-tape.toml")
    for thing, options in (
        (sbg.check(hill, "gimli-up-to-the-seat"), {"section": True}),
        (sbg.check(hill, "legolas-sees-mauhur"), {"section": True}),
        (simulation, {}),
        (tapes, {"readings": True}),
    ):
        ax = sbg.plot(thing, theme=theme, legend="below", **options)
        ax.figure.canvas.draw()
        (below,) = ax.child_axes
        assert ax.get_legend().get_window_extent().y1 < below.get_tightbbox().y0


def test_neighbours_legends_stay_apart_at_fewer_dots():
    figure, axes = plt.subplots(2, 3, figsize=(15, 9))
    table = sbg.load("scenarios/amon-hen.toml")
    for ax, thing in zip(axes[0], (sbg.reach(table, "lurtz"), sbg.charges(table, "lurtz")), strict=False):
        sbg.plot(thing, ax=ax)
    for dots in (50, 80, 200):
        figure.set_dpi(dots)
        figure.canvas.draw()
        left, right = (ax.get_legend().get_window_extent() for ax in axes[0][:2])
        assert not _meets(left, right)


def test_bars_beside_another_axes_have_short_lines_of_words():
    run = sbg.simulate(sbg.load("scenarios/jumping.toml"), "pippin-goes-on", trials=200, seed=1)
    _, (_, ax) = plt.subplots(1, 2)
    sbg.plot(run, ax=ax)
    for drawn, most in ((ax, 20), (sbg.plot(run), 38)):
        lines = [line for text in drawn.get_yticklabels() for line in text.get_text().split("\n")]
        assert 10 < max(map(len, lines)) <= most


def crowd():
    """Two ranks of ten, one base from the other."""
    ranks = {"gondor": (10, "good"), "mordor": (14, "evil")}
    models = {
        f"{kind}-{i}": {"at": [4 + 1.1 * i, y], "base": 1, "height": 1, "move": 6, "side": side}
        for kind, (y, side) in ranks.items()
        for i in range(1, 11)
    }
    return sbg.Table(48, 48, models=models)


@pytest.mark.parametrize("size", [(3, 4), (2.5, 3)])
def test_what_numbers_mean_is_told_before_all_else(size):
    """Where there is no room for all of a legend the key of the numbers in the bases stays."""
    _, ax = plt.subplots(figsize=size)
    sbg.plot(sbg.reach(crowd(), "gondor-5"), ax=ax, legend="below", view="all")
    said = [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]
    assert any(words.startswith("and ") and words.endswith(" more") for words in said)
    assert said[-2:] == ["1–10 gondor-1 to gondor-10", "1–10 mordor-1 to mordor-10"]


def test_an_axes_that_its_legend_makes_small_has_fewer_ticks():
    figure, axes = plt.subplots(1, 3, figsize=(9, 4))
    for ax in axes:
        sbg.plot(sbg.reach(crowd(), "gondor-5"), ax=ax, view="all")
    figure.canvas.draw()
    for ax in axes:
        boxes = [label.get_window_extent() for label in ax.get_xticklabels() if label.get_text()]
        assert len(boxes) > 2
        assert not any(_meets(a, b) for a, b in itertools.pairwise(boxes))


def said_of(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("size", [(5, 3.4), (4, 5)])
def test_the_answers_own_words_are_left_out_after_those_of_the_table(size):
    """In a figure of a given size the legend tells the deciding numbers before what any table shows."""
    result = sbg.denials(crowd(), "gondor-5")
    ax = sbg.plot(result, figsize=size)
    ax.figure.canvas.draw()
    told, numbers = said_of(ax), [words for words in said_of(sbg.plot(result)) if "square inches" in words]
    assert len(numbers) > 2
    assert any(words.startswith("and ") for words in told)
    missing = {" ".join(words.split()) for words in numbers} - {" ".join(words.split()) for words in told}
    assert not missing or "base, good side" not in told
    assert ax.get_legend().get_window_extent().y0 >= 0


@pytest.mark.parametrize("size", [(6, 4), (8, 4), (6, 6)])
def test_in_a_figure_of_a_given_size_a_map_is_as_large_as_beside_its_legend(size):
    """Two ranks of ten: a table whose long key once took half of the figure."""
    ax = sbg.plot(sbg.reach(crowd(), "gondor-5"), figsize=size, view="all")
    ax.figure.canvas.draw()
    box, whole = ax.get_window_extent(), ax.figure.bbox
    assert tuple(ax.figure.get_size_inches()) == size
    assert box.height > 0.55 * whole.height or box.width > 0.55 * whole.width
    assert not _meets(ax.get_legend().get_window_extent(), box)


@pytest.mark.parametrize("size", [(6, 4), (8, 5)])
@pytest.mark.parametrize("kind", ["jump", "sight", "simulation", "sweep", "tapes"])
def test_what_stands_under_an_axes_shares_a_figure_of_a_given_size(kind, size):
    jumping, wall = (sbg.load(f"scenarios/{name}.toml") for name in ("jumping", "sight-over-a-wall"))
    with ThreadPoolExecutor(1) as here:
        swept = sbg.sweep(jumping, "pippin-goes-on", "terrain.wall.height", [0.3, 0.8, 1.1], executor=here)
    thing, options = {
        "jump": (sbg.check(jumping, "pippin-goes-on"), {"section": True}),
        "sight": (sbg.check(wall, "a-hundredth-higher"), {"section": True}),
        "simulation": (sbg.simulate(jumping, "pippin-goes-on", trials=200, seed=1), {}),
        "sweep": (swept, {}),
        "tapes": (sbg.load("scenarios/disputes/placed-by-tape.toml"), {"readings": True}),
    }[kind]
    ax = sbg.plot(thing, figsize=size, **options)
    figure = ax.figure
    figure.canvas.draw()
    (below,) = ax.child_axes
    assert tuple(figure.get_size_inches()) == size
    assert below.get_tightbbox().y0 >= -2
    assert ax.get_window_extent().height > 0.12 * figure.bbox.height
    assert below.get_window_extent().y1 < ax.get_window_extent().y0
    assert figure.bbox.y0 <= ax.get_legend().get_window_extent().y0
