"""The command itself under hostile conditions: streams, signals, pipes, disks, limits. Each in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import at_work, slower

ROOT = Path(__file__).parents[2]
JUMPING = str(ROOT / "scenarios" / "jumping.toml")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")
COMMAND = [sys.executable, "-m", "sbg_sim"]


def run(*args, **how):
    how = {"capture_output": True, "text": True, "cwd": ROOT, "timeout": 120} | how
    done = subprocess.run([*COMMAND, *map(str, args)], check=False, **how)
    assert "Traceback" not in (done.stderr or ""), done.stderr
    return done


@POSIX
def test_standard_output_that_is_closed_full_or_gone():
    check = " ".join([*COMMAND, "check", JUMPING, "--json"])

    def shell(line):
        return subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT)

    closed = shell(f"{check} >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    for line in (check, " ".join([*COMMAND, "--help"])):
        gone = shell(f"{line} | true; echo ${{PIPESTATUS[0]}}")
        assert (gone.stdout.strip() in {"0", "141"}, gone.stderr) == (True, "")
    if Path("/dev/full").exists():
        full = shell(f"{check} > /dev/full")
        assert full.returncode == 2
        assert full.stderr.splitlines() == ["standard output: No space left on device"]
        for wrong in (["check", "nowhere.toml"], ["chekc"], ["--limit", "1e-9", "check", JUMPING]):
            assert shell(f"{' '.join([*COMMAND, *wrong])} 2> /dev/full").returncode == 2


@POSIX
def hearing():
    """What is started in the background is deaf to interruptions; this one is to hear them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("after", [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6])
def test_an_interruption_ends_it_at_once(after):
    many = ["simulate", JUMPING, "pippin-goes-on", "--trials", "1e10"]
    running = subprocess.Popen(
        [*COMMAND, *many],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=hearing,  # noqa: PLW1509
    )
    ours = after >= 0.8  # before that Python itself may still be starting, and may swallow one: the next ends it
    if ours:
        at_work(running, after)
    else:
        time.sleep(after)
    busy = slower()
    for _ in range(1 if ours else 4):
        running.send_signal(signal.SIGINT)
        began = time.monotonic()
        try:
            out, err = running.communicate(timeout=20)
            break
        except subprocess.TimeoutExpired:
            continue
    else:
        running.kill()
        out, err = running.communicate()
        pytest.fail(f"went on: {err}")
    took = time.monotonic() - began
    assert took < 1.5 * max(busy, slower())  # half a second alone
    assert out == ""
    if ours:
        assert (running.returncode, err.strip()) == (130, "interrupted")


@POSIX
def test_an_interruption_that_an_import_swallows_is_raised_again(tmp_path):
    lines = ("import time", "print('here', flush=True)", "try:", "    time.sleep(90)", "except KeyboardInterrupt:")
    (tmp_path / "swallows.py").write_text("\n".join((*lines, "    time.sleep(90)", "")))
    loads = "from sbg_sim.cli import _listen; _listen(); import swallows"
    running = subprocess.Popen(
        [sys.executable, "-c", loads],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        preexec_fn=hearing,  # noqa: PLW1509
    )
    assert running.stdout.readline() == "here\n"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert err.strip().endswith("KeyboardInterrupt")


@POSIX
def test_an_interruption_ends_the_workers_too(tmp_path):
    varied = ["sweep", JUMPING, "pippin-goes-on", "--vary", "models.pippin.move=1:6:0.001", "--workers", "2"]
    out = tmp_path / "sweep.svg"
    line = [*COMMAND, *varied, "--plot", str(out)]
    running = subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=hearing,  # noqa: PLW1509
    )
    time.sleep(4)
    busy, began = slower(), time.monotonic()
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: the whole group
    _, err = running.communicate(timeout=60)
    took = time.monotonic() - began
    assert took < 1.5 * max(busy, slower())
    assert (running.returncode, err.strip()) == (130, "interrupted")
    assert list(tmp_path.iterdir()) == []


