"""Certificates: what was issued is confirmed, and whatever is changed in one is caught."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.certificate.issue import seal
from sbg_sim.cli import main
from tests.certificate.issued import CASES, SCENARIOS, paper

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize(("name", "key"), [("jumping", "pippin-too-far"), ("climbing", "legolas-no-further")])
def test_every_number_of_the_way_that_is_too_long_is_held(name, key):
    """What the referee finds of a way is excused by a rule that the answer names; where a die is taken is not."""
    assert paper(name, key)["claim"]["answer"] == "no"
    for path in [p for p in numbers(paper(name, key)) if p[0] == "legs"]:
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
    "the die of no kind of leg": (
        [CASES[2], CASES[9]],
        lambda paper: [leg["test"].update(kind="hop") for leg in paper["legs"] if leg["test"]],
    ),
    "a die that lands elsewhere": (
        [CASES[2], CASES[9], CASES[-1]],
        lambda paper: [leg["test"].update(landing_on="nowhere") for leg in paper["legs"] if leg["test"]],
    ),
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


def test_a_certificate_of_an_area_is_none():
    forged = paper("movement-1", "how-far-is-aragorn")
    forged["table"]["questions"] = {forged["question"]: {"ask": "reach", "model": "aragorn"}}
    forged["seal"] = seal(forged)
    assert "an area has no certificate" in certificate.verify(forged).refuted


def test_what_its_own_table_leaves_open_cannot_be_judged():
    forged = paper("jumping", "pippin-goes-on")
    del forged["table"]["models"]["pippin"]["height"]
    forged["seal"] = seal(forged)
    missing = "it cannot be judged: models.pippin.height is missing, and this question needs it"
    assert certificate.verify(forged).refuted == [missing]


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
    "a chance that is none": lambda text: text.replace('"chance": "1/1"', '"chance": "1/0"', 1),
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
    assert err.startswith(f"{file}:")
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


@pytest.mark.parametrize("name", ["photo.png", "certificate", "sheet.html", "c.json.bak"])
def test_a_certificate_is_a_json_file(name, tmp_path, capsys):
    there = tmp_path / name
    there.write_text("something else")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(SCENARIOS / "jumping.toml"), "pippin-goes-on", "--certificate", str(there)])
    assert ended.value.code == 2
    assert f"{there}' must end in .json" in capsys.readouterr().err
    assert there.read_text() == "something else"


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


def test_a_way_that_is_short_enough_is_not_said_to_be_too_long():
    models = {
        "lurtz": {"at": [4, 12], "base": "25 mm", "height": 1.5, "move": 6, "side": "evil"},
        "merry": {"at": [10.9, 13], "base": "25 mm", "height": 1, "move": 4, "side": "good", "doubt": 0.05},
    }
    asked = {"can-he": {"ask": "charge", "model": "lurtz", "target": "merry"}}
    table = sbg.Table(24, 24, models=models, questions=asked)
    verdict = sbg.check(table, "can-he")
    assert verdict.answer == "too-close"
    found = certificate.verify(certificate.issue(table, "can-he", report.as_json(verdict)))
    assert "the way is allowed with the models where the table has them" in found.confirmed
    assert not any("but for its length" in said for said in found.confirmed)
