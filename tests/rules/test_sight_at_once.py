"""What is plainly seen or hidden at one go, against one look at a time."""

import math
import random
from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.rules.sight import Look, look, looks_at_once
from sbg_sim.table.terrain import Terrain
from tests.rules.sight_tables import WALL, man, platform, table, wall
from tests.rules.test_sight_oracle import crowd


def grid(seed):
    """Blocks and models on whole inches: looks run along sides and seams, through corners and over tops."""
    rng = random.Random(seed)
    spots = [(x, y) for x in range(1, 12) for y in range(1, 9)]
    rng.shuffle(spots)
    models = [man(f"m{i}", spots.pop(), rng.choice([1.0, 1.5, 2.0]), prone=rng.random() < 0.2) for i in range(7)]
    pieces = []
    for i in range(14):
        (x, y), size = spots.pop(), rng.choice([0.5, 1.0, 2.0])
        ring = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
        pieces.append(Terrain(f"t{i}", WALL, polygon(ring), height=rng.choice([0.5, 1.0, 1.5, 3.0])))
    return models, pieces


def plain(there, looker, targets):
    """Return who is plainly seen and who is plainly hidden at one go."""
    found = looks_at_once(there, looker, targets)
    return {name for name, one in found.items() if one.seen}, {name for name, one in found.items() if not one.seen}


def compare(there):
    """Count those seen and hidden one at a time, and those at one go, which must be among them."""
    counts = [0, 0, 0, 0]
    for looker in there.standing():
        others = [m for m in there.standing() if m.id != looker.id]
        one = {m.id for m in others if look(there, looker.id, m.id).seen}
        alone = {m.id: look(there, looker.id, m.id, widest=False) for m in others}
        assert {name for name, found in alone.items() if found.seen} == one
        at_once = looks_at_once(there, looker, others)
        for name, found in at_once.items():
            assert found.certain
            assert found == Look(alone[name].seen, hidden_by=alone[name].hidden_by if not alone[name].seen else ())
        seen = sum(found.seen for found in at_once.values())
        counts = [
            n + k for n, k in zip(counts, (len(one), seen, len(others) - len(one), len(at_once) - seen), strict=True)
        ]
    return counts


@pytest.mark.parametrize("make", [crowd, grid])
@pytest.mark.parametrize("rulings", [{}, {"models_block_sight": "no"}, {"sight_within": "ignored"}])
def test_all_that_is_plainly_seen_or_hidden_is_so_and_by_the_same(make, rulings):
    counts = [compare(table(*make(seed), **rulings)) for seed in range(8)]
    seen, plainly_seen, hidden, plainly_hidden = (sum(count) for count in zip(*counts, strict=True))
    assert plainly_seen > 0.5 * seen
    assert plainly_hidden > 0.1 * hidden


def test_over_a_top_of_the_same_height_is_plainly_seen_and_past_a_wall_that_is_touched_is_not():
    a, b, c = man("a", (0, 5)), man("b", (4, 5)), man("c", (8, 5))
    assert plain(table([a, b, c]), a, [b, c]) == ({"b", "c"}, set())
    assert plain(table([a, c], [wall(6.5, 7.5, 3.0)]), a, [c]) == (set(), {"c"})


def test_a_seam_between_two_walls_lets_no_look_through():
    a, b = man("a", (0, 5)), man("b", (8, 5))
    walls = [wall(3, 4, 3.0, -20, 5, "south"), wall(3, 4, 3.0, 5, 30, "north")]
    assert plain(table([a, b], walls), a, [b])[0] == set()


def test_a_wall_aslant_to_the_look_hides_what_is_behind_it():
    a, b = man("a", (1, 5)), man("b", (13.1, 5))
    aslant = Terrain("aslant", WALL, polygon([(2, 4), (12.5, 4), (10, 6)]), height=3.0)
    there = table([a, b], [aslant])
    assert not look(there, "a", "b").seen
    assert plain(there, a, [b])[0] == set()


@pytest.mark.parametrize(("dent", "hidden"), [([(6, 4.9), (6, 5.1)], {"b"}), ([(4, 4.5), (4, 5.5)], set())])
def test_a_wall_with_a_dent_hides_what_is_behind_it_plainly_unless_its_outline_turns_back(dent, hidden):
    a, b = man("a", (0, 5)), man("b", (8, 5))
    dented = Terrain("dented", WALL, polygon([(2, 0), (2, 4.9), *dent, (2, 5.1), (2, 10), (7, 10), (7, 0)]), height=3.0)
    there = table([a, b], [dented])
    assert plain(there, a, [b]) == (set(), hidden)
    assert look(there, "a", "b", widest=False).hidden_by == ("dented",)


def test_from_a_platform_what_stands_in_its_lee_is_not_plainly_seen():
    tall = platform("hill", 0, 6, 4.0)
    up, lee, out = man("up", (1, 5), on="hill"), man("lee", (6.5, 5)), man("out", (30, 5))
    there = table([up, lee, out], [tall])
    assert plain(there, up, [lee, out])[0] <= {m.id for m in (lee, out) if look(there, "up", m.id).seen}


@pytest.mark.parametrize("x", [2.0, 9.0, 9.45])
@pytest.mark.parametrize("wider", [1e-5, -1e-5])
def test_a_wall_hides_what_is_behind_it_where_it_is_just_as_wide(x, wider):
    a, b = man("a", (0, 5)), man("b", (10, 5))
    half = x * math.tan(math.asin(0.5 / 10)) + wider
    there = table([a, b], [wall(x, x + 0.2, 3.0, 5 - half, 5 + half)])
    assert look(there, "a", "b", widest=False).seen == look(there, "a", "b").seen == (wider < 0)


@pytest.mark.parametrize("rulings", [{"eye": "volume"}, {"sight_grazing": "blocks"}])
def test_where_other_readings_hold_nothing_is_said(rulings):
    a, b = man("a", (0, 5)), man("b", (8, 5))
    assert not looks_at_once(table([a, b], [wall(20, 21, 1.0)], **rulings), a, [b])


def test_a_height_that_is_missing_is_left_to_the_look():
    a, b, c = man("a", (0, 5)), man("b", (4, 9), height=None), man("c", (8, 5))
    assert not looks_at_once(table([a, b, c]), a, [c])


def test_out_of_a_pit_and_into_it_looks_at_once_are_those_one_at_a_time():
    """The ground about a pit two inches deep hides who stands in it from afar, and who lies back from its brim."""
    pit = Terrain("pit", frozenset({"gap"}), polygon([(8, 8), (16, 8), (16, 16), (8, 16)]), depth=2.0)
    models = [man("a", (12, 12), on="pit"), man("b", (14, 12), on="pit"), man("c", (20, 12)), man("d", (12, 16.6))]
    there = table(models, [pit])
    for looker in models:
        others = [m for m in models if m is not looker]
        found = looks_at_once(there, looker, others)
        for other in others:
            if other.id in found:
                assert found[other.id].seen == look(there, looker.id, other.id).seen
    deep = table([man("a", (12, 12), on="pit"), man("c", (22, 12))], [replace(pit, depth=6.0)])
    assert not look(deep, "a", "c").seen
    assert not looks_at_once(deep, deep.model("a"), [deep.model("c")]).get("c", Look(seen=False)).seen
