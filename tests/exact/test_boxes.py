"""Which segments meet which boxes: none that does may be missed, and few that do not be told."""

import numpy as np
import pytest
import shapely

from sbg_sim.geometry import boxes as asked
from sbg_sim.geometry.boxes import Boxes


@pytest.mark.parametrize("count", [3, 30, 600, 6000])
def test_every_segment_that_meets_a_box_is_found(count):
    rng = np.random.default_rng(count)
    angle = np.arange(count) / count * 6
    # In a row along a spiral, some apart and some overlapping.
    at = np.stack([10 + angle * np.cos(5 * angle), 10 + angle * np.sin(5 * angle)], axis=1)
    half = rng.uniform(0, 0.3, at.shape)
    boxes = np.concatenate([at - half, at + half], axis=1)
    p, q = rng.uniform(0, 20, (2, 200, 2))
    q[:20] = p[:20]
    p[20:40] = boxes[rng.integers(count, size=20), :2]
    i, j = Boxes(boxes).crossed(p, q)
    told = set(zip(i.tolist(), j.tolist(), strict=True))
    lines, squares = shapely.linestrings(np.stack([p, q], axis=1)), shapely.box(*boxes.T)
    meet = np.argwhere(shapely.intersects(lines[:, None], squares))
    assert {(a, b) for a, b in meet.tolist()} <= told
    assert len(told) == len(i)
    assert all(shapely.distance(lines[a], squares[b]) < 1e-6 for a, b in told) or len(told) < 12


@pytest.mark.parametrize("count", [30, 6000])
def test_every_box_that_meets_one_is_found_once(count):
    """Whether they lie in rows, as about the sides of a piece, or anywhere."""
    rng = np.random.default_rng(count)
    angle = np.arange(count) / count * 60
    row = np.stack([10 + angle / 9 * np.cos(angle), 10 + angle / 9 * np.sin(angle)], axis=1)
    at = np.where((np.arange(count) % 1000 < 500)[:, None], row, rng.uniform(0, 20, row.shape))
    half = rng.uniform(0, 0.2, at.shape)
    low = rng.uniform(0, 20, (900, 2))
    high = low + rng.uniform(0, 1, low.shape) * (np.arange(900) % 2)[:, None]
    i, j = Boxes(np.concatenate([at - half, at + half], axis=1)).meeting(low, high)
    meet = (low[:, None] <= at + half).all(axis=2) & (high[:, None] >= at - half).all(axis=2)
    assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == [tuple(pair) for pair in np.argwhere(meet).tolist()]
    assert (np.diff(i) >= 0).all()


def test_a_tree_asked_in_parts_says_the_same(monkeypatch):
    """Never for more pairs at once than fit into memory."""
    low, more = np.random.default_rng(4).uniform(0, 20, (2, 400, 2))
    every = Boxes(np.concatenate([low, low + more / 10], axis=1))
    i, j = every.meeting(low + 0.1, low + 1)
    assert len(i) > 400
    monkeypatch.setattr(asked, "_AT_ONCE", 4000)  # ten of them at a time
    for told, once in zip(every.meeting(low + 0.1, low + 1), (i, j), strict=True):
        assert told.tolist() == once.tolist()
