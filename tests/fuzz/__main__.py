"""Fuzz the solver: ``python -m tests.fuzz --kind KIND --seeds A:B --minutes M``.

Every seed is a table with a question (``kinds.py``), held against what must hold of any answer (``judging.py``). A
failure is shrunk to a smallest scenario and saved with its question under ``--out``; every run adds a line of numbers
to ``--ledger``. Exit code 1 when anything disagreed; 130 when it was interrupted: what was judged by then counts.
With ``--placed`` the question is what is sure for every placement (``placed.py``), with ``--lists`` whether whole lists
say what single questions answer (``lists.py``), with ``--related`` whether answers fit those on tables that differ a
little, and routes that differ (``related.py``), with ``--closer`` whether closer samples find the same
(``closer.py``), with ``--drawn`` whether lines drawn at random are better (``drawn.py``).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Asked
from tests.fuzz import closer, drawn, lists, placed, related
from tests.fuzz.judging import faults
from tests.fuzz.kinds import KINDS, make

PATIENCE = 60  # seconds of processor time for one table


class TooSlowError(Exception):
    """A table that takes longer than all patience."""


def judged(table, question, seed, seconds=PATIENCE, judge=None):
    """The faults of one table; a crash and a table without end are faults too."""

    def enough(*_):
        raise TooSlowError

    if hasattr(signal, "SIGPROF"):  # not on Windows
        signal.signal(signal.SIGPROF, enough)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return (judge or faults)(table, question, seed)
    except TooSlowError:
        return [f"slow: no answer within {seconds} s"]
    except Exception as error:  # noqa: BLE001 - a crash is what is looked for
        return [f"crash: {type(error).__name__}: {error}"]
    finally:
        if hasattr(signal, "SIGPROF"):
            signal.setitimer(signal.ITIMER_PROF, 0)


def kind_of(fault):
    """The word a fault begins with."""
    return fault.partition(":")[0]


def shrunk(table, question, seed, kind, until):
    """The smallest table that still has a fault of the same kind: things left out, then numbers rounded."""

    def still(smaller, asked):
        return any(kind_of(f) == kind for f in judged(smaller, asked, seed, 20))

    named = {question.model, *getattr(question, "targets", ()), getattr(question, "on", None)}
    going = kind != "slow"
    while going and time.monotonic() < until:
        going = False
        for field in ("terrain", "models"):
            for name in list(getattr(table, field)):
                left = FrozenMap({n: v for n, v in getattr(table, field).items() if n != name})
                smaller = replace(table, **{field: left})
                if name not in named and time.monotonic() < until and still(smaller, question):
                    table, going = smaller, True
    for decimals in (6, 4, 3, 2, 1) if kind != "slow" else ():

        def near(p, n=decimals):
            return (round(p[0], n), round(p[1], n))

        models = {n: replace(m, at=near(m.at)) for n, m in table.models.items()}
        terrain = {
            n: replace(
                p,
                shape=p.shape
                and replace(
                    p.shape,
                    rings=tuple(tuple(map(near, r)) for r in p.shape.rings),
                    spine=tuple(map(near, p.shape.spine)),
                ),
            )
            for n, p in table.terrain.items()
        }
        rounder = replace(table, models=FrozenMap(models), terrain=FrozenMap(terrain))
        asked = replace(question, to=near(question.to)) if isinstance(question, sbg.Move) else question
        if time.monotonic() < until and still(rounder, asked):
            return saved_form(rounder, asked)
    return saved_form(table, question)


def saved_form(table, question):
    """The table with its question, ready for a file."""
    return replace(table, questions=FrozenMap({"q": Asked(question)}))


def run_by(how, kind, first, last, minutes, small=False):
    """Let a module judge tables, and count what it looked at; a failure is told by its seed, which makes it again."""
    began, tables, wrong, stopped = time.monotonic(), 0, 0, True
    how.COUNT.update(dict.fromkeys(how.COUNT, 0))
    with contextlib.suppress(KeyboardInterrupt):
        for seed in range(first, last):
            if time.monotonic() - began > 60 * minutes:
                break
            table, question = make(kind, seed, small)
            said = judged(table, question, seed, 2 * PATIENCE, how.faults)
            tables += 1
            wrong += bool(said) and not said[0].startswith("slow")
            if said:
                print(f"{kind} {seed}: {said[0]}", flush=True)
        stopped = False
    seconds = round(time.monotonic() - began, 1)
    counts = {"tables": tables, "seconds": seconds, "contradicted": wrong, **how.COUNT, **_cut_short(stopped)}
    size = {"size": "small"} if small else {}
    judged_by = how.__name__.rpartition(".")[2]
    return {"kind": kind, "judged": judged_by, **size, "seeds": f"{first}:{first + tables}", **counts}


def _cut_short(stopped):
    return {"interrupted": True} if stopped else {}


def run(kind, first, last, minutes, out, small=False):
    """Judge tables until the seeds or the minutes are used up."""
    began, found, tables, slowest, stopped = time.monotonic(), Counter(), 0, (0.0, first), True
    with contextlib.suppress(KeyboardInterrupt):
        for seed in range(first, last):
            if time.monotonic() - began > 60 * minutes:
                break
            start = time.monotonic()
            table, question = make(kind, seed, small)
            wrong = judged(table, question, seed)
            tables += 1
            slowest = max(slowest, (time.monotonic() - start, seed))
            for fault in dict.fromkeys(map(kind_of, wrong)):
                found[fault] += 1
            if wrong:
                print(f"{kind} {seed}: {'; '.join(wrong)}", flush=True)
                save(table, question, kind, seed, wrong, out, small)
        stopped = False
    seconds = round(time.monotonic() - began, 1)
    return {
        "kind": kind, "size": "small" if small else "full", "seeds": f"{first}:{first + tables}",
        "tables": tables, "seconds": seconds, "faults": dict(found), "slowest": [round(slowest[0], 2), slowest[1]],
        **_cut_short(stopped),
    }  # fmt: skip


def save(table, question, kind, seed, wrong, out, small):
    """Write the smallest table that has the first of these faults still."""
    smallest = shrunk(table, question, seed, kind_of(wrong[0]), time.monotonic() + 60)
    out.mkdir(parents=True, exist_ok=True)
    said = "\n".join(f"# {line}" for line in wrong)
    size, name = (" --size small", f"small-{kind}") if small else ("", kind)
    (out / f"{name}-{seed}.toml").write_text(
        f"# python -m tests.fuzz --kind {kind} --seeds {seed}:{seed + 1}{size}\n{said}\n{sbg.dump(smallest)}"
    )


def main():
    """Read the call, run, and keep the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all")
    parser.add_argument("--size", choices=["full", "small"], default="full", help="small: a few things, a short Move")
    parser.add_argument("--seeds", default="0:100000", help="first:last, the last not included")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"))
    parser.add_argument("--ledger", type=Path, default=Path("out/fuzz/ledger.jsonl"))
    parser.add_argument("--placed", action="store_true", help="judge what is said to be sure for every placement")
    parser.add_argument("--lists", action="store_true", help="judge whole lists by single questions")
    parser.add_argument(
        "--related", action="store_true", help="judge answers and routes by others that differ a little"
    )
    parser.add_argument("--closer", action="store_true", help="judge answers by those from closer samples")
    parser.add_argument("--drawn", action="store_true", help="judge answers by lines drawn at random")
    given = parser.parse_args()
    first, last = map(int, given.seeds.split(":"))
    kinds = list(KINDS) if given.kind == "all" else [given.kind]
    judges = (placed, lists, related, closer, drawn)
    how = next((way for way in judges if getattr(given, way.__name__.rpartition(".")[2])), None)
    bad, minutes, small = 0, given.minutes / len(kinds), given.size == "small"
    for kind in kinds:
        if how is None:
            line = run(kind, first, last, minutes, given.out, small)
        else:
            line = run_by(how, kind, first, last, minutes, small)
        given.ledger.parent.mkdir(parents=True, exist_ok=True)
        with given.ledger.open("a", encoding="utf-8") as ledger:
            ledger.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)
        if "interrupted" in line:
            return 130
        bad += sum(line["faults"].values()) if how is None else line["contradicted"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
