"""A look past what is drawn into a taller platform: what lies within hides nothing, its end what any piece would.

The eye is 3 in up at x = 2, the target 1 in high about x = 12 with its far rim at 12.5. A look that just clears a top
of height w at x = b comes down by (3 - w) / (b - 2) an inch, and meets the top of that rim where
w = 3 - 2 (b - 2) / 10.5.
"""

import pytest

from sbg_sim.rules.sight import look
from tests.heights.stage import box, disc, mover, other, piece, table

HAIR = 1e-6
DRAWN = [
    ("obstacle", {"height": 0.5}),
    ("unscalable", {"height": 1.0}),
    ("platform", {"height": 1.2}),
    ("platform unscalable", {"height": 0.2}),
    ("gap", {"depth": 2.0}),
    ("gap", {}),
    ("difficult", {}),
]


def limit(b):
    return 3 - 2 * (b - 2) / 10.5


def over(*pieces):
    found = look(table(mover(2, 4, height=3.0), other("e", 12, 4, height=1.0), *pieces), "m", "e")
    return found.seen, found.hidden_by


def drawn(tags, east, **more):
    return piece("drawn", tags, box(4.5, 3, east, 5), **more)


@pytest.mark.parametrize("east", [7.5, 8.5])
@pytest.mark.parametrize(("tags", "more"), DRAWN)
def test_what_lies_within_hides_nothing_more(tags, more, east):
    """The tower ends at x = 8; half an inch beyond, the limit is higher than all that is drawn into it."""
    for top, seen in ((limit(8) - HAIR, True), (limit(8) + HAIR, False)):
        tower = piece("tower", "platform", box(4, 0, 8, 8), height=top)
        assert over(tower, drawn(tags, east, **more)) == (seen, () if seen else ("tower",))


@pytest.mark.parametrize("tags", ["obstacle", "unscalable", "platform"])
def test_the_end_that_sticks_out_hides_by_its_own_height(tags):
    tower = piece("tower", "platform", box(4, 0, 8, 8), height=limit(8) - HAIR)
    assert over(tower, drawn(tags, 9, height=limit(9) - HAIR)) == (True, ())
    assert over(tower, drawn(tags, 9, height=limit(9) + HAIR)) == (False, ("drawn",))


def test_a_round_tower():
    hedge = drawn("obstacle", 7.5, height=0.5)
    assert over(piece("tower", "platform", disc(6, 4, 2), height=limit(8) - 0.1), hedge)[0]
    assert not over(piece("tower", "platform", disc(6, 4, 2), height=limit(8) + 0.1), hedge)[0]


def test_a_gap_goes_on_beneath_a_bridge():
    """Along its bottom, eyes half an inch below the brim: under the bridge all is seen, whatever the bridge is."""
    gap, bridge = (
        piece("gap", "gap", box(0, 2, 14, 6), depth=2.0),
        piece("bridge", "platform", box(5, 1, 8, 7), height=3),
    )
    found = look(table(mover(2, 4, on="gap"), other("e", 12, 4, on="gap"), gap, bridge), "m", "e")
    assert found.seen
    up = look(table(mover(2, 4, on="gap", height=2.5), other("e", 12, 4, on="gap", height=2.5), gap, bridge), "m", "e")
    assert up.seen  # the part of it below the brim
