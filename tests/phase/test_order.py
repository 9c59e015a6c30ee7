"""Orders of charges."""

from __future__ import annotations

import itertools
import math
import pathlib
from fractions import Fraction

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.errors import QuestionError
from sbg_sim.phase import Phase
from sbg_sim.phase.order import Wish, find_order, read_wishes
from sbg_sim.scenario import read
from sbg_sim.table.record import MoveRecord
from tests.fuzz.kinds import make
from tests.phase.tables import box, man, table

CHARGING_2 = pathlib.Path(__file__).parents[2] / "scenarios" / "phase" / "charging-2-sequence.toml"
WISHES = (("uruk-middle", "pippin"), ("uruk-left", "aragorn"), ("uruk-right", "boromir"))


def test_two_open_the_way_for_the_third():
    found = find_order(read(CHARGING_2), WISHES)
    assert found.proof == "all"
    assert found.moves[-1] == MoveRecord("uruk-middle", charge=("pippin",))
    phase = Phase.begin(read(CHARGING_2), "evil")
    for move in found.moves:
        phase = phase.push(move)
    assert phase.table.models == found.after.models


def test_brute_force_agrees_on_every_order():
    for order in itertools.permutations(WISHES):
        phase = Phase.begin(read(CHARGING_2), "evil")
        for charger, target in order:
            move = MoveRecord(charger, charge=(target,))
            phase = phase.push(move) if phase.legal(move) else phase
        assert (len(phase.steps) == 3) == (order[-1][0] == "uruk-middle")


def test_what_cannot_be_in_any_order_is_proven():
    found = find_order(read(CHARGING_2), WISHES[:2])
    # Boromir's zone still lies over the gap once Aragorn is engaged.
    assert (found.bound, found.proof, found.optimal) == (1, "bound", True)
    assert [wish.charger for wish, _ in found.missed] == ["uruk-middle"]
    assert found.missed[0][1]


def test_what_two_orders_lead_to_is_looked_at_once():
    """Two charges far apart come true in either order; the third never does, whatever goes before it."""
    here = table(
        man("a", (3, 3), "evil"), man("x", (3, 6)), man("b", (18, 3), "evil"), man("y", (18, 6)),
        man("c", (3, 20), "evil"), man("z", (20, 20)),
    )  # fmt: skip
    found = find_order(here, [("a", "x"), ("b", "y"), ("c", "z")])
    assert sorted(move.model for move in found.moves) == ["a", "b"]
    assert [wish.charger for wish, _ in found.missed] == ["c"]
    assert found.optimal


def test_one_charger_has_one_charge():
    here = table(man("orc", (5, 5), "evil"), man("a", (5, 8)), man("b", (8, 5)))
    found = find_order(here, [("orc", "a"), ("orc", "b")])
    assert (len(found.moves), found.bound, found.proof) == (1, 1, "bound")


def test_wishes_are_read():
    assert read_wishes("a:b, c:d+e") == (Wish("a", ("b",)), Wish("c", ("d", "e")))
    for text in ("a", "a:", ":b", "a:b+"):
        with pytest.raises(QuestionError):
            read_wishes(text)
    with pytest.raises(QuestionError, match="no wishes"):
        find_order(table(), read_wishes(""))


def test_from_the_command_line():
    wishes = ",".join(f"{a}:{b}" for a, b in WISHES)
    said = CliRunner().invoke(_sbg_sim, ["order", str(CHARGING_2), "--wishes", wishes])
    assert said.exit_code == 0
    assert said.output.splitlines()[-1] == "every wish comes true"
    said = CliRunner().invoke(_sbg_sim, ["order", str(CHARGING_2), "--wishes", "uruk-middle:pippin", "--json"])
    assert said.exit_code == 1
    assert '"proof": "bound"' in said.output
    said = CliRunner().invoke(_sbg_sim, ["order", str(CHARGING_2), "--wishes", "uruk-middle:pipin"])
    assert (said.exit_code, "pippin" in said.output) == (2, True)


