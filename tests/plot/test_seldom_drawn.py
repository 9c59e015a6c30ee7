"""What pictures say where there is nothing, too much, or something no drawing shows."""

import math
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
import shapely
from matplotlib.patches import Patch

import sbg_sim as sbg
from sbg_sim.plot import charts, denials, dispatch, entries, labels, options, outlines, terrain, vectors
from sbg_sim.plot.beneath import below_title
from sbg_sim.plot.canvas import TableAxes, explain
from sbg_sim.plot.convergence import plot_convergence
from sbg_sim.plot.files import render
from sbg_sim.plot.headlines import headline
from sbg_sim.plot.legends import legend
from sbg_sim.plot.reaches import draw_costs_of
from sbg_sim.plot.sections import plot_section
from sbg_sim.plot.sightlines import plot_sightline
from sbg_sim.plot.words import chance_text, inches_text

MAN = {"base": 1, "height": 1.5, "move": 6}


def table(models=None, pieces=None, **given):
    return sbg.Table(24, 24, models={n: {**MAN, **m} for n, m in (models or {}).items()}, terrain=pieces or {}, **given)


def facing(x=12.0, **more):
    return table({"a": {"at": [6, 12], "side": "good"}, "b": {"at": [x, 12], "side": "evil"}}, more)


def box(x0, y0, x1, y1, *tags, **given):
    return {"tags": list(tags), "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], **given}


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (1, "certain"),
        (0, "never"),
        (0.5, "50 %"),
        (Fraction(5, 6), "5/6 (83 %)"),
        (Fraction(1, 6**9), "9.9e-06 %"),
        (1 - Fraction(1, 6**4), "1295/1296 (99.9228 %)"),
        (1 - Fraction(1, 6**9), "over 99.9999 %"),
    ],
)
def test_chances_in_words(chance, words):
    """Only what is certain is told as certain."""
    assert chance_text(chance) == words


def test_without_end_is_written_as_a_sign():
    assert inches_text(math.inf) == "∞"


def test_the_middle_of_a_bent_line_is_half_way_along_it():
    assert outlines.shape_middle(sbg.line([(0, 0), (1, 0), (1, 3)], 0.2)) == (1.0, 1.0)


def test_a_picture_in_axes_of_ones_own_is_shown_by_their_figure():
    figure = plt.figure()
    ax = figure.add_subplot(axes_class=TableAxes)
    assert sbg.plot(facing())._repr_svg_().startswith("<svg")
    assert sbg.plot(facing(), ax=ax)._repr_svg_() is None
    plt.close(figure)


def test_a_number_stands_over_the_bar_of_who_lies():
    crowd = {f"m{i}": {"at": [6 + i % 6, 6 + i // 6], "side": "good", "prone": True} for i in range(36)}
    numbers = [text for text in sbg.plot(table(crowd)).texts if text.get_bbox_patch() is not None]
    assert {text.get_text() for text in numbers} >= {"0", "35"}


def test_outcomes_in_words():
    @dataclass(frozen=True)
    class Spell:
        strength_left: int
        target: str = ""
        broken: bool = True

    assert [charts.outcome_text(one) for one in (True, False)] == ["yes", "no"]
    assert charts.outcome_text(SimpleNamespace(words="falls")) == "falls"
    assert charts.outcome_text(Spell(3)) == "strength left 3, broken True"
    assert charts.outcome_text(Spell(0, broken=False)) == "nothing"


def test_a_long_key_runs_on_in_short_lines():
    key = [(str(k), f"name-{k}", "") for k in range(1, 21)]
    assert entries.key_lines(key[:2]) == [("1  name-1", ""), ("2  name-2", "")]
    lines = [line for line, _ in entries.key_lines(key)]
    assert max(map(len, lines)) <= 46
    assert len(lines) < len(key)
    assert " ".join(lines).replace("\u00a0", " ") == ", ".join(" ".join(row[:2]) for row in key)
    long = [(number, name * 3, "") for number, name, _ in key]
    assert [line for line, _ in entries.key_lines(long)] == [f"{number}  {name}" for number, name, _ in long]


def test_headlines_of_reaches():
    verdict = sbg.check(facing(), sbg.ReachOf("a"))
    assert headline(verdict).startswith("where can a end its move?")
    assert f"{verdict.area:.2f} square inches certain" in headline(verdict)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"figsize": (0, 3)}, "a width and a height over 0"),
        ({"figsize": "wide"}, "2 numbers"),
        ({"figsize": 4}, "2 numbers"),
        ({"view": (5, 0, 2, 4)}, "x0 < x1 and y0 < y1"),
    ],
)
def test_looks_that_there_are_not(given, words):
    with pytest.raises(sbg.SbgError, match=words):
        options.PictureOptions.wanted(**given)


