"""How long answers take on crowded tables, beside what others need, as one run of processes.

Run from the top folder: ``python -m tests.benchmarks [--out docs/performance.md] [--questions N] [--seed S]``.
Tables are seeded. Times are processor seconds, so that what else a machine does counts little. Nothing is asserted
about them. The ways of others come with ``pip install ".[benchmark]"``.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

import sbg_sim as sbg
from tests.benchmarks.beside import maps, paths
from tests.benchmarks.crowds import lake
from tests.benchmarks.growth import growth
from tests.benchmarks.lists import asked, listed
from tests.benchmarks.slowest import slowest
from tests.benchmarks.starting import starting

BY_HAND = "## In the browser"  # from here on a page is kept as it is


def peak():
    """The most memory the run has used so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(argv=None):
    """Measure and print, or write, the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--maps", type=int, default=12, help="tables of each size whose reach maps are measured")
    given = parser.parse_args(argv)
    sbg.check(lake(8, "unscalable"), sbg.Move("a", (5.0, 12.0)))  # imports are told apart below
    text = "\n".join(page(given))
    if given.out is None:
        sys.stdout.write(text)
    else:
        known = given.out.read_text(encoding="utf-8") if given.out.exists() else ""
        _, mark, rest = known.partition(BY_HAND)
        given.out.write_text(f"{text}\n{mark}{rest}" if mark else text, encoding="utf-8")


def page(given):
    """The lines of the page."""
    at_first = peak()
    yield "# Performance\n"
    yield (
        f"Written by `python -m tests.benchmarks --out docs/performance.md --questions {given.questions}` "
        f"on Python {sys.version_info.major}.{sys.version_info.minor}; processor time, one run. "
        "Compare rows with each other, not with another machine.\n"
    )
    yield from starting()
    yield "## Single questions on crowded tables (milliseconds)\n"
    yield from headed("table", "questions", "median", "95 %", "worst")
    yield from asked(given.questions, given.seed)
    asked_with = peak()
    yield "\n## Lists of random models on crowded tables (milliseconds)\n"
    yield from headed("table", "list", "asked", "median", "95 %", "worst")
    yield from listed(given.seed)
    yield "\nA drag is `table.having(model, at=...)` and its reach area; the first use of a table is not counted."
    yield f"\nPeak memory: {at_first} MB before, {asked_with} MB with the questions, {peak()} MB with the lists.\n"
    yield "## The reach map beside a fast march\n"
    yield (
        "The march of scikit-fmm alone, on the window cropped to the Move: it gives no path, chance or bound. "
        f"Medians over {given.maps} tables of each size. The ratio is our time over the march's (in brackets for the "
        "slowest tenth). Errors are those of the march: of its costs, inches, and of its area, square inches.\n"
    )
    yield from headed("table", "work", "ms", "ratio", "cost, median", "cost, 99 %", "area")
    yield from maps(range(given.maps))
    yield "\n## A path beside other libraries\n"
    yield (
        "Twelve paths to places that are out of sight, on ground that is free or blocked. The other libraries are "
        "given the space already grown, as polygons of 64 sides a circle, and know no rules. The error is the largest "
        "difference from our lengths, inches: the polygons lie inside the circles, so that paths are slightly too "
        "short, and inches too short where a base passes a gap that is too narrow for it.\n"
    )
    yield from headed("table", "work", "ms a path", "ratio", "error")
    yield from paths(given.seed)
    yield "\n## Growth (milliseconds)\n"
    yield from headed("work, and what grows", "how many", "work", "areas of its reach")
    yield from growth(given.seed)
    yield "\n## The slowest known answers (seconds)\n"
    yield "Found among many thousands of answers, and computed here by name; few of the answers above are as slow.\n"
    yield from headed("work", "time", "aim")
    yield from slowest()
    yield f"\nPeak memory of the whole run: {peak()} MB.\n"


def headed(*names):
    """The first two lines of a table."""
    return f"| {' | '.join(names)} |", "| --- " * len(names) + "|"


if __name__ == "__main__":
    main()
