"""What straight links of paths run into, and the edges that end rays: held against steps along them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import discs
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.field.rays import Caster
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.onward import _run_into, obstacles
from sbg_sim.solver.path.paths import Fixed, Link, Path, Wrap
from tests.solver.stage import net, ring

SHARE = np.linspace(0, 1, 4001)[:, None, None]


def apart(p, q, at):
    """How near lines come to a place, by steps along them ``(n,)``."""
    return np.hypot(*np.moveaxis(p + SHARE * (q - p) - np.array(at), -1, 0)).min(axis=0)


@pytest.mark.parametrize("bound", [(False, False), (False, True), (True, True)])
@pytest.mark.parametrize("charging", [None, "far", "near"])
def test_lines_are_so_far_from_what_they_have_to_go_round(bound, charging):
    rng = np.random.default_rng(5)
    far, near = Zone("far", (3.0, 1.0), 1.5, 0.0), Zone("near", (-2.0, 0.0), 2.0, 1.2)
    target = {"far": far, "near": near}.get(charging)
    walls = discs([(0.0, 3.0, 0.7), (1.0, -2.0, 0.4)])
    space = replace(net().spaces[0], walls=walls, zones=(far, near), target=target, stays=False)
    p, q = rng.uniform(-4, 4, (2, 80, 2))
    circles, found = obstacles(space, p, q, bound)
    assert found.shape == (80, len(circles))
    told = {}
    for k, (x, y, rho) in enumerate(circles.tolist()):
        told.setdefault((x, y, rho), found[:, k])
    want = {(0.0, 3.0, 0.7), (1.0, -2.0, 0.4)}
    if not bound[0]:
        zones = [zone for zone in (far, near) if not (bound[1] and zone is target)]
        want |= {(*zone.at, zone.bar) for zone in zones} | {(*zone.at, zone.radius) for zone in zones if zone.stuck}
    assert set(told) == want
    ends, _ = space.until_bound(p, q, np.full(80, bound[0]), np.full(80, bound[1]))
    for (x, y, rho), depth in told.items():
        to = q if (x, y) in {(0.0, 3.0), (1.0, -2.0)} else ends
        true = apart(p, to, (x, y)) - rho
        inside = np.hypot(*(p - (x, y)).T) < rho
        if (x, y, rho) == (*near.at, near.radius):
            assert np.isinf(depth[inside]).all()  # it has not left that one yet
        else:
            inside[:] = False
        np.testing.assert_allclose(depth[~inside], true[~inside], atol=5e-3)


@pytest.mark.parametrize("seed", range(8))
def test_of_a_path_the_first_link_that_cuts_a_disc_is_told_with_the_turn_round_it(seed):
    rng = np.random.default_rng(seed)
    spots = [(2.0, 0.5, 0.8), (6.0, -0.5, 0.8), (10.0, 0.3, 0.8)]
    here = net(rings=[ring(*spot) for spot in spots])
    here.spaces = [replace(here.spaces[0], walls=discs(spots))]
    y = rng.uniform(-3, 3, 4)
    places = [Fixed((4.0 * k, float(v))) for k, v in enumerate(y)]
    some = Path(tuple(places), (Link(0),) * 3)
    batch = gather(here, [some])
    legs = batch.legs()
    p, q = legs.p[0], legs.q[0]
    depth = np.array([apart(p, q, (x, y)) - rho for x, y, rho in spots])
    found = _run_into(here, [some], [(0, 0), (0, 1), (0, 2)], legs)
    cut = np.flatnonzero((depth < -1e-3).any(axis=0))
    if not (np.abs(depth) < 1e-3).any():
        assert [i for _, i in found] == cut[:1].tolist()
        for (_, i), wrap in found.items():
            k = int(depth[:, i].argmin())
            d, to = q[i] - p[i], np.array(spots[k][:2]) - p[i]
            assert wrap == Wrap(k, 1 if d[0] * to[1] - d[1] * to[0] > 0 else -1)
    over = Path(some.elements, (Link(0, transition=0),) * 3)
    assert _run_into(here, [over], [(0, 0), (0, 1), (0, 2)], legs) == {}


def test_difficult_ground_is_run_into_where_nothing_else_is_and_none_is_known_to_be_crossed():
    bog, post = (4.0, 0.2, 1.0), (8.0, 0.2, 0.5)
    here = net(rings=[ring(*bog), ring(*post)], difficult=discs([bog]))
    ends = Fixed((0.0, 0.0)), Fixed((12.0, 0.0))
    for walls, weight, want in ((0, 1.0, {(0, 0): Wrap(0, 1)}), (0, 2.0, {}), (1, 1.0, {(0, 0): Wrap(1, 1)})):
        here.spaces = [replace(here.spaces[0], walls=discs([post] if walls else []))]
        some = Path(ends, (Link(0, weight),))
        assert _run_into(here, [some], [(0, 0)], gather(here, [some]).legs()) == want


# -- edges that end rays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [None, "disc", "square"])
@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_rays_end_at_the_edges_of_table_and_level(level, margin):
    """Each side of the table is one thing, and so is a round rim; of a square rim each side is."""
    rng = np.random.default_rng(2)
    inside = {None: None, "disc": sbg.circle((4.0, 3.0), 2.0), "square": sbg.polygon([(2, 1), (6, 1), (6, 5), (2, 5)])}
    space = replace(net().spaces[0], box=(0.5, 0.5, 7.5, 5.5), margin=margin)
    space = replace(space, ground=replace(space.ground, inside=inside[level]))
    here = net()
    here.spaces = [space]
    caster = Caster(here, 0, 9.0)
    p = np.array([4.0, 3.0]) + rng.uniform(-0.9, 0.9, (60, 2))
    angle = rng.uniform(-math.pi, math.pi, 60)
    length, side = caster._edge(p, angle)
    at = p + np.linspace(0, 9, 9001)[:, None, None] * unit(angle)
    x, y = at[..., 0], at[..., 1]
    out = (x < 0.5) | (x > 7.5) | (y < 0.5) | (y > 5.5)
    ends = p + length[:, None] * unit(angle)
    table = np.stack([ends[:, 0] - 7.5, 0.5 - ends[:, 0], ends[:, 1] - 5.5, 0.5 - ends[:, 1]])
    if level == "disc":
        out |= np.hypot(x - 4, y - 3) > 2.0 - margin
    elif level == "square" and not margin:  # else its rim is of walls
        out |= (x < 2) | (x > 6) | (y < 1) | (y > 5)
    true = 9.0 * out.argmax(axis=0) / 9000
    np.testing.assert_allclose(length, true, atol=2e-3)
    for k in range(60):
        if side[k] < 4:
            assert abs(table[side[k], k]) < 1e-5
        elif level == "disc":
            assert side[k] == 4
        else:
            assert side[k] >= 5
    if level is None or (level == "square" and margin):
        assert side.max() < 4
    if level == "square" and not margin:
        rims = [(ends[:, 1] < 1 + 1e-4), (ends[:, 0] > 6 - 1e-4), (ends[:, 1] > 5 - 1e-4), (ends[:, 0] < 2 + 1e-4)]
        assert all(len(set(side[rim].tolist())) == 1 for rim in rims)
        assert len(set(side.tolist())) == 4
