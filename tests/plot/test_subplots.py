"""Results in the subplots of a small figure: words keep their places when legends and titles take room of the Axes."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest
import shapely
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import sbg_sim as sbg
from tests.plot.test_at_a_glance import contrast


@pytest.fixture(scope="module")
def drawn():
    table = sbg.load("scenarios/amon-hen.toml")
    figure, axes = plt.subplots(2, 2, figsize=(9, 7))
    results = sbg.threats(table, "evil"), sbg.reach(table, "lurtz"), sbg.denials(table, "merry"), table
    for ax, result in zip(axes.flat, results, strict=True):
        sbg.plot(result, ax=ax)
    figure.canvas.draw()
    yield figure, table
    plt.close(figure)


def boxes_of(ax):
    """Return what every text on an Axes that is no number in a base covers on paper, without its padding."""
    texts = [t for t in ax.texts if t.get_visible() and not t.get_text().isdigit()]
    return {f"{t.get_gid()} {t.get_text()}": Bbox(t.get_window_extent().get_points()).padded(-1.5) for t in texts}


@pytest.mark.parametrize("which", range(4))
def test_no_words_meet_each_other_or_a_base_and_all_are_in_view(drawn, which):
    figure, table = drawn
    ax = figure.axes[which]
    boxes, frame = boxes_of(ax), ax.get_window_extent().padded(1)
    assert boxes
    assert [names for names in itertools.combinations(boxes, 2) if boxes[names[0]].overlaps(boxes[names[1]])] == []
    for words, box in boxes.items():
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1, words
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1, words
        for model in table.standing():
            (x, y), r = model.at, 0.7 * model.radius  # corners of a box round a disc are free
            base = Bbox(ax.transData.transform([(x - r, y - r), (x + r, y + r)]))
            assert not box.overlaps(base.padded(-1)), words


@pytest.mark.parametrize("dots", [50, 72, 90, 120])
def test_legends_stay_in_the_figure_at_any_dots_per_inch(drawn, dots):
    figure, _ = drawn
    usual = figure.dpi
    figure.set_dpi(dots)
    figure.canvas.draw()
    boxes = [ax.get_legend().get_window_extent() for ax in figure.axes]
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)
    figure.set_dpi(usual)


@pytest.mark.parametrize("way", ["tight_layout", "subplots_adjust"])
def test_a_layout_made_afterwards_moves_legends_along(recwarn, way, title_of):
    table = sbg.load("scenarios/amon-hen.toml")
    figure, axes = plt.subplots(2, 2, figsize=(11, 9))
    results = sbg.reach(table, "lurtz"), sbg.charges(table, "lurtz"), sbg.reach(table, "boromir"), table
    for ax, result in zip(axes.flat, results, strict=True):
        sbg.plot(result, ax=ax)
    figure.tight_layout() if way == "tight_layout" else figure.subplots_adjust(hspace=0.4, bottom=0.05)
    figure.canvas.draw()
    assert [str(one.message) for one in recwarn] == []
    maps = [ax.get_window_extent() for ax in axes.flat]
    legends = [ax.get_legend().get_window_extent() for ax in axes.flat]
    titles = [title_of(ax).get_window_extent() for ax in axes.flat]
    for legend in legends:
        assert figure.bbox.y0 <= legend.y0
        assert not any(legend.overlaps(box) for box in maps + titles)
    plt.close(figure)


@pytest.mark.parametrize("layout", ["constrained", "compressed", "tight"])
def test_in_a_figure_that_lays_itself_out_nothing_covers_a_neighbour_or_is_cut(layout, title_of):
    """Maps whose legends took of their room beside charts, which know nothing of that."""
    table = sbg.load("scenarios/jumping.toml")
    played = sbg.simulate(table, "pippin-goes-on", trials=100, seed=7)
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout=layout)
    results = played, sbg.reach(sbg.load("scenarios/amon-hen.toml"), "lurtz"), played.distribution, played.verdict
    for ax, result in zip(axes.flat, results, strict=True):
        sbg.plot(result, ax=ax)
    figure.canvas.draw()
    words = [[title_of(ax), *filter(None, [ax.get_legend()])] for ax in axes.flat]
    mine = [[a.get_window_extent() for a in (ax, *row)] for ax, row in zip(axes.flat, words, strict=True)]
    plt.close(figure)
    assert sum(map(len, mine)) == 11
    for box in itertools.chain(*mine):
        assert figure.bbox.padded(1).containsx(box.x0)
        assert figure.bbox.padded(1).containsx(box.x1)
        assert figure.bbox.padded(1).containsy(box.y0)
        assert figure.bbox.padded(1).containsy(box.y1)
    for one, two in itertools.combinations(mine, 2):
        assert not any(a.padded(-1).overlaps(b) for a in one for b in two)


@pytest.mark.parametrize("layout", ["constrained", "tight", "afterwards", None])
def test_a_map_over_its_legend_is_no_smaller_in_a_figure_that_lays_itself_out(layout):
    """What the Axes gave up for its legend is not taken twice."""
    table = sbg.load("scenarios/amon-hen.toml")
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout=None if layout == "afterwards" else layout)
    for ax, result in zip(axes, (sbg.reach(table, "lurtz"), sbg.safe(table, "merry")), strict=True):
        sbg.plot(result, ax=ax)
    if layout == "afterwards":
        figure.tight_layout()
    for _ in range(2):  # nor with every drawing
        figure.canvas.draw()
    maps, legends = ([part.get_window_extent() for part in parts] for parts in (axes, [a.get_legend() for a in axes]))
    plt.close(figure)
    assert min(box.height for box in maps) > 0.3 * figure.bbox.height
    for box, words in zip(maps, legends, strict=True):
        assert words.y0 >= 0
        assert not words.overlaps(box)


def test_words_in_a_figure_that_lays_itself_out_stand_where_there_is_room_for_them_now():
    """The second map's title takes of the room of the first, whose names look for places anew."""
    table = sbg.load("scenarios/amon-hen.toml")
    figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for ax in axes:
        sbg.plot(sbg.reach(table, "lurtz"), ax=ax, title="one\ntwo\nthree\nfour" if ax is axes[1] else True)
    figure.canvas.draw()
    for ax in axes:
        boxes, frame = boxes_of(ax), ax.get_window_extent().padded(2)
        assert [two for two in itertools.combinations(boxes, 2) if boxes[two[0]].overlaps(boxes[two[1]])] == []
        assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes.values())
    plt.close(figure)


