"""``rulings``, ``flips`` and ``doubt``: the readings and placements on which a contested answer depends."""

from __future__ import annotations

import contextlib
import math
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.numbers import Length, Trials, Whole
from sbg_sim.cli.opening import table_in
from sbg_sim.cli.waiting import waiting
from sbg_sim.errors import QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command(short_help="Answer a QUESTION under every reading of the rules in play.")
@click.argument("file")
@click.argument("question")
@_JSON
@pictured
def rulings(file: str, question: str, as_json: bool, picture: str | None) -> None:
    """Answer a QUESTION of FILE under every reading of the rules in play, and under two where both matter."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.contested.rulings import rulings as under_all

    found = under_all(table, question, progress=partial(waiting.told, what="readings"))
    drawn(found, picture)
    if as_json:
        show.as_json(found.as_json())
        return
    data = found.as_json()
    show.line(f"{question}: {found.verdict.answer}, as the table is played")
    if not data["rows"]:
        click.echo("no ruling can touch this question")
        return
    lines = [
        (
            row["ruling"],
            row["reading"] + (" *" if row["in_force"] else ""),
            row["answer"] or "cannot be asked",
            row["chance"] or "",
            "" if row["needed"] is None else f"{row['needed']:.6g}",
            "differs" if row["differs"] else "",
        )
        for row in data["rows"]
    ]
    show.grid(("ruling", "reading", "answer", "chance", "needed", ""), lines)
    for row in data["combinations"]:
        both = " and ".join(f"{name} = {reading}" for name, reading in row["readings"].items())
        show.line(f"together: {both}: {row['answer']}")
    click.echo("* in force")
    show.as_placed(table)


@click.command(short_help="Say what would have to be off for the answer to a QUESTION to be otherwise.")
@click.argument("file")
@click.argument("question")
@click.option(
    "--limit",
    type=Length(),
    metavar="LENGTH",
    help='How far to look: inches, or "5 mm"; by default a little beyond what is missing, 3 in at most.',
)
@_JSON
@pictured
def flips(file: str, question: str, limit: float | None, as_json: bool, picture: str | None) -> None:
    """Find the smallest shift of each base, and of all at once, that turns the answer to a QUESTION of FILE."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.contested.flips import flips as what_flips

    found = what_flips(table, question, limit=limit, progress=partial(waiting.told, what="shifting"))
    drawn(found, picture)
    data = found.as_json()
    if as_json:
        show.as_json(data)
        return
    margin = "" if data["margin"] is None else f", margin {data['margin']:.6g} in = {data['margin'] * 25.4:.4g} mm"
    show.line(f"{question}: {data['answer']}{margin}")
    rows = [*data["shifts"], *([data["together"]] if data["together"] else [])]
    show.grid(("base", "inches", "mm", "direction", "then", "asked again"), [_shift(row) for row in rows])
    for bend in data["decides"]:
        x, y = bend["at"]
        turn = f", bent by {bend['angle'] * 57.29577951308232:.4g} degrees" if bend["angle"] else ""
        show.line(f"{bend['what']} at {bend['around']}: ({x:.6g}, {y:.6g}){turn}, pull {bend['pull']:.6g}")


def _shift(row: dict[str, Any]) -> tuple[str, ...]:
    name = row["model"] or "all at once"
    if row["inches"] is None:
        return (name, "-", "", "", "", "")
    way = row["direction"]
    degrees = "" if way is None else f"{math.degrees(math.atan2(way[1], way[0])):.2f} deg"
    good = "it turns there" if row["verified"] else "not confirmed"
    return (name, f"{row['inches']:.6f}", f"{row['millimetres']:.4f}", degrees, row["answer"] or "", good)


