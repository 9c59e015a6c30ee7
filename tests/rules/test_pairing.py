"""Pairing off: the rulebook's example, small cases by hand, and a brute-force oracle."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.geometry.shapes import polygon
from sbg_sim.rules.pairing import Fight, contacts, fights
from sbg_sim.scenario import read
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain

SCENARIO = Path(__file__).parents[2] / "scenarios" / "pairing-off-fights.toml"


def crowd(pairs, **rulings):
    """A table on which lower-case models touch upper-case ones as listed, by their engaged lists."""
    names = sorted({n for pair in pairs for n in pair})
    touching = {n: frozenset(b for a, b in pairs if a == n) for n in names}
    models = {
        n: Model(n, (3.0 * i, 1.0), 1.0, side="good" if n.islower() else "evil", engaged=touching[n])
        for i, n in enumerate(names)
    }
    table = Table(100, 100, models=FrozenMap(models))
    for name, reading in rulings.items():
        table = table.under(name, reading)
    return table


def words(pairing):
    return {(" ".join(f.good), " ".join(f.evil)) for f in pairing}


def all_words(found):
    return {frozenset(words(p)) for p in found.pairings}


def test_the_rulebooks_example():
    found = fights(read(SCENARIO))
    sure = {("frodo", "goblin-a"), ("sam", "goblin-b"), ("merry", "goblin-c")}
    assert all_words(found) == {
        frozenset(sure | {("pippin", "goblin-d goblin-e"), ("aragorn", "goblin-f")}),
        frozenset(sure | {("pippin", "goblin-d"), ("aragorn", "goblin-e goblin-f")}),
    }
    assert found.count == 2
    assert words(found.forced) == sure
    assert found.choices == {"goblin-e": (("aragorn",), ("pippin",))}
    assert found.priority == "evil"


def test_the_example_touches_without_being_told():
    table = read(SCENARIO)
    for name in table.models:
        table = table.having(name, engaged=frozenset())
    assert contacts(table) == contacts(read(SCENARIO))
    assert len(contacts(table)) == 8


def test_one_against_three_is_one_fight():
    found = fights(crowd([("a", "X"), ("a", "Y"), ("a", "Z")]))
    assert all_words(found) == {frozenset({("a", "X Y Z")})}
    assert found.choices == {}


def test_two_against_two_in_a_square_may_pair_either_way():
    found = fights(crowd(list(itertools.product("ab", "XY"))))
    assert all_words(found) == {
        frozenset({("a", "X"), ("b", "Y")}),
        frozenset({("a", "Y"), ("b", "X")}),
    }
    assert set(found.choices) == {"a", "b", "X", "Y"}
    assert found.forced == ()


def test_a_line_of_even_length_has_one_pairing():
    # a - X - b - Y: a must have X, so b has Y
    found = fights(crowd([("a", "X"), ("b", "X"), ("b", "Y")]))
    assert all_words(found) == {frozenset({("a", "X"), ("b", "Y")})}


def test_a_model_left_over_joins_where_it_touches():
    # three against two: whoever is left over joins; the multiple combat has one model on one side
    found = fights(crowd([("a", "X"), ("b", "X"), ("b", "Y"), ("c", "Y")]))
    assert all_words(found) == {
        frozenset({("a b", "X"), ("c", "Y")}),
        frozenset({("a", "X"), ("b c", "Y")}),
    }
    assert found.choices == {"b": (("X",), ("Y",))}


def test_reading_most_duels():
    # a touches X, Y, Z; b touches Z, W: Z may leave b one on one, or not
    pairs = [("a", "X"), ("a", "Y"), ("a", "Z"), ("b", "Z"), ("b", "W")]
    both = {
        frozenset({("a", "X Y Z"), ("b", "W")}),
        frozenset({("a", "X Y"), ("b", "W Z")}),
    }
    assert all_words(fights(crowd(pairs))) == both
    found = fights(crowd(pairs, pairing_one_on_one="duels"))
    assert all_words(found) == {frozenset({("a", "X Y Z"), ("b", "W")})}


def test_nobody_in_contact():
    found = fights(Table(10, 10, models=FrozenMap({"a": Model("a", (1, 1), 1.0, side="good")})))
    assert found.pairings == ((),)
    assert found.contacts == ()


def test_only_touching_bases_on_one_surface_are_in_contact():
    def pair(gap, on=None):
        models = {
            "a": Model("a", (1, 1), 1.0, side="good"),
            "x": Model("x", (2 + gap, 1), 1.0, side="evil", on=on),
        }
        return contacts(Table(10, 10, models=FrozenMap(models)))

    assert pair(0.0) == (("a", "x"),)
    assert pair(5e-7) == (("a", "x"),)
    assert pair(2e-6) == ()
    assert pair(0.0, on="deck") == ()


def test_nudged_apart_still_counts():
    assert contacts(crowd([("a", "X")])) == (("a", "X"),)  # three inches apart, engaged


def test_choosing_is_checked():
    found = fights(read(SCENARIO))
    good = [["frodo", "goblin-a"], ["merry", "goblin-c"], ["goblin-b", "sam"]]
    assert found.allows([*good, ["pippin", "goblin-d", "goblin-e"], ["aragorn", "goblin-f"]])
    assert found.allows([*good, ["pippin", "goblin-d"], ["aragorn", "goblin-f", "goblin-e"]])
    assert not found.allows([*good, ["pippin", "goblin-d"], ["aragorn", "goblin-f"]])
    assert not found.allows([*good, ["pippin", "goblin-e"], ["aragorn", "goblin-f"], ["goblin-d"]])
    assert not found.allows([*good, ["pippin", "goblin-d", "goblin-f"], ["aragorn", "goblin-e"]])


def test_malformed_contacts_are_told():
    friends = {n: Model(n, (3.0 * i, 1), 1.0, side="good") for i, n in enumerate("ab")}
    table = Table(10, 10, models=FrozenMap(friends))
    with pytest.raises(QuestionError, match=r"models\.a\.engaged"):
        fights(table.with_model(replace(table.model("a"), engaged=frozenset("b"))))
    with pytest.raises(UnknownNameError):
        fights(table.with_model(replace(table.model("a"), engaged=frozenset("c"))))
    with pytest.raises(QuestionError, match="side 'evil'"):
        fights(table, "evil")
    three = {n: Model(n, (1.0 * i, 1), 1.0, side=n) for i, n in enumerate(("elves", "men", "orcs"))}
    with pytest.raises(QuestionError, match=r"two sides.*: elves, men, orcs of elves, men, orcs"):
        fights(Table(10, 10, models=FrozenMap(three)))


def test_three_sides_pair_off_where_each_crowd_is_of_two():
    at = {
        "elf": (1, 1, "elves"),
        "orc": (2, 1, "orcs"),
        "man": (6, 1, "men"),
        "ork": (7, 1, "orcs"),
        "boy": (6, 5, "men"),
    }
    at |= {"elves": (7, 5, "elves"), "lad": (5, 5, "men")}
    models = {name: Model(name, (x, y), 1.0, side=side) for name, (x, y, side) in at.items()}
    found = fights(Table(10, 10, models=FrozenMap(models)), "men")
    (only,) = found.pairings
    assert only == (Fight(("elf",), ("orc",)), Fight(("elves",), ("boy",)), Fight(("man",), ("ork",)))


# --- an oracle that follows the words of the rule


def by_the_book(pairs):
    """Make every greatest set of one-on-one pairs, then let everyone left over join a pair it touches."""
    everyone = {n for pair in pairs for n in pair}
    for size in range(len(pairs), 0, -1):
        duels = [c for c in itertools.combinations(pairs, size) if len({n for p in c for n in p}) == 2 * size]
        if duels:
            break
    found = set()
    for base in duels:
        left = sorted(everyone - {n for p in base for n in p})
        touching = {frozenset(pair) for pair in pairs}
        options = [[i for i, pair in enumerate(base) if any({n, m} in touching for m in pair)] for n in left]
        for joined in itertools.product(*options):
            groups = [set(p) for p in base]
            for n, i in zip(left, joined, strict=True):
                groups[i].add(n)
            if all(min(sum(n.islower() for n in g), sum(n.isupper() for n in g)) == 1 for g in groups):
                found.add(frozenset(frozenset(g) for g in groups))
    return found


@settings(max_examples=50, deadline=None)
@given(st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("WXYZ")), min_size=1, max_size=9))
def test_all_pairings_and_no_others(pairs):
    found = fights(crowd(sorted(pairs)))
    listed = [frozenset(f.models for f in p) for p in found.pairings]
    assert len(listed) == len(set(listed)) == found.count
    assert set(listed) == by_the_book(sorted(pairs))
    everyone = sorted(n for pair in pairs for n in pair)
    for pairing in found.pairings:
        assert sorted(n for f in pairing for n in f.models) == sorted(set(everyone))
        assert found.allows([f.models for f in pairing])
        assert set(found.forced) <= set(pairing)
    stuck = {n for n in set(everyone) if n not in found.choices}
    for name in stuck:  # who has no choice meets some enemy in every pairing off
        against = [next(f for f in p if name in f.models) for p in found.pairings]
        enemies = [set(f.evil if name in f.good else f.good) for f in against]
        assert set.intersection(*enemies)


def test_a_long_shield_wall_is_paired_off_quickly():
    # 30 against 30, each touching two: a cycle has two perfect ways
    names = [(f"g{i:02}", f"e{j % 30:02}") for i in range(30) for j in (i, i + 1)]
    models = {}
    for i in range(30):
        models[f"g{i:02}"] = Model(f"g{i:02}", (1 + 3.0 * i, 1), 1.0, side="good")
        models[f"e{i:02}"] = Model(f"e{i:02}", (1 + 3.0 * i, 9), 1.0, side="evil")
    table = Table(100, 100, models=FrozenMap(models))
    for a in sorted({a for a, _ in names}):
        table = table.having(a, engaged=frozenset(b for x, b in names if x == a))
    found = fights(table)
    assert found.count == 2
    assert found.pairings[0] == tuple(Fight((f"g{i:02}",), (f"e{i:02}",)) for i in range(30))
    assert math.comb(2, 1) == len(found.pairings)


@pytest.mark.parametrize(
    ("low", "high", "fight"),
    [(1.0, 1.0, True), (1.0, 1.75, True), (1.0, 1.7501, False), (0.0, 0.75, True), (0.0, 0.7501, False)],
)
def test_contact_across_levels_is_a_fight(low, high, fight):
    """Two pieces side by side, bases that meet over the joint: as for charges, up to half a height (CHG.1)."""
    left, right = ([[x, 8], [x + 4, 8], [x + 4, 16], [x, 16]] for x in (6, 10))
    terrain = {"right": {"tags": ["platform"], "height": high, "polygon": right}}
    terrain |= {"left": {"tags": ["platform"], "height": low, "polygon": left}} if low else {}
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {
        "a": {**man, "side": "good", "at": [9.5, 12], **({"on": "left"} if low else {})},
        "x": {**man, "side": "evil", "at": [10.5, 12], "on": "right"},
    }
    table = Table(24, 24, models=models, terrain=terrain)
    assert contacts(table) == ((("a", "x"),) if fight else ())
    assert fights(table, "good").count == 1
    assert contacts(table.under("contact_across_heights", "no")) == ((("a", "x"),) if low == high else ())


@pytest.mark.parametrize(("hob", "charged", "fight"), [(1.0, False, False), (1.0, True, True), (3.0, False, True)])
def test_beside_a_tall_enemy_on_another_level_there_is_a_fight_if_either_charged_or_both_could(hob, charged, fight):
    """On a top 1 1/2 in high: half of 4 in is enough for the troll, half of 1 in is not enough for the hobbit."""
    top = Terrain("top", frozenset({"platform"}), polygon([(8, 8), (12, 8), (12, 16), (8, 16)]), height=1.5)
    models = {
        "hob": Model(
            "hob", (11.5, 12), 1.0, hob, 6.0, "good", on="top", engaged=frozenset({"troll"} if charged else ())
        ),
        "troll": Model("troll", (12.5, 12), 1.0, 4.0, 6.0, "evil", engaged=frozenset({"hob"} if charged else ())),
    }
    there = Table(24, 24, models=FrozenMap(models), terrain=FrozenMap({"top": top}))
    assert contacts(there) == ((("hob", "troll"),) if fight else ())