def test_trials_that_nobody_can_wait_for():
    done = run("simulate", JUMPING, "pippin-goes-on", "--trials", "1e20")
    assert done.returncode == 2
    assert "from 1 to 10000000000" in done.stderr
    assert json.loads(run("simulate", JUMPING, "pippin-goes-on", "--trials", "1e3", "--json").stdout)["trials"] == 1000


@pytest.mark.parametrize("limit", [("--limit", "nan"), ("--memory", "inf"), ("--memory", "1e300")])
def test_limits_are_amounts(limit):
    done = run(*limit, "rules")
    assert done.returncode == 2
    assert f"'{limit[0]}'" in done.stderr


def test_limits_of_time_and_memory_are_held(tmp_path):
    late = run("--limit", "0.01", "check", JUMPING)
    assert late.returncode == 2
    assert "--limit SECONDS" in late.stderr
    if sys.platform != "linux":
        return
    # All arcs about the corners of a rim of 20,000 meet one another: more pairs than fit into a quarter of a gigabyte.
    turns = (math.tau * k / 20_000 for k in range(20_000))
    corners = [[round(10 + 0.6 * math.cos(turn), 7), round(4 + 0.6 * math.sin(turn), 7)] for turn in turns]
    big = tmp_path / "big.toml"
    big.write_text(
        f"[table]\nwidth = 48\ndepth = 48\n[terrain.t]\ntags = ['difficult']\npolygon = {corners}\n"
        "[models.me]\nat = [4, 4]\nbase = 1\nmove = 20\nheight = 1\n[questions.q]\nask = 'reach'\nmodel = 'me'\n"
    )
    done = run("--memory", "0.25", "check", big)
    assert done.returncode == 2
    assert re.search(r"big\.toml: needs more than 0\.25 GB", done.stderr), done.stderr


