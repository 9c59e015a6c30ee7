"""``sweep`` and ``campaign``: how odds change with a number, and how many turns a goal takes."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.numbers import Trials, Whole
from sbg_sim.cli.opening import table_in
from sbg_sim.cli.waiting import waiting
from sbg_sim.tolerance import SHARE
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.simulate.sweep import Sweep

_MOST_VALUES: Final = 10_000
_NUMBER: Final = re.compile(r"[+-]?\d+")
_UNIT: Final = re.compile(r"(?<=[\d.])\s*(mm|cm|in|\")\s*$")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def _varied(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[str, list[Any]]:
    """Read ``KEY=FROM:TO:STEP`` (both ends included) or ``KEY=VALUE,VALUE,...``."""
    if len(texts) > 1:
        raise click.BadParameter("one key is varied at a time; give it once", ctx, param)
    (text,) = texts
    key, equals, given = text.partition("=")
    if not equals or not key.strip() or not given.strip():
        raise click.BadParameter(f"{text!r} is not KEY=FROM:TO:STEP or KEY=VALUE,VALUE,...", ctx, param)
    try:
        values = _run_of(given) if ":" in given else [_value(part.strip()) for part in given.split(",")]
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", ctx, param) from error
    return key.strip(), values


def _run_of(given: str) -> list[Any]:
    """Read ``FROM:TO:STEP``, numbers or lengths in one unit; lengths stay texts, which the key parses."""
    parts = given.split(":")
    if len(parts) != 3:
        raise ValueError("a run of values is FROM:TO:STEP")
    bare = [_UNIT.sub("", part) for part in parts]
    if bare != parts:
        units = {part[len(number) :].strip() for part, number in zip(parts, bare, strict=True)}
        if len(units) > 1:
            raise ValueError("FROM:TO:STEP takes lengths in one unit, as 25 mm:40 mm:5 mm")
        (unit,) = units
        return [f"{value} {unit}" for value in _run_of(":".join(bare))]
    try:
        first, last, step = (float(part) for part in parts)
    except ValueError:
        raise ValueError("FROM:TO:STEP takes three numbers, or lengths in one unit") from None
    if not all(map(math.isfinite, (first, last, step))):
        raise ValueError("FROM:TO:STEP takes finite numbers")
    if step == 0 or (last - first) * step < 0:
        raise ValueError("the step must lead from the first value to the last")
    count = math.floor((last - first) / step + SHARE) + 1
    if count > _MOST_VALUES:
        raise ValueError(f"{count} values are too many; {_MOST_VALUES} is the most")
    if all(_NUMBER.fullmatch(part.strip()) for part in parts):
        return [int(first) + i * int(step) for i in range(count)]
    # Decimals as typed: 0.5:2:0.1 contains 0.7, not 0.7000000000000001.
    places = max(len(part.strip().partition(".")[2]) for part in parts) if "e" not in given.lower() else 15
    return [round(first + i * step, places) for i in range(count)]


def _value(part: str) -> Any:
    """Read one value: a whole number, inches, true or false, or a word."""
    if part in {"true", "false"}:
        return part == "true"
    if _NUMBER.fullmatch(part):
        return int(part)
    try:
        return float(part)
    except ValueError:
        return part[1:-1] if len(part) > 1 and part[0] == part[-1] == '"' else part


@click.command(short_help="Answer a QUESTION once for every value of a key.")
@click.argument("file")
@click.argument("question")
@click.option(
    "--vary",
    "varied",
    required=True,
    multiple=True,
    callback=_varied,
    metavar="KEY=FROM:TO:STEP",
    help="What to vary, as terrain.wall.height=1:2:0.25, models.merry.move=4,5,6 or rulings.eye=centre,volume.",
)
@click.option(
    "--trials",
    type=Trials(0),
    default=0,
    show_default=True,
    help="How often each value's best play is played with dice; 0: exact chances alone.",
)
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Same seed, same dice.")
@click.option("--workers", type=Whole(min=1), default=1, show_default=True, help="Processes that share the work.")
@_JSON
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated rows.")
@pictured
def sweep(
    file: str,
    question: str,
    varied: tuple[str, list[Any]],
    trials: int,
    seed: int,
    workers: int,
    as_json: bool,
    as_csv: bool,
    picture: str | None,
) -> None:
    """Answer a QUESTION of FILE once for every value of a key of the file, or of a ruling."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two ways to print; choose one")
    table = table_in(file)
    table.asked(question)
    from sbg_sim.dice.executors import Here, processes
    from sbg_sim.simulate.sweep import sweep as run

    key, values = varied
    # One worker is this thread: starting a process takes longer than a few answers.
    with processes(workers) if workers > 1 else Here() as pool:
        told = partial(waiting.told, what="answering")
        found = run(table, question, key, values, trials=trials, seed=seed, executor=pool, progress=told)
    drawn(found, picture)
    if as_json:
        show.as_json({"question": question, "parameter": key, "rows": [_rounded(row) for row in found.rows]})
    elif as_csv:
        waiting.end()
        click.echo(found.to_csv(), nl=False)
    else:
        show.grid(found.columns, _lines(found))
        show.as_placed(table)


def _rounded(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with lengths rounded as in all JSON; chances stay exact."""
    from sbg_sim import report
    from sbg_sim.simulate.sweep import LENGTHS

    return {name: report.number(value) if name in LENGTHS else value for name, value in row.items()}


def _lines(found: Sweep) -> list[list[str]]:
    return [[_shown(row[name]) for name in found.columns] for row in found.rows]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):  # as written in files
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@click.command(short_help="Say how many turns the goal of a QUESTION takes.")
@click.argument("file")
@click.argument("question")
@click.option("--turns", type=Whole(1, 1000), default=8, show_default=True, help="Turns to list.")
@_JSON
@pictured
def campaign(file: str, question: str, turns: int, as_json: bool, picture: str | None) -> None:
    """Say how many turns the goal of a QUESTION takes, for each way there, the quickest first."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.simulate.campaign import compare

    found = compare(table, question, progress=partial(waiting.told, what="ways"))
    drawn(found, picture)
    rows = found.as_json(turns)
    if as_json:
        show.as_json({"question": question, "ways": rows})
        return
    for way, row in zip(found, rows, strict=True):
        arrived = "  ".join(f"{i}: {share:.4f}" for i, share in enumerate(row["arrived_by_turn_value"], start=1))
        expected = "" if way.expected is None else f"{row['expected_value']:.6g} turns on average ({row['expected']})"
        never = "" if way.chance == 1 else f"{row['chance']} = {row['chance_value']:.6f}"
        uses = f"{row['inches']:.6g} in, {counted(row['dice'], 'die', 'dice')}"
        shown = [("uses", uses), ("expected", expected), ("ever", never), ("by turn", arrived)]
        show.block(way.name, None, shown)
    show.as_placed(table)
