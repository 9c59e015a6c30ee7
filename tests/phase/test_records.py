"""Records: the three of the rulebook, broken ones, and hashes that do not depend on the machine."""

from __future__ import annotations

import json
import math
import pathlib
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.phase import Phase, canonical, fingerprint, replay
from sbg_sim.phase.canonical import snapped
from sbg_sim.scenario import read, read_text, write
from sbg_sim.table.record import MoveRecord, Record
from tests.phase.tables import man, table

RECORDS = pathlib.Path(__file__).parents[2] / "scenarios" / "phase"
R = 25 / 25.4 / 2

HEAD = """
[table]
width = 24
depth = 24
[profiles.man]
base = 1.0
height = 1.5
move = 6
[models.gimli]
profile = "man"
side = "good"
at = [10, 10]
[models.frodo]
profile = "man"
side = "good"
at = [4, 4]
[models.uruk]
profile = "man"
side = "evil"
at = [10, 15]
[terrain.wall]
tags = ["obstacle"]
height = 1.0
polygon = [[0, 7], [8, 7], [8, 7.5], [0, 7.5]]
[phase]
priority = "good"
"""


def run(path: pathlib.Path, *more: str):
    return CliRunner().invoke(_sbg_sim, ["replay", str(path), *more])


def test_charging_2_in_sequence():
    played = replay(read(RECORDS / "charging-2-sequence.toml"))
    assert [step.legal for step in played.steps] == [True] * 3
    assert played.steps[2].used == pytest.approx(6.5 - 2 * R, abs=1e-9)
    assert [sorted(f.models) for f in played.fights.forced] == [
        ["aragorn", "uruk-left"], ["boromir", "uruk-right"], ["pippin", "uruk-middle"],
    ]  # fmt: skip
    table_ = read(RECORDS / "charging-2-sequence.toml")
    alone = replay(table_, Record("evil", table_.record.moves[2:]))
    assert not alone.legal
    assert {"MOV.3", "CHG.3"} <= set(alone.steps[0].rules)


def test_three_hobbits_jump():
    steps = replay(read(RECORDS / "jumping-three-hobbits.toml")).steps
    assert [step.at for step in steps] == [
        pytest.approx((8, 12.3 + R), abs=1e-6), (10, 14), pytest.approx((12, 12 - R), abs=1e-6),
    ]  # fmt: skip
    assert [step.used for step in steps] == pytest.approx([1.8 + R, 3.5, 1.5 - R])


def test_faramir_comes_on():
    played = replay(read(RECORDS / "reinforcements-faramir.toml"))
    assert played.legal
    assert played.steps[1].used == pytest.approx(5.5 + R)
    assert played.steps[2].used == pytest.approx(math.hypot(5 + R, 1.5))
    assert played.steps[5].at == pytest.approx((R, 24), abs=1e-6)
    assert played.steps[-1].engaged == ("faramir",)


@pytest.mark.parametrize("name", sorted(p.name for p in RECORDS.glob("*.toml")))
def test_a_record_has_one_hash_and_its_end_reads_back(name: str, tmp_path: pathlib.Path):
    path = RECORDS / name
    played = replay(read(path))
    out = tmp_path / "next.toml"
    result = run(path, "--json", "--out", str(out))
    data = json.loads(result.output)
    assert result.exit_code == 0
    assert data["hash"] == played.hash == replay(read(path)).hash
    assert fingerprint(read(out)) == played.hash
    assert read(out).models == played.next_table.models
    assert not any(m.moved for m in read(out).models.values())
    keys = {"model", "legal", "used", "at", "on", "prone", "engaged", "rolls", "rules", "reason"}
    assert keys <= set(data["steps"][0])


