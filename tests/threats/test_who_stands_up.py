"""Models that lie and would stand up: where they go they are seen at their full height, and have a zone (PRN.1)."""

import pytest

import sbg_sim as sbg

BASE = 25 / 25.4
WALL = {"tags": ["obstacle"], "height": 1.4, "polygon": [[14, 6], [14.4, 6], [14.4, 18], [14, 18]]}


def behind_a_wall(*, prone: bool, move: float) -> sbg.Table:
    """A wall that hides who lies behind it, and nobody who stands."""
    models = {
        "good": {"at": [12, 12], "base": BASE, "height": 1.5, "move": move, "side": "good", "prone": prone},
        "foe": {"at": [16, 12], "base": BASE, "height": 1.5, "move": 8, "side": "evil"},
    }
    return sbg.Table(24, 24, models=models, terrain={"wall": WALL})


def test_who_lies_is_as_safe_as_one_that_stands_and_moves_as_far():
    """Standing up takes half of its Move, 6 in."""
    lying, standing = (sbg.safe(behind_a_wall(prone=p, move=6.0 if p else 3.0), "good") for p in (True, False))
    assert lying.reach.area.symmetric_difference(standing.reach.area).area < 1e-3
    assert lying.area.symmetric_difference(standing.area).area < 1e-3
    assert [row.enemy for row in lying.dangers] == ["foe"]


@pytest.mark.parametrize("at", [(13.3, 12.0), (9.6, 12.0), (11.0, 13.9)])
def test_a_place_is_dangerous_as_a_single_charge_says(at):
    found = sbg.safe(behind_a_wall(prone=True, move=6.0), "good")
    there = behind_a_wall(prone=False, move=6.0).having("good", at=at)
    charge = sbg.check(there, sbg.Charge("foe", "good"))
    assert charge.chance > 0
    assert [v.chance for v in found.charges_at(at)] == [charge.chance]
    assert found.margin(at) < 0


def test_a_friend_that_lies_stands_up_to_screen():
    """In a lane a friend stands up, half of 8 in, and bars the only way with its zone."""
    lane = [[[9, 6], [16, 6], [16, 10.5], [9, 10.5]], [[9, 13.5], [16, 13.5], [16, 18], [9, 18]]]
    back = [[9, 10.5], [9.4, 10.5], [9.4, 13.5], [9, 13.5]]
    sheer = {"tags": ["obstacle", "unscalable"], "height": 5}
    small = {"base": BASE, "height": 1.2, "side": "good"}
    models = {
        "frodo": {**small, "at": [10, 12.9], "move": 6},
        "sam": {**small, "at": [10, 11.6], "move": 8, "prone": True},
        "orc": {"at": [15.5, 12], "base": BASE, "height": 1.5, "move": 6, "side": "evil"},
    }
    terrain = {f"side-{i}": {**sheer, "polygon": sides} for i, sides in enumerate([*lane, back])}
    table = sbg.Table(24, 24, models=models, terrain=terrain)
    assert sbg.check(table, sbg.Charge("orc", "frodo")).chance == 1
    found = sbg.screen(table, "frodo")
    ((name, at),) = found.places
    there = table.having("sam", at=at, prone=False)
    assert (name, sbg.check(table, sbg.Move("sam", at)).answer) == ("sam", "yes")
    assert sbg.check(there, sbg.Charge("orc", "frodo")).answer == "no"
