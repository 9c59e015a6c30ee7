"""Lines of sight: edges by formula, a slow sampling oracle away from them, symmetry, and the rulings."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.rules.sight import look
from sbg_sim.scenario import read
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

SCENARIOS = Path(__file__).parents[2] / "scenarios"
WALL = frozenset({"obstacle"})


def table(models, terrain=(), **rulings):
    return Table(
        48,
        48,
        models=FrozenMap({m.id: m for m in models}),
        terrain=FrozenMap({t.id: t for t in terrain}),
        rulings=Rulings(FrozenMap(rulings)),
    )


def man(name, at, height=1.5, base=1.0, **more):
    return Model(name, at, base, height, **more)


def wall(x0, x1, height, y0=-20.0, y1=60.0, name="wall", **more):
    return Terrain(name, WALL, polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height=height, **more)


def edge(height_at, sees_below, *, build):
    """A wall of exactly the height lets through, lower too; a micro-inch higher does not."""
    for less in (-0.01, -1e-6, 0.0):
        assert look(build(height_at + less), "a", "b").seen is sees_below
    for more in (1e-6, 0.01):
        assert look(build(height_at + more), "a", "b").seen is not sees_below


# --- exact at the edges ------------------------------------------------------------------------------------


def test_over_a_wall_down_at_a_smaller_target():
    # from (5, 1.5) to the far rim of the top (15.5, 1.0), past the wall's far edge at x = 11
    h = 1.5 - 0.5 * (11 - 5) / (15.5 - 5)
    edge(h, True, build=lambda h: table([man("a", (5, 5)), man("b", (15, 5), 1.0)], [wall(10, 11, h)]))


def test_over_a_wall_up_at_a_taller_target():
    # the top's near rim (14.5, 3.0) is the highest thing in the picture; the wall's near edge bars first
    h = 1.5 + 1.5 * (10 - 5) / (14.5 - 5)
    edge(h, True, build=lambda h: table([man("a", (5, 5)), man("b", (15, 5), 3.0)], [wall(10, 11, h)]))


def test_equal_heights_meet_level_with_the_wall():
    edge(1.5, True, build=lambda h: table([man("a", (5, 5)), man("b", (15, 5))], [wall(10, 11, h)]))


def test_a_prone_target_counts_half_its_height():
    h = 1.5 - 0.75 * (11 - 5) / (15.5 - 5)
    edge(h, True, build=lambda h: table([man("a", (5, 5)), man("b", (15, 5), prone=True)], [wall(10, 11, h)]))


def test_a_prone_looker_looks_from_half_its_height():
    h = 0.75 + 0.75 * (10 - 5) / (14.5 - 5)
    edge(h, True, build=lambda h: table([man("a", (5, 5), prone=True), man("b", (15, 5))], [wall(10, 11, h)]))


def test_a_model_in_the_way():
    def build(h):
        return table([man("a", (5, 5)), man("c", (10, 5), h, base=1.0), man("b", (15, 5), 1.0, base=0.2)])

    # the target is so narrow that it is wholly behind the disc; straight ahead is a bound, not the best
    h = 1.5 - 0.5 * (10.5 - 5) / (15.1 - 5)
    top = best_over_disc(5.0, 0.5, 10.0, 0.1)
    assert top >= h - 1e-12
    edge(top, True, build=build)


def best_over_disc(d, r, far, narrow):
    """Greatest height of a disc (centre d, radius r) over which the top of another (far, narrow) shows.

    Along angle t the height that lets through is 1.5 - 0.5 * exit(t) / end(t); angles on a fine grid.
    """
    lean = math.asin(narrow / far)

    def allowed(t):
        out = d * math.cos(t) + math.sqrt(max(0.0, r * r - (d * math.sin(t)) ** 2))
        end = far * math.cos(t) + math.sqrt(max(0.0, narrow * narrow - (far * math.sin(t)) ** 2))
        return 1.5 - 0.5 * out / end

    return max(allowed(t) for t in np.linspace(-lean, lean, 400001))


def test_round_the_end_of_a_tall_wall():
    # the target's upper tangent from the eye at (5, 5): the wall may reach up to it at its near side
    lean = math.asin(0.5 / 10)
    reach = 5 + 5 * math.tan(lean)  # at x = 10, the near side of a wall that comes from below
    for less, seen in ((-1e-6, True), (0.0, True), (1e-6, False)):
        thing = wall(10, 11, 9.0, y1=reach + less)
        assert look(table([man("a", (5, 5)), man("b", (15, 5))], [thing]), "a", "b").seen is seen


def test_between_two_tall_discs_that_touch():
    # the common tangent of two touching discs is the only line left, and grazing it is allowed
    def seen(gap):
        discs = [man(n, (10, 5 + s * (0.5 + gap / 2)), 3.0) for n, s in (("c", 1), ("d", -1))]
        return look(table([man("a", (5, 5)), man("b", (15, 5), base=0.2), *discs]), "a", "b").seen

    assert seen(0.0)
    assert seen(1e-6)
    assert not seen(-1e-6)


def test_along_the_side_of_a_wall():
    for less, seen in ((-1e-6, True), (0.0, True), (1e-6, False)):
        # the eye and the target's topmost point are both at y = 5.05, the rest of the target lower
        thing = wall(6, 14, 9.0, y1=5.05 + less)
        models = [man("a", (5, 5.05)), man("b", (15, 5.0), base=0.1)]
        assert look(table(models, [thing]), "a", "b").seen is seen


def test_a_thick_line_is_round_at_its_ends():
    # its tip reaches to x = 10 at y = 5: tangent circle of radius 0.25 about (10, 4.75 + d)
    lean = math.asin(0.5 / 10)
    # distance of the spine's end from the upper tangent through the eye must be at least 0.25
    y = 5 + (5 * math.sin(lean) - 0.25) / math.cos(lean)
    for less, seen in ((-1e-6, True), (1e-6, False)):
        thing = Terrain("hedge", WALL, line([(10, -20), (10, y + less)], 0.5), height=9.0)
        assert look(table([man("a", (5, 5)), man("b", (15, 5))], [thing]), "a", "b").seen is seen


def test_crossing_of_two_low_walls():
    # two wedges whose far sides cross before the target: the least is in the way where they cross
    one = Terrain("one", WALL, polygon([(9, 0), (9, 12), (10.5, 12)]), height=1.2)
    two = Terrain("two", WALL, polygon([(9, -2), (10.5, -2), (9, 10)]), height=1.2)
    models = [man("a", (5, 5)), man("b", (15, 5), 1.0, base=1.0)]
    level = threshold(lambda h: table(models, [scaled(one, h), scaled(two, h)]))
    assert sampled_threshold(models, one, two) == pytest.approx(level, abs=2e-4)


def scaled(piece, h):
    return Terrain(piece.id, piece.tags, piece.shape, height=h)


def threshold(build):
    low, high = 0.0, 1.5
    while high - low > 1e-9:
        mid = (low + high) / 2
        low, high = (mid, high) if look(build(mid), "a", "b").seen else (low, mid)
    return low


def sampled_threshold(models, *pieces):
    """Greatest common height of the pieces past which a look passes, by sampling angles."""
    (ex, ey), (tx, ty) = models[0].at, models[1].at
    far, r = math.dist((ex, ey), (tx, ty)), models[1].radius
    base = math.atan2(ty - ey, tx - ex)
    lean = math.asin(r / far)
    best = 0.0
    for t in np.linspace(-lean, lean, 401):
        s = np.linspace(0, far + r, 4001)
        xy = np.column_stack([ex + s * math.cos(base + t), ey + s * math.sin(base + t)])
        inside = np.zeros(len(s), dtype=bool)
        for piece in pieces:
            inside |= piece.shape.contains(xy)
        end = far * math.cos(t) + math.sqrt(max(0.0, r * r - (far * math.sin(t)) ** 2))
        last = s[inside].max(initial=0.0)
        best = max(best, 1.5 - 0.5 * last / end)
    return best


# --- platforms ---------------------------------------------------------------------------------------------


def platform(name, x0, x1, height, on=None, y0=0.0, y1=10.0):
    return Terrain(
        name, frozenset({"platform"}), polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height=height, on=on
    )


def test_a_platforms_rim_hides_what_stands_close_below():
    # eye 1.5 above a platform of 3 whose rim is at x = 10; the target's far top rim shows past it
    rim = 10.0

    def seen(x):
        models = [man("a", (7, 5), on="deck"), man("b", (x, 5), 1.0)]
        return look(table(models, [platform("deck", 0, rim, 3.0)]), "a", "b").seen

    # falls 1.5 over 3 to the rim, so 3.5 over 7: the far top rim of the target must be at 14 or beyond
    assert seen(13.5 + 1e-6)
    assert not seen(13.5 - 1e-6)


def test_platforms_stand_on_platforms():
    pieces = [platform("deck", 0, 10, 2.0), platform("tower", 1, 9, 1.0, on="deck")]

    def seen(x):
        models = [man("a", (6, 5), on="tower"), man("b", (x, 5), 1.0)]
        return look(table(models, pieces), "a", "b").seen

    # the eye is at 4.5; slopes past the tower's rim (9, 3) and the deck's rim (10, 2) are -1/2 and -5/8: the
    # tower bars more, and the target's far top rim must be 3.5 / (1/2) = 7 away
    assert seen(12.5 + 1e-6)
    assert not seen(12.5 - 1e-6)


def test_a_platform_is_in_the_way_from_below():
    # the deck (near side x = 10, top 3) hides a model on it whose near top rim is at 4.5
    def seen(x):
        models = [man("a", (4, 5)), man("b", (x, 5), 1.5, on="deck")]
        return look(table(models, [platform("deck", 10, 30, 3.0, y1=40)]), "a", "b").seen

    # slope past the rim 1.5 / 6, so 3 up at 12: the near rim of the top may be at 4 + 12 at most
    assert seen(16.5 - 1e-6)
    assert not seen(16.5 + 1e-6)


def test_what_stands_on_a_platform_stands_higher():
    deck = platform("deck", 0, 30, 1.0)
    models = [man("a", (5, 5), on="deck"), man("b", (15, 5), on="deck")]

    def seen(h):
        return look(table(models, [deck, wall(10, 10.5, h, on="deck")]), "a", "b").seen

    assert seen(1.5)
    assert not seen(1.5 + 1e-6)


# --- what blocks and what does not -------------------------------------------------------------------------


def test_sheer_things_without_a_height_are_taller_than_all():
    thing = Terrain("pillar", frozenset({"unscalable"}), circle((10, 5), 2.0))
    found = look(table([man("a", (5, 5), 50.0), man("b", (15, 5), 50.0)], [thing]), "a", "b")
    assert not found.seen
    assert found.hidden_by == ("pillar",)


@pytest.mark.parametrize(
    "piece",
    [
        Terrain("mud", frozenset({"difficult"}), circle((10, 5), 2.0)),
        Terrain("pit", frozenset({"gap"}), circle((10, 5), 2.0), depth=3.0),
        Terrain("pit", frozenset({"gap"}), circle((10, 5), 2.0), height=3.0),
        Terrain("rungs", frozenset({"ladder"}), at=(10, 5), to="deck"),
    ],
)
def test_flat_things_hide_nothing(piece):
    assert look(table([man("a", (5, 5)), man("b", (15, 5))], [piece]), "a", "b").seen


def test_a_wood_has_a_volume():
    wood = Terrain("wood", frozenset({"difficult"}), circle((10, 5), 2.0), height=4.0)
    assert not look(table([man("a", (5, 5)), man("b", (15, 5))], [wood]), "a", "b").seen


def test_no_look_along_the_seam_of_two_walls():
    halves = [wall(8, 12, 9.0, 0, 5, name="right"), wall(8, 12, 9.0, 5, 10, name="left")]
    models = [man("a", (5, 5)), man("b", (15, 5))]
    found = look(table(models, halves), "a", "b")
    assert not found.seen
    assert set(found.hidden_by) == {"left", "right"}
    ajar = [wall(8, 12, 9.0, 0, 5, name="right"), wall(8, 12, 9.0, 5 + 1e-6, 10, name="left")]
    assert look(table(models, ajar), "a", "b").seen
    uneven = [wall(8, 12, 1.2, 0, 5, name="right"), wall(8, 12, 9.0, 5, 10, name="left")]
    assert look(table(models, uneven), "a", "b").seen  # over the lower one


def test_no_look_along_the_joint_of_a_platform_and_what_stands_on_it():
    deck = platform("deck", 8, 12, 1.5)
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert look(table(models, [deck]), "a", "b").seen  # level with the deck
    assert not look(table(models, [deck, wall(9, 11, 2.0, on="deck")]), "a", "b").seen


def test_reading_models_do_not_block():
    models = [man("a", (5, 5)), man("c", (10, 5), 3.0), man("b", (15, 5), base=0.5)]
    assert look(table(models), "a", "b").hidden_by == ("c",)
    assert look(table(models, models_block_sight="no"), "a", "b").seen


def test_reading_grazing_blocks():
    models = [man("a", (5, 5)), man("c", (10, 5)), man("b", (15, 5), base=0.5)]
    assert look(table(models), "a", "b").seen  # level with all three tops
    assert not look(table(models, sight_grazing="blocks"), "a", "b").seen
    free = [man("a", (5, 5)), man("b", (15, 5))]
    assert look(table(free, sight_grazing="blocks"), "a", "b").seen


def test_reading_inside_terrain():
    wood = Terrain("wood", frozenset({"difficult"}), circle((5, 5), 2.0), height=4.0)
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert not look(table(models, [wood]), "a", "b").seen
    assert not look(table(models, [wood]), "b", "a").seen
    assert look(table(models, [wood], sight_within="ignored"), "a", "b").seen
    assert look(table(models, [wood], sight_within="ignored"), "b", "a").seen


def test_reading_the_eye_is_anywhere_over_the_base():
    # hidden from the centre, but not from the rim, until the wall passes the common tangent y = 5.5
    models = [man("a", (5, 5)), man("b", (15, 5))]
    assert not look(table(models, [wall(9, 10, 9.0, y1=5.45)]), "a", "b").seen
    assert look(table(models, [wall(9, 10, 9.0, y1=5.45)], eye="volume"), "a", "b").seen
    assert not look(table(models, [wall(9, 10, 9.0, y1=5.6)], eye="volume"), "a", "b").seen


def test_the_eye_anywhere_is_exact_round_a_wall():
    # both discs have radius 1/2, so their common upper tangent is y = 5.5: the wall may come up to it
    models = [man("a", (5, 5)), man("b", (15, 5))]
    for less, seen in ((-1e-6, True), (0.0, True), (1e-6, False), (0.01, False)):
        found = look(table(models, [wall(9, 10, 9.0, y1=5.5 + less)], eye="volume"), "a", "b")
        assert found.seen is seen
        assert found.certain


def test_the_eye_anywhere_is_exact_over_a_wall():
    # looking down the best eye is the foremost: (5.5, 1.5) to (15.5, 1.0) over the far edge at 11
    models = [man("a", (5, 5)), man("b", (15, 5), 1.0)]
    h = 1.5 - 0.5 * (11 - 5.5) / (15.5 - 5.5)
    assert look(table(models, [wall(10, 11, h - 1e-6)], eye="volume"), "a", "b").seen
    assert look(table(models, [wall(10, 11, h)], eye="volume"), "a", "b").seen
    found = look(table(models, [wall(10, 11, h + 1e-3)], eye="volume"), "a", "b")
    assert not found.seen
    assert found.certain


def test_looking_at_another_place():
    models = [man("a", (5, 5)), man("b", (15, 5))]
    pieces = [wall(10, 11, 9.0, y0=3, y1=7)]
    assert not look(table(models, pieces), "a", "b").seen
    assert look(table(models, pieces), "a", "b", at=(12, 5)).seen


def test_what_hides_each_part_leaves_no_part():
    posts = [wall(10, 10.5, 9.0, 3, 5.05, name="left"), wall(11, 11.5, 9.0, 4.9, 7, name="right")]
    found = look(table([man("a", (5, 5)), man("b", (15, 5))], posts), "a", "b")
    assert not found.seen
    assert set(found.hidden_by) == {"left", "right"}
    lean = math.asin(0.5 / 10)
    spans = sorted((a, b) for _, a, b in found.hides)
    assert spans[0][0] == pytest.approx(-lean)
    assert spans[-1][1] == pytest.approx(lean)
    assert spans[0][1] >= spans[1][0] - 1e-12
    right = next(h for h in found.hides if h[0] == "right")
    assert right[1] == pytest.approx(math.atan2(-0.1, 6.0))  # its nearer lower corner (11, 4.9)


def test_missing_heights_are_asked_for_only_when_they_matter():
    bare = [Model("a", (5, 5), 1.0), Model("b", (15, 5), 1.0)]
    assert look(table(bare), "a", "b").seen
    with pytest.raises(QuestionError, match=r"models\.\w\.height"):
        look(table(bare, [wall(10, 11, 1.0)]), "a", "b")
    known = [man("a", (5, 5)), man("b", (15, 5)), Model("c", (10, 5), 1.0)]
    with pytest.raises(QuestionError, match=r"models\.c\.height"):
        look(table(known), "a", "b")


def test_wrong_calls():
    t = table([man("a", (5, 5)), man("b", (15, 5), on="nowhere")])
    with pytest.raises(QuestionError):
        look(t, "a", "a")
    with pytest.raises(QuestionError, match="not on the table"):
        look(replace(t, off=frozenset("b")), "a", "b")
    with pytest.raises(UnknownNameError):
        look(t, "a", "c")
    with pytest.raises(UnknownNameError):
        look(t, "a", "b")


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("sight-*.toml")), ids=lambda p: p.stem)
def test_scenarios(path):
    there = read(path)
    for asked in there.questions.values():
        seen = look(there, asked.question.model, asked.question.target).seen
        assert seen is (asked.expect == "yes")


# --- a slow oracle, and symmetry ---------------------------------------------------------------------------


def crowd(seed):
    rng = random.Random(seed)

    def spot():
        return (rng.uniform(4, 16), rng.uniform(2, 8))

    models = [man("a", (2, 5), rng.choice([0.8, 1.5, 2.5])), man("b", (18, 5), rng.choice([0.8, 1.5, 2.5]))]
    models += [man(f"m{i}", spot(), rng.choice([1.0, 1.5, 2.0, 3.0])) for i in range(rng.randint(0, 5))]
    pieces = []
    for i in range(rng.randint(1, 5)):
        (x, y), h = spot(), rng.uniform(0.5, 3.0)
        kind = rng.randrange(4)
        if kind == 0:
            shape = circle((x, y), rng.uniform(0.3, 1.5))
        elif kind == 1:
            shape = line([(x, y), spot(), spot()], rng.uniform(0.2, 0.6))
        elif kind == 2:
            spots = [(x + r * math.cos(t), y + r * math.sin(t)) for t, r in star(rng)]
            shape = polygon(spots)
        else:
            ring = [(x - 2, y - 2), (x + 2, y - 2), (x + 2, y + 2), (x - 2, y + 2)]
            shape = polygon(ring, [[(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)]])
        pieces.append(Terrain(f"t{i}", WALL, shape, height=h))
    return models, pieces


def star(rng):
    return [(t, rng.uniform(0.4, 2.5)) for t in np.linspace(0, 2 * math.pi, 8)[:-1]]


def volumes(models, pieces):
    return [(circle(m.at, m.radius), m.height) for m in models[2:]] + [(p.shape, p.height) for p in pieces]


def sampled(models, pieces, grow):
    """Sample lines from the eye to the target's hull against volumes grown (or shrunk) a little."""
    a, b = models[0], models[1]
    eye = np.array([*a.at, a.height])
    angle = np.linspace(0, 2 * math.pi, 73)[:-1]
    rim = np.column_stack([b.at[0] + b.radius * np.cos(angle), b.at[1] + b.radius * np.sin(angle)])
    side = [np.column_stack([rim, np.full(len(rim), z)]) for z in np.linspace(0, b.height, 13)]
    goals = np.concatenate(side)
    goals = goals[(goals[:, 0] < b.at[0]) | (goals[:, 2] == b.height)]  # the far side only shows its top rim
    t = np.linspace(0, 1, 200)[:-1]
    points = eye + t[None, :, None] * (goals - eye)[:, None, :]
    blocked = np.zeros(points.shape[:2], dtype=bool)
    for shape, high in volumes(models, pieces):
        below = points[..., 2] < high + grow
        depth = np.full(below.shape, 1.0)
        depth[below] = shape.depth(points[..., :2][below])
        blocked |= below & (depth < grow)
    return bool((~blocked.any(axis=1)).any())


