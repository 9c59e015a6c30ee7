"""What the judge of a certificate tries by itself: looks, straight lines, distances, legs."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.certificate.issue import seal, straight_bound
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Asked
from tests.certificate.issued import CASES, SCENARIOS, paper

LOOK = """
[table]
width = 24
depth = 24
[models.a]
at = [4, 12]
base = 1
height = 2
side = "good"
[models.b]
at = [12, 12]
base = 1
height = 2
side = "evil"
[questions.seen]
ask = "sight"
model = "a"
target = "b"
"""


WALL = '[terrain.wall]\ntags = ["obstacle"]\nheight = %s\npolygon = [[5, 0], [5.1, 0], [5.1, 24], [5, 24]]\n'


WOOD = '[terrain.wood]\ntags = ["difficult"]\nheight = 3\npolygon = [[2, 10], [6, 10], [6, 14], [2, 14]]\n'


def look(text, **forged):
    table = sbg.loads(text)
    given = certificate.issue(table, "seen", report.as_json(sbg.check(table, "seen")))
    given["claim"].update(forged)
    given["seal"] = seal(given)
    return certificate.verify(given)


def test_terrain_that_one_stands_in_is_left_out_as_it_is_ruled():
    ruled = 'rulings = { sight_within = "ignored" }\n' + LOOK + WOOD
    assert look(ruled).refuted == []
    assert look(LOOK + WOOD, answer="no").refuted == []
    assert look(ruled, answer="no").refuted != []
    outside = ruled.replace("at = [4, 12]", "at = [1.49, 12]")
    assert look(outside, answer="no").refuted == []
    upon = ruled.replace('["difficult"]', '["platform"]').replace("at = [4, 12]", 'at = [4, 12]\non = "wood"')
    assert look(upon).refuted == []


def test_who_is_prone_looks_from_half_the_height():
    """The eye is an inch up and the wall 0.8 high: what is seen over it is told."""
    found = look(LOOK.replace("height = 2", "height = 2\nprone = true", 1) + WALL % 0.8, answer="no")
    assert any(line.startswith("a sees b: a look at (") for line in found.refuted)
    found = look(LOOK.replace("height = 2", "height = 2\nprone = true", 1) + WALL % 1.8)
    assert found.refuted == []
    assert any(line.endswith("; none of 240 that were tried does") for line in found.unconfirmed)


def test_of_looks_between_levels_none_is_said_to_be_tried():
    cellar = (
        'on = "deck"\n[terrain.deck]\ntags = ["platform"]\nheight = 3\npolygon = [[9, 9], [15, 9], [15, 15], [9, 15]]\n'
    )
    text = LOOK.replace('height = 2\nside = "evil"', 'height = 2\nside = "evil"\n' + cellar) + WALL % 9
    found = look(text)
    assert found.refuted == []
    assert "that no look reaches b" in found.unconfirmed


def test_a_fault_of_a_leg_names_the_leg():
    whole = paper("jumping", "pippin-goes-on")
    whole["legs"][0]["rise"] = 0.5
    whole["seal"] = seal(whole)
    assert "leg 1 (segment) rises by 0.5 in, and is no climb" in certificate.verify(whole).refuted


FAR = LOOK.replace('ask = "sight"', 'ask = "charge"').replace("at = [12, 12]", "at = [20, 12]")


FAR = FAR.replace('height = 2\nside = "good"', 'height = 2\nmove = 6\nside = "good"')


@pytest.mark.parametrize(("prone", "cost"), [("", 15), ("prone = true\n", 18)])
def test_a_no_by_the_straight_line_alone(prone, cost):
    text = FAR.replace("move = 6\n", "move = 6\n" + prone)
    table = sbg.loads(text)
    given = certificate.issue(table, "seen", report.as_json(sbg.check(table, "seen")))
    assert given["bound"] == {"kind": "straight", "value": cost}
    found = certificate.verify(given)
    assert found.refuted == []
    assert f"the straight line alone costs {cost} in, and it has 6" in found.confirmed
    given["bound"]["value"] = cost + 0.5
    given["seal"] = seal(given)
    assert f"the straight line costs {cost}.0, not {cost + 0.5}" in certificate.verify(given).refuted


def test_an_area_has_no_certificate():
    table = sbg.loads(FAR + '[questions.area]\nask = "reach"\nmodel = "a"\n')
    with pytest.raises(sbg.QuestionError, match=r"questions\.area\.ask is reach"):
        certificate.issue(table, "area", report.as_json(sbg.check(table, "area")))


def test_distances_to_terrain_are_measured_anew():
    table = sbg.load(SCENARIOS / "ladder.toml")
    for name in table.terrain:
        there = replace(table, questions=FrozenMap({"q": Asked(sbg.Measure("frodo", name))}))
        given = certificate.issue(there, "q", report.as_json(sbg.check(there, "q")))
        assert certificate.verify(given).refuted == []
        given["claim"]["inches"] += 0.01
        given["seal"] = seal(given)
        assert certificate.verify(given).refuted


def test_a_way_round_that_is_too_long_is_left_open():
    """Round the box it takes more than 6.5 in, and past each of its corners alone less: the referee cannot tell."""
    box = {"tags": ["unscalable"], "polygon": [[10, 10.5], [13, 10.5], [13, 13.5], [10, 13.5]]}
    mover = {"at": [9.4, 12], "base": 1, "height": 1, "move": 6.5, "side": "good"}
    asked = {"q": {"ask": "move", "model": "m", "to": [13.6, 12]}}
    table = sbg.Table(24, 24, models={"m": mover}, terrain={"box": box}, questions=asked)
    verdict = sbg.check(table, "q")
    assert (verdict.answer, 6 < verdict.needed < 8) == ("no", True)
    found = certificate.verify(certificate.issue(table, "q", report.as_json(verdict)))
    assert found.refuted == []
    (left,) = (line for line in found.unconfirmed if line.startswith("that there is no other way"))
    assert f"claimed to cost at least {verdict.at_least:.9g} in" in left


def test_a_file_too_large_is_no_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr("sbg_sim.certificate.reading.MOST_BYTES", 100)
    (tmp_path / "large.json").write_text(certificate.text_of(paper(*CASES[0])))
    with pytest.raises(sbg.SbgError, match="more than 100 bytes"):
        certificate.read(tmp_path / "large.json")


def test_no_line_bounds_who_is_not_on_the_table():
    table = sbg.loads(FAR)
    question = table.asked("seen").question
    assert straight_bound(table, question) == 15
    assert straight_bound(replace(table, off=frozenset({"a"})), question) is None
    wall = sbg.Terrain("w", frozenset({"obstacle"}), sbg.polygon([(14, 1), (15, 1), (15, 2), (14, 2)]), 0.5)
    assert straight_bound(replace(table, terrain=table.terrain.with_item("w", wall)), question) is None


def test_where_a_look_may_start_is_a_ruling():
    for reading, faults in (("volume", []), ("centre", ["the look does not start at the eye of a"])):
        table = sbg.loads(f'rulings = {{ eye = "{reading}" }}\n' + LOOK)
        given = certificate.issue(table, "seen", report.as_json(sbg.check(table, "seen")))
        given["sightlines"][0]["line"][0] = [4.5, 12.0, 2.0]
        given["seal"] = seal(given)
        assert certificate.verify(given).refuted == faults


def test_whether_models_hide_each_other_is_a_ruling():
    between = LOOK + '[models.c]\nat = [8, 12]\nbase = 2\nheight = 3\nside = "evil"\n'
    hidden = look(between)
    assert hidden.refuted == []
    assert any(line.startswith("that no look reaches b") for line in hidden.unconfirmed)
    seen = look('rulings = { models_block_sight = "no" }\n' + between)
    assert seen.refuted == []
    assert "a sees b along the line that is offered" in seen.confirmed
    assert look('rulings = { models_block_sight = "no" }\n' + between, answer="no").refuted != []


def test_what_is_told_names_legs_and_counts_them():
    whole = paper("jumping", "pippin-goes-on")
    assert "the way is allowed at every point of it, 3 legs" in certificate.verify(whole).confirmed
    at = next(i for i, leg in enumerate(whole["legs"]) if leg["test"])
    whole["legs"][at]["test"]["fail_hits"] = 3
    whole["seal"] = seal(whole)
    assert f"leg {at + 1}: fail_hits of the die is 0, not 3" in certificate.verify(whole).refuted
    whole["legs"][at]["test"]["results"] = {"1": "flies"}
    whole["seal"] = seal(whole)
    told = next(line for line in certificate.verify(whole).refuted if "results of the die" in line)
    assert told.startswith(f"leg {at + 1}: results of the die is 1 ")
    assert told.endswith(", not 1 flies")
    near = sbg.loads(FAR.replace("[20, 12]", "[8, 12]"))
    given = certificate.issue(near, "seen", report.as_json(sbg.check(near, "seen")))
    assert "the way is allowed at every point of it, 1 leg" in certificate.verify(given).confirmed


def test_a_distance_that_is_not_told():
    given = paper("movement-1", "how-far-is-aragorn")
    given["claim"]["inches"] = None
    given["seal"] = seal(given)
    assert any(line.endswith("in apart, not nothing") for line in certificate.verify(given).refuted)
