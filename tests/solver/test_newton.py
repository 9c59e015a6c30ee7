"""Newton's method on many paths: closed forms against differences, closed sides, uphill, ends of rims, kinks."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.geometry.pieces import Piece
from sbg_sim.solver.path import differences as differences_room
from sbg_sim.solver.path import newton
from sbg_sim.solver.path.batch import Batch
from sbg_sim.solver.path.differences import differences
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.newton import minimise, minimise_most
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide
from sbg_sim.tolerance import DIFFERENCE
from tests.solver.stage import level, net, path

RIMS = net([level(2.0), level(4.0)])
CROSSING = path(Fixed((0, 0)), Slide(0, 20.0), Slide(1, 20.0), Fixed((5, 6)), weights=[1.0, 2.0, 1.0])


def sliding(*starts):
    """Paths of one place each that slides on a rim 40 in long, from where they start."""
    return gather(RIMS, [path(Fixed((0, 0)), Slide(0, u), Fixed((5, 6))) for u in starts])


def of_place(cost):
    """What is made least: a function of where the one place slides."""
    return lambda batch: np.asarray(cost(batch.u[:, 1]))


def test_differences_lead_where_closed_forms_do():
    batch = gather(RIMS, [CROSSING])
    closed, least = minimise(batch)
    even, same = minimise(batch, lambda batch: batch.cost())
    assert least == pytest.approx(same, abs=1e-12)
    np.testing.assert_allclose(closed.u, even.u, atol=1e-6)


@pytest.mark.parametrize("start", [3.0, 8.0, 19.0, 21.5, 28.0])
def test_it_goes_downhill_also_where_the_cost_bends_the_wrong_way(start):
    """A wave of 10 in: Newton's step itself would lead to the nearest top from half of these."""
    batch, value = minimise(sliding(start), of_place(lambda u: np.cos(math.tau * u / 10)))
    assert value[0] == pytest.approx(-1, abs=1e-12)
    assert batch.u[0, 1] % 10 == pytest.approx(5, abs=1e-6)


def test_several_at_once_go_their_own_ways():
    batch, value = minimise(sliding(1.0, 7.0, 39.0), of_place(lambda u: np.abs(u - 20) ** 1.5))
    np.testing.assert_allclose(batch.u[:, 1], 20, atol=1e-3)
    np.testing.assert_allclose(value, 0, atol=1e-6)


@pytest.mark.parametrize("shut", [math.inf, 50.0])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("rise", [-3.0, 3.0])
def test_beside_what_is_closed_the_open_side_tells_the_slope(rise, side, shut):
    """There the cost is infinite, or jumps; where it falls towards that, there is nothing to follow."""

    def cost(u):
        return np.where(side * (u - 20) > DIFFERENCE / 2, shut, rise * (u - 20) + 7)

    slope, bend = differences(sliding(20.0), of_place(cost))
    assert slope[0, 0] == pytest.approx(rise if rise * side > 0 else 0.0, abs=1e-4)
    assert bend[0, 0, 0] == 0


def test_between_two_closed_sides_there_is_no_slope():
    def cost(u):
        return np.where(np.abs(u - 20) > DIFFERENCE / 2, math.inf, 3 * u)

    slope, bend = differences(sliding(20.0), of_place(cost))
    assert (slope[0, 0], bend[0, 0, 0]) == (0, 0)


def test_first_and_second_derivatives():
    slope, bend = differences(sliding(10.0, 30.0), of_place(lambda u: u * u / 2))
    np.testing.assert_allclose(slope[:, 0], [10, 30], rtol=1e-6)
    np.testing.assert_allclose(bend[:, 0, 0], 1, rtol=1e-2)
    two = gather(RIMS, [CROSSING])
    _, both = differences(two, lambda batch: np.asarray(batch.u[:, 1] * batch.u[:, 2] / 100))
    np.testing.assert_allclose(both[0], [[0, 0.01], [0.01, 0]], atol=1e-3)


@pytest.mark.parametrize("end", [0.0, 40.0])
def test_a_place_just_before_the_end_of_its_rim_is_put_on_it(end):
    """Differences see past the end; no nearer than two of their steps it stays where it is."""
    near, far = abs(end - 1.5 * DIFFERENCE), abs(end - 2.5 * DIFFERENCE)
    batch, value = minimise(sliding(near, far), of_place(np.zeros_like))
    assert batch.u[:, 1].tolist() == [end, far]
    assert value.tolist() == [0, 0]