def test_a_film_of_nothing(tmp_path):
    verdict = sbg.check(facing(), sbg.Charge("a", "b"))
    for given in ({"frames_per_second": 0}, {"seconds": 0}, {"seconds": -1}):
        with pytest.raises(sbg.SbgError, match="at least one frame per second and some time"):
            sbg.animate(verdict, tmp_path / "film.gif", **given)
    with pytest.raises(sbg.SbgError, match="nobody has moved in this phase"):
        sbg.animate(sbg.Phase(facing(), "good"), tmp_path / "film.gif")
    assert not list(tmp_path.iterdir())


def test_a_look_is_drawn_from_the_side_of_looks_alone():
    with pytest.raises(sbg.SbgError, match="no line of sight to draw from the side"):
        plot_sightline(sbg.check(facing(), sbg.Charge("a", "b")))
    ax = plot_sightline(sbg.check(facing(), sbg.Sight("a", "b")))
    x0, x1 = ax.get_xlim()
    assert x1 - x0 > 6  # all of the way between them


@pytest.mark.parametrize(
    ("file", "question"),
    [("sight-prone", "prone-behind-the-log"), ("sight-over-a-wall", "a-hundredth-higher")],
)
def test_a_name_beside_a_line_of_sight_lies_in_its_body_or_beside_it(file, question):
    ax = plot_sightline(sbg.check(sbg.load(f"scenarios/{file}.toml"), question))
    names = {text.get_text(): text.get_window_extent() for text in ax.texts}
    bodies = [patch for patch in ax.patches if (patch.get_gid() or "").startswith("model-")]
    assert len(bodies) > 1
    for patch in bodies:
        name, body = names[patch.get_gid().removeprefix("model-")], patch.get_window_extent()
        inside = body.x0 <= name.x0 and name.x1 <= body.x1 and name.y1 <= body.y1
        assert inside or not name.overlaps(body)


def test_a_figure_that_makes_room_itself_is_left_alone():
    """Without a layout engine the top comes down."""
    for layout, moved in (("constrained", False), (None, True)):
        figure, ax = plt.subplots(figsize=(4, 3), layout=layout)
        before = ax.get_position().y1
        below_title(ax, 1.5)
        assert (ax.get_position().y1 < before) == moved
        plt.close(figure)


def test_a_legend_that_is_not_wanted_goes():
    figure, ax = plt.subplots()
    sbg.plot(facing(bog=box(8, 8, 10, 10, "difficult")), ax=ax)
    assert ax.get_legend() is not None
    with options.with_options(options.PictureOptions.wanted(legend=False)):
        legend(ax)
    assert ax.get_legend() is None
    plt.close(figure)


def test_leaders_go_with_their_labels():
    ax = sbg.plot(facing())
    for k in range(12):  # so crowded that some stand off with a line
        labels.label(ax, (12, 18), f"a long label {k}", owner="crowd")
    count = len([line for line in ax.lines if line.get_gid() == "leader"])
    labels.forget(ax, "crowd")
    assert count > len([line for line in ax.lines if line.get_gid() == "leader"])


