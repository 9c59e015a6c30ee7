"""Options of every picture, several results on one Axes, themes, and labels on crowded tables."""

from __future__ import annotations

import itertools
import math
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.palette import chance_colour
from sbg_sim.plot.themes import darkened


def test_unknown_options_say_what_exists(samples):
    with pytest.raises(SbgError, match=r"no option 'colour'; did you mean 'color'.*options:.*legend.*view"):
        sbg.plot(samples.reach(), colour="red")
    with pytest.raises(SbgError, match="legend='left' cannot be: it is one of 'auto', True, False, 'below'"):
        sbg.plot(samples.reach(), legend="left")
    for name, value in (("label", 4), ("label", ["a"]), ("legend", 7), ("names", [1]), ("zones", {})):
        with pytest.raises(SbgError, match=rf"{name}=.* cannot be: it is"):
            sbg.plot(samples.reach(), **{name: value})
    with pytest.raises(SbgError, match="ax=3 cannot be"):
        sbg.plot(samples.reach(), ax=3)
    for wrong in (
        {"title": 3},
        {"view": (0, 0, 1)},
        {"view": (0, 0, float("nan"), 1)},
        {"view": "fitt"},
        {"alpha": 2},
        {"color": "reddish"},
        {"figsize": (3,)},
    ):
        with pytest.raises(SbgError, match=next(iter(wrong))):
            sbg.plot(samples.reach(), **wrong)


@pytest.mark.parametrize("projection", ["3d", "polar", None])
def test_an_axes_that_is_not_flat_or_has_no_figure_is_refused(projection):
    ax = plt.figure().add_subplot(projection=projection)
    if projection is None:
        ax.remove()
    said = f"has the projection '{projection}'" if projection else "was removed from its figure"
    with pytest.raises(SbgError, match=said):
        sbg.plot(sbg.load("scenarios/jumping.toml"), ax=ax)
    plt.close("all")


def test_every_option_is_obeyed(samples):
    ax = sbg.plot(
        samples.reach(), figsize=(7, 4), title="mine", legend=False, view=(1, 2, 11, 9), names=False, zones=False
    )
    assert ax.get_figure().get_size_inches() == pytest.approx((7, 4))
    assert ax.get_title(loc="left") == "mine"
    assert ax.get_legend() is None
    assert ax.get_xlim() == (1, 11)
    gids = {a.get_gid() or "" for a in ax.get_children()}
    assert not [gid for gid in gids if gid.startswith(("name-", "zone-"))]
    assert sbg.plot(samples.reach(), title=False).get_title(loc="left") == ""
    coloured = sbg.plot(samples.reach(), color="#123456", alpha=0.5, label="him")
    fill = next(a for a in coloured.get_children() if a.get_gid() == "reach-1")
    assert fill.get_facecolor() == pytest.approx((0x12 / 255, 0x34 / 255, 0x56 / 255, 0.5), abs=1e-6)
    assert any(t.get_text().startswith("him: ") for t in coloured.get_legend().get_texts())


def test_an_axes_shows_itself_in_a_notebook_and_a_users_does_not(samples):
    assert sbg.plot(samples.reach())._repr_svg_().startswith("<svg")
    assert not hasattr(sbg.plot(samples.reach(), ax=Figure().add_subplot()), "_repr_svg_")


def test_two_results_have_colours_labels_and_one_view():
    table = sbg.load("scenarios/charging-2.toml")
    one, two = sbg.reach(table, "pippin"), sbg.reach(table, "uruk-3")
    ax = sbg.plot(two, ax=sbg.plot(one))
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert len(words) == len(set(words))
    assert any(w.startswith("uruk-3: centre can end") for w in words)
    fills = [a for a in ax.get_children() if a.get_gid() == "reach-1"]
    assert len({a.get_facecolor() for a in fills}) == 2
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    for reach in (one, two):
        a, b, c, d = reach.area.bounds
        assert (x0 <= a, c <= x1, y0 <= b, d <= y1) == (True,) * 4


def legs_of(ax):
    return [a for a in ax.get_children() if str(a.get_gid()).startswith("leg-")]