def test_a_search_that_stops_early_says_so():
    three = read(CHARGING_2)
    found = find_order(three, WISHES, budget=1)
    assert (found.proof, found.optimal, found.bound) == ("none", False, 3)
    assert "stopped early" in found.summary
    assert "no more than 3 can" in found.summary


def test_what_is_possible_for_nobody_is_not_tried_in_every_order():
    far = [man(f"far-{i}", (3 * i + 1, 1), "evil") for i in range(6)]
    here = table(man("orc", (5, 18), "evil"), man("a", (5, 22)), *far)
    found = find_order(here, [("orc", "a"), *((m.id, "a") for m in far)])
    assert (len(found.moves), found.bound, found.proof) == (1, 1, "bound")
    assert found.judged == 1
    assert all("MOV.3" in [v.rule for v in wrong] for _, wrong in found.missed)


def crowding(move):
    turn = math.radians(25)
    goblin = (10 + 2.1 * math.sin(turn), 10 + 2.1 * math.cos(turn))
    orc = man("orc", (9.9, 11.5), "evil", move=move)
    return table(man("a", (10, 10)), orc, man("goblin", goblin, "evil", move=1.12))


def test_one_goes_round_by_less_than_an_inch_to_make_room_for_another():
    # Seen from "a", clockwise from straight up, "orc" stands at -4 degrees and "goblin" at 25: they need 60 between
    # them. Whoever comes first by the shortest way leaves the other short; the orc has Move for 30 degrees to the left,
    # which is one of the places tried (0.75 in away), but not for the 35 it would need if the goblin came first.
    here = crowding(0.78)
    found = find_order(here, [("orc", "a"), ("goblin", "a")])
    assert found.proof == "all"
    assert found.moves[0].path is not None
    assert found.moves[0].path[-1] == pytest.approx((9.5, 10 + math.sqrt(3) / 2))
    assert found.moves[1] == MoveRecord("goblin", charge=("a",))
    assert found.told(found.moves[0]) == "orc charges a, going round to (9.5000, 10.8660)"
    assert found.after.model("a").engaged == {"orc", "goblin"}


def test_where_no_place_around_helps_every_order_was_tried():
    # as above, with too little Move for the place 30 degrees to the left
    here = crowding(0.74)
    found = find_order(here, [("orc", "a"), ("goblin", "a")])
    assert (len(found.moves), found.bound, found.proof, found.optimal) == (1, 2, "every order", False)
    assert found.summary == "1 of 2 wishes come true in the best of all orders tried; no more than 2 can"


def test_who_wishes_for_two_has_its_wish_with_both_alone():
    """Where the orc touches both, it stands where the goblin must end; the other end of "a" would leave it room."""
    turn = math.radians(110)
    goblin = (11.6 + 2 * math.cos(turn), 10 + 2 * math.sin(turn))
    here = table(
        man("a", (10, 10)), man("b", (11.6, 10)), man("left", (9, 10), "evil"), man("right", (12.6, 10), "evil"),
        man("orc", (9.6, 12.2), "evil", move=2.2), man("goblin", goblin, "evil", move=1.1),
    )  # fmt: skip
    assert find_order(here, read_wishes("orc:a,goblin:b")).proof == "all"
    found = find_order(here, read_wishes("orc:a+b,goblin:b"))
    assert (len(found.moves), found.bound, found.proof) == (1, 2, "every order")


def test_of_orders_that_bring_all_about_the_likeliest_is_told():
    """Until `b` holds `y` its zone bars the way round the wall, and `a` has to jump it and go on with a 6."""
    wall = box("wall", 8, -1, 8.3, 10, "obstacle", height=1.0)
    here = table(
        man("a", (6, 8), "evil", move=8.0), man("x", (10.5, 8)), man("b", (8.15, 15), "evil"), man("y", (8.15, 12)),
        terrain=(wall,),
    )  # fmt: skip
    alone = find_order(here, [("a", "x")])
    assert (alone.chance, [move.model for move in alone.moves]) == (Fraction(1, 6), ["a"])
    found = find_order(here, [("a", "x"), ("b", "y")])
    assert (found.chance, [move.model for move in found.moves]) == (1, ["b", "a"])


