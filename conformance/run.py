"""Hold a program to the positions: ``python conformance/run.py [--command "sbg-sim check {file} --json"] [NAME...]``.

Without a command this package is asked in this process. Exit 0: all as expected; 1: some differ.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

POSITIONS = Path(__file__).parent / "positions"
NAMES = {n: getattr(math, n) for n in ("sqrt", "hypot", "acos", "asin", "atan2", "sin", "cos", "tan", "pi")}
NEAR = {"needed": 1e-6, "inches": 1e-6, "area": 1e-3, "used": 1e-6, "climbed": 1e-6}


def positions() -> list[dict[str, Any]]:
    """Every position of every chapter, with its chapter in its name."""
    found = []
    for path in sorted(POSITIONS.glob("*.json")):
        found += [one | {"id": f"{path.stem}/{one['id']}"} for one in json.loads(path.read_text(encoding="utf-8"))]
    return found


def merged(data: Any, change: Any) -> Any:
    """Apply a JSON merge patch (RFC 7386)."""
    if not isinstance(change, dict):
        return change
    data = dict(data) if isinstance(data, dict) else {}
    for key, value in change.items():
        data = (
            {k: v for k, v in data.items() if k != key} if value is None else data | {key: merged(data.get(key), value)}
        )
    return data


def toml(value: Any) -> str:
    """Write a value as TOML writes it: as JSON, but for the tables."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def sides(one: dict[str, Any]) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """A position and its mirror: name, scenario, what is expected."""
    change = dict(one["change"])
    if "ask" not in one:
        return [
            (one["id"], one["table"], one["expect"]),
            (one["id"] + " (mirror)", merged(one["table"], change), one["mirror"]),
        ]
    ask = merged(one["ask"], change.pop("ask", {}))
    return [
        (one["id"], one["table"] | {"questions": {"q": one["ask"]}}, one["expect"]),
        (one["id"] + " (mirror)", merged(one["table"], change) | {"questions": {"q": ask}}, one["mirror"]),
    ]


def differs(got: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    """What of an answer is not as expected, a sentence each."""
    wrong = []
    for key, wanted in expect.items():
        if key == "at":
            place = [eval(part, {"__builtins__": {}}, NAMES) for part in wanted]  # noqa: S307 - our own formulas
            if math.dist(got.get("at") or (math.inf, math.inf), place) > NEAR["used"]:
                wrong.append(f"at is {got.get('at')}, not {place}")
        elif key in NEAR:
            value = eval(wanted, {"__builtins__": {}}, NAMES)  # noqa: S307 - our own formulas
            if got.get(key) is None or abs(got[key] - value) > NEAR[key]:
                wrong.append(f"{key} is {got.get(key)}, not {value:.9f} = {wanted}")
        elif key == "needed_above":
            if got.get("needed") is not None and not got["needed"] > float(wanted):
                wrong.append(f"needed is {got['needed']}, not above {wanted}")
        elif key == "rules":
            missing = set(wanted) - set(got.get("rules") or ())
            wrong += [f"rule {rule} is not named among {got.get('rules')}" for rule in sorted(missing)]
        elif got.get(key) != wanted:
            wrong.append(f"{key} is {got.get(key)}, not {wanted}: {got.get('reason')}")
    return wrong


def at_the_end(replayed: dict[str, Any]) -> dict[str, Any]:
    """What is told of a record: its last step, who fights whom, who is due."""
    pairs = [(sorted(map(sorted, one["pairing"])), one["chosen"]) for one in replayed["fights"]]
    return {
        **(replayed["steps"][-1] if replayed["steps"] else {}),
        **{key: replayed[key] for key in ("legal", "pairings")},
        "fights": sorted(fights for fights, _ in pairs),
        "chosen": next((fights for fights, chosen in pairs if chosen), None),
        "due": {one["model"]: one["bonus"] for one in replayed["due"]},
    }


def asked_here(scenario: dict[str, Any]) -> dict[str, Any]:
    """Ask this package, in this process."""
    from sbg_sim import report

    if "moves" in scenario:
        from sbg_sim.phase import replay

        return at_the_end(replay(read_here(scenario)).as_json())
    found: dict[str, Any] = report.as_json(checked_here(scenario))
    return found


def checked_here(scenario: dict[str, Any]) -> Any:
    """Return this package's verdict."""
    from sbg_sim.contested.certain import check

    return check(read_here(scenario), "q", alternatives=False)


def read_here(scenario: dict[str, Any]) -> Any:
    """Return the table of a scenario, read by this package."""
    from sbg_sim.scenario.files import read_text

    return read_text("".join(f"{key} = {toml(value)}\n" for key, value in scenario.items()))


def asked_of(command: str, scenario: dict[str, Any]) -> dict[str, Any]:
    """Ask a program that takes a scenario file and prints JSON as `sbg-sim check --json` does."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "position.toml"
        file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in scenario.items()), encoding="utf-8")
        words = ["replay" if part == "check" and "moves" in scenario else part for part in shlex.split(command)]
        line = [part.replace("{file}", str(file)) for part in words]
        done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - the user's own command
    told = json.loads(done.stdout)
    found: dict[str, Any] = at_the_end(told) if "moves" in scenario else told[0]
    return found


def main() -> int:
    """Ask every position and its mirror, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command")
    parser.add_argument("names", nargs="*", help="only positions whose name holds one of these")
    given = parser.parse_args()
    count = bad = 0
    for one in positions():
        if given.names and not any(name in one["id"] for name in given.names):
            continue
        for name, scenario, expect in sides(one):
            count += 1
            try:
                wrong = differs(asked_of(given.command, scenario) if given.command else asked_here(scenario), expect)
            except Exception as error:  # noqa: BLE001 - a program that fails has not answered
                wrong = [f"no answer: {type(error).__name__}: {error}"]
            bad += bool(wrong)
            for line in wrong:
                print(f"{name}: {line}")
    print(f"{count} answers, {bad} not as expected")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
