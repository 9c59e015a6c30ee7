"""Calls that ask for two things at once, or for what nobody says: one message, exit code 2."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
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