@POSIX
def test_a_pipe_that_nobody_writes_to(tmp_path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    done = run("check", pipe, timeout=120)
    assert done.returncode == 2
    assert "nobody wrote to it" in done.stderr


WRITERS = {
    "sketch.png": ["plot", JUMPING, "--out"],
    "film.gif": ["film", JUMPING, "pippin-goes-on", "--seconds", "0.3", "--out"],
    "film.html": ["film", JUMPING, "pippin-goes-on", "--seconds", "0.3", "--out"],
    "film.mp4": ["film", JUMPING, "pippin-goes-on", "--seconds", "0.3", "--out"],
    "sheet.html": ["check", JUMPING, "pippin-goes-on", "--report"],
    "way.json": ["check", JUMPING, "pippin-goes-on", "--certificate"],
    "next.toml": ["replay", str(ROOT / "scenarios" / "phase" / "three-turns.toml"), "--priority", "good", "--out"],
}


@POSIX
def test_what_is_written_is_written_whole_or_not_at_all(tmp_path):
    filming = shutil.which("ffmpeg") or importlib.util.find_spec("imageio_ffmpeg")
    calls = {n: c for n, c in WRITERS.items() if filming or not n.endswith(".mp4")}
    for name in calls:
        (tmp_path / name).write_bytes(b"what was there")
    script = (
        "import json, resource, signal, sys; from sbg_sim.cli import main;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400));\n"
        "for call in json.loads(sys.argv[1]):\n try: main(call)\n except SystemExit as e: print('code', e.code)"
    )
    given = json.dumps([[*call, str(tmp_path / name)] for name, call in calls.items()])
    env = os.environ | {"MPLCONFIGDIR": str(tmp_path / "mpl"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, given], capture_output=True, text=True, check=False, cwd=ROOT, env=env
    )
    assert done.stdout.count("code 2") == len(calls), done.stdout + done.stderr
    assert "sketch.png: the picture cannot be written" in done.stderr
    assert "film.gif: the film cannot be written" in done.stderr
    assert all(name in done.stderr for name in calls)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()} == dict.fromkeys(
        calls, b"what was there"
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [("no.png", "there is no such file"), ("scene.toml", "it is no PNG or JPEG"), (".", "is a directory")],
)
def test_a_photograph_that_cannot_be_read_has_its_place(tmp_path, name, why):
    corners = "[[0, 0], [24, 0], [24, 24], [0, 24]]"
    text = f'[table]\nwidth = 24\ndepth = 24\npicture = {{ file = "{name}", corners = {corners} }}\n'
    (tmp_path / "scene.toml").write_text(text)
    done = run("plot", "scene.toml", "--out", "x.png", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"scene.toml:4:20: table.picture.file: names {name}, which cannot be read: {why}\n"
    assert not (tmp_path / "x.png").exists()


def test_two_processes_on_one_file(tmp_path):
    out = tmp_path / "both.svg"
    line = [*COMMAND, "plot", JUMPING, "--out", str(out)]
    both = [subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [one.wait(timeout=120) for one in both] == [0, 0]
    text = out.read_text(encoding="utf-8")
    assert text.rstrip().endswith("</svg>")
    assert [p.name for p in tmp_path.iterdir()] == ["both.svg"]


@POSIX
def test_nothing_steers_the_terminal(tmp_path):
    file = tmp_path / "steers.toml"
    name, evil = (
        "a\\u001b[31m\\u202e\\u0007",
        '[table]\nwidth = 24\ndepth = 24\n[models."{0}"]\nat = [3, 3]\nbase = 1\n',
    )
    file.write_text(
        (evil + '[questions."q{0}"]\nask = "measure"\nfrom = "{0}"\nto = "{0}"\nexpect = 3\n').format(name),
        encoding="utf-8",
    )
    for args in (["check", file], ["check", file, "a\x1b[2J"], ["reach", file, "\x1b[2J"], ["check", "\x1b]0;x\x07"]):
        done = run(*args)
        assert done.returncode in {1, 2}
        said = done.stdout + done.stderr
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said), said


@POSIX
def test_no_number_is_cut_on_a_narrow_terminal():
    import pty

    table = str(ROOT / "scenarios" / "charging-2.toml")
    leader, follower = pty.openpty()
    env = os.environ | {"COLUMNS": "60", "NO_COLOR": "1", "TERM": "xterm"}
    running = subprocess.Popen([*COMMAND, "charges", table, "uruk-3"], stdout=follower, env=env, cwd=ROOT)
    os.close(follower)
    said = b""
    while True:
        try:
            more = os.read(leader, 4096)
        except OSError:
            break
        if not more:
            break
        said += more
    running.wait(timeout=60)
    text = re.sub(r"\x1b\[[0-9;]*m", "", said.decode())
    assert "…" not in text
    assert "-2.22215" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 60


def test_faults_of_the_program_are_one_line(tmp_path):
    script = (
        "import sbg_sim.cli.batch as c; from sbg_sim.cli import main; c.opened = lambda f: 1 / 0; main(['check', 'x'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 3
    told = "a mistake in sbg-sim itself, please report it: ZeroDivisionError: division by zero"
    assert done.stderr.splitlines() == [f"{told}; SBG_SIM_TRACEBACK=1 shows where"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            "ImportError('\\n\\nlibgeos.so: no room\\nREAD THIS')",
            "what sbg-sim needs cannot be loaded: libgeos.so: no room;",
        ),
        ("MemoryError()", "needs more than 4 GB"),
        pytest.param("MemoryError(held())", "needs more memory than the system gives this process", marks=POSIX),
    ],
)
def test_what_the_machine_lacks_is_no_mistake_of_the_program(fault, said):
    script = (
        "import sbg_sim.cli.batch as c; from sbg_sim.cli import main\n"
        "def held():\n import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        f"def opened(_):\n raise {fault}\n"
        "c.opened = opened; main(['check', 'x'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.startswith(said), done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("args", [["--version"], ["-h"], ["schema"]])
def test_what_needs_no_table(args):
    assert run(*args).returncode == 0


def test_completion_of_a_shell():
    env = os.environ | {"_SBG_SIM_COMPLETE": "bash_source"}
    script = "from sbg_sim.cli import main; main([])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT, env=env
    )
    assert "_sbg_sim_completion" in done.stdout


def test_a_backend_that_there_is_not_keeps_nobody_from_drawing(tmp_path):
    out = tmp_path / "t.png"
    done = run("plot", "scenarios/amon-hen.toml", "--out", out, env={**os.environ, "MPLBACKEND": "nonsense"})
    assert (done.returncode, out.stat().st_size > 1000) == (0, True)
