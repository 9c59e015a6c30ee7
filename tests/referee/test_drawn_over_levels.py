"""Drawn lines over stairs, storeys, pits and roofs: read as the way that an answer tells, and of the same cost."""

import pytest

from sbg_sim.referee import audit_path
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move
from tests.heights.stage import box, mover, other, piece, table

STAIRS = [
    piece(n, "platform", box(x, 6, x + 2, 18), height=h) for n, x, h in (("a", 10, 0.7), ("b", 12, 1.4), ("c", 14, 2.1))
]
TREAD = [piece("a", "platform", box(10, 6, 11, 18), height=1.2)]
STOREYS = [
    piece("a", "platform", box(10, 6, 20, 18), height=1.2),
    piece("b", "platform", box(12, 6, 20, 18), height=1.2, on="a"),
]
FLUSH = [
    piece("a", "platform", box(10, 6, 20, 18), height=1.2),
    piece("b", "platform", box(10, 8, 20, 16), height=1.2, on="a"),
]
DITCH = [piece("g", "gap", box(10, 6, 13, 18), depth=1.2)]
PIT = [piece("g", "gap", box(10, 6, 13, 18), depth=2.0)]
LADDER = [*PIT, piece("l", "ladder", at=(10.0, 12.0), on="g")]
ROOFS = [piece("r", "platform", box(6, 6, 10, 18), height=3.0), piece("s", "platform", box(12, 6, 16, 18), height=3.0)]
LOW_ROOFS = [
    piece("r", "platform", box(6, 6, 10, 18), height=3.0),
    piece("s", "platform", box(12, 6, 16, 18), height=2.0),
]
BOARD = [
    piece("a", "platform", box(12, 8, 16, 16), height=0.4),
    piece("b", "platform", box(8, 8, 16, 16), height=0.2, on="a"),
]


@pytest.mark.parametrize(
    ("things", "start", "on", "to", "there", "kinds"),
    [
        (STAIRS, (8, 12), None, (15, 12), "c", ["up", "up", "up"]),
        (STAIRS, (8, 10), None, (15, 14), "c", ["up", "up", "up"]),
        (TREAD, (8, 12), None, (12.5, 12), None, ["jump", "down"]),
        (STAIRS, (15, 12), "c", (8, 12), None, ["down", "down", "down"]),
        (STOREYS, (9, 12), None, (12.5, 12), "b", ["jump", "jump"]),
        (STOREYS, (12.5, 12), "b", (9, 12), None, ["down", "down"]),
        (FLUSH, (9, 12), None, (10.5, 12), "b", ["climb"]),
        (FLUSH, (10.5, 12), "b", (9.5, 12), None, ["descend"]),
        (DITCH, (9, 12), None, (11, 12), "g", ["down"]),
        (DITCH, (11, 12), "g", (9, 12), None, ["jump"]),
        (PIT, (9, 12), None, (11, 12), "g", ["descend"]),
        (PIT, (11, 12), "g", (9, 12), None, ["climb"]),
        (LADDER, (9, 12), None, (11, 12), "g", ["ladder"]),
        (LADDER, (11, 12), "g", (9, 12), None, ["ladder"]),
        (ROOFS, (8, 12), "r", (13, 12), "s", ["leap"]),
        (LOW_ROOFS, (8, 12), "r", (13, 12), "s", ["leap"]),
        (BOARD, (9, 12), "b", (6, 12), None, ["down"]),
    ],
)
def test_a_line_over_levels(things, start, on, to, there, kinds):
    at = table(mover(*start, on=on, move=9.0), *things)
    told = ask(at, Move("m", to, there), alternatives=False)
    drawn = audit_path(at, "m", [start, to])
    assert (drawn.legal, drawn.violations) == (True, ())
    assert [leg.kind for leg in drawn.route.legs if leg.kind != "straight"] == kinds
    assert drawn.route.legs[-1].surface == there
    if kinds != ["descend"]:  # by a way round, where it comes down for nothing
        assert drawn.cost == pytest.approx(told.needed, abs=2e-6)
        assert audit_path(at, "m", told.path).cost == pytest.approx(told.needed, abs=2e-6)


def test_a_charge_up_the_stairs():
    at = table(mover(8, 12, move=8.0), *STAIRS, other("e", 15.5, 12, on="c"), eye="volume")
    told = ask(at, Charge("m", "e"), alternatives=False)
    drawn = audit_path(at, "m", told.path, charging=("e",))
    assert (drawn.legal, drawn.cost) == (True, pytest.approx(told.needed, abs=2e-6))
    assert told.needed == pytest.approx(6.5, abs=1e-9)


@pytest.mark.parametrize("deck", [False, True])
def test_a_path_round_a_base_as_it_is_told(deck):
    """Arcs are told in short chords, which cut a hair into the base they go round; on a platform, too."""
    things = [piece("a", "platform", box(4, 4, 20, 20), height=3.0)] if deck else []
    on = "a" if deck else None
    at = table(mover(8, 12, on=on, move=8.0), other("f", 11, 12.2, side="good", on=on), *things)
    told = ask(at, Move("m", (14, 12), on), alternatives=False)
    drawn = audit_path(at, "m", told.path)
    assert (drawn.legal, drawn.cost) == (True, pytest.approx(told.needed, abs=1e-6))


@pytest.mark.parametrize("whom", [{}, {"base": 3.0, "side": "good"}, {"base": 3.0, "prone": True}])
def test_a_path_round_somebody_as_json_has_it(whom):
    """Places are rounded to nine decimals there: none is quite as far as the next from what the path goes round."""
    for step in range(8):
        at = table(mover(8, 12, move=12.0), other("e", 11.017 + step / 70, 12.013 + step / 90, **whom))
        told = ask(at, Move("m", (14, 12)), alternatives=False)
        drawn = audit_path(at, "m", told.as_json()["path"])
        assert (drawn.legal, drawn.cost, drawn.tests) == (True, pytest.approx(told.needed, abs=1e-7), ())


@pytest.mark.parametrize("height", [0.2, 0.9])
def test_onto_what_sticks_out_when_that_is_named(height):
    """Aslant to its side, a base up, and on; where it is not named the line leads under it, into what holds it up."""
    block, board = BOARD[0], piece("b", "platform", box(8, 8, 16, 16), height=height, on="a")
    at = table(mover(5, 11, move=9.0), block, board)
    told = ask(at, Move("m", (13, 13), "b"), alternatives=False)
    drawn = audit_path(at, "m", told.path, on="b")
    assert (drawn.legal, drawn.cost) == (True, pytest.approx(told.needed, abs=2e-6))
    assert [leg.kind for leg in drawn.route.legs if leg.kind != "straight"] == ["up" if height < 0.3 else "jump"]
    assert not audit_path(at, "m", told.path).legal
    up = table(at.model("m"), block, board, other("e", 14, 13, on="b"), eye="volume")
    charging = ask(up, Charge("m", "e"), alternatives=False)
    assert audit_path(up, "m", charging.path, charging=("e",)).legal