def test_an_end_that_costs_more_is_not_taken():
    batch, _ = minimise(sliding(1.5 * DIFFERENCE), of_place(lambda u: np.where(u == 0, 1.0, 0.0)))
    assert batch.u[0, 1] == 1.5 * DIFFERENCE


def test_two_places_that_run_into_each_other_are_given_up():
    """On two rims that meet the cheapest way may go through their corner: there the cost has a kink."""
    corner = net([Piece((0.0, 0.0), (-1.0, 0.0), 9.0, normal=(0.0, 1.0)), Piece((0.0, 0.0), (0.0, 1.0), 9.0)])
    ways = [((-4, -1), (4, 1)), ((-4, -3), (3, 9))]
    paths = [path(Fixed(a), Slide(0, 3.0), Slide(1, 3.0), Fixed(b), weights=[1.0, 1.2, 1.0]) for a, b in ways]
    _, value, crept = minimise_most(gather(corner, paths))
    assert crept.tolist() == [True, False]
    assert value[0] == pytest.approx(2 * math.hypot(4, 1), abs=1e-6)
    x, y = np.meshgrid(np.linspace(0, 2, 2001), np.linspace(0, 2, 2001))
    brute = np.hypot(4 - x, 3) + 1.2 * np.hypot(x, y) + np.hypot(3, 9 - y)
    assert value[1] == pytest.approx(brute.min(), abs=1e-6)


@pytest.mark.parametrize("apart", [DIFFERENCE / 5, 3 * DIFFERENCE, 0.3])
def test_two_places_that_meet_on_one_line_slide_on_together(apart):
    """Where they meet the cost has a kink: only differences show that one of them alone leads nowhere."""
    line = net([level(2.0), level(2.0)])
    batch = gather(line, [path(Fixed((0, 0)), Slide(0, 21.0), Slide(1, 21.0 + apart), Fixed((9, 3)))])
    moved, value = minimise(batch, lambda batch: batch.cost())
    assert value[0] == pytest.approx(math.hypot(9, 3), abs=1e-6)
    np.testing.assert_allclose(moved.u[0, 1:3], 26.0, atol=1e-3)


@pytest.mark.parametrize("apart", [DIFFERENCE / 5, 0.7 * DIFFERENCE, 0.003])
def test_so_they_do_on_rims_that_run_against_each_other(apart, monkeypatch):
    """As where a leap lands on the very line that another one begins at: there it crept a thousandth of each step."""
    line = net([level(2.0), Piece((20.0, 2.0), (-1.0, 0.0), 40.0, normal=(0.0, 1.0))])
    batch = gather(line, [path(Fixed((0, 0)), Slide(0, 21.0), Slide(1, 19.0 - apart), Fixed((9, 3)))])
    steps, even = [], newton._even_step
    monkeypatch.setattr(newton, "_even_step", lambda *a, **k: steps.append(a) or even(*a, **k))
    _, value = minimise(batch, lambda batch: batch.cost())
    assert value[0] == pytest.approx(math.hypot(9, 3), abs=1e-6)
    assert len(steps) < 10


@pytest.mark.parametrize("merit", [Batch.cost, lambda batch: batch.cost()])
@pytest.mark.parametrize("starts", [(4.0, 4.3), (3.0, 3.0), (0.1, 0.4), (1.2, 1.3), (5.0, 5.000001), (0.0, 0.0)])
@pytest.mark.parametrize(("near", "least"), [(1.0, 4.0), (5.0, 2 * math.hypot(2, 2))])
def test_between_two_ways_over_places_that_meet_on_an_arc_slide_on_together(starts, near, least, merit):
    """Each step along the arc parts them by its curvature: they stopped far off, up to five inches too dear.

    The way leads across the arc from within, or comes from as far outside as it goes to and bends half way round.
    """
    round_, turn = Piece((0.0, 0.0), (0.0, 0.0), 6.0, radius=3.0), 0.5
    middle, aside = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    begin, end = (tuple(far * middle + off * aside) for far, off in ((near, (near - 1) / -2), (5.0, (near - 1) / 2)))
    one, other = starts
    over, links = net([round_, round_]), [Link(0, transition=0), Link(0, 1.0), Link(0, transition=0)]
    over.transitions = [SimpleNamespace(cost=lambda p, q, _: np.hypot(*(q - p).T), way=SimpleNamespace(across=False))]
    batch = gather(over, [Path((Fixed(begin), Slide(0, one), Slide(1, other), Fixed(end)), tuple(links))])
    moved, value = minimise(batch, merit)
    assert value[0] == pytest.approx(least, abs=1e-6)
    np.testing.assert_allclose(moved.u[0, 1:3], 3.0 * turn, atol=2e-3)


