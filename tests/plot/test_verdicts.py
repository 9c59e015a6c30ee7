"""Verdicts: the witness as it is, arcs as arcs, what is missing, what is in the way, what hides."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle

import sbg_sim as sbg
from sbg_sim.geometry.shapes import polygon
from sbg_sim.plot import palette, plot
from sbg_sim.plot.headlines import headline
from sbg_sim.plot.palette import FAULT
from sbg_sim.plot.routes import along, stretches
from sbg_sim.plot.sections import pieces_under, plot_section, profile
from sbg_sim.plot.verdicts import tangents
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Move, Sight
from sbg_sim.table.terrain import Terrain


def test_arcs_are_arcs(samples, by_gid):
    ax = plot(samples.move_yes())
    (arc,) = by_gid(ax, "leg-arc")
    assert isinstance(arc, Arc)
    turn = math.acos(samples.BASE / 2.6)
    assert tuple(arc.center) == (6.6, 10.0)
    assert arc.width == arc.height == pytest.approx(2 * samples.BASE)
    assert (arc.theta1, arc.theta2) == (
        pytest.approx(math.degrees(turn)),
        pytest.approx(180 - math.degrees(turn)),
    )
    straight = by_gid(ax, "leg-straight")
    assert len(straight) == 2
    assert straight[0].get_xydata()[0].tolist() == [4.0, 10.0]


def test_ghost_stands_where_the_move_ends(samples, by_gid):
    (ghost,) = by_gid(plot(samples.move_yes()), "ghost-end")
    assert isinstance(ghost, Circle)
    assert (tuple(ghost.center), ghost.radius) == ((9.2, 10.0), samples.R)


def test_cost_is_written_once_for_legs_that_cost_alike(samples, by_gid):
    ax = plot(samples.move_yes())
    turn = math.acos(samples.BASE / 2.6)
    length = 2 * math.sqrt(2.6**2 - samples.BASE**2) + samples.BASE * (math.pi - 2 * turn)
    assert [t.get_text() for t in by_gid(ax, "cost")] == [f"{length:.2f}″"]


def test_doubled_ground_says_so(samples):
    words = [s.words for s in stretches(samples.jump().route)]
    assert words[-1] == "0.5″ ×2 = 1″"
    assert words[1].startswith("jump: ")


def test_what_lies_beyond_the_move_is_drawn_apart(samples, by_gid, words):
    verdict = samples.move_short()
    ax = plot(verdict)
    (tick,) = by_gid(ax, "used-up")
    # 4 inches along: two tangent lengths and the arc between make the whole; the cut is on the last leg
    flat, turn = math.sqrt(2.6**2 - samples.BASE**2), math.acos(samples.BASE / 2.6)
    left = 4 - flat - samples.BASE * (math.pi - 2 * turn)
    assert 0 < left < flat
    last = verdict.route.legs[-1]
    expected = np.array(last.start) + (np.array(last.end) - last.start) * left / flat
    assert tick.get_xydata()[0] == pytest.approx(expected)
    assert "beyond its Move" in words(ax)


def test_a_late_leap_is_within_the_move(by_gid, words):
    """LEAP.1: 4 in of the Move of 6 are for a leap that begins after 2.5; its landing is no place out of reach."""
    verdict = sbg.check(sbg.load("scenarios/levels/leap-takes-the-move.toml"), "more-than-is-left")
    assert (verdict.chance, verdict.needed) == (Fraction(5, 6), pytest.approx(6.5))
    ax = plot(verdict)
    assert by_gid(ax, "used-up") == []
    assert "end of the move" in words(ax)
    assert "the place asked for: out of reach" not in words(ax)
    assert "beyond its Move" not in words(ax)
    side = plot_section(verdict)
    assert not [line for line in side.lines if str(line.get_gid()).endswith("-beyond")]
    remaining = replace(verdict.table, rulings=verdict.table.rulings.having("leap_needs", "remaining"))
    assert "the place asked for: out of reach" in words(plot(sbg.check(remaining, "more-than-is-left")))


@pytest.fixture
def cliffs():
    """A roof 5 in high, with a ladder; two have it before them, one stands on it."""
    models = {
        "e": {"at": [7, 9], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "f": {"at": [9, 6], "on": "roof", "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "g": {"at": [6.5, 19], "base": 1, "height": 1.5, "move": 4, "side": "good"},
    }
    roof = {"tags": ["platform"], "height": 5, "polygon": [[8, 4], [20, 4], [20, 22], [8, 22]]}
    return sbg.Table(
        24, 24, models=models, terrain={"roof": roof, "l": {"tags": ["ladder"], "at": [8, 19], "to": "roof"}}
    )


@pytest.mark.parametrize(
    ("model", "to", "on", "kind", "at", "high"),
    [
        ("e", (8.5, 9), "roof", "climb", (7.5, 9), 2.75),  # half an inch to the face, and half of what is left up it
        ("f", (7.5, 6), None, "descend", (7.5, 6), 2.25),  # half an inch to the rim, 2.75 down
        ("g", (8.5, 19), "roof", "ladder", (7.5, 19), 3.0),  # an inch to the ladder, and 3 of the 4 up it
    ],
)
def test_a_move_that_ends_on_a_face_is_used_up_there(cliffs, by_gid, model, to, on, kind, at, high):
    """CLB.1, CLB.4, CLB.5: from above it stands still meanwhile, from the side the way parts at its height."""
    verdict = sbg.check(cliffs, sbg.Move(model, to, on))
    assert verdict.route.legs[-1].kind == kind
    (tick,) = by_gid(plot(verdict), "used-up")
    assert tick.get_xydata()[0] == pytest.approx(at)
    side = plot_section(verdict)
    (near,) = (line for line in side.lines if line.get_gid() == f"leg-{kind}")
    (far,) = (line for line in side.lines if line.get_gid() == f"leg-{kind}-beyond")
    assert near.get_xydata()[-1].tolist() == far.get_xydata()[0].tolist()
    assert near.get_xydata()[-1][1] == pytest.approx(high)
    assert (np.diff(near.get_ydata()) * np.diff(near.get_xdata()) == 0).all()  # level, then along the face


def test_dice_stand_where_they_are_rolled(samples, by_gid, words):
    ax = plot(samples.climb())
    dice = by_gid(ax, "die")
    assert [d.get_xdata()[0] for d in dice] == pytest.approx([7 - samples.R, 11 - samples.R, 12 - samples.R])
    texts = {t.get_text().replace("\n", "; ") for t in ax.texts}
    assert {
        "Climb test: scaffold; 2+ gets up, 6 goes on",
        "Climb test, down: scaffold; 2+ gets down, 6 goes on",
        "Leap test: ditch; 2+ gets over, 6 goes on",
    } <= texts
    assert "a die is rolled here" in words(ax)


def test_a_violation_marks_its_place_and_who_is_in_the_way(samples, by_gid):
    ax = plot(samples.charge_refused())
    (cross,) = by_gid(ax, "fault-CHG.3")
    assert cross.get_xydata()[0].tolist() == [6.6, 10.3]
    (ring,) = by_gid(ax, "blamed-boromir")
    assert tuple(ring.center) == (8, 11)
    assert not by_gid(ax, "leg-")


def test_rules_broken_at_one_place_are_told_once_there(by_gid):
    # between two ranks each overlap and each zone was told for itself: the same two ids, a dozen times
    rows = {f"orc-{k}": Model(f"orc-{k}", (6 + 1.2 * (k // 2), 6 + 1.2 * (k % 2)), 1, 1.5, 6, "evil") for k in range(8)}
    table = Table(24, 24, models={"man": Model("man", (12, 12), 1, 1.5, 12, "good"), **rows})
    verdict = ask(table, Move("man", (7.8, 6.6)))
    assert len(verdict.violations) > len({v.rule for v in verdict.violations}) > 1
    ax = plot(verdict)
    (mark,) = by_gid(ax, "fault-")
    assert mark.get_xydata()[0].tolist() == [7.8, 6.6]
    told = [t.get_text() for t in ax.texts if t.get_color() == FAULT]
    assert len(told) == 1
    assert set(told[0].split(", ")) == {v.rule for v in verdict.violations if v.place is not None}


def test_sightline_is_the_witness(samples, by_gid):
    ax = plot(samples.sight(clear=True))
    (line,) = by_gid(ax, "sightline")
    assert line.get_xydata().tolist() == [[4.0, 10.0], [11.8, 11.25]]
    assert "eye at 1.5″" in [t.get_text() for t in ax.texts]


def test_what_hides_is_ringed_and_the_view_touches_the_target(samples, by_gid):
    verdict = samples.sight(clear=False)
    ax = plot(verdict)
    assert {a.get_gid() for a in by_gid(ax, "blamed-")} == {"blamed-wall", "blamed-orc"}
    rims = by_gid(ax, "view-rim")
    target = verdict.table.model("lurtz")
    for rim in rims:
        eye, end = rim.get_xydata()
        assert math.dist(end, target.at) == pytest.approx(target.radius)
        assert np.dot(end - eye, end - np.array(target.at)) == pytest.approx(0, abs=1e-9)  # a tangent
    assert len(rims) == 2
    assert tangents(target.at, target) == []


def test_measured_line_joins_nearest_edges(samples, by_gid):
    (line,) = by_gid(plot(samples.measured()), "distance")
    (start, end) = line._posA_posB
    assert start == pytest.approx((5 - samples.R, 6), abs=0.6)
    assert end[0] == pytest.approx(1.4)


def test_gap_is_measured_between_both(samples):
    texts = [t.get_text() for t in plot(samples.gap()).texts]
    assert f"{2.1 - samples.BASE:.2f}″" in texts


def test_headline_is_not_rounded_into_a_contradiction(samples):
    from dataclasses import replace

    verdict = replace(samples.move_yes(), answer="no", needed=6.0001, allowance=6.0, margin=-0.0001)
    assert "6.0001″ needed of 6″" in headline(verdict)
    assert "NO" in headline(verdict)


def test_headline_asks_for_the_place_that_decides():
    table = Table(24, 24, models=FrozenMap({"boromir": Model("boromir", (6, 12), 1.0, 1.5, 4, "good")}))
    assert "move to (10.001, 12)?" in headline(ask(table, Move("boromir", (10.001, 12))))


def test_view_is_the_neighbourhood_unless_asked(samples):
    near = plot(samples.move_yes())
    whole = plot(samples.move_yes(), whole=True)
    assert near.get_xlim()[1] - near.get_xlim()[0] < 12
    left, right = whole.get_xlim()
    assert left < 0
    assert right > 24
    assert near.get_xlim()[0] < 4 - samples.R
    assert near.get_xlim()[1] > 9.2 + samples.R


def test_along_follows_an_arc(samples):
    arc = samples.arc_route().legs[1]
    assert along(arc, 0) == pytest.approx(arc.start)
    assert along(arc, 1) == pytest.approx(arc.end)
    assert along(arc, 0.5) == pytest.approx((6.6, 10 + samples.BASE))


def test_section_rises_and_falls_with_the_route(samples, by_gid):
    verdict = samples.climb()
    steps = profile(verdict.table, verdict.route, None)
    heights = [(s.start[1], s.end[1]) for s in steps]
    assert heights == [(0, 0), (0, 2), (2, 2), (2, 0), (0, 0), (0, 0)]
    assert steps[-1].end[0] == pytest.approx(13 + samples.R - 4.5)
    strips = {p.id: (a, b, top) for p, a, b, top in pieces_under(verdict.table, verdict.route)}
    assert strips["scaffold"][0] == pytest.approx(2.5, abs=0.03)
    assert strips["scaffold"][1] == pytest.approx(6.5, abs=0.03)
    assert strips["scaffold"][2] == 2
    ax = plot_section(verdict)
    ditch = by_gid(ax, "terrain-ditch")[0]
    assert (ditch.get_y(), ditch.get_height()) == (-2, 2)
    assert len(by_gid(ax, "die")) == 3


def test_a_ladder_leads_down_before_the_face_and_not_through_it():
    tower = Terrain("tower", frozenset({"platform"}), polygon([(4, 4), (8, 4), (8, 8), (4, 8)]), height=3.0)
    ladder = Terrain("ladder", frozenset({"ladder"}), at=(8.0, 6.0), to="tower")
    guard = Model("guard", (6.0, 6.0), base=1.0, height=1.5, move=6.0, side="good", on="tower")
    table = Table(24.0, 24.0, models=FrozenMap({"guard": guard}), terrain=FrozenMap({"tower": tower, "ladder": ladder}))
    verdict = ask(table, Move("guard", (9.0, 6.0)))
    down = next(step for step in profile(table, verdict.route, "tower") if step.leg.kind == "ladder")
    assert (down.start, down.turn, down.end) == ((1.5, 3.0), 2.5, (2.5, 0.0))


def test_a_side_view_begins_as_far_up_a_face_as_who_hangs_there(by_gid):
    verdict = sbg.check(sbg.load("scenarios/half-way-up-tested-again.toml"), "and-on")
    assert verdict.table.model("aragorn").climbed == 3
    ax = plot(verdict, section=True).child_axes[0]
    (body,), (ghost,) = by_gid(ax, "model-"), by_gid(ax, "ghost-end")
    assert (body.get_y(), body.get_height()) == (3.0, 1.5)  # of the 5 in of the scaffold
    assert ghost.get_xy()[:, 1].min() == 5.0
    (climb,) = by_gid(ax, "leg-up") or by_gid(ax, "leg-climb")
    assert (climb.get_ydata()[0], climb.get_ydata()[-1]) == (3.0, 5.0)


def test_section_stands_under_the_plan_when_asked(samples):
    ax = plot(samples.climb(), section=True)
    (below,) = ax.child_axes
    assert below.get_ylabel() == "height"
    assert not plot(samples.climb()).child_axes


@pytest.mark.parametrize(
    ("file", "question", "new"),
    [
        ("levels/ruin", "up-and-over", []),
        ("sight-over-a-wall", "a-hundredth-lower", []),
        ("sight-over-a-wall", "a-hundredth-higher", ["no line of sight: the way the eye looks"]),
    ],
)
def test_the_legend_of_a_side_view_says_nothing_twice(file, question, new):
    ax = plot(sbg.check(sbg.load(f"scenarios/{file}.toml"), question), section=True)
    above, below = (axes.get_legend() for axes in (ax, *ax.child_axes))
    said = [t.get_text().replace("\n", " ") for t in below.get_texts()] if below else []
    assert said == new
    assert any(t.get_text() == "obstacle (TER.3, TER.4)" or "platform" in t.get_text() for t in above.get_texts())


def test_a_judged_route_shows_what_is_wrong_with_it_where(by_gid):
    table = sbg.load("scenarios/charging-2.toml")
    way = sbg.check(table, "third-to-pippin").route
    found = sbg.audit(table, "uruk-3", way, charging=("pippin",))
    (rule,) = {violation.rule for violation in found.violations}
    for ax in (sbg.plot(found), sbg.plot(found, ax=sbg.plot(table, title=False))):
        assert "not legal: a way that costs 8.22″ of 6″" in ax.get_title(loc="left").replace("\n", " ")
        (mark,) = by_gid(ax, f"fault-{rule}")
        assert np.allclose(mark.get_xydata(), [way.legs[-1].end])
    assert sbg.audit(table, "uruk-3", way, charging=("pippin",), allowance=9).legal
    head = sbg.plot(sbg.audit(table, "uruk-3", sbg.Route(()))).get_title(loc="left")
    assert head == "legal: a way of no legs: it stays where it is"


@pytest.mark.parametrize("question", ["up-the-ladder", "a-hair-too-high"])
def test_in_a_side_view_of_a_sheer_pit_no_words_cover_who_stands_in_it(question, by_gid):
    """It is as high as what is to be seen, though its sides have no height that could be climbed."""
    ax = plot(sbg.check(sbg.load("scenarios/levels/pit-with-a-ladder.toml"), question), section=True).child_axes[0]
    ax.figure.canvas.draw()
    assert ax.get_ylim() == pytest.approx((-3.35, 1.5 + 0.7))  # its bottom is 3 in deep, the model 1.5 in tall
    (body,) = by_gid(ax, "model-")
    inside, words = body.get_window_extent(), [t for t in ax.texts if t.get_text() != body.get_gid()[6:]]
    assert [t.get_text() for t in words if t.get_window_extent().overlaps(inside)] == []


def test_section_needs_a_route(samples):
    from sbg_sim.errors import SbgError

    with pytest.raises(SbgError, match="no route"):
        plot_section(samples.charge_refused())


def test_no_cross_where_the_picture_says_it_already(samples, by_gid):
    from dataclasses import replace

    from sbg_sim.table.violation import Violation

    short = replace(samples.move_short(), violations=(Violation("MOV.3", "too far", (8.0, 10.5)),))
    assert not by_gid(plot(short), "fault-")
    hidden = replace(samples.sight(clear=False), violations=(Violation("LOS", "hidden", (12, 10.8)),))
    assert not by_gid(plot(hidden), "fault-")


@pytest.mark.parametrize(("height", "seen"), [(1.0, True), (1.4, False)])
def test_a_look_from_the_side(by_gid, height, seen):
    """From an eye 1.5 in up, over a wall 2 in away, at a target of 1 in whose base begins 4.5 in away."""
    wall = Terrain("wall", frozenset({"obstacle"}), polygon([(12, 5), (12.5, 5), (12.5, 15), (12, 15)]), height=height)
    models = {
        "a": Model("a", (10, 10), 1.0, height=1.5, side="good"),
        "b": Model("b", (15, 10), 1.0, height=1.0, side="evil", prone=not seen),
    }
    verdict = ask(Table(24, 24, FrozenMap(models), FrozenMap({"wall": wall})), Sight("a", "b"), alternatives=False)
    assert (verdict.answer == "yes") == seen
    ax = plot(verdict, section=True)
    (below,) = ax.child_axes
    (strip,), (line,) = by_gid(below, "terrain-wall"), by_gid(below, "look")
    assert (strip.get_x(), strip.get_width(), strip.get_height()) == (
        pytest.approx(2, abs=0.05),
        pytest.approx(0.5, abs=0.05),
        height,
    )
    assert tuple(line.get_xydata()[0]) == (0.0, 1.5)
    (target,) = by_gid(below, "model-b")
    assert (target.get_x(), target.get_height()) == (pytest.approx(4.5), 1.0 if seen else 0.5)


def test_a_route_shows_itself_alone_and_over_a_table(by_gid):
    table = sbg.load("scenarios/jumping.toml")
    verdict = sbg.check(table, "pippin-goes-on")
    whole, alone = sbg.plot(verdict), sbg.plot(verdict.route)
    for ax in (alone, sbg.plot(verdict.route, ax=sbg.plot(table))):
        assert [leg.get_gid() for leg in by_gid(ax, "leg-")] == [leg.get_gid() for leg in by_gid(whole, "leg-")]
        told = sorted(t.get_text() for t in by_gid(ax, "cost"))
        assert told == sorted(t.get_text() for t in by_gid(whole, "cost")) == ["1.11″", "1.51″", "jump: 1.38″"]
        assert by_gid(ax, "die")
    for ax in (alone, sbg.plot(verdict.route, ax=Figure().add_subplot())):
        (end,) = by_gid(ax, "end")
        assert end.get_xydata().tolist() == [[10.0, 12.0]]
        (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
        assert x0 < 6
        assert x1 > 10
        assert y0 < 12 < y1
        assert ax.get_aspect() == 1
    assert "<svg" in verdict.route._repr_svg_()
    assert verdict.route.as_json() == verdict.as_json()["legs"]
    assert verdict.route.__geo_interface__["geometry"] == verdict.__geo_interface__["geometry"]
    assert sbg.plot(sbg.Route()).get_title(loc="left") == "a way of no legs: it stays where it is"


def test_what_is_beyond_the_move_is_told_apart_from_the_side_too():
    table = sbg.Table(24, 24, models={"gimli": {"at": [4, 12], "base": 1, "height": 1.2, "move": 5, "side": "good"}})
    ax = plot_section(sbg.check(table, sbg.Move("gimli", (12, 12))))
    near, far = (line for line in ax.lines if str(line.get_gid()).startswith("leg-straight"))
    assert near.get_xydata().tolist()[-1] == far.get_xydata().tolist()[0] == [5, 0]
    assert far.get_xydata().tolist()[-1] == [8, 0]
    assert (near.get_color(), far.get_color()) == (palette.PATH, palette.BEYOND)
    ax = plot_section(sbg.check(table, sbg.Move("gimli", (9, 12))))  # all of it, and no more
    assert [line.get_gid() for line in ax.lines if str(line.get_gid()).startswith("leg-")] == ["leg-straight"]


def test_a_look_over_one_as_high_as_the_eye_only_grazes():
    """From the second rank past a comrade in the first: all stand 1.5 in high."""
    high = {"base": 1, "height": 1.5}
    models = {
        "a": {**high, "at": [16, 12], "side": "good"},
        "b": {**high, "at": [18.5, 12], "base": 4, "side": "good"},
        "c": {**high, "at": [25.7, 12.1], "side": "evil"},
    }
    verdict = sbg.check(sbg.Table(48, 24, models=models), Sight("a", "c"))
    assert (verdict.answer, verdict.rulings) == ("yes", ("sight_grazing = blocks",))
    assert plot(verdict).get_title(loc="left").endswith("The look only grazes")


def test_a_gap_between_long_walls_is_seen_large():
    walls = {f"w{k}": {"tags": ["unscalable"], "polygon": [[8, a], [9, a], [9, b], [8, b]]}
             for k, (a, b) in enumerate(((0, 11.5), (12.5, 24)))}  # fmt: skip
    models = {"a": {"at": [5, 12], "base": 0.98, "height": 1.5, "move": 6, "side": "good"}}
    table = sbg.Table(24, 24, models=models, terrain=walls)
    ax = plot(sbg.check(table, sbg.Gap(("w0", "w1"), "a")))
    (low, high), (left, right) = ax.get_ylim(), ax.get_xlim()
    assert (low < 11.5, high > 12.5) == (True, True)  # all of the gap, and of who wants to pass
    assert (left < 4.5, right > 9) == (True, True)
    assert high - low < 12
