"""The conformance suite: this package answers as it says, every position has a mirror, the perft counts agree."""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit

HOME = Path(__file__).parents[2] / "conformance"
sys.path.insert(0, str(HOME))  # as for a script that is run from there


def script(name):
    spec = importlib.util.spec_from_file_location(f"conformance_{name}", HOME / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run, perft = script("run"), script("perft")
POSITIONS = run.positions()
_checked = run.checked_here
_verdicts = functools.cache(lambda text: _checked(json.loads(text)))


@pytest.fixture(autouse=True, scope="module")
def asked_once():
    """Each question is asked once, for all tests that look at its answer."""
    run.checked_here = lambda scenario: _verdicts(json.dumps(scenario))
    yield
    run.checked_here = _checked


@pytest.mark.parametrize("position", POSITIONS, ids=lambda one: one["id"])
def test_position_and_mirror(position):
    (_, here, expect), (_, there, mirror) = run.sides(position)
    assert here != there
    assert expect != mirror
    assert run.differs(run.asked_here(here), expect) == []
    assert run.differs(run.asked_here(there), mirror) == []


@pytest.mark.parametrize("position", [one for one in POSITIONS if "ask" in one], ids=lambda one: one["id"])
def test_the_referee_allows_both_ways_for_what_they_cost(position):
    for _, scenario, _ in run.sides(position):
        verdict = run.checked_here(scenario)
        asked = verdict.question
        if not isinstance(asked, sbg.Move | sbg.Charge) or verdict.route is None or verdict.needed is None:
            continue
        charging = asked.targets if isinstance(asked, sbg.Charge) else ()
        seen = audit(run.read_here(scenario), asked.model, verdict.route, charging=charging, allowance=math.inf)
        assert {one.rule for one in seen.violations} <= {one.rule for one in verdict.violations}
        assert seen.cost == pytest.approx(verdict.needed, abs=1e-6)


def test_there_are_enough_and_all_say_why():
    assert len(POSITIONS) >= 200
    assert len({one["id"] for one in POSITIONS}) == len(POSITIONS)
    assert all(one["because"] and one["expect"] and one["change"] for one in POSITIONS)


def test_the_runner_notices():
    (_, scenario, expect), _ = run.sides(POSITIONS[0])
    got = run.asked_here(scenario)
    for key, wrong in (("needed", "1e9"), ("answer", "perhaps"), ("rules", ["XYZ.9"])):
        assert run.differs(got, expect | {key: wrong})


def test_the_runner_notices_of_a_record():
    (one,) = (one for one in POSITIONS if one["id"] == "falls/into-a-zone")
    (_, scenario, expect), _ = run.sides(one)
    got = run.asked_here(scenario)
    assert run.differs(got, expect) == []
    for key, wrong in (("at", ["9.5", "12.1"]), ("hits", 1), ("used", "1"), ("legal", False), ("rules", ["XYZ.9"])):
        assert run.differs(got, expect | {key: wrong})


def test_positions_are_written_by_their_script(tmp_path):
    build = script("build")
    build.HERE = tmp_path / "positions"
    build.main()
    for path in (HOME / "positions").glob("*.json"):
        assert (build.HERE / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "position", json.loads((HOME / "perft.json").read_text(encoding="utf-8")), ids=lambda p: p["id"]
)
def test_counts_of_end_states(position):
    assert position["counts"] == perft.brute.counts(position) == perft.engine_counts(position)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_runner_in_another_language_asks_every_position_and_notices(tmp_path):
    """A program that answers each question alike, and keeps what it was asked."""
    line = ["node", str(HOME / "run.js"), "sh", "-c", f"cat {{file}} >> {tmp_path / 'asked'}; echo '[{{}}]'"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"{2 * len(POSITIONS)} answers, {2 * len(POSITIONS)} not as expected"
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert asked.count("questions = ") == 2 * sum("ask" in one for one in POSITIONS)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_runner_in_another_language_says_so_when_a_program_cannot_be_run():
    line = ["node", str(HOME / "run.js"), "no-such-program"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "no-such-program: cannot be run: ENOENT\n"


@pytest.mark.heavy
@pytest.mark.parametrize("runner", [["node", "run.js"], [sys.executable, "run.py", "--command"]])
def test_the_runners_ask_any_program(runner):
    if shutil.which(runner[0]) is None:
        pytest.skip(f"no {runner[0]} here")
    asked = [sys.executable, "-m", "sbg_sim", "check", "{file}", "--json"]
    asked = [" ".join(asked)] if runner[-1] == "--command" else asked
    line = [runner[0], str(HOME / runner[1]), *runner[2:], *asked]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=HOME.parent)
    assert done.stdout.splitlines()[-1] == f"{2 * len(POSITIONS)} answers, 0 not as expected"