def test_an_area_of_nothing_has_a_path_that_draws_nothing():
    path = outlines.path_of(shapely.Polygon())
    assert (len(path.vertices), path.to_polygons()) == (1, [])


def test_a_platform_on_difficult_ground_has_both_hatches(words):
    ax = sbg.plot(facing(deck=box(8, 8, 10, 10, "platform", "difficult", height=1)))
    told = " ".join(words(ax))
    for kind in ("platform", "difficult"):
        assert terrain.palette.TERRAIN[kind].words in told


@pytest.mark.parametrize(
    ("piece", "rungs"),
    [
        (box(8, 8, 12, 12, "gap", depth=3), {"on": "piece"}),
        (box(8, 8, 12, 12, "platform", height=3), {"to": "piece"}),
        (box(8, 9, 20, 23, "platform", height=3), {"to": "piece"}),
        ({"tags": ["platform"], "height": 3, "circle": {"center": [10, 10], "radius": 2}}, {"to": "piece"}),
    ],
)
def test_a_ladder_lies_across_the_rim_it_leads_over(by_gid, piece, rungs):
    """Its foot stands on the west side, x = 8: its rails run along x, its rungs along y, wherever the middle is."""
    ladder = {"tags": ["ladder"], "at": [8, 10], **rungs}
    (drawn,) = by_gid(sbg.plot(table(pieces={"piece": piece, "rungs": ladder})), "terrain-rungs")
    *rails, _, _, _ = drawn.get_segments()
    assert [np.diff(rail, axis=0)[0] for rail in rails] == [pytest.approx((0.6, 0), abs=0.05)] * 2


def test_a_distance_to_a_ladder_has_both_ends_in_view():
    roof = box(8, 8, 10, 10, "platform", height=3)
    rungs = {"tags": ["ladder"], "at": [8, 9], "to": "roof"}
    there = table({"a": {"at": [6, 22], "side": "good"}}, {"roof": roof, "rungs": rungs})
    verdict = sbg.check(there, sbg.Measure("a", "rungs"))
    ax = sbg.plot(verdict)
    assert inches_text(verdict.inches) in [text.get_text() for text in ax.texts]
    low, high = ax.get_ylim()
    assert (low < 9, high > 22.5) == (True, True)


def test_standing_up_is_written_at_its_cost():
    ax = sbg.plot(sbg.check(table({"a": {"at": [6, 12], "prone": True}}), sbg.Move("a", (8, 12))))
    assert {"stand up: 3″", "2″"} <= {text.get_text() for text in ax.texts}


def test_a_film_that_cannot_be_written(tmp_path):
    verdict = sbg.check(facing(), sbg.Charge("a", "b"))
    for name in ("film.gif", "film.html"):
        (tmp_path / name).mkdir()
        with pytest.raises(sbg.SbgError, match=f"{name}: the film cannot be written"):
            sbg.animate(verdict, tmp_path / name, seconds=0.5, frames_per_second=2)


def test_pictures_of_a_closed_figure():
    figure, ax = plt.subplots()
    ax.remove()
    with pytest.raises(sbg.SbgError, match="belong to no figure any more"):
        render(ax, "png")
    plt.close(figure)


def test_a_class_of_ones_own_is_drawn_as_told():
    class Thing:
        pass

    name = f"{Thing.__module__}.{Thing.__qualname__}"
    dispatch.register(name, "tables:plot_table")
    try:
        assert dispatch._DRAWERS[name] == "tables:plot_table"
        with pytest.raises(AttributeError):  # it is taken for a table, which it is none
            sbg.plot(Thing())
    finally:
        del dispatch._DRAWERS[name]


def test_costs_of_who_reaches_nothing_are_no_lines():
    held = sbg.reach(table({"a": {"at": [6, 12], "may_move": False}}), "a")
    figure, ax = plt.subplots()
    assert draw_costs_of(ax, held) == []
    free = sbg.reach(table({"a": {"at": [6, 12], "move": 1}}), "a")
    assert draw_costs_of(ax, free)
    plt.close(figure)


