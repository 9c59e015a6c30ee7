"""Many files at once: every one gets its turn, in any form, and the count at the end is right."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sbg_sim.cli.lengths import told


@pytest.fixture
def files(file, tmp_path):
    text = Path(file).read_text(encoding="utf-8")
    wrong, second = tmp_path / "wrong.toml", tmp_path / "second.toml"
    wrong.write_text(text.replace("side", "sied"), encoding="utf-8")
    second.write_text(text.replace("expect = 4", "expect = 5"), encoding="utf-8")
    return file, str(wrong), str(second)


def test_every_file_gets_its_turn(run, solver, files):
    result = run("check", *files)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "3 of 4 as expected"
    assert [f"{name}:" in result.stdout for name in files] == [True, False, True]
    assert f"{files[1]}:7:1: models.lurtz.sied: unknown key" in result.stderr
    assert f"{files[2]}: how-far: expected 5, got 4" in result.stderr
    assert run("check", files[0], files[2]).exit_code == 1


def test_a_line_of_json_per_answer_and_per_wrong_file(run, solver, files):
    lines = [json.loads(line) for line in run("check", *files, "--jsonl").stdout.splitlines()]
    assert [line["file"] for line in lines] == [files[0]] * 2 + [files[1]] + [files[2]] * 2
    assert [line.get("met") for line in lines] == [True, True, None, True, False]
    fault = lines[2]["faults"][0]
    assert (fault["file"], fault["line"], fault["key"]) == (files[1], 7, "models.lurtz.sied")
    assert json.loads(run("check", *files, "--json").stdout) == lines


def test_quiet_says_only_what_is_wrong(run, solver, files):
    assert run("check", files[0], "--quiet").output == ""
    result = run("check", files[0], files[2], "-q")
    assert "how-far" in result.stdout
    assert "can-he" not in result.stdout
    assert "as expected" not in result.stdout


def test_standard_input(solver, file):
    from click.testing import CliRunner

    from sbg_sim.cli.group import _sbg_sim

    text = Path(file).read_text(encoding="utf-8")
    result = CliRunner().invoke(_sbg_sim, ["check", "-", "can-he"], input=text)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "1 of 1 as expected")
    wrong = CliRunner().invoke(_sbg_sim, ["check", "-"], input="width = ")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("<stdin>:1:9: is not TOML")


def test_a_certificate_from_standard_input(tmp_path):
    from click.testing import CliRunner

    from sbg_sim.cli.group import _sbg_sim

    def judged(text):
        result = CliRunner().invoke(_sbg_sim, ["verify", "-"], input=text)
        return result.exit_code, (result.stdout or result.stderr).splitlines()[0]

    paper = tmp_path / "paper.json"
    CliRunner().invoke(_sbg_sim, ["check", "scenarios/amon-hen.toml", "lurtz-to-merry", "--certificate", str(paper)])
    text = paper.read_text(encoding="utf-8")
    assert judged(text) == (0, "-: nothing in it is wrong")
    assert judged(text.replace('"question": "lurtz-to-merry"', '"question": "nobody"')) == (
        2,
        "<stdin>: question: the table asks nothing that is called 'nobody'",
    )
    code, said = judged("")
    assert (code, said.startswith("<stdin>: is empty; a certificate is needed")) == (2, True)


def test_what_cannot_be(run, files):
    assert "is named of one file" in run("check", files[0], files[2], "can-he").stderr.replace("are", "is")
    assert "choose one" in run("check", files[0], "--json", "--jsonl").stderr
    assert "cannot be watched" in run("check", "-", "--watch").stderr


def test_units(run, solver, file):
    rows = dict(
        line.split(None, 1) for line in run("check", file, "--units", "cm").stdout.splitlines() if line[:2] == "  "
    )
    assert rows["needed"] == "10.16 cm"
    assert rows["length"] == "10.16 cm"
    assert json.loads(run("check", file, "--units", "mm", "--json").stdout)[0]["needed"] == 4.0


@pytest.mark.parametrize(
    ("text", "unit", "shown"),
    [
        ("no, needs 8.2222 in and has 6, 2.2222 in short", "mm", "no, needs 208.84 mm and has 152.4, 56.44 mm short"),
        ("5.0157 of 6 in, 0.9843 in to spare", "cm", "12.74 of 15.24 cm, 2.5 cm to spare"),
        ("1/1: 76.9 sq in", "cm", "1/1: 496 sq cm"),
        ("uruk-3 in the way of 2 models", "mm", "uruk-3 in the way of 2 models"),
        ("lurtz moves to (6, 12.5)", "mm", "lurtz moves to (152.4, 317.5)"),
    ],
)
def test_lengths_in_sentences(text, unit, shown):
    assert told(text, unit) == shown
    assert told(text, "in") == text


def test_no_color_is_heard(tmp_path):
    """In a terminal answers are coloured; with NO_COLOR they are not."""
    pty = pytest.importorskip("pty")
    root = Path(__file__).parents[2]

    def shown(**more):
        out = []
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(root)
            os.environ.update(more, TERM="xterm-256color")
            code = "from sbg_sim.cli import main; main(['check', 'scenarios/charging-2.toml', 'third-to-pippin'])"
            os.execv(sys.executable, [sys.executable, "-c", code])
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            out.append(part)
        os.waitpid(pid, 0)
        os.close(terminal)
        return b"".join(out).decode()

    assert "31mno" in shown()
    assert "31mno" not in shown(NO_COLOR="1")


@pytest.mark.skipif(os.name != "posix", reason="interrupts as posix has them")
def test_watching_answers_again(file):
    args = [
        sys.executable,
        "-c",
        "from sbg_sim.cli import main; main()",
        "check",
        file,
        "how-far",
        "--jsonl",
        "--watch",
    ]
    hearing = {} if sys.platform == "win32" else {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **hearing) as process:
        try:
            assert json.loads(process.stdout.readline())["inches"] == 4.0
            assert process.stderr.readline().startswith("watching")
            text = Path(file).read_text(encoding="utf-8")
            Path(file).write_text(text.replace("[9, 4]", "[10, 4]"), encoding="utf-8")
            again = json.loads(process.stdout.readline())
            assert (again["inches"], again["met"]) == (5.0, False)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 1
        finally:
            process.kill()
