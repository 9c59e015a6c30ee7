"""Sight, exact at the edges: over walls, round their ends, past models, to and from platforms."""

import math

import numpy as np
import pytest

from sbg_sim.geometry.shapes import line, polygon
from sbg_sim.rules.sight import look
from sbg_sim.table.terrain import Terrain
from tests.rules.sight_tables import WALL, man, platform, table, wall


def edge(height_at, sees_below, *, build):
    """A wall of exactly the height lets through, lower too; a micro-inch higher does not."""
    for less in (-0.01, -1e-6, 0.0):
        assert look(build(height_at + less), "a", "b").seen is sees_below
    for more in (1e-6, 0.01):
        assert look(build(height_at + more), "a", "b").seen is not sees_below


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


def test_a_look_that_is_told_nothing_else_leads_straight_ahead():
    """Past the far edge of a wall a tenth lower than both: beside the wall's end all of the target shows."""
    there = table([man("a", (5, 5)), man("b", (15, 5))], [wall(9, 10, 1.4, 0.0, 5.1)])
    found = look(there, "a", "b")
    assert found.margin == pytest.approx(0.1 * (14.5 - 5) / (10 - 5), abs=1e-8)
    assert found.line[1][1] == pytest.approx(5.0, abs=1e-9)
    assert look(there, "a", "b", widest=False).margin > 1.4  # where all that is asked is whether it is seen


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


def test_a_look_passes_under_who_hangs_on_a_face():
    # from (5, 1.5) to the near rim of the foot (14.5, 0), in under the feet at x = 9.5
    face, looks = platform("face", 9, 11, 5.0, y0=5.5, y1=9.0), [man("a", (5, 5)), man("b", (15, 5))]
    edge(-1.5 * 5 / 9.5, True, build=lambda low: table([*looks, man("c", (10, 5), climbed=-low)], [face]))