def test_a_section_shows_flat_ground_below_the_table(by_gid):
    """A bog lies an eighth of an inch deep under the way; a wall stands on it; a ladder has nothing to show."""
    pieces = {
        "bog": box(8, 8, 10, 16, "difficult"),
        "wall": box(11, 0, 11.5, 24, "obstacle", height=1),
        "roof": box(8, 18, 10, 20, "platform", height=3),
        "rungs": {"tags": ["ladder"], "at": [8, 19], "to": "roof"},
    }
    ax = plot_section(sbg.check(table({"a": {"at": [6, 12], "move": 12}}, pieces), sbg.Move("a", (12.2, 12))))
    heights = {}
    for patch in ax.patches:
        box_ = patch.get_path().get_extents(patch.get_patch_transform())
        heights.setdefault(str(patch.get_gid()), []).append((round(float(box_.y0), 3), round(float(box_.y1), 3)))
    assert (-0.12, 0.0) in [span for spans in heights.values() for span in spans]
    assert (0.0, 1.0) in [span for spans in heights.values() for span in spans]


def test_whose_zone_denies_nothing_alone():
    ax = sbg.plot(sbg.denials(facing(x=23.4), "a"))
    assert ax.get_title(loc="left").endswith("no zone takes anything away on its own")


def test_more_denials_than_a_legend_lists(monkeypatch, words):
    evil = {f"orc-{k}": {"at": [11.5, 7 + 2.2 * k], "side": "evil"} for k in range(4)}
    found = sbg.denials(table({"a": {"at": [9, 10.3], "side": "good"}, **evil}), "a")
    monkeypatch.setattr(denials, "_LISTED", 1)
    told = sorted((e.area for e in found.entries if e.area >= denials._LEAST), reverse=True)
    assert len(told) > 1
    rest = f"{len(told) - 1} more, lettered on: at most {sum(told[1:]):.2f} square inches together"
    assert rest in words(sbg.plot(found))


def test_what_forbids_a_charge_is_shown_where_it_is(by_gid):
    """A wall before the target is marked as what hides it; a zone on the way where it would be entered."""
    pieces = {"wall": box(8, 10, 9, 14, "obstacle", height=4)}
    hidden = sbg.plot(sbg.charges(facing(**pieces), "a"))
    assert len(by_gid(hidden, "refused-b")) == 1
    assert [a for a in hidden.get_children() if "wall" in str(a.get_gid()) and "terrain" not in str(a.get_gid())]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("font: 10px 'DejaVu Sans', 'Arial', sans-serif; fill: red", "font-size: 10px; fill: red"),
        ("font: italic 700 12px 'DejaVu Sans', sans-serif", "font-style: italic; font-weight: 700; font-size: 12px"),
        ("font-family: 'DejaVu Sans', sans-serif; fill: red", "fill: red"),
    ],
)
def test_fonts_are_said_once_for_a_whole_drawing(before, after):
    assert vectors._small(f'<text style="{before}">a</text>') == f'<text style="{after}">a</text>'


def test_a_trial_that_converges():
    run = sbg.simulate(
        table({"a": {"at": [6, 12]}}, {"w": box(8, -1, 8.5, 25, "obstacle", height=1)}), sbg.Move("a", (9, 12)), 600, 1
    )
    ax = plot_convergence(run)
    said = f"{run.successes:,} of 600 trials: {run.frequency:.5f}, exact {chance_text(run.chance)}"
    assert ax.get_title(loc="left").startswith(said)


def test_legends_stand_free_where_there_is_nothing():
    figure, ax = plt.subplots()
    explain(ax, "a sign", Patch())
    legend(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a sign"]
    plt.close(figure)


def test_a_table_of_miles_has_few_ticks(caplog):
    ax = sbg.plot(sbg.Table(100_000, 24))
    ax.figure.canvas.draw()
    assert len(ax.xaxis.get_majorticklocs()) < 40
    assert not caplog.records