def test_two_places_that_meet_at_a_corner_stay_there(monkeypatch):
    """Differences see past the ends of both rims: by those each of the two would leave it, one after the other."""
    corner = net([Piece((0.0, 0.0), (-1.0, 0.0), 9.0, normal=(0.0, 1.0)), Piece((0.0, 0.0), (0.0, 1.0), 9.0)])
    way = path(Fixed((-4, -1)), Slide(0, 3.0), Slide(1, 3.0), Fixed((4, 0.5)), weights=[1.0, 1.2, 1.0])
    steps, even = [], newton._even_step
    monkeypatch.setattr(newton, "_even_step", lambda *a, **k: steps.append(a) or even(*a, **k))
    moved, value = minimise(gather(corner, [way]), lambda batch: batch.cost())
    assert moved.u[0].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert value[0] == pytest.approx(math.hypot(4, 1) + math.hypot(4, 0.5), abs=1e-12)
    assert len(steps) < 8


def test_two_places_leave_a_corner_together_though_neither_does_alone():
    """Either gains 0.8 in an inch, and what lies between costs 0.95; both together gain as much as 0.8 times sqrt 2."""
    corner = net([Piece((0.0, 0.0), (-1.0, 0.0), 9.0, normal=(0.0, 1.0)), Piece((0.0, 0.0), (0.0, 1.0), 9.0)])
    way = path(Fixed((-4, -3)), Slide(0, 0.0), Slide(1, 0.0), Fixed((3, 4)), weights=[1.0, 0.95, 1.0])
    moved, value = minimise(gather(corner, [way]), lambda batch: batch.cost())
    x, y = np.meshgrid(np.linspace(0, 2, 2001), np.linspace(0, 2, 2001))
    brute = np.hypot(4 - x, 3) + 0.95 * np.hypot(x, y) + np.hypot(3, 4 - y)
    assert value[0] == pytest.approx(brute.min(), abs=1e-6)
    assert (moved.u[0, 1:3] > 0.1).all()


def test_nothing_slides_where_nothing_can():
    batch = gather(RIMS, [path(Fixed((0, 0)), Fixed((3, 4)))])
    same, value = minimise(batch)
    assert value.tolist() == [5.0]
    assert isinstance(same, Batch)
    np.testing.assert_array_equal(same.u, batch.u)


@pytest.mark.parametrize("slope", [4e-6, -4e-6])
def test_a_cost_that_all_but_falls_evenly_is_followed_to_its_end(slope):
    """With so little slope and no curvature a step is 0.004 in long: sixty of them would not lead far."""
    batch, value = minimise(sliding(12.0, 30.0), of_place(lambda u: 7 + slope * u))
    end = 0.0 if slope > 0 else 40.0
    np.testing.assert_allclose(batch.u[:, 1], end, atol=1e-9)
    np.testing.assert_allclose(value, 7 + slope * end, atol=1e-12)


@pytest.mark.parametrize("starts", [(0.5, 1.5), (0.1, 3.0), (1.0, 4.0), (2.0, 6.0), (6.0, 2.0)])
def test_a_kink_that_bends_is_followed_to_its_end(starts):
    """Every other step leads across the kink, and both are short: the least, which is 0, was missed by up to 0.4."""
    two = gather(RIMS, [path(Fixed((0, 0)), Slide(0, starts[0]), Slide(1, starts[1]), Fixed((5, 6)))])

    def merit(batch):
        x, y = batch.u[:, 1], batch.u[:, 2]
        return 3 * np.abs(y - 3 - 0.1 * x * x) + 0.3 * (x - 4) ** 2

    assert minimise(two, merit)[1] == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("tied", [True, False])
def test_second_derivatives_of_places_that_are_tied_are_those_of_all_pairs(tied):
    """Else only those of neighbours: no others hang on one another."""
    three = net([level(2.0), level(4.0), level(6.0)])
    way = path(Fixed((0, 0)), Slide(0, 20.0), Slide(1, 20.0), Slide(2, 20.0), Fixed((5, 8)))

    def merit(batch):
        one, two, other = batch.u[:, 1], batch.u[:, 2], batch.u[:, 3]
        return np.asarray(one * two / 100 + one * other / 50 + two * other / 25)

    _, hess = differences_room._differences(gather(three, [way]), merit, tied=tied)
    far = 0.02 if tied else 0.0
    np.testing.assert_allclose(hess[0], [[0, 0.01, far], [0.01, 0, 0.04], [far, 0.04, 0]], atol=1e-3)


