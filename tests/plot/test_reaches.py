"""Reaches, charge lists, denials, phases: regions by chance, arcs on targets, and everything on one Axes."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import matplotlib.colors as colours
import matplotlib.pyplot as plt
import numpy as np
import pytest
import shapely
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Wedge

import sbg_sim as sbg
from sbg_sim.plot import palette, plot
from sbg_sim.plot.denials import _letter
from sbg_sim.plot.reaches import draw_reach
from sbg_sim.plot.themes import darkened


def contrast(one, other):
    """How much brighter the brighter of two colours is (WCAG 2)."""

    def bright(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colours.to_rgb(colour)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((bright(one), bright(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_region_per_chance_with_its_fraction(samples, by_gid, words):
    ax = plot(samples.reach())
    assert [a.get_gid() for a in by_gid(ax, "reach-")] == ["reach-1", "reach-5/6", "reach-1/6"]
    legend = words(ax)
    for phrase in ("certain", "5/6 (83 %)", "1/6 (17 %)"):
        assert f"centre can end here: {phrase}" in legend
    hatches = {palette.CHANCE_HATCHES[i] for i in range(3)}
    assert len(hatches) == 3


def test_surer_is_darker_in_grey():
    def grey(chance):
        r, g, b = colours.to_rgb(palette.chance_colour(chance))
        return 0.299 * r + 0.587 * g + 0.114 * b

    shades = [grey(Fraction(n, 36)) for n in range(37)]
    assert shades == sorted(shades, reverse=True)
    assert grey(Fraction(1, 6)) - grey(1) > 0.2


def test_regions_do_not_cover_each_other(samples, by_gid):
    ax = plot(samples.reach())
    places = {"reach-1": (10, 14), "reach-5/6": (13.4 + samples.R + 0.1, 12), "reach-1/6": (15, 12)}
    for gid, place in places.items():
        for patch in by_gid(ax, "reach-"):
            assert patch.get_path().contains_point(place) == (patch.get_gid() == gid)


def test_view_holds_the_reach(samples):
    reach = samples.reach()
    ax = plot(reach)
    x0, y0, x1, y1 = reach.swept.bounds
    assert ax.get_xlim()[0] < x0
    assert ax.get_xlim()[1] > x1
    assert ax.get_ylim()[0] < y0
    assert ax.get_ylim()[1] > y1


def test_contact_arcs_lie_on_the_enemy(samples, by_gid):
    ax = plot(samples.reach())
    (arc,) = by_gid(ax, "contact-lurtz")
    assert isinstance(arc, Arc)
    assert tuple(arc.center) == (7.3, 15.5)
    assert arc.width == samples.BASE
    assert (arc.theta1, arc.theta2) == pytest.approx((-140, -10))
    assert not by_gid(plot(samples.reach(), contacts=False), "contact-")


def test_reach_over_its_table_draws_the_table_once(samples, by_gid):
    reach = samples.reach()
    ax = plot(reach.table)
    before, view = len(by_gid(ax, "model-")), ax.get_xlim()
    assert plot(reach, ax=ax) is ax
    assert len(by_gid(ax, "model-")) == before
    assert ax.get_xlim() == view
    names = [t.get_gid() for t in by_gid(ax, "name-")]
    assert len(names) == len(set(names))
    assert len(by_gid(ax, "reach-")) == 3


def test_a_verdict_lies_over_a_reach(samples, by_gid, words):
    ax = plot(samples.move_yes(), ax=plot(samples.reach()))
    assert by_gid(ax, "leg-arc")
    assert by_gid(ax, "reach-1")
    assert "round-him: way of the base's centre" in words(ax)  # its own entry of one joint legend


def test_a_way_can_be_asked_for(samples, by_gid):

    reach = replace(samples.reach(), way=samples.arc_route())
    assert by_gid(plot(reach, to=(9.2, 10.0)), "leg-arc")


def test_a_place_that_is_asked_for_in_vain_is_marked(by_gid, words):
    """Beyond the Move, and on a roof to which a step leads up."""
    roof = {"tags": ["platform"], "height": 0.5, "polygon": [[14, 10], [18, 10], [18, 14], [14, 14]]}
    models = {"a": {"base": 1, "height": 1.5, "move": 6, "at": [12, 12]}}
    found = sbg.reach(sbg.Table(24, 24, models=models, terrain={"roof": roof}), "a")
    for to, why in (((4, 12), "it cannot certainly end there"), ((16, 12), "on another level alone")):
        ax = sbg.plot(found, to=to)
        (mark,) = by_gid(ax, "wanted")
        assert tuple(mark.center) == to
        assert f"the place asked for: {why}" in words(ax)
        assert ax.get_xlim()[0] <= to[0] <= ax.get_xlim()[1]
    assert not by_gid(sbg.plot(found, to=(9, 12)), "wanted")


def test_draws_into_an_axes_of_the_users(samples):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.set_title("mine")
    plot(samples.reach(), ax=left)
    assert left.get_title() == "mine"
    assert left.get_title(loc="left") == ""
    assert not right.patches
    artists = draw_reach(right, samples.reach())
    assert all(artist.axes is right for artist in artists)


def test_an_empty_reach_is_no_fault(samples, by_gid):

    import shapely

    nothing = shapely.Polygon()
    reach = replace(samples.reach(), area=nothing, regions=((Fraction(1), nothing),), swept=nothing, contacts={})
    ax = plot(reach)
    assert not by_gid(ax, "reach-")
    assert by_gid(ax, "model-aragorn")


def test_charge_room_by_target_in_its_own_hatch(samples, by_gid, words):
    ax = plot(samples.charges())
    rooms = by_gid(ax, "contact-room-")
    assert {a.get_gid().removeprefix("contact-room-") for a in rooms} == {"boromir", "merry", "pippin"}
    assert len({a.get_hatch() for a in rooms}) == 3
    for room in rooms:
        assert isinstance(room, Wedge)
        assert room.width == 2 * samples.R
    refused = {a.get_gid() for a in by_gid(ax, "refused-")}
    assert refused == {"refused-frodo", "refused-sam"}
    texts = [t.get_text() for t in ax.texts]
    assert "no: 1.8″ short" in texts
    assert "no: CHG.1" in texts
    assert any("pippin" in entry and "binds to merry" in entry for entry in words(ax))
    assert ax.get_title(loc="left").startswith("lurtz can charge boromir, merry and pippin")


def test_of_a_target_that_is_not_seen_it_is_not_said_how_far_the_charge_falls_short():
    """Nine inches of twice six: the move is 2 in short, yet behind the rock no Move would do."""
    foot = {"base": 1, "height": 1.5, "move": 6}
    models = {"a": {**foot, "side": "good", "at": [4, 12]}, "b": {**foot, "side": "evil", "at": [13, 12]}}
    rock = {"tags": ["unscalable"], "height": 5, "polygon": [[8, 11], [9, 11], [9, 13], [8, 13]]}
    table = sbg.Table(24, 24, models=models, terrain={"rock": rock})
    (entry,) = sbg.charges(table, "a")
    assert entry.verdict.margin < 0
    said = [t.get_text() for t in sbg.plot(sbg.charges(table, "a")).texts]
    assert "no: CHG.1" in said
    assert not any(text.endswith("short") for text in said)


def test_contact_room_touches_the_target_and_holds_the_charger(samples, by_gid):
    charges = samples.charges()
    ax = plot(charges)
    for entry in charges.entries[:3]:
        room = by_gid(ax, f"contact-room-{entry.target}")[0]
        end = entry.verdict.route.legs[-1].end
        assert math.dist(end, room.center) == pytest.approx(room.r - samples.R)


def test_denials_are_ranked(samples, by_gid, words):
    ax = plot(samples.denials())
    ranked = [entry for entry in words(ax) if "square inches" in entry]
    assert [entry.split(":")[0] for entry in ranked] == ["A  lurtz", "B  orc"]
    assert len(by_gid(ax, "denied-")) == 2
    # Beside it what is left of the reach.
    assert by_gid(ax, "reach-1")
    assert by_gid(ax, "swept")


def test_letters_of_ranks_go_on_after_z():
    assert [_letter(rank) for rank in (0, 25, 26, 51, 52, 27 * 26)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]


def test_a_phase_is_numbered_arrows(samples, by_gid):
    ax = plot(samples.phase())
    assert [a.get_gid() for a in by_gid(ax, "move-")] == ["move-1", "move-2"]
    assert [a.get_gid() for a in by_gid(ax, "refused-")] == ["refused-3"]
    assert [tuple(a.center) for a in by_gid(ax, "was-")] == [(4, 4), (7, 4)]
    assert "2. 2.69″ · rolled 4" in [t.get_text() for t in ax.texts]
    assert "merry's move is not allowed: CZ.1" in ax.get_title(loc="left")


def test_places_without_breadth_are_lines(samples, by_gid, words):
    import shapely

    reach = samples.reach()
    landing = shapely.LineString([(13.9, 8), (13.9, 16)])
    certain = reach.regions[0][1]
    regions = ((Fraction(1), certain), (Fraction(5, 6), shapely.union(certain, landing)))
    ax = plot(replace(reach, regions=regions))
    (line,) = by_gid(ax, "reach-line-5/6")
    assert line.get_xydata().tolist() == [[13.9, 8], [13.9, 16]]
    assert "centre can end on this line: 5/6 (83 %)" in words(ax)


def test_the_title_tells_of_every_level():
    import sbg_sim as sbg

    steps = {"low": {"tags": ["platform"], "height": 0.5, "polygon": [[9, 9], [15, 9], [15, 15], [9, 15]]}}
    model = {"at": [12, 12], "on": "low", "base": 1, "height": 1.5, "move": 6, "side": "good"}
    reach = sbg.reach(sbg.Table(24, 24, models={"m": model}, terrain=steps), "m")
    ground = reach.platforms[None][0][1].area
    title = sbg.plot(reach).get_title(loc="left")
    assert f"25.00 square inches certain for its centre on low (±0.01), {ground:.2f} on the ground" in title
    flat = sbg.reach(sbg.Table(24, 24, models={"m": {**model, "on": None}}), "m")
    assert "square inches certain for its centre (±" in sbg.plot(flat).get_title(loc="left")


def test_no_cost_meets_a_base_or_a_name():
    from matplotlib.transforms import Bbox

    import sbg_sim as sbg

    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.reach(table, "boromir"), cost=True)
    texts = [t for t in ax.texts if t.get_text()]
    costs = [t.get_window_extent() for t in texts if re.fullmatch(r"\d″", t.get_text())]
    names = [t.get_window_extent() for t in texts if t.get_text() in table.models]
    assert len(costs) > 8
    assert len(names) > 5
    for box in costs:
        assert not any(Bbox.intersection(box, name) for name in names)
        within = box.transformed(ax.transData.inverted())
        for model in table.standing():
            (x, y), r = model.at, model.radius
            apart = math.hypot(max(within.x0 - x, 0, x - within.x1), max(within.y0 - y, 0, y - within.y1))
            assert apart >= r


def test_a_cost_is_told_where_its_line_is_seen_around_it():
    import sbg_sim as sbg
    from tests.benchmarks.crowds import mixed

    reach = sbg.reach(mixed(11, models=60, pieces=20), "m5")
    ax = sbg.plot(reach, cost=True)
    told = [t for t in ax.texts if re.fullmatch(r"\d″", t.get_text())]
    # Of two pieces of the line of 2″ that end at bases, and of one in a corner that is no longer than its text.
    assert sorted(t.get_text() for t in told) == ["1″", "2″", "2″", "3″", "3″"]
    for text in told:
        assert reach.area.contains(shapely.Point(text.get_position()).buffer(0.08))
        assert reach.distance(text.get_position()) == pytest.approx(float(text.get_text()[:-1]), abs=0.02)


def test_no_cost_slips_under_a_base_where_the_legend_takes_room():
    me = {"at": [12, 12], "base": 1, "height": 1.5, "move": 10, "side": "good"}
    reach = sbg.reach(sbg.Table(24, 24, models={"me": me}), "me")
    figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
    for ax in axes:
        plot(reach, ax=ax, cost=True)
    figure.canvas.draw()
    for ax in axes:
        told = [t for t in ax.texts if re.fullmatch(r"\d″", t.get_text()) and t.get_visible()]
        assert len(told) > 2
        for text in told:
            box = text.get_window_extent().transformed(ax.transData.inverted())
            apart = math.hypot(max(box.x0 - 12, 0, 12 - box.x1), max(box.y0 - 12, 0, 12 - box.y1))
            assert apart >= 0.5
            assert math.dist(text.get_position(), (12, 12)) == pytest.approx(float(text.get_text()[:-1]), abs=0.01)


@pytest.fixture(scope="module")
def before_a_hedge():
    """One who stands before a hedge, between whom and it all costs are straight distances."""
    me = {"at": [6, 12], "base": 1, "height": 1.5, "move": 10, "side": "good"}
    hedge = sbg.Terrain("hedge", {"obstacle"}, sbg.line([(7.2, 0), (7.2, 24)], 0.1), height=1.2)
    return sbg.reach(sbg.Table(24, 24, models={"me": me}, terrain={"hedge": hedge}), "me")


def isochrones(ax):
    """Places on the lines of equal cost, and what they cost."""
    lines = [c for c in ax.collections if (c.get_gid() or "").startswith("isochrone-")]
    rows = [(c.get_gid().removeprefix("isochrone-"), np.concatenate(c.get_segments())) for c in lines]
    return [(float(cost), places) for cost, places in rows]


def test_lines_of_equal_cost_are_right_up_to_the_rim(before_a_hedge):
    lines = isochrones(plot(before_a_hedge, cost=True))
    assert [cost for cost, _ in lines] == [*range(1, 10)]
    for cost, places in lines:
        assert np.abs(np.hypot(*(places - (6, 12)).T) - cost).max() < 0.001  # by a grid it was 0.03 beside the rim
        if cost > 1:
            assert places[:, 0].max() == pytest.approx(6.65, abs=0.01)  # up to the hedge, of which nothing is drawn
            assert places[:, 0].min() == pytest.approx(max(6 - cost, 0.5), abs=0.01)


def test_costs_are_drawn_on_every_level(words):
    deck = sbg.Terrain("deck", {"platform"}, sbg.polygon([(4, 6), (12, 6), (12, 18), (4, 18)]), height=0.75)
    me = {"at": [10, 12], "on": "deck", "base": 1, "height": 1.5, "move": 6, "side": "good"}
    reach = sbg.reach(sbg.Table(24, 24, models={"me": me}, terrain={"deck": deck}), "me")
    ax = plot(reach, cost=True)
    below = {cost: places[places[:, 0] > 12.4] for cost, places in isochrones(ax)}
    assert [cost for cost, places in below.items() if len(places)] == [3, 4, 5]
    for cost, places in below.items():
        assert reach.distance_on(None, places) == pytest.approx(np.full(len(places), cost), abs=0.002)
        level = places[np.abs(places[:, 1] - 12) < 0.05]  # straight on: 2 to the side, a drop that costs nothing
        assert level[:, 0] == pytest.approx(np.full(len(level), 10 + cost), abs=0.01)
    assert "reach-1" not in {artist.get_gid() for artist in ax.patches}  # no level's ground is drawn by chance as well
    assert [row for row in words(ax) if row.startswith("costs")] == [f"costs {k} to {k + 1}″" for k in range(6)]


def test_costs_that_nothing_has_are_not_told(words):
    prone = sbg.Table(24, 24, models={"m": {"at": [12, 12], "base": 1, "height": 1, "move": 6, "prone": True}})
    reach = sbg.reach(prone, "m")
    ax = plot(reach, cost=True)
    # It crawls an inch; what is farther off costs half its Move to stand up as well.
    assert [row for row in words(ax) if row.startswith("costs")] == [f"costs {k} to {k + 1}″" for k in (0, 4, 5)]
    assert [cost for cost, _ in isochrones(ax)] == [1, 5]


def test_a_move_of_many_inches_has_no_more_lines_than_can_be_told_apart():
    bird = {"at": [24, 24], "base": 1, "height": 1.5, "move": 45, "side": "good"}
    lines = isochrones(plot(sbg.reach(sbg.Table(48, 48, models={"me": bird}), "me"), cost=True))
    assert [cost for cost, _ in lines] == [*range(3, 34, 3)]  # no corner of the table is farther off


def test_a_map_of_costs_shows_ground_that_takes_dice_too(before_a_hedge, by_gid, words):
    ax = plot(before_a_hedge, cost=True)
    assert by_gid(ax, "reach-line-5/6")
    assert by_gid(ax, "reach-1/6")
    assert "reach-1" not in [a.get_gid() for a in by_gid(ax, "reach-")]
    assert {"centre can end on this line: 5/6 (83 %)", "centre can end here: 1/6 (17 %)"} <= set(words(ax))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cost_can_be_read_on_every_band(theme):
    import sbg_sim as sbg

    ax = plot(sbg.reach(sbg.load("scenarios/amon-hen.toml"), "boromir"), cost=True, theme=theme)
    told = [t for t in ax.texts if re.fullmatch(r"\d″", t.get_text())]
    assert told
    for text in told:
        patch = text.get_bbox_patch()
        assert patch is not None
        assert patch.get_alpha() > 0.8
        assert contrast(text.get_color(), patch.get_facecolor()) > 7


def test_every_category_is_seen_on_dark_ground():
    for colour in palette.CATEGORIES:
        assert contrast(darkened(colour), darkened(palette.PAPER)) > 3.5


def test_pieces_of_one_line_are_drawn_as_one(samples, by_gid):
    reach = samples.reach()
    inner = shapely.union_all([area for _, area in reach.regions])
    bow = [(20 + math.cos(k / 9), 8 + math.sin(k / 9)) for k in range(12)]
    line = shapely.MultiLineString([bow[k : k + 2] for k in range(11)])
    regions = (*reach.regions, (Fraction(1, 36), shapely.GeometryCollection([*shapely.get_parts(inner), line])))
    (drawn,) = by_gid(plot(replace(reach, regions=regions)), "reach-line-1/36")
    assert len(drawn.get_xydata()) == 12


def test_no_base_is_cut_by_the_edge_and_no_name_in_one():
    import sbg_sim as sbg

    table = sbg.load("scenarios/charging-2.toml")
    ax = sbg.plot(sbg.reach(table, "pippin"))
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    for model in table.standing():
        (x, y), r = model.at, model.radius
        assert x0 <= x - r < x + r <= x1
        assert y0 <= y - r < y + r <= y1
    x, y = table.model("uruk-3").at
    cut = sbg.plot(sbg.reach(table, "pippin"), view=(x - 0.1, y - 4, x + 8, y + 4))
    frame = cut.get_window_extent()
    for name in (t for t in cut.texts if (t.get_gid() or "").startswith("name-")):
        box = name.get_window_extent()
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1


def test_arcs_on_a_table_of_an_inch_are_as_round_as_on_a_large_one(by_gid):
    """What lies between corners of the path strays by less than a fifth of a pixel where an inch is 500 wide."""
    base = {"base": 0.2, "height": 0.2, "move": 0.5}
    table = sbg.Table(1, 1, models={"a": {"at": [0.3, 0.3], **base, "side": "good"}})
    ax = plot(sbg.reach(table, "a"))
    xy = by_gid(ax, "reach-1")[0].get_path().vertices - (0.3, 0.3)
    far = np.hypot(*xy.T) > 0.499  # on the arc of its Move
    both = far[1:] & far[:-1]
    middle = (xy[1:] + xy[:-1])[both] / 2
    assert both.sum() > 15
    assert (0.5 - np.hypot(*middle.T)).max() < 4e-4
