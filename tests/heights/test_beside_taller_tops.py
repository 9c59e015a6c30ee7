"""Over a low top and down past the corner of a taller one beside it: what the way down must clear bends it alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from tests.heights.stage import POLISHED, box, move, mover, piece, table

RADIUS, CORNER = 0.5, (12.0, 9.0)


def formula(start, end):
    """Up and along the low top in a line, down by a tangent of the circle about the corner, and on in a line.

    What remains to be chosen is the tangent's direction: the least over a quarter turn by golden sections.
    """

    def cost(turn):
        along, beside = np.array([-math.sin(turn), -math.cos(turn)]), np.array([math.cos(turn), -math.sin(turn)])
        touched = np.array(CORNER) + RADIUS * beside
        heights = (CORNER[1] + RADIUS, CORNER[1] - RADIUS)
        begun, landed = (touched - along / along[1] * (touched[1] - y) for y in heights)
        return sum(math.dist(*ends) for ends in ((start, begun), (begun, landed), (landed, end)))

    low, high, part = 0.0, 1.2, (math.sqrt(5) - 1) / 2
    for _ in range(80):
        one, two = high - part * (high - low), low + part * (high - low)
        low, high = (low, two) if cost(one) < cost(two) else (one, high)
    return cost(low)


@pytest.mark.parametrize("high", [1.0, 3.0])
@pytest.mark.parametrize(
    ("wide", "start", "end"),
    [
        # A reach told 0.014 to 0.044 in too much: it knew the way down from where the top is entered alone.
        (3.0, (12.803, 12.964), (11.747, 8.423)),
        (2.0, (12.904, 12.647), (11.702, 8.177)),
        (1.5, (13.441, 12.737), (11.657, 8.207)),  # and the verdict 0.014 in
        (3.0, (12.812, 13.1), (11.704, 8.186)),
        (2.0, (12.546, 13.237), (11.715, 8.16)),
        # These were right.
        (2.0, (13.25, 13.25), (11.75, 8.48)),
        (2.5, (13.0, 12.5), (11.7, 8.25)),
    ],
)
def test_a_way_down_past_a_taller_top_begins_where_the_low_one_is_left(wide, high, start, end):
    low = piece("low", "platform", box(12, 9, 12 + wide, 11), height=0.5)
    tall = piece("tall", "platform", box(10.5, 9, 12, 11), height=high)
    at = table(mover(*start, move=9.0), tall, low)
    assert move(at, end).needed == pytest.approx(formula(start, end), abs=POLISHED)
    assert sbg.reach(at, "m").distance_on(None, [end])[0] == pytest.approx(formula(start, end), abs=POLISHED)
