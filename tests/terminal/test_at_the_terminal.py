"""A game of three turns typed at a real terminal, ended in five ways and taken up again."""

from __future__ import annotations

import os
import pathlib
import signal
import sys

import pytest

from sbg_sim.phase import replay
from sbg_sim.scenario import read, read_text
from sbg_sim.terminal.session import Session
from sbg_sim.terminal.spoken import guarded

pexpect = pytest.importorskip("pexpect")

SIDE = 10
WALL = 6.0


def scenario() -> str:
    lines = ["# ten a side", "[table]", "width = 60", "depth = 30", ""]
    for side, y in (("good", 3.0), ("evil", 27.0)):
        lines += [
            f"[profiles.{side}]  # all alike",
            'base = "25 mm"',
            "height = 1.5",
            "move = 6",
            f'side = "{side}"',
            "",
        ]
        lines += [
            f'[models."{side} {i}"]\nprofile = "{side}"\nat = [{2 + 2.8 * i:g}, {y:g}]  # in line\n'
            for i in range(SIDE)
        ]
    lines += [
        "[terrain.wall]",
        'tags = ["obstacle"]',
        "height = 1.0",
        f"polygon = [[0, {WALL}], [6, {WALL}], [6, {WALL + 0.2}], [0, {WALL + 0.2}]]",
        "",
    ]
    return "\n".join(lines)


def script() -> list[str]:
    """Return what is typed: lines walk towards each other, two jump a wall, one is slain, every other one charges."""
    said = []
    for turn, sides in enumerate((("good", "evil"), ("evil", "good"), ("good", "evil"))):
        said += [f"next {sides[0]}"] if turn else []
        for side in sides:
            y = 7.0 + 4 * turn if side == "good" else 23.0 - 4 * turn
            for i in range(SIDE):
                if turn == 2 and side == "evil":
                    said.append(f"evil {i} charges Good {i}" if i % 2 == 0 else f"evil {i} to {2 + 2.8 * i:g} 17.5")
                elif side == "evil" or i != SIDE - 1 or turn == 0:
                    said.append(f"{side.upper()} {i} to {2 + 2.8 * i:g} {y:g}")
            said.append("end")
        said += [f"slay GOOD {SIDE - 1}", "undo 2", "end", f"slay good {SIDE - 1}"] if turn == 0 else []
    return said