def test_a_result_beside_others_has_its_own_colour_throughout():
    table = sbg.load("scenarios/amon-hen.toml")
    asked = [sbg.Charge("lurtz", "merry"), sbg.Charge("uruk-1", "boromir"), sbg.Move("ugluk", (22, 14.5))]
    ax = sbg.plot(sbg.reach(table, "merry"))
    for question in asked:
        ax = sbg.plot(sbg.check(table, question), ax=ax)
    legend = ax.get_legend()
    told = [t.get_text().replace("\n", " ") for t in legend.get_texts()]
    ends = [a for a in ax.get_children() if a.get_gid() == "ghost-end"]
    ways = {to_hex(a.get_edgecolor() if a.get_gid() == "leg-arc" else a.get_color()) for a in legs_of(ax)}
    assert ways == {colour.lower() for colour in palette.CATEGORIES[1:4]}
    for model, colour in zip(("lurtz", "uruk-1", "ugluk"), palette.CATEGORIES[1:4], strict=True):
        end = ends.pop(0)
        assert to_hex(end.get_edgecolor()) == colour.lower(), model
        handle = legend.legend_handles[told.index(f"{model}: end of the move")]
        assert to_hex(handle.get_color()) == colour.lower(), model
    fills = [to_hex(a.get_facecolor()) for a in ax.get_children() if a.get_gid() == "swept"]
    assert len(set(fills)) == 4, fills  # what the reach covers, and a strip each


def chances_told(ax):
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    return [w for w in words if "centre can end" in w]


def test_a_joint_legend_tells_at_most_five_chances_and_what_is_grouped():
    table = sbg.load("scenarios/leaping-and-climbing.toml")
    ax = sbg.plot(sbg.reach(table, "aragorn"))
    assert chances_told(ax) == [
        "centre can end here: certain",
        "centre can end on this line: 5/6 (83 %)",
        "centre can end here: 1/6 (17 %)",
    ]
    sbg.plot(sbg.reach(table, "boromir"), ax=ax)
    assert chances_told(ax) == [
        "aragorn: centre can end here: certain",
        "aragorn: centre can end here or on a line: 5/6 (83 %) to 1/6 (17 %)",
        "boromir: centre can end here: certain",
        "boromir: centre can end here or on a line: 5/6 (83 %) to 1/6 (17 %)",
    ]
    words = [t.get_text() for t in ax.get_legend().get_texts()]
    assert "base, good side" in words  # the table is nobody's
    assert len(ax.get_legend().legend_handles) == len(words)
    sbg.plot(sbg.reach(table, "boromir"), ax=ax, label="again")
    assert len(chances_told(ax)) == 3
    assert chances_told(ax)[0] == "aragorn: centre can end here or on a line: certain to 1/6 (17 %)"


def test_a_result_that_bears_the_name_of_who_moves_says_it_once():
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.reach(table, "lurtz"), label="lurtz")
    sbg.plot(sbg.reach(table, "uruk-1"), ax=ax, label="uruk-1")
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert {"lurtz: who moves", "uruk-1: who moves", "uruk-1: its base can cover"} <= set(words)


def test_limits_of_the_user_stay(samples):
    ax = Figure().add_subplot()
    ax.set_xlim(3, 6)
    ax.set_ylim(4, 9)
    sbg.plot(samples.reach(), ax=ax)
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_aspect()) == ((3, 6), (4, 9), 1.0)


def test_a_second_result_in_the_dark_has_a_light_title_and_one_in_a_dark_style_a_dark_legend(samples, title_of):
    ax = sbg.plot(samples.reach(), ax=sbg.plot(samples.reach().table, theme="dark"), theme="dark")
    with plt.style.context("dark_background"):
        styled = sbg.plot(samples.reach())
    for drawn in (ax, styled):
        legend = drawn.get_legend()
        inks = [title_of(drawn).get_color(), *(t.get_color() for t in legend.get_texts())]
        assert all(sum(to_rgb(ink)) > 2 for ink in inks)
        assert sum(legend.get_frame().get_facecolor()[:3]) < 1


def test_a_wanted_colour_is_paler_where_less_is_sure_and_its_hatch_is_seen(samples):
    found = sbg.reach(sbg.load("scenarios/jumping.toml"), "pippin")
    ax = sbg.plot(found, color="#009e73")
    fills = [next(a for a in ax.patches if a.get_gid() == f"reach-{c}").get_facecolor()[:3] for c in ("1", "1/6")]
    assert sum(fills[0]) < sum(fills[1])
    assert fills[0] == pytest.approx(to_rgb("#009e73"), abs=0.01)


def test_a_legend_much_longer_than_its_picture_stands_under_it():
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(table, view=(0, 8, 36, 28))
    for name in ("lurtz", "ugluk", "mauhur", "merry"):
        sbg.plot(sbg.reach(table, name), ax=ax)
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0


def test_a_users_legend_covers_no_base(samples):
    figure = Figure(figsize=(5, 5))
    ax = sbg.plot(samples.move_yes(), ax=figure.add_subplot())
    box = ax.get_legend().get_window_extent().transformed(ax.transData.inverted())
    for model in samples.move_yes().table.standing():
        (x, y), r = model.at, model.radius
        assert x + r <= box.x0 or x - r >= box.x1 or y + r <= box.y0 or y - r >= box.y1