def test_who_lies_stands_up_and_charges():
    """2.5 in to contact and 3 to stand up are 5.5 of 6 (PRN.3)."""
    here = table(man("orc", (5, 5), "evil", prone=True), man("a", (5, 8.5)))
    found = find_order(here, [("orc", "a")])
    assert found.moves == (MoveRecord("orc", charge=("a",), stand=True),)
    assert found.told(found.moves[0]) == "orc stands up and charges a"
    assert found.as_json()["order"][0]["stand"] is True
    far = table(man("orc", (5, 5), "evil", prone=True), man("a", (5, 9.1)))
    assert find_order(far, [("orc", "a")]).bound == 0


def test_whom_a_charger_touches_beside_its_target_loses_its_zone():
    """CHG.2, CHG.7: "m3" charges "me" and comes to touch "m1" too, whose zone kept "m5" from "me"."""
    here, _ = make("gates", 600009, True)
    found = find_order(here, [("m3", "me"), ("m4", "m2"), ("m5", "me")])
    assert (len(found.moves), found.bound, found.proof) == (3, 3, "all")
    assert "m1" in found.after.model("m3").engaged
    assert found.moves[-1].model == "m5" or found.moves.index(MoveRecord("m3", charge=("me",))) == 0


@pytest.mark.parametrize(("kind", "seed"), [("gates", 600009), ("fights", 600004), ("melee", 600004)])
def test_no_permutation_brings_more_about(kind, seed):
    here, _ = make(kind, seed, True)
    standing = list(here.standing())
    side = max(("evil", "good"), key=lambda s: sum(m.side == s for m in standing))
    mine = [m for m in standing if m.side == side][:3]
    foes = [m for m in standing if m.side != side]
    assert len(mine) == 3
    wishes = [(m.id, min(foes, key=lambda f: math.dist(f.at, m.at)).id) for m in mine]
    found = find_order(here, wishes)
    best = (0, 0)
    for order in itertools.permutations(wishes):
        phase, chance = Phase.begin(here, side), 1
        for charger, target in order:
            judged = phase.judge(Wish(charger, (target,)).move(phase.table))
            if not judged.violations:
                phase, chance = phase.pushed(judged, lambda _: 6), chance * judged.chance
        best = max(best, (len(phase.steps), chance * (len(phase.steps) > 0)))
    assert best[0] <= len(found.moves) <= found.bound
    assert (len(found.moves), found.chance * (len(found.moves) > 0)) >= best


def test_of_two_who_want_one_gap_one_goes_in_whatever_order():
    """Between the walls one base has room beside the target; two more charges far off come true before or after it."""
    walls = box("low", 8.6, 0, 9.0, 18.3, "unscalable"), box("high", 8.6, 19.7, 9.0, 24, "unscalable")
    here = table(
        man("a", (3, 3), "evil"), man("x", (3, 6)), man("b", (18, 3), "evil"), man("y", (18, 6)),
        man("c", (6, 20), "evil"), man("d", (6, 17.5), "evil"), man("z", (10, 19)), terrain=walls,
    )  # fmt: skip
    wishes = [("a", "x"), ("b", "y"), ("c", "z"), ("d", "z")]
    found = find_order(here, wishes, budget=60)
    best = 0
    for order in itertools.permutations(wishes):
        phase = Phase.begin(here, "evil")
        for charger, target in order:
            move = MoveRecord(charger, charge=(target,))
            phase = phase.push(move) if phase.legal(move) else phase
        best = max(best, len(phase.steps))
    assert len(found.moves) == best == 3
    assert {move.model for move in found.moves} >= {"a", "b"}
    assert [wish.targets for wish, _ in found.missed] == [("z",)]