class Game:
    """A terminal in which the game is played; every question about dice is answered by 5."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path, self.child = path, None
        self.start()

    def start(self, *more: str) -> None:
        args = ["-m", "sbg_sim", "phase", str(self.path), *more]
        env = {
            **{name: told for name, told in os.environ.items() if "COVERAGE" in name},  # where that is measured
            "TERM": "xterm",
            "PATH": "",
            "HOME": str(self.path.parent),
            "PYTHONPATH": str(pathlib.Path(__file__).parents[2]),
        }
        self.child = pexpect.spawn(sys.executable, args, env=env, encoding="utf-8", timeout=60, dimensions=(40, 100))
        self.child.delaybeforesend = None

    def prompt(self) -> int:
        return self.child.expect(["> ", "or nothing and I roll", "resume it", "who has Priority"])

    def until_prompt(self) -> None:
        while (found := self.prompt()) != 0:
            self.child.sendline({1: "5", 2: "y", 3: "good"}[found])

    def say(self, line: str) -> None:
        self.child.sendline(line)


def ended(game: Game, how: int) -> None:
    """End the game by force: killed, end of input, terminated, hung up."""
    match how % 5:
        case 0 | 4:
            game.child.kill(signal.SIGKILL)
        case 1:
            # Typed while a command is still at work it is the terminal's, not the prompt's: as a player would, again.
            for _ in range(12):
                game.child.sendeof()
                if game.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5) == 0:
                    game.child.close()
                    return
        case 2:
            game.child.kill(signal.SIGTERM)
        case 3:
            game.child.kill(signal.SIGHUP)
    game.child.expect(pexpect.EOF)
    game.child.close()


def spoken(path: pathlib.Path) -> Session:
    session = Session.begin(read(path), "good", lambda _: "5")
    for line in script():
        answer = guarded(session, line)
        assert not answer.startswith("not allowed"), (line, answer)
    return session


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_game_of_three_turns_survives_whatever_ends_it(tmp_path: pathlib.Path):
    path = tmp_path / "game.toml"
    path.write_text(scenario(), encoding="utf-8")
    wanted = spoken(path)
    game = Game(path)
    game.until_prompt()
    lines = script()
    places = [1 + k * len(lines) // 6 for k in range(1, 6)]
    dice_died = False
    for number, line in enumerate(lines):
        game.say(line)
        found = game.prompt()
        if found == 1 and not dice_died:  # killed while a die is asked for
            dice_died = True
            ended(game, 0)
            game.start()
            assert game.prompt() == 2
            game.say("y")
            found = game.prompt()
            assert found == 1
        while found != 0:
            game.say("5")
            found = game.prompt()
        if number in places:
            ended(game, places.index(number))
            game.start(*(["--resume"] if number % 2 else []))
            game.until_prompt()
    assert dice_died
    game.say("hash")
    game.child.expect("[0-9a-f]{64}")
    assert game.child.match.group() == wanted.phase.hash
    game.until_prompt()
    game.say(f"save {tmp_path / 'saved.toml'}")
    game.until_prompt()
    game.say("quit")
    game.child.expect(pexpect.EOF)
    assert not (tmp_path / "game.toml.journal").exists()
    saved = (tmp_path / "saved.toml").read_text(encoding="utf-8")
    assert saved.startswith(scenario())
    played = replay(read_text(saved))
    assert (played.legal, played.hash, len(played.turns)) == (True, wanted.phase.hash, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_first_prompt_of_two_hundred_models(tmp_path: pathlib.Path):
    """Nothing is worked out before it is asked for: measured in processor time."""
    rows = [
        f'[models."m{i}"]\nat = [{2 + 3.4 * (i % 20):g}, {3 + 6 * (i // 20)}]\nbase = "25 mm"\nheight = 1.5\nmove = 6\n'
        f'side = "{"good" if i < 100 else "evil"}"\n'
        for i in range(200)
    ]
    path = tmp_path / "large.toml"
    path.write_text("[table]\nwidth = 72\ndepth = 72\n\n" + "\n".join(rows), encoding="utf-8")
    args = ["-X", "importtime", "-m", "sbg_sim", "phase", str(path), "--priority", "good"]
    child = pexpect.spawn(sys.executable, args, encoding="utf-8", timeout=60, dimensions=(40, 100))
    child.expect("100 models")
    child.expect("> ")
    said = child.before + child.after
    used = processor_seconds(child.pid)
    assert "sbg_sim.solver" not in said  # the search is not even loaded
    child.kill(signal.SIGKILL)
    child.close()
    assert used is None or used < 2.0  # a second on an idle machine, with what `-X importtime` takes


def processor_seconds(pid: int) -> float | None:
    """Return what a process has used, where the system says."""
    stat = pathlib.Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return None
    user, system = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / 100


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_tab_key_completes_and_a_long_question_has_its_answer_below(tmp_path: pathlib.Path):
    path = tmp_path / "game.toml"
    path.write_text(scenario(), encoding="utf-8")
    game = Game(path)
    game.until_prompt()
    game.child.setwinsize(40, 30)  # the question about the die no longer leaves room for its answer
    game.child.send("good 0 to 2 7\r")
    assert game.child.expect("or nothing and I roll[^\r\n]*\r\n") == 0
    game.say("5")
    game.until_prompt()
    game.child.send("has\t")
    game.child.expect("has(h|.*?[^0-9]h)")  # completed; sequences that move the cursor have digits before such an h
    game.child.send("\r")
    game.child.expect("[0-9a-f]{64}")
    session = Session.begin(read(path), "good", lambda _: "5")
    guarded(session, "good 0 to 2 7")
    assert game.child.match.group() == session.phase.hash
    ended(game, 0)