@pytest.mark.parametrize("size", [(5, 4.5), (7, 7), (12, 10)])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_legend_covers_nothing_of_the_answer(layout, size):
    """What has no names on it is no free corner."""
    hill = sbg.load("scenarios/amon-hen.toml")
    denials, reach = sbg.denials(hill, "merry"), sbg.reach(hill, "merry")
    figure, ax = plt.subplots(figsize=size, layout=layout)
    sbg.plot(denials, ax=ax)
    figure.canvas.draw()
    box = ax.get_legend().get_window_extent().transformed(ax.transData.inverted())
    plt.close(figure)
    over = shapely.box(*box.extents)
    assert not shapely.intersects([reach.swept, *(entry.region for entry in denials)], over).any()


def test_titles_that_grew_twice_stay_in_their_room_when_a_layout_is_made_afterwards(title_of):
    table = sbg.load("scenarios/charging-2.toml")
    figure, axes = plt.subplots(2, 1, figsize=(6, 9), gridspec_kw={"hspace": 0.0})
    for name in ("pippin", "uruk-3", "aragorn"):  # three titles under each other
        sbg.plot(sbg.reach(table, name), ax=axes[1])
    figure.subplots_adjust(bottom=0.05)
    figure.canvas.draw()
    above = axes[0].get_position(original=True).transformed(figure.transFigure)
    title = title_of(axes[1]).get_window_extent()
    plt.close(figure)
    assert axes[1].get_window_extent().y1 < title.y0 < title.y1 < above.y0 + 1