def test_the_hash_does_not_hang_on_the_hash_seed():
    path = str(RECORDS / "charging-2-sequence.toml")
    code = f"import sbg_sim.phase as p, sbg_sim.scenario as s; print(p.replay(s.read({path!r})).hash)"
    root = pathlib.Path(__file__).parents[2]
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True, text=True, check=True, cwd=root,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_the_hash_tells_states_apart_and_hides_rounding():
    one = table(man("gimli", (1.0, 1.0)))
    assert fingerprint(one) == fingerprint(table(man("gimli", (1.0 + 1e-12, 1.0))))
    assert fingerprint(one) != fingerprint(table(man("gimli", (1.00001, 1.0))))
    assert fingerprint(one) != fingerprint(table(man("gimli", (1.0, 1.0), prone=True)))
    assert snapped((-1e-9, 1 / 3)) == (0.0, 0.333333)
    assert "-0.0" not in canonical(table(man("gimli", (-0.0, 1.0))))


BROKEN = {
    "wrong side after its turn": (
        '[[moves]]\nmodel="uruk"\nto=[10,16]\n[[moves]]\nmodel="gimli"\nto=[10,9]', 1, "MOV.1", "gimli"),
    "moved twice": ('[[moves]]\nmodel="gimli"\nto=[10,9]\n[[moves]]\nmodel="gimli"\nto=[10,8]', 1, "MOV.6", "moved"),
    "too far": ('[[moves]]\nmodel="gimli"\nto=[10,1]', 1, "MOV.3", "needs"),
    "dice missing": ('[[moves]]\nmodel="frodo"\nto=[4,9]', 2, "moves[0]", "jump over wall"),
    "dice too many": ('[[moves]]\nmodel="gimli"\nto=[10,9]\nrolls=[4]', 2, "moves[0].rolls", "none is needed"),
    "unknown model": ('[[moves]]\nmodel="gimly"\nto=[10,9]', 2, "moves[0].model", "gimli"),
    "roll of 7": ('[[moves]]\nmodel="frodo"\nto=[4,9]\nrolls=[7]', 2, "rolls", "7"),
    "a die that is no whole number": ('[[moves]]\nmodel="frodo"\nto=[4,9]\nrolls=[4.0]', 2, "moves[0].rolls[0]", "4.0"),
    "a path of no points": ('[[moves]]\nmodel="frodo"\npath=[]', 2, "moves[0].path", "one point"),
    "fights that are no array": ('fights="frodo"\n[[moves]]\nmodel="gimli"\nto=[10,9]', 2, "phase.fights", "array"),
    "a fight of nobody": ('fights=[[]]\n[[moves]]\nmodel="gimli"\nto=[10,9]', 2, "phase.fights[0]", "nobody"),
    "a second move after a broken one": (
        '[[moves]]\nmodel="gimli"\nto=[10,9]\nhow="fast"\n[[moves]]\nmodel="frodo"\nto=[4,5]', 2, "moves[0].how"),
    "nothing done": ('[[moves]]\nmodel="frodo"', 2, "moves[0]", "nothing"),
    "chosen fights that are none": (
        'fights=[["frodo","uruk"]]\n[[moves]]\nmodel="gimli"\ncharge="uruk"', 1, "PAIR.3", "frodo"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_records_get_one_clear_message(name: str, tmp_path: pathlib.Path):
    moves, code, *said = BROKEN[name]
    path = tmp_path / "record.toml"
    path.write_text(HEAD + moves, encoding="utf-8")
    result = run(path)
    assert result.exit_code == code, result.output
    for word in said:
        assert word in result.output
    assert "Traceback" not in result.output
    if code == 2:
        assert len(result.output.strip().splitlines()) == 1
        assert "record.toml" in result.output


@pytest.mark.parametrize(("head", "place"), [("", "phase: is missing"), ("[phase]\n", "phase.priority: is missing")])
def test_moves_without_priority_get_one_message(head: str, place: str, tmp_path: pathlib.Path):
    path = tmp_path / "record.toml"
    path.write_text(HEAD.replace('[phase]\npriority = "good"\n', head) + '[[moves]]\nmodel="gimli"\nto=[10,9]')
    said = run(path).output.strip().splitlines()
    assert len(said) == 1
    assert place in said[0]


def test_faults_of_later_moves_keep_their_numbers(tmp_path: pathlib.Path):
    path = tmp_path / "record.toml"
    path.write_text(HEAD + '[[moves]]\nmodel="gimli"\nto=[10]\n[[moves]]\nmodel="gimly"\nto=[10,9]\nrolls=[7]')
    said = run(path).output.splitlines()
    assert [line.split(": ")[1] for line in said] == ["moves[0].to", "moves[1].model", "moves[1].rolls[0]"]
    assert said[2].startswith(f"{path}:{HEAD.count(chr(10)) + 7}:")


def test_the_end_of_an_illegal_record_is_not_written(tmp_path: pathlib.Path):
    path, out = tmp_path / "record.toml", tmp_path / "next.toml"
    path.write_text(HEAD + '[[moves]]\nmodel="gimli"\nto=[10,1]')
    result = run(path, "--out", str(out))
    assert (result.exit_code, out.exists()) == (1, False)
    assert "next.toml is not written" in result.output


def test_the_hash_does_not_hang_on_the_layout_of_the_file():
    text = HEAD + '[[moves]]\nmodel="gimli"\ncharge="uruk"\n'
    tables = [part for part in text.split("[models.") if part]
    turned = tables[0] + "".join(f"[models.{part}" for part in [tables[2], tables[1]]) + "[models." + tables[3]
    loose = text.replace(" = ", "=").replace("\n", "  # said so\n").replace("at=[10, 10]", "at=[1.0e1, 10.00]")
    ruled = '[rulings]\nclimb_over = "down"\n' + text  # as it is anyway
    assert {replay(read_text(t)).hash for t in (turned, loose, ruled)} == {replay(read_text(text)).hash}
    other = '[rulings]\nclimb_over = "over"\n' + text
    assert replay(read_text(other)).hash != replay(read_text(text)).hash


def test_the_chosen_fights_are_marked():
    moves = '[[moves]]\nmodel="gimli"\ncharge="uruk"\nrolls=[]'
    text = HEAD.replace('priority = "good"', 'priority = "good"\nfights = [["uruk", "gimli"]]') + moves
    data = replay(read_text(text)).as_json()
    assert data["fights"] == [{"pairing": [["gimli", "uruk"]], "chosen": True}]
    assert data["legal"]


def test_a_file_without_a_record_says_so(tmp_path: pathlib.Path):
    path = tmp_path / "record.toml"
    path.write_text(HEAD.replace('[phase]\npriority = "good"\n', ""), encoding="utf-8")
    result = run(path)
    assert (result.exit_code, "record" in result.output) == (2, True)


def test_what_was_played_is_its_own_record():
    start = read_text(HEAD)
    phase = Phase.begin(start, "good").push(MoveRecord("frodo", to=(4, 9)), [6])
    phase = phase.push(MoveRecord("gimli", charge=("uruk",))).end()
    again = replay(read_text(write(phase.record())))
    assert again.legal
    assert again.hash == phase.hash


def test_who_is_trapped_in_the_end_is_told(tmp_path: pathlib.Path):
    """Three a third of a turn apart round one: wherever it backs away somebody stands."""
    spots = {"frodo": (12.0, 12.0), "orc-1": (15.0, 12.0)} | {
        f"orc-{k}": (12 + math.cos(k * math.tau / 3 - math.tau / 3), 12 + math.sin(k * math.tau / 3 - math.tau / 3))
        for k in (2, 3)
    }
    models = [man(name, at, "good" if name == "frodo" else "evil", engaged=frozenset()) for name, at in spots.items()]
    held = {"frodo": frozenset({"orc-2", "orc-3"}), "orc-2": frozenset({"frodo"}), "orc-3": frozenset({"frodo"})}
    there = table(*(replace(m, engaged=held.get(m.id, frozenset())) for m in models))
    path = tmp_path / "trapped.toml"
    path.write_text(
        write(there) + '\n[phase]\npriority = "evil"\n[[moves]]\nmodel = "orc-1"\ncharge = "frodo"\n', encoding="utf-8"
    )
    done = run(path)
    assert done.exit_code == 0, done.output
    assert "frodo is trapped" in done.output