@pytest.mark.parametrize("merit", [Batch.cost, lambda batch: batch.cost()])
@pytest.mark.parametrize(("lean", "apart"), [(0.0, 1e-3), (1e-3, 1e-3), (1.0, 1e-3), (2.0, 1e-3), (0.0, 0.1)])
def test_places_that_meet_on_rims_that_run_against_each_other_are_moved_the_same_way(monkeypatch, lean, apart, merit):
    """Of plain costs wherever they lean against each other, of others along one line alone; none that lie far apart."""
    turned = Piece((10.5, 2.0), (-math.cos(lean), math.sin(lean)), 40.0, normal=(0.0, 1.0))
    at = (10.5 - (0.5 - apart) * math.cos(lean), 2.0 + (0.5 - apart) * math.sin(lean))
    two = net([Piece((at[0] - 30.0 - apart, at[1]), (1.0, 0.0), 60.0, normal=(0.0, 1.0)), turned])
    batch = gather(two, [path(Fixed((0, 0)), Slide(0, 30.0), Slide(1, 0.5 - apart), Fixed((9, 3)))])
    moved, known = set(), differences_room._shifted

    def shifted(some, k, shifts, merit):
        moved.update(tuple(row) for row in np.sign(shifts[0, :, 1:3]).tolist())
        return known(some, k, shifts, merit)

    monkeypatch.setattr(differences_room, "_shifted", shifted)
    differences_room._differences(batch, merit, tied=False)
    against = math.cos(lean) > 0 if merit is Batch.cost else lean == 0.0
    together = {(1.0, -1.0), (-1.0, 1.0)} if against and apart < 0.01 else {(1.0, 1.0), (-1.0, -1.0)}
    assert moved == {(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)} | together


def test_derivatives_of_several_paths_are_those_of_each_alone():
    """One ends sliding, by a link of a two-hundredth of an inch; another slides at more places than it."""
    (x, y), length = (0.003, 1.996), 0.005
    ended = path(Fixed((-3, 0)), Fixed((x, y)), Slide(0, 20.0))
    crossing = path(Fixed((-1, 0)), Slide(0, 20.0), Slide(1, 20.0))
    slope, hess = differences(gather(RIMS, [ended, crossing]), Batch.cost)
    # By (sqrt(x^2 + y^2))' = x / r and '' = y^2 / r^3.
    assert slope[0, 0] == pytest.approx(-x / length, abs=1e-6)
    assert hess[0, 0, 0] == pytest.approx((2 - y) ** 2 / length**3, rel=1e-6)
    first, second = 4 / math.hypot(1, 2) ** 3, 4 / 2**3
    np.testing.assert_allclose(slope[1], [1 / math.hypot(1, 2), 0.0], atol=1e-6)
    np.testing.assert_allclose(hess[1], [[first + second, -second], [-second, second]], atol=1e-4)
    for k, way in enumerate([ended, crossing]):
        alone, bend = differences(gather(RIMS, [way]), Batch.cost)
        n = alone.shape[1]
        np.testing.assert_allclose(slope[k, :n], alone[0], atol=1e-9)
        np.testing.assert_allclose(hess[k, :n, :n], bend[0], atol=1e-6)


def test_steps_are_not_shortened_where_a_cost_rises_by_rounding(monkeypatch):
    tried, moved = [], newton._moved
    monkeypatch.setattr(newton, "_moved", lambda batch, *rest: tried.append(len(batch)) or moved(batch, *rest))
    batch, here = sliding(20.0, 20.0), np.full(2, 1.0)
    # From the one place each step leads uphill, from the other the cost rises by rounding.
    step = np.zeros((2, batch.u.shape[1]))
    step[:, 1] = 1e-3, 1e-9
    merit = of_place(lambda u: 1.0 + np.where(u > 20.0, 4e-15, 0.0) + 0.1 * np.maximum(u - 20.0 - 1e-8, 0.0))
    onward, value, far = newton._search(batch, batch.top, step, here, merit)
    assert tried
    tried.clear()
    later = newton._search(batch.rows(np.array([1])), batch.top[1:], step[1:], here[1:], merit)
    assert not tried
    assert onward[1, 1] == later[0][0, 1] == 20.0
    assert (value[1], far[1]) == (1.0, 0.0)