@pytest.mark.parametrize("seed", range(16))
def test_agrees_with_dense_sampling_away_from_edges(seed):
    models, pieces = crowd(seed)
    found = look(table(models, pieces), "a", "b")
    if sampled(models, pieces, 0.06):  # seen even past volumes a little larger than they are
        assert found.seen
    if not sampled(models, pieces, -0.06):  # not seen even past volumes a little smaller
        assert not found.seen


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 6.3), st.floats(-20, 20), st.booleans())
def test_turning_shifting_and_mirroring_change_nothing(seed, turn, shift, mirror):
    models, pieces = crowd(seed)

    def move(shape):
        return shape.moved(turn, (shift, -shift), mirror=mirror)

    there = [replace(m, at=move(circle(m.at, 0)).spine[0]) for m in models]
    moved = [replace(p, shape=move(p.shape)) for p in pieces]
    one, two = look(table(models, pieces), "a", "b"), look(table(there, moved), "a", "b")
    assert one.seen == two.seen
    assert len(one.hidden_by) == len(two.hidden_by)
    assert one.margin == pytest.approx(two.margin, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_fewer_things_never_hide_more_and_a_sightline_is_free(seed):
    models, pieces = crowd(seed)
    found = look(table(models, pieces), "a", "b")
    if not found.seen:
        left = [m for m in models if m.id in {"a", "b", *found.hidden_by}]
        kept = [p for p in pieces if p.id in found.hidden_by]
        assert not look(table(left, kept), "a", "b").seen  # those named hide the target by themselves
        return
    assert look(table(models[:2], pieces), "a", "b").seen
    (ex, ey, ez), (tx, ty, tz) = found.line
    assert (ex, ey, ez) == (*models[0].at, models[0].height)
    assert math.dist((tx, ty), models[1].at) <= models[1].radius + 1e-9
    assert -1e-9 <= tz <= models[1].height + 1e-9
    t = np.linspace(0, 1, 4001)[1:-1, None]
    spots = np.array([ex, ey, ez]) + t * np.array([tx - ex, ty - ey, tz - ez])
    for shape, high in volumes(models, pieces):
        inside = (shape.depth(spots[:, :2]) < -1e-8) & (spots[:, 2] < high - 1e-8)
        assert not inside.any()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_an_eye_anywhere_sees_no_less(seed):
    models, pieces = crowd(seed)
    if look(table(models, pieces), "a", "b").seen:
        assert look(table(models, pieces, eye="volume"), "a", "b").seen


@pytest.mark.parametrize("seed", range(10))
def test_no_eye_of_a_base_sees_what_the_base_does_not(seed):
    rng = random.Random(1000 + seed)
    models, pieces = crowd(seed)
    models = [replace(m, height=rng.uniform(1.2, 3.0)) if i > 1 else m for i, m in enumerate(models)]
    found = look(table(models, pieces, eye="volume"), "a", "b")
    assert found.certain
    (x, y), r = models[0].at, models[0].radius
    if found.seen:
        assert math.dist(found.eye[:2], (x, y)) <= r + 1e-9
        assert look(table(models, pieces), "a", "b", at=found.eye[:2]).margin >= -1e-6
        return
    for _ in range(60):
        angle, away = rng.uniform(0, 2 * math.pi), r * math.sqrt(rng.random())
        spot = (x + away * math.cos(angle), y + away * math.sin(angle))
        assert not look(table(models, pieces), "a", "b", at=spot).seen
