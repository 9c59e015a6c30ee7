"""Which rules an answer names: those that let a way through as well as those that bar it."""

from tests.heights.stage import box, charge, move, mover, other, piece, table, wall


def test_a_step_over_a_low_wall():
    assert "TER.3" in move(table(mover(4, 12), wall(0.7)), (8, 12)).rules
    assert "TER.3" not in move(table(mover(4, 12), wall(0.7)), (5.5, 12)).rules  # it only touches


def test_a_gate_that_lets_a_model_through():
    gate = piece("gate", "unscalable", box(6, -1, 6.5, 41), lets_through=frozenset({"m"}))
    assert "MOV.8" in move(table(mover(4, 12), gate), (8, 12)).rules


def test_riders_do_not_climb():
    terrace = piece("t", "platform", box(8, 8, 14, 16), height=2.0)
    rider = table(mover(6, 12, keywords=frozenset({"cavalry"})), terrace)
    found = move(rider, (8.5, 12), "t")
    assert (found.answer, found.violations[0].rule) == ("no", "CLB.3")
    sheer = table(mover(6, 12), piece("t", "platform unscalable", box(8, 8, 14, 16), height=2.0))
    assert move(sheer, (8.5, 12), "t").violations[0].rule == "TER.5"


def test_a_gap_of_unknown_depth_says_so():
    start = table(mover(5, 12), piece("gap", "gap", box(6, -1, 8, 41)))
    (test,) = move(start, (8.5, 12)).tests
    assert "not said" in test.results["1"]


def test_what_one_goes_round_and_not_what_lies_in_it():
    bog = piece("bog", "difficult", box(6.2, 8.2, 7.8, 12.8))
    rock = piece("rock", "unscalable", box(6, 8, 8, 13))
    assert move(table(mover(4, 11, move=12.0), bog, rock), (10, 11)).rules == ("MOV.3", "TER.5")


def test_a_zone_that_bends_a_jump():
    """The jump leads along the zone of an enemy that stands at the far side: the way would be straighter without it."""
    broad = wall(1.0, x=10.0, thick=2.0)
    start, foe = mover(9, 12), other("e", 12.5, 12)
    bent, free = (move(table(start, enemy, broad), (14.5, 14.2)) for enemy in (foe, other("e", 12.5, 12, prone=True)))
    assert bent.needed > free.needed + 0.1
    assert ("CZ.1" in bent.rules, "CZ.1" in free.rules) == (True, False)
    lies = other("u", 15.3, 14.6, prone=True)
    assert "CZ.1" in charge(table(start, foe, lies, broad), "u").rules
    assert "CZ.1" not in move(table(start, foe, broad), (12.5, 15.2)).rules  # straight there it clears the zone
