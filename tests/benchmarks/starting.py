"""Where the time goes until a first answer: whole processes, and what they import. Part of `tests.benchmarks`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import distributions, files, requires
from pathlib import Path
from tempfile import TemporaryDirectory

FILE = "scenarios/amon-hen.toml"
STEPS = {
    "python": ("-c", "pass"),
    "numpy and shapely": ("-c", "import numpy, shapely"),
    "`import sbg_sim`": ("-c", "import sbg_sim"),
    "`sbg-sim --help`": ("-m", "sbg_sim", "--help"),
    "`sbg.load` of Amon Hen": ("-c", f"import sbg_sim as sbg; sbg.load('{FILE}')"),
    "`sbg-sim check` of a gap on it": ("-m", "sbg_sim", "check", FILE, "does-he-fit"),
    "`sbg-sim check` of a charge on it": ("-m", "sbg_sim", "check", FILE, "first-to-boromir"),
    "the first prompt of `sbg-sim phase`, 200 models, 100 pieces": ("-m", "sbg_sim", "phase", "{crowd}"),
}
PARTS = ("numpy", "shapely", "click", "sbg_sim")


def compiled(folder: str) -> dict[str, str]:
    """Return an environment in which what a process compiles is kept, in a folder, as an installed package's is."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder}


def seconds(args: tuple[str, ...], runs: int, env: dict[str, str]) -> list[float]:
    """Return the processor times that processes took, one after the other; their input is at its end at once."""
    took = []
    for _ in range(runs):
        child = subprocess.Popen(
            [sys.executable, *args],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, _, used = os.wait4(child.pid, 0)
        child.returncode = 0
        took.append(used.ru_utime + used.ru_stime)
    return took


def imports(args: tuple[str, ...], env: dict[str, str]) -> tuple[int, Counter[str]]:
    """Return how many modules a process imports, and their microseconds by package."""
    command = [sys.executable, "-X", "importtime", *args]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    found: Counter[str] = Counter()
    count = 0
    for line in ran.stderr.splitlines():
        if line.startswith("import time:") and "self" not in line:
            own, _, name = line.removeprefix("import time:").split("|")
            package = name.strip().partition(".")[0]
            found[package if package in PARTS else "the standard library and others"] += int(own)
            count += 1
    return count, found


def footprint(package: str = "sbg_sim") -> tuple[float, float]:
    """Return the megabytes of a package's own files, and of all that it needs installed beside them."""
    needed, waiting = {package}, [package]
    while waiting:
        for line in requires(waiting.pop()) or ():
            name, _, when = line.partition(";")
            name = re.split(r"[^\w.-]", name.strip(), maxsplit=1)[0].lower().replace("_", "-")
            if "extra" not in when and name not in needed and any(distributions(name=name)):
                needed.add(name)
                waiting.append(name)
    own = sum(file.stat().st_size for file in Path(package).rglob("*.*") if "__pycache__" not in file.parts)
    beside = [Path(str(file.locate())) for name in needed - {package} for file in files(name) or ()]
    return own / 1e6, sum(path.stat().st_size for path in beside if path.is_file()) / 1e6


def crowd(folder: str) -> str:
    """Write a table of 200 models and 100 pieces, and return where."""
    rows = ["[table]\nwidth = 72\ndepth = 72"]
    for i in range(200):
        side = "good" if i < 100 else "evil"
        at = f"[{2 + 3.4 * (i % 20):g}, {3 + 6 * (i // 20)}]"
        rows.append(f'[models.m{i}]\nat = {at}\nbase = "25 mm"\nheight = 1.5\nmove = 6\nside = "{side}"')
    for i in range(100):
        x, y = 3.5 + 7 * (i % 10), 6 + 6 * (i // 10)
        rows.append(
            f'[terrain.p{i}]\ntags = ["obstacle"]\nheight = 1\npolygon = [[{x}, {y}], [{x + 1}, {y}], [{x}, {y + 1}]]'
        )
    path = Path(folder) / "crowd.toml"
    path.write_text("\n\n".join(rows), encoding="utf-8")
    return str(path)


def starting(runs: int = 5) -> list[str]:
    """Return the lines of the page that tell where the time goes."""
    charge = STEPS["`sbg-sim check` of a charge on it"]
    with TemporaryDirectory() as folder:
        large, env = crowd(folder), compiled(folder)
        first = seconds(charge, 1, env)[0]
        rows = [
            f"| {name} | {1000 * min(seconds(tuple(large if a == '{crowd}' else a for a in args), runs, env)):.0f} |"
            for name, args in STEPS.items()
        ]
        rows.append(f"| the charge on the very first run: Python compiles its imports | {1000 * first:.0f} |")
        count, parts = imports(charge, env)
    total, (own, needs) = sum(parts.values()), footprint()
    return [
        "## Until the first answer (milliseconds)",
        "",
        f"Whole processes, processor time, each the least of {runs} runs.",
        "",
        "| process | time |",
        "| --- | --- |",
        *rows,
        "",
        f"`pip install sbg_sim` puts {own:.1f} MB of its own on the disk, and {needs:.0f} MB of dependencies.",
        "",
        (
            f"The charge imports {count} modules. Of the import time, "
            + ", ".join(f"{100 * us / total:.0f} % is {name}" for name, us in parts.most_common())
            + ". The parser that finds the places of faults is imported when there are some; "
            "the writer of files, readings of tapes and everything about doubt when they are used."
        ),
        "",
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(starting()))
