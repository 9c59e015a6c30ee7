"""Bases that stand half over the next step or ditch: by its centre (``stand_on``) a place reached is a place given."""

import pytest

import sbg_sim as sbg
from sbg_sim.errors import FileFaultsError

STEP = {"tags": ["platform"], "height": 0.7}
TOP = {"tags": ["platform"], "height": 1.5}
BLOCK = {"tags": ["platform"], "height": 1.6}
DITCH = {"tags": ["gap"], "depth": 0.7}
PIT = {"tags": ["gap"], "depth": 0.8}


def there(piece, at, reading="centre"):
    """A model 1.5 in high with a base of an inch; the piece begins at x = 12."""
    sides = [[12, 8], [16, 8], [16, 16], [12, 16]]
    model = {"at": at, "base": 1, "height": 1.5, "move": 6, "side": "good"}
    return sbg.Table(
        24, 24, models={"m": model}, terrain={"it": {**piece, "polygon": sides}}, rulings={"stand_on": reading}
    )


@pytest.mark.parametrize(("piece", "free"), [(STEP, True), (TOP, True), (BLOCK, False), (DITCH, True), (PIT, False)])
def test_a_base_half_over_a_step_stands_where_it_may_go(piece, free):
    """From half a base away to 0.2 in before the side, and from there back; taller tops and deeper ditches bar both."""
    gone = sbg.check(there(piece, (10, 12)), sbg.Move("m", (11.8, 12)))
    assert (gone.answer == "yes") is free
    if free:
        back = sbg.check(there(piece, (11.8, 12)), sbg.Move("m", (10, 12)))
        assert (back.answer, back.needed) == ("yes", pytest.approx(1.8, abs=1e-9))
    else:
        with pytest.raises(FileFaultsError, match=r"its base (overlaps|stands over)"):
            there(piece, (11.8, 12))


@pytest.mark.parametrize("piece", [STEP, DITCH])
def test_its_centre_is_not_over_it_and_its_whole_base_by_the_other_reading(piece):
    for at, reading in (((12.2, 12), "centre"), ((11.8, 12), "whole")):
        with pytest.raises(FileFaultsError, match=r"its base (overlaps|stands over)"):
            there(piece, at, reading)
