"""Which rules a verdict names for the way it tells."""

from __future__ import annotations

import pytest

import sbg_sim as sbg

CORNER = {"polygon": [[9, 4], [9.4, 4], [9.4, 12.2], [9, 12.2]]}
ROUND = {"circle": {"center": [9, 11.9], "radius": 0.5}}


@pytest.mark.parametrize("shape", [CORNER, ROUND])
@pytest.mark.parametrize(
    ("tags", "rule"), [(["difficult"], "TER.2"), (["obstacle"], "TER.4"), (["obstacle", "unscalable"], "TER.5")]
)
def test_what_a_way_goes_round_is_named(shape, tags, rule):
    model = {"at": [6, 12], "base": 1, "height": 1.5, "move": 7, "side": "good"}
    table = sbg.Table(24, 24, models={"m": model}, terrain={"piece": {"tags": tags, "height": 1, **shape}})
    found = sbg.check(table, sbg.Move("m", (12, 12)))
    assert "arc" in {leg.kind for leg in found.route.legs}
    assert found.rules == ("MOV.3", rule)


def test_difficult_ground_off_the_way_is_not_named():
    model = {"at": [6, 12], "base": 1, "height": 1.5, "move": 7, "side": "good"}
    bog = {"tags": ["difficult"], "circle": {"center": [9, 14], "radius": 1}}
    table = sbg.Table(24, 24, models={"m": model}, terrain={"bog": bog})
    assert sbg.check(table, sbg.Move("m", (12, 12))).rules == ("MOV.3",)


WALL = {"tags": ["obstacle"], "polygon": [[8, 0], [8.5, 0], [8.5, 24], [8, 24]]}
DITCH = {"tags": ["gap"], "depth": 2, "polygon": [[8, 0], [10, 0], [10, 24], [8, 24]]}
TOP = {"tags": ["platform"], "polygon": [[8, 0], [14, 0], [14, 24], [8, 24]]}
ROOFS = {"p": {**TOP, "height": 4, "polygon": [[4, 0], [8, 0], [8, 24], [4, 24]]}, "q": {**TOP, "height": 4}}
ROOFS["q"]["polygon"] = [[9, 0], [14, 0], [14, 24], [9, 24]]
LIES = {"f": {"at": [8, 12], "base": 1, "height": 1.5, "move": 6, "side": "good", "prone": True}}
LIES |= {f"s{k}": {**LIES["f"], "at": [8, 12 + k], "prone": False} for k in range(-11, 12) if k}  # from edge to edge


@pytest.mark.parametrize(
    ("terrain", "to", "what", "rules"),
    [
        ({"p": {**WALL, "height": 1}}, {"to": (9, 12)}, "jump over p", ("TER.4", "JMP.1")),
        ({"p": {**TOP, "height": 1}}, {"to": (8.5, 12), "on": "p"}, "jump onto p", ("TER.4", "JMP.1")),
        ({"p": {**TOP, "height": 2}}, {"to": (8.5, 12), "on": "p"}, "climb p", ("CLB.1", "CLB.2")),
        ({"p": DITCH}, {"to": (10.5, 12)}, "leap over p", ("LEAP.1", "LEAP.2")),
        (ROOFS, {"to": (9.5, 12), "on": "q"}, "leap to q", ("LEAP.1", "LEAP.2")),
        (ROOFS, {"to": (3.5, 12)}, "climb down p", ("FALL.1",)),
        ({}, {"to": (9, 12)}, "jump over prone f", ("PRN.5",)),
        ({"p": {**TOP, "height": 0.7}}, {"to": (8.5, 12), "on": "p"}, "", ("TER.3",)),
    ],
)
def test_a_die_is_named_in_words_with_the_table_it_is_looked_up_in(terrain, to, what, rules):
    me = {"at": [6, 12], "base": 1, "height": 1.5, "move": 14, "side": "good", "on": "p" if "q" in terrain else None}
    others = {} if terrain else LIES
    found = sbg.check(sbg.Table(24, 24, models={"m": me, **others}, terrain=terrain), sbg.Move("m", **to))
    assert set(rules) <= set(found.rules)
    if what:
        assert f"({what})" in found.reason
