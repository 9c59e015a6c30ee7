"""Sight against dense sampling of lines of sight, and what must never change."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.rules.sight import look
from sbg_sim.table.terrain import Terrain
from tests.rules.sight_tables import WALL, man, table


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