@click.command(short_help="Say how often the answer is yes when positions are as measured, give or take.")
@click.argument("file")
@click.argument("question")
@click.option(
    "--sigma",
    type=Length(),
    metavar="LENGTH",
    help='Standard deviation along x and y: inches, or "1 mm"; by default what the file says of its doubt, else 1 mm.',
)
@click.option("--trials", type=Trials(1), default=1000, show_default=True, help="How many placements.")
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Same seed, same placements.")
@click.option("--workers", type=Whole(min=1), default=1, show_default=True, help="Processes that share the work.")
@click.option(
    "--dask", "scheduler", metavar="ADDRESS", help="Ask on the dask cluster whose scheduler is at ADDRESS instead."
)
@_JSON
@pictured
def doubt(
    file: str,
    question: str,
    sigma: float | None,
    trials: int,
    seed: int,
    workers: int,
    scheduler: str | None,
    as_json: bool,
    picture: str | None,
) -> None:
    """Ask a QUESTION of FILE about many placements, each model off by a normal error along x and along y."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.contested.doubt import doubt as under_doubt

    def told(done: int, total: int) -> None:
        waiting.told(done, total, "placing")

    with _workers(workers, scheduler) as pool:
        found = under_doubt(table, question, sigma=sigma, trials=trials, seed=seed, executor=pool, progress=told)
    drawn(found, picture)
    data = found.as_json()
    if as_json:
        show.as_json(data)
        return
    low, high = data["interval"]
    counts = ", ".join(f"{count} {kind}" for kind, count in data["answers"].items())
    settles = "  ".join(f"{row['trials']}: {row['frequency']:.3f}" for row in data["convergence"])
    show.block(
        question,
        data["answer"],
        [
            ("sigma", f"{data['sigma']:.6g} in = {data['sigma'] * 25.4:.4g} mm"),
            ("trials", f"{trials}, seed {seed}"),
            ("answers", counts),
            ("yes", f"{data['frequency']:.6f}  (99 %: {low:.6f} to {high:.6f})"),
            ("settling", settles),
        ],
    )


@contextlib.contextmanager
def _workers(workers: int, scheduler: str | None) -> Iterator[Executor | None]:
    """Yield the executor with the workers asked for; None means this process."""
    if scheduler is not None:
        try:
            from distributed import Client
        except ImportError:
            raise click.UsageError("--dask needs the package dask[distributed], and it is not installed") from None
        try:
            cluster = Client(scheduler)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise click.BadParameter(f"no scheduler answers at {scheduler}: {error}", param_hint="--dask") from None
        with cluster as client:
            yield client.get_executor(pure=False)
    elif workers > 1:
        from sbg_sim.dice.executors import processes

        with processes(workers) as pool:
            yield pool
    else:
        yield None


@click.command(short_help="Say where tape readings place models, and what they leave in doubt.")
@click.argument("file")
@_JSON
@pictured
def readings(file: str, as_json: bool, picture: str | None) -> None:
    """Say where the tape readings of FILE place its models, how each reading fits, and what is left in doubt."""
    table = table_in(file)
    if table.fit is None:
        raise QuestionError("readings: there are none in this file; every model has its place")
    from sbg_sim.report.placed import fit_json

    drawn(table, picture, readings=True)
    data = fit_json(table.fit)
    if as_json:
        show.as_json(data)
        return
    lines = [
        (
            row["model"],
            f"({row['at'][0]:.4f}, {row['at'][1]:.4f})",
            f"{row['ellipse']['major']:.4f} x {row['ellipse']['minor']:.4f} in",
            f"{math.degrees(row['ellipse']['turn']):.0f} deg",
        )
        for row in data["models"]
    ]
    show.grid(("model", "place", "one sigma", "turned"), lines)
    rows = [
        (f"{r['from']} to {r['to']}", f"{r['inches']:.4f}", f"{r['residual']:+.4f}", f"{r['sigmas']:+.2f}")
        for r in data["readings"]
    ]
    show.grid(("reading", "inches", "residual", "sigmas"), rows)
    worst = data["readings"][data["worst"]]
    least = f"the reading that fits least: {worst['from']} to {worst['to']}; {data['freedom']} to spare"
    show.line(least if data["freedom"] else "just as many readings as it takes: nothing checks them")
    for image in data["images"]:
        places = ", ".join(f"{name} at ({x:.4f}, {y:.4f})" for name, (x, y) in image.items())
        show.line(f"fits as well, and only `near` rules it out: {places}")