def test_names_with_dollars_are_names(tmp_path):
    from sbg_sim.table.frozen import FrozenMap

    rich = sbg.Model("$rich$ $x^", (4.0, 4.0), 1.0, 1.5, 6.0, "evil")
    table = sbg.Table(12, 12, models=FrozenMap({rich.id: rich}), title="$5 & <more>")
    text = sbg.svg(table)
    assert "$rich$ $x^" in text
    assert '<title id="picture-title">$5 &amp; &lt;more&gt;</title>' in text


def test_an_svg_says_what_it_shows(samples):
    text = sbg.svg(samples.move_yes())
    assert 'role="img"' in text[:600]
    assert "<desc" in text
    assert "sans-serif" in text
    assert "<circle" in text
    sizes = [float(s) for s in re.findall(r"font-size: ([\d.]+)px", text)]
    width = float(re.search(r'width="([\d.]+)pt"', text)[1])
    assert min(sizes) * 830 / width >= 8.5


def test_an_svg_keeps_the_digits_of_what_is_written():
    answer = sbg.check(sbg.load("scenarios/jumping.toml"), "pippin-too-far")
    text = sbg.svg(answer)
    assert answer.reason in text
    assert "needs 4.0010 in and has 4" in answer.reason
    assert max(len(found) for found in re.findall(r' d="M [\d.]+\.(\d+)', text)) <= 2


def test_what_can_be_reached_is_drawn_as_an_answer_too(samples):
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.check(table, "where-can-lurtz-go"))
    assert [a for a in ax.get_children() if a.get_gid() == "reach-1"]


def test_the_dark_theme_turns_every_colour(samples):
    light, dark = sbg.plot(samples.move_yes()), sbg.plot(samples.move_yes(), theme="dark")
    assert dark.get_facecolor()[:3] == pytest.approx((0x17 / 255,) * 3, abs=1e-3)
    pale = next(a for a in light.get_children() if (a.get_gid() or "").startswith("model-"))
    deep = next(a for a in dark.get_children() if a.get_gid() == pale.get_gid())
    assert sum(deep.get_facecolor()[:3]) < sum(pale.get_facecolor()[:3])
    assert "prefers-color-scheme: dark" in sbg.svg(samples.move_yes(), follow=True)
    for colour in (chance_colour(1), "#1f1f1f", "#b3001b"):
        assert darkened(colour) != colour
    signs = [[a for a in ax.lines if a.get_marker() == "o"] for ax in (light, dark)]
    for before, after in zip(*signs, strict=True):  # the dot at a way's end has no colour but its line's
        assert to_hex(after.get_markeredgecolor()) == darkened(to_hex(before.get_markeredgecolor()))


@pytest.mark.parametrize("make", ["move_yes", "jump", "move_short"])
def test_no_label_lies_on_the_rim_of_the_base_where_a_move_ends(samples, make):
    ax = sbg.plot(getattr(samples, make)())
    (ghost,) = [a for a in ax.patches if a.get_gid() == "ghost-end"]
    (x, y), r = ghost.center, ghost.radius
    assert ax.texts
    for text in ax.texts:
        box = text.get_window_extent().transformed(ax.transData.inverted())
        near = math.hypot(max(box.x0 - x, 0, x - box.x1), max(box.y0 - y, 0, y - box.y1))
        far = math.hypot(max(x - box.x0, box.x1 - x), max(y - box.y0, box.y1 - y))
        assert near > r or far < r, text.get_text()


def test_a_title_runs_on_over_the_legend(title_of):
    ax = sbg.plot(sbg.check(sbg.load("scenarios/jumping.toml"), "merry-across"))
    assert len(ax.get_title(loc="left").split("\n")) == 2  # the answer, and why
    place = title_of(ax).get_window_extent()
    assert place.width < ax.get_legend().get_window_extent().x1 - ax.get_window_extent().x0


def test_who_lies_is_named_off_the_bar_that_says_so(samples):
    row = [samples.model("a", (6, 6)), samples.model("b", (9, 6), prone=True)]
    ax = sbg.plot(samples.make_table(row), view=(4, 4, 11, 8))
    written = {t.get_gid(): t.get_window_extent().transformed(ax.transData.inverted()) for t in ax.texts}
    assert abs(written["name-a"].y0 + written["name-a"].y1 - 12) < 0.1
    assert not written["name-b"].overlaps(Bbox([[8.6, 5.95], [9.4, 6.05]]))


