"""Fuzz what is read: ``python -m tests.fuzz.files --seeds A:B --minutes M``.

Scenarios, records and board games of this checkout are mutated: bytes, lines, tokens, values of the wrong kind, numbers
of every size, keys moved and doubled. Whatever comes of it must be a table or errors of this package, within seconds
and a gigabyte of memory, and without a warning of numpy; what was not is saved under ``--out``, and belongs into
``tests/fuzz/corpus`` once it is mended.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

from sbg_sim.errors import FileFaultsError, SbgError

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
PATIENCE = 10  # seconds of processor time for one file
MEMORY = 1.0  # GB that the process may ever have held
TOKENS = re.compile(r"\"[^\"\n]*\"|[A-Za-z_][\w-]*|[-+]?[\d.]+(?:e[-+]?\d+)?|[\[\]{}=,#\n]")
VALUES = [
    "0", "-1", "1e308", "-1e-308", "nan", "inf", "-inf", "999999999999999999999999999999", "9" * 5000, "0x10",
    "1_000", "true", "false", '""', '"25 mm"', '"-1 in"', '"1e999 mm"', "[]", "[[]]", "[1]", "[1, 2, 3]",
    '["a", 1]', "{}", "{ a = 1 }", "1979-05-27", "07:32:00", '"\\u0000"', '"\\u001b[31m"', "'''x'''",
    '"$x_$"', '"中"', '"POLYGON ((0 0, 1 1, 1 0, 0 0))"', '"POLYGON EMPTY"', '"1/0"', '"2**99"',
]  # fmt: skip
INTERNALS = re.compile(
    r"Traceback|object at 0x|<class|NoneType|Input should|_error\b|pydantic|ValidationError|\bself\b"
)


def sources(folder):
    """The files that mutations begin with; certificates are made in a folder."""
    paths = [*sorted((ROOT / "scenarios").rglob("*.toml")), *sorted(CORPUS.glob("*.toml"))]
    return [*(path.read_bytes() for path in paths), *4 * certificates(folder)]


def certificates(folder):
    """Certificates of a few answers."""
    from sbg_sim import scenario
    from sbg_sim.cli.evidence import written
    from sbg_sim.solver.answer import ask

    found = []
    for name, question in (("jumping", "pippin-goes-on"), ("charging-2", "third-to-pippin"), ("movement-1", "aslant")):
        written(ask(scenario.read(ROOT / "scenarios" / f"{name}.toml"), question), str(folder / "c.json"))
        found.append((folder / "c.json").read_bytes())
    return found


def mutated(data, dice):
    """The same with a few things wrong."""
    for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
        data = dice.choice(MUTATIONS)(data, dice)
    return data


def bytes_changed(data, dice):
    """Some bytes are others."""
    kept = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        if kept:
            kept[dice.randrange(len(kept))] = dice.randrange(256)
    return bytes(kept)


def cut(data, dice):
    """A stretch is gone, or stands twice, or the end is missing."""
    a, b = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    return dice.choice([data[:a] + data[b:], data[:b] + data[a:b][:2000] + data[b:], data[:a]])


def lines_moved(data, dice):
    """A line stands elsewhere, or twice, or is gone."""
    lines = data.split(b"\n")
    one = lines.pop(dice.randrange(len(lines)))
    for _ in range(dice.randint(0, 2)):
        lines.insert(dice.randint(0, len(lines)), one)
    return b"\n".join(lines)


def value_changed(data, dice):
    """A value is of another kind or size."""
    lines = data.decode("utf-8", "replace").split("\n")
    given = [i for i, line in enumerate(lines) if "=" in line]
    if given:
        i = dice.choice(given)
        lines[i] = f"{lines[i].partition('=')[0]}= {dice.choice(VALUES)}"
    return "\n".join(lines).encode()


def token_changed(data, dice):
    """A token is another one of the same file."""
    text = data.decode("utf-8", "replace")
    found = list(TOKENS.finditer(text))
    if len(found) < 2:
        return data
    one, two = dice.choice(found), dice.choice(found)
    new = dice.choice([two[0], two[0], dice.choice(VALUES), "", one[0] * 2])
    return (text[: one.start()] + new + text[one.end() :]).encode()


def key_renamed(data, dice):
    """A key or a table has another name."""
    text = data.decode("utf-8", "replace")
    keys = list(re.finditer(r"^\[+([\w.-]+)\]+|^(\w+) *=", text, re.MULTILINE))
    if not keys:
        return data
    one, two = dice.choice(keys), dice.choice(keys)
    return (text[: one.start()] + two[0] + text[one.end() :]).encode()


MUTATIONS = [bytes_changed, cut, lines_moved, value_changed, value_changed, token_changed, token_changed, key_renamed]


def fault(data, folder):
    """What is wrong with how a file is taken: empty when it is read, or refused as it should be."""

    def enough(*_):
        raise TimeoutError

    if hasattr(signal, "SIGPROF"):  # not on Windows
        signal.signal(signal.SIGPROF, enough)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # of numpy, which would end at a reader's terminal
            read(data, folder)
    except FileFaultsError as error:
        return next((f"internals: {f}" for f in map(str, error.faults) if INTERNALS.search(shown(f))), "")
    except SbgError as error:
        return f"internals: {error}" if INTERNALS.search(str(error)) else ""
    except TimeoutError:
        return f"slow: not read within {PATIENCE} s"
    except Exception as error:  # noqa: BLE001 - a crash is what is looked for
        return f"crash: {type(error).__name__}: {error}"
    finally:
        if hasattr(signal, "SIGPROF"):
            signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def peak():
    """The most memory that this process ever held, GB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)


def shown(message):
    """A message without what it quotes of the file."""
    return re.sub(r"[`\"'][^`\"']*[`\"']", "", message.partition(": ")[2].partition(": ")[2] or message)


def read(data, folder):
    """Read a file as the command does, and write the table it describes."""
    from sbg_sim import document, scenario
    from sbg_sim.certificate import verify
    from sbg_sim.scenario import games

    if data.lstrip()[:1] == b"{":
        file = folder / "mutated.json"
        file.write_bytes(data)
        verify(str(file))
        return
    source = document.parse(data, "f.toml")
    if "game" in source.data:
        games.load(source)
    else:
        scenario.read_text(scenario.write(scenario.table_of(source)))


def main():
    """Mutate and read until the seeds or the minutes are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:1000000")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"))
    given = parser.parse_args()
    first, last = map(int, given.seeds.split(":"))
    folder = Path(tempfile.mkdtemp(prefix="sbg-sim-fuzz."))
    began, bad, files, texts, stopped = time.monotonic(), 0, 0, sources(folder), True
    with contextlib.suppress(KeyboardInterrupt):
        for seed in range(first, last):
            if time.monotonic() - began > 60 * given.minutes:
                break
            dice = random.Random(seed)
            data = mutated(dice.choice(texts), dice)
            held = peak()
            wrong = fault(data, folder) or (f"memory: over {MEMORY} GB" if held <= MEMORY < peak() else "")
            files += 1
            if wrong:
                bad += 1
                given.out.mkdir(parents=True, exist_ok=True)
                (given.out / f"file-{seed}.toml").write_bytes(data)
                print(f"seed {seed}: {wrong}"[:400], flush=True)
        stopped = False
    spent = f"{files} files in {time.monotonic() - began:.0f} s and {peak():.2f} GB"
    print(f"{spent}, {bad} not taken as they should be{', interrupted' if stopped else ''}")
    return 130 if stopped else 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
