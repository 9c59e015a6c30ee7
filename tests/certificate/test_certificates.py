"""Certificates: what was issued is confirmed, and whatever is changed in one is caught."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.certificate.issue import seal, straight_bound
from sbg_sim.cli import main
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Asked

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"
CASES = [
    ("amon-hen", "lurtz-to-merry"),
    ("charging-2", "third-to-pippin"),
    ("jumping", "pippin-goes-on"),
    ("jumping", "pippin-too-far"),
    ("movement-3", "not-between-gimli-and-boromir"),
    ("movement-1", "how-far-is-aragorn"),
    ("sight-over-a-wall", "just-so"),
    ("sight-over-a-wall", "a-hundredth-higher"),
    ("prone-and-movement", "crawls"),
    ("leaping-and-climbing", "boromir-up-the-cliff"),
    ("difficult-terrain-1", "two-open-two-inside"),
    ("unscalable", "inside"),
    ("levels/stepping-stones", "upon-whom"),
]
PAPERS: dict[tuple[str, str], dict] = {}


def paper(name, key):
    if (name, key) not in PAPERS:
        table = sbg.load(SCENARIOS / f"{name}.toml")
        PAPERS[name, key] = certificate.issue(table, key, report.as_json(sbg.check(table, key)))
    return copy.deepcopy(PAPERS[name, key])


@pytest.mark.parametrize(("name", "key"), CASES)
def test_what_was_issued_is_confirmed(name, key):
    read = certificate.read_text(certificate.text_of(paper(name, key)))
    found = certificate.verify(read)
    assert found.refuted == []
    assert len(found.confirmed) >= 2
    Draft202012Validator(certificate.json_schema()).validate(read)


def numbers(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*path, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from numbers(inner, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def changed(paper, path, by):
    there = paper
    for part in path[:-1]:
        there = there[part]
    there[path[-1]] += by
    return paper


def refused(paper):
    try:
        return bool(certificate.verify(certificate.read_text(certificate.text_of(paper))).refuted)
    except certificate.CertificateError:
        return True


def test_five_hundred_changed_certificates_are_refused():
    rng = random.Random(13)
    places = [(case, path) for case in CASES for path in numbers(paper(*case))]
    assert len(places) > 500
    for case, path in rng.sample(places, 500):
        by = rng.choice([1e-4, -1e-4])
        assert refused(changed(paper(*case), path, by)), (case, path)


@pytest.mark.parametrize(("name", "key"), [CASES[1], CASES[2], CASES[9], CASES[-1]])
def test_legs_and_claims_are_caught_even_when_sealed_again(name, key):
    """The seal is no proof: who changes the way or the cost and seals anew is caught by the referee."""
    whole = paper(name, key)
    places = [p for p in numbers(whole) if p[0] == "legs"]
    places += [("claim", "needed"), ("claim", "margin"), ("claim", "allowance"), ("claim", "chance_value")]
    for path in places:
        other = changed(paper(name, key), path, 1e-4)
        other["seal"] = seal(other)
        assert refused(other), path


def test_a_false_no_and_a_false_yes():
    no = paper("jumping", "pippin-goes-on")
    no["claim"] |= {"chance": "5/6", "chance_value": 5 / 6}
    no["seal"] = seal(no)
    assert any("1/6" in line for line in certificate.verify(no).refuted)
    table = sbg.load(SCENARIOS / "movement-1.toml")
    yes = certificate.issue(table, "level-with-the-mark", report.as_json(sbg.check(table, "level-with-the-mark")))
    yes["claim"] |= {"answer": "no", "chance": "0/1", "chance_value": 0.0}
    yes["seal"] = seal(yes)
    assert any("the straight way is allowed" in line for line in certificate.verify(yes).refuted)


def without(key):
    return lambda paper: paper["claim"].update({key: None})


def claims(**some):
    return lambda paper: paper["claim"].update(some)


def asks(**some):
    return lambda paper: paper["table"]["questions"][paper["question"]].update(some)


def asks_no(key):
    return lambda paper: paper["table"]["questions"][paper["question"]].pop(key)


def offers_a_look(paper):
    paper["sightlines"] = [{"target": "boromir", "line": [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]}]


def no_test(paper):
    for leg in paper["legs"]:
        leg["test"] = None


FORGED = {
    "a leg less": ([CASES[0], CASES[2], CASES[-1]], lambda paper: paper["legs"].pop()),
    "no first leg": ([CASES[0], CASES[2], CASES[-1], CASES[9]], lambda paper: paper["legs"].pop(0)),
    "no leg": ([CASES[0], CASES[1], CASES[8]], lambda paper: paper["legs"].clear()),
    "no way": ([CASES[0], CASES[1], CASES[8]], lambda paper: paper.update(legs=None)),
    "the last leg twice": ([CASES[0], CASES[2]], lambda paper: paper["legs"].append(paper["legs"][-1])),
    "backwards": ([CASES[0], CASES[2]], lambda paper: paper["legs"].reverse()),
    "crawled": ([CASES[0], CASES[2]], lambda paper: paper["legs"][0].update(kind="crawl")),
    "without the die": ([CASES[2], CASES[9]], no_test),
    "another target": ([CASES[0]], asks(target="boromir")),
    "another mover": ([CASES[0]], asks(model="boromir")),
    "a line of sight to another": (
        [CASES[0], CASES[6]],
        lambda paper: paper["sightlines"].append({**paper["sightlines"][0], "target": "boromir"}),
    ),
    "a line of sight, where nothing is seen": ([CASES[1], CASES[2], CASES[4], CASES[5], CASES[7]], offers_a_look),
    "an upper bound without a way": ([CASES[-2]], claims(at_most=7.0)),
    "a margin without a way": ([CASES[-2]], claims(margin=1.0)),
    "a bound that leaves a way open": ([CASES[-2]], claims(at_least=5.0)),
    "no line of sight": ([CASES[0], CASES[6]], lambda paper: paper["sightlines"].clear()),
    "two lines to one": ([CASES[0]], lambda paper: paper["sightlines"].append(paper["sightlines"][0])),
    "a rule made up": ([CASES[0], CASES[4], CASES[6]], claims(rules=["MOV.3", "CHG.1", "JMP.9"])),
    "a rule left out": ([CASES[0], CASES[1], CASES[2]], claims(rules=["PRN.3"])),
    "a ruling made up": ([CASES[0]], claims(rulings=["eye = elbow"])),
    "one chance only": ([CASES[0], CASES[2]], without("chance_value")),
    "no chance": ([CASES[0], CASES[1]], claims(chance=None, chance_value=None)),
    "one bound only": ([CASES[0], CASES[1]], without("at_most")),
    "no cost": ([CASES[0], CASES[1]], claims(needed=None, margin=None)),
    "too close, without doubt": ([CASES[0], CASES[4], CASES[6]], claims(answer="too-close")),
    "more Move": (
        [CASES[0], CASES[1]],
        lambda p: p["claim"].update(allowance=99.0, margin=99.0 - p["claim"]["needed"]),
    ),
    "another answer than its chance": ([CASES[0], CASES[2]], claims(answer="no")),
    "a chance above one": ([CASES[0]], claims(chance="3/2", chance_value=1.5)),
    "a distance of a move": ([CASES[0], CASES[1]], claims(inches=3.0)),
    "a straight leg with a radius": ([CASES[0]], lambda paper: paper["legs"][0].update(radius=1.0)),
    "an area": ([CASES[1]], lambda paper: asks(ask="reach")(paper) or asks_no("target")(paper)),
    "a gap that fits": ([CASES[4]], claims(answer="yes")),
    "a gap with another margin": ([CASES[4]], claims(margin=0.25)),
    "a distance that says yes": ([CASES[5]], claims(answer="yes")),
    "a look with a distance": ([CASES[6], CASES[7]], claims(inches=0.5)),
    "a look that costs": ([CASES[6]], claims(needed=1.0)),
    "a look that is none": ([CASES[6]], claims(answer="no")),
    "a look that is there": ([CASES[7]], claims(answer="yes")),
}


@pytest.mark.parametrize(("kind", "case"), [(kind, case) for kind, (cases, _) in FORGED.items() for case in cases])
def test_a_forgery_is_caught_even_when_sealed_again(kind, case):
    forged = paper(*case)
    FORGED[kind][1](forged)
    forged["seal"] = seal(forged)
    assert refused(forged)


def test_a_wall_moved_into_the_way_is_found():
    other = paper("amon-hen", "lurtz-to-merry")
    x, y = other["legs"][0]["end"]
    other["table"]["terrain"] = {
        "pillar": {"tags": ["obstacle"], "height": 3.0, "circle": {"center": [x, y], "radius": 0.1}}
    }
    other["seal"] = seal(other)
    found = certificate.verify(other)
    assert any("pillar" in line or "not allowed" in line for line in found.refuted)


BROKEN = {
    "cut short": lambda text: text[: len(text) // 2],
    "nothing": lambda _: "",
    "NaN": lambda text: text.replace('"needed": ', '"needed": NaN, "x": ', 1),
    "infinite": lambda text: text.replace('"needed": ', '"needed": 1e999, "x": ', 1),
    "another version": lambda text: text.replace('"version": 1', '"version": 2'),
    "another thing": lambda _: "[1, 2]",
    "a key twice": lambda text: text.replace('"version": 1,', '"version": 1, "version": 1,'),
    "a word for a number": lambda text: text.replace('"at_least": ', '"at_least": "x", "y": ', 1),
    "a missing part": lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != "claim"}),
    "a leg of no kind": lambda text: text.replace('"kind": "segment"', '"kind": "flight"', 1),
    "a deep nest": lambda _: "[" * 100_000,
    "no such question": lambda text: text.replace('"question": "lurtz-to-merry"', '"question": "who"'),
    "a null in the table": lambda text: text.replace('"source"', '"bound": null, "source"', 1),
    "a broken table": lambda text: text.replace('"width"', '"breadth"', 1),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_malformed_certificates_get_one_message(kind, tmp_path, capsys):
    text = BROKEN[kind](certificate.text_of(paper("amon-hen", "lurtz-to-merry")))
    file = tmp_path / "paper.json"
    file.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(file)])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    assert "NoneType" not in err


@pytest.mark.parametrize(
    ("text", "said"), [('{"version": ' + "1" * 5000 + "}", "5000 digits"), ("[" * 100000, "nested")]
)
def test_what_no_reader_can_hold(text, said):
    with pytest.raises(certificate.CertificateError, match=said):
        certificate.read_text(text)


def test_a_scenario_is_not_overwritten_by_its_certificate(tmp_path, capsys):
    file = tmp_path / "jumping.toml"
    file.write_text((SCENARIOS / "jumping.toml").read_text())
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file), "pippin-goes-on", "--certificate", str(file)])
    assert ended.value.code == 2
    assert "must end in .json" in capsys.readouterr().err
    assert file.read_text() == (SCENARIOS / "jumping.toml").read_text()


def test_a_million_legs(tmp_path):
    whole = paper("amon-hen", "lurtz-to-merry")
    whole["legs"] = [0] * 1_000_000
    with pytest.raises(certificate.CertificateError, match="1000000 are too many"):
        certificate.read_text(json.dumps(whole))


def test_the_command_line(tmp_path, capsys):
    out = tmp_path / "paper.json"

    def run(*args):
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        return ended.value.code, capsys.readouterr().out

    file = SCENARIOS / "amon-hen.toml"
    assert run("check", file, "lurtz-to-merry", "--certificate", out)[0] == 0
    code, text = run("verify", out, "--json")
    assert code == 0
    assert json.loads(text)["result"] == "confirmed"
    other = json.loads(out.read_text())
    other["table"]["table"]["width"] += 1e-4
    out.write_text(json.dumps(other))
    code, text = run("verify", out)
    assert code == 1
    assert "the seal does not fit" in text
    assert run("check", SCENARIOS / "charging-2.toml", "--certificate", out)[0] == 2  # six questions
    assert run("verify", tmp_path / "none.json")[0] == 2
    assert run("check", file, "lurtz-to-merry", "--certificate", tmp_path / "no" / "way.json")[0] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["paper.json"]


def test_the_docs_hold_the_schema():
    assert json.loads((ROOT / "docs" / "certificate.schema.json").read_text()) == certificate.json_schema()


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