def test_arcs_with_dice_are_told_apart_without_colour():
    models = {
        "warg": {"at": [6, 6], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
        "eowyn": {"at": [9.5, 6], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[7, 0], [8, 0], [8, 14], [7, 14]]}
    charges = sbg.charges(sbg.Table(20, 14, models=models, terrain={"wall": wall}), "warg")
    chances = [chance for chance, _ in charges["eowyn"].by_chance]
    assert len(chances) > 1
    ax = sbg.plot(charges)
    arcs = [next(a for a in ax.lines if a.get_gid() == f"contact-eowyn-{chance}") for chance in chances]
    assert len({(a.get_linestyle(), str(a._unscaled_dash_pattern), a.get_marker()) for a in arcs}) == len(chances)
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert len([w for w in words if w.startswith("part of the base that can be charged: ")]) == len(chances)


def test_costs_are_drawn_as_isochrones():
    reach = sbg.reach(sbg.load("scenarios/movement-2.toml"), next(iter(sbg.load("scenarios/movement-2.toml").models)))
    ax = sbg.plot(reach, cost=True)
    words = [t.get_text() for t in ax.get_legend().get_texts()]
    assert "costs 0 to 1″" in words
    assert f"costs {reach.allowance - 1:g} to {reach.allowance:g}″" in words
    assert ax.get_title(loc="left").startswith(f"what it costs {reach.model} to end its move")
    # What the base covers is no pale cost.
    (swept,) = [patch for patch in ax.patches if patch.get_gid() == "swept"]
    assert swept.get_facecolor()[3] == 0


def test_isochrones_in_the_dark_are_lighter_where_dearer_and_only_lines_are_lines():
    table = sbg.load("scenarios/movement-2.toml")
    ax = sbg.plot(sbg.reach(table, next(iter(table.models))), cost=True, theme="dark")
    ax.get_figure(root=True).canvas.draw()
    fills = [patch for patch in ax.patches if (patch.get_gid() or "").startswith("costs-")]
    light = [sum(patch.get_facecolor()[:3]) for patch in fills]
    assert len(light) > 3
    assert (np.diff(light) > 0).all()


def test_a_legend_lists_terrain_whose_shape_is_in_view_not_its_box():
    corner = [[4, 4], [5, 4], [5, 12], [12, 12], [12, 13], [4, 13]]
    table = sbg.Table(24, 24, terrain={"ruin": {"tags": ["unscalable"], "height": 3, "polygon": corner}})
    told = [sbg.plot(table, view=view).get_legend() for view in ((7, 5, 12, 10), (7, 5, 13, 12.5))]
    assert sbg.plot(table, view=(7, 5, 11, 12)).get_legend() is None  # it only touches the view
    assert told[0] is None
    assert [t.get_text() for t in told[1].get_texts()] == ["unscalable (TER.5)"]


def test_results_about_the_same_model_are_told_apart():
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.reach(table, "lurtz"))
    sbg.plot(sbg.charges(table, "lurtz"), ax=ax)
    sbg.plot(sbg.charges(table, "lurtz"), ax=ax)
    sbg.plot(sbg.threats(table, "evil"), ax=ax)
    owners = {t.get_text().replace("\n", " ").partition(": ")[0] for t in ax.get_legend().get_texts()}
    assert {"lurtz", "lurtz, charges", "lurtz, charges (3)", "evil"} <= owners


def test_a_legend_lists_nothing_where_nothing_is_in_view():
    found = sbg.reach(sbg.load("scenarios/amon-hen.toml"), "lurtz")
    assert sbg.plot(found, view=(200, 200, 220, 220)).get_legend() is None
    words = [t.get_text() for t in sbg.plot(found, view=(20, 30, 26, 36)).get_legend().get_texts()]
    assert not any("centre" in w or "charged" in w for w in words)


@pytest.mark.parametrize("view", [(11, 17.9, 11.2, 18.1), (11, 17, 12, 18), (0, 0, 48, 36)])
@pytest.mark.parametrize("size", [(2, 2), (8, 6)])
def test_scales_have_numbers_and_they_stand_apart(view, size):
    ax = sbg.plot(sbg.load("scenarios/amon-hen.toml"), view=view, figsize=size, legend=False)
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in ax.get_xticklabels() if t.get_text()]
    seen = [b for b in boxes if ax.bbox.x0 - 1 <= (b.x0 + b.x1) / 2 <= ax.bbox.x1 + 1]
    assert len(seen) >= (3 if size == (8, 6) else 1)
    assert not any(Bbox.intersection(a, b) for a, b in itertools.pairwise(seen))


def test_what_the_bases_of_several_models_can_cover_has_a_colour_of_each():
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.reach(table, "lurtz"))
    for name in ("uruk-1", "uruk-2"):
        sbg.plot(sbg.reach(table, name), ax=ax)
    covered = [patch.get_facecolor() for patch in ax.patches if patch.get_gid() == "swept"]
    assert len(covered) == len(set(covered)) == 3