def test_a_legend_written_again_stands_where_it_stood():
    table = sbg.load("scenarios/charging-2.toml")
    figure, axes = plt.subplots(2, 1, figsize=(5, 8))
    sbg.plot(sbg.reach(table, "aragorn"), ax=axes[0])
    feet = []
    for _ in range(2):
        sbg.plot(sbg.reach(table, "pippin"), ax=axes[0])
        feet.append(axes[0].get_legend().get_window_extent().y0)
    plt.close(figure)
    assert feet[0] == pytest.approx(feet[1], abs=1)


def test_words_in_a_users_font_are_measured_in_it_and_titles_end_in_the_figure(title_of):
    with plt.rc_context({"font.size": 16, "font.family": "serif"}):
        figure, ax = plt.subplots(figsize=(8, 6))
        table = sbg.load("scenarios/charging-2.toml")
        sbg.plot(table, ax=ax)
        figure.canvas.draw()
        title, names = title_of(ax).get_window_extent(), boxes_of(ax).values()
    plt.close(figure)
    assert title.x0 >= 0
    assert title.x1 <= figure.bbox.x1
    for model in table.standing():
        (x, y), r = model.at, 0.7 * model.radius
        base = Bbox(ax.transData.transform([(x - r, y - r), (x + r, y + r)]))
        assert not any(name.overlaps(base) for name in names), model.id


def test_the_title_of_a_slim_map_takes_the_room_of_its_axes(title_of):
    """Beside a map that is slimmer than its Axes nothing is left blank while the title is broken into many lines."""
    figure, ax = plt.subplots(figsize=(6, 5))
    head = "A rather long title of a table that tells of a fight in a slim passage between two walls"
    sbg.plot(sbg.Table(8, 48, title=head), ax=ax)
    assert ax.get_title(loc="left").count("\n") == 1
    box, room = title_of(ax).get_window_extent(), ax.get_position(original=True).transformed(figure.transFigure)
    assert box.x0 == pytest.approx(room.x0, abs=1)
    assert box.x1 < room.x1 + 0.05 * room.width


@pytest.mark.parametrize("result", ["distribution", "simulation", "campaign"])
def test_what_charts_say_can_be_read_in_a_dark_style(result):
    table = sbg.load("scenarios/jumping.toml")
    played = sbg.simulate(table, "pippin-goes-on", trials=100, seed=7)
    asked = {"distribution": played.distribution, "simulation": played}
    with plt.style.context("dark_background"):
        figure, ax = plt.subplots()
        sbg.plot(asked[result] if result in asked else sbg.campaign(table, "pippin-too-far"), ax=ax)
        figure.canvas.draw()
    written = [t for t in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()] if t.get_text()]
    assert len(written) > 5
    for text in written:
        assert contrast(text.get_color(), ax.get_facecolor()) > 4, text.get_text()
    plt.close(figure)


def rendered(figure):
    """A figure as it is written to a file."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def test_what_is_written_at_bars_stays_in_its_subplot():
    run = sbg.simulate(sbg.load("scenarios/jumping.toml"), "pippin-goes-on", trials=2000, seed=1)
    figure = Figure(figsize=(9, 4))
    for ax in figure.subplots(1, 2):
        sbg.plot(run, ax=ax)
    renderer = rendered(figure)
    for ax in figure.axes:
        edge = ax.get_window_extent(renderer).x1
        said = [text for text in ax.texts if "exact" in text.get_text()]
        assert len(said) == 4
        assert [text.get_text() for text in said if text.get_window_extent(renderer).x1 > edge + 1] == []


@pytest.mark.parametrize(("size", "layout"), [((11, 5), None), ((8, 6), "constrained"), ((5, 9), "tight")])
def test_inches_along_an_axis_stand_apart_whatever_room_is_left(size, layout):
    table = sbg.load("scenarios/charging-2.toml")
    figure = Figure(figsize=size, layout=layout)
    for ax in figure.subplots(1, 2):
        sbg.plot(sbg.safe(table, "pippin"), ax=ax)
    renderer = rendered(figure)
    for ax in figure.axes:
        low, high = ax.get_xlim()
        labels = [text for text in ax.get_xticklabels() if low <= text.get_position()[0] <= high]
        boxes = [text.get_window_extent(renderer) for text in labels]
        assert len(boxes) > 1
        assert min(b.x0 - a.x1 for a, b in itertools.pairwise(boxes)) > 2
