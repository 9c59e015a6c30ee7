"""Calls that ask for two things at once, or for what nobody says: one message, exit code 2."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time

import pytest
from click.testing import CliRunner

from sbg_sim.cli import group
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.cli.waiting import Deadline, tighter
from tests.cli.conftest import FILE


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check", "{}", "--report", "out.html"), "--report is for one question; this would answer 2: name one"),
        (("check", "{}", "--certificate", "out.json"), "--certificate is for one question; this would answer 2"),
        (("phase", "{}", "--resume", "--priority", "good"), "--resume takes the side that moves first from the game"),
        (("phase", "{}"), "nobody says who has Priority: give it with --priority"),
        (("phase", "{}", "--resume"), "the file holds no record to go on from: it needs [phase] and [[moves]]"),
        (("reach", "{}", "lurtz", "--least", "x"), "'x' is no chance: write 1/36 or 0.02"),
        (("threats", "{}", "evil", "--json", "--jsonl"), "--json and --jsonl are two ways to print; choose one"),
        (("sweep", "{}", "can-he", "--vary", "models.merry.base=1:inf:1"), "FROM:TO:STEP takes finite numbers"),
        (("simulate", "{}", "can-he", "--seed", "-1"), "-1 is not a whole number of 0 or more"),
        (("campaign", "{}", "can-he", "--turns", "0"), "0 is not a whole number from 1 to 1000"),
        (("campaign", "{}", "can-he", "--turns", "1001"), "1001 is not a whole number from 1 to 1000"),
        (("--limit", "0", "check", "{}"), "0 is not a number above 0"),
        (("--limit", "inf", "check", "{}"), "inf is no amount"),
        (("--memory", "0.1", "check", "{}"), "0.1 is not a number from 0.25 to 1000000"),
        (("sweep", "{}", "can-he", "--vary", "rulings.zzz=1"), "no ruling is called 'zzz'"),
    ],
)
def test_a_call_that_cannot_be_meant(tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(FILE, encoding="utf-8")
    done = CliRunner().invoke(_sbg_sim, [arg.format("t.toml") for arg in args], input="")
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert [path.name for path in tmp_path.iterdir()] == ["t.toml"]


def test_a_page_that_lacks_a_part_of_our_own_is_no_missing_package(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "sbg_sim.web.kept", None)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr("sys.stderr", told := io.StringIO())
    monkeypatch.setattr(group, "_silence", lambda _: None)
    assert group.run(["serve", "--no-open"]) == 2
    assert "what sbg-sim needs cannot be loaded" in told.getvalue()


def test_a_limit_counts_in_other_threads_and_without_limits_of_the_system(monkeypatch):
    """There is no signal for a thread: the main one is interrupted, as on systems without them."""

    def worked():
        with Deadline(0.2) as deadline:
            time.sleep(0.6)
        passed.append(deadline.passed)

    passed = []
    thread = threading.Thread(target=worked)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    thread.join()
    assert passed == [True]
    monkeypatch.setitem(sys.modules, "resource", None)
    assert not tighter(1e6)


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_of_errors_that_went_away_ends_the_command_as_any_reader():
    heard, told = os.pipe()
    os.close(heard)
    call = [sys.executable, "-c", "from sbg_sim.cli import main; main()", "check", "nothing.toml"]
    try:
        done = subprocess.run(call, stderr=told, stdout=subprocess.PIPE, check=False)
    finally:
        os.close(told)
    assert (done.returncode, done.stdout) == (141, b"")
