"""``reach``, ``charges`` and ``denies``: the options of models, and the zones that limit them."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli import lengths, show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.opening import table_in
from sbg_sim.cli.waiting import waiting
from sbg_sim.units import area, area_within

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.table.board import Table

_PARTS = (
    click.argument("file"),
    click.argument("models", nargs=-1, required=True, metavar="MODEL..."),
    pictured,
    click.option("--json", "as_json", is_flag=True, help="Print JSON; of several models an array of what one gives."),
    click.option("--jsonl", is_flag=True, help="Print a line of JSON per entry, as it is found."),
    lengths.OPTION,
)


class _Answers:
    """Answers about one model after the other, each printed when it is ready, JSON at the end.

    Parameters
    ----------
    as_json, jsonl, unit
        The form of the output, and the unit of lengths.

    """

    def __init__(self, models: tuple[str, ...], picture: str | None, *, as_json: bool, jsonl: bool, unit: str) -> None:
        if as_json and jsonl:
            raise click.UsageError("--json and --jsonl are two ways to print; choose one")
        if picture is not None and len(models) > 1:
            raise click.UsageError(f"--plot is for one model, and {len(models)} are named")
        self.models, self.picture, self.unit = models, picture, unit
        self.as_json, self.jsonl, self.text = as_json, jsonl, not (as_json or jsonl)
        self._found: list[Any] = []

    def of(self, file: str, answer: Callable[[Table, str], Any]) -> None:
        """Print an answer for every model of a file; unknown models are refused before the first answer."""
        table = table_in(file)
        for model in self.models:
            table.model(model)
        for done, model in enumerate(self.models):
            if len(self.models) > 1:
                waiting.told(done, len(self.models), "models")
            self._found.append(answer(table, model))
        if self.as_json:
            show.as_json(self._found if len(self.models) > 1 else self._found[0])

    def line(self, data: dict[str, Any]) -> None:
        """Print one entry at once, if the output is JSON lines."""
        if self.jsonl:
            waiting.end()
            click.echo(json.dumps(data, allow_nan=False))
            waiting.begin()

    def rows(self, columns: tuple[str, ...], lines: list[tuple[str, ...]], model: str) -> None:
        """Print a table for people, with the model above it if there are several."""
        if not self.text:
            return
        waiting.end()
        if len(self.models) > 1:
            show.line(f"{model}:")
        show.grid(columns, lines)
        waiting.begin()


def _of_models(run: Callable[..., None]) -> click.Command:
    """Return a command for a function of a file and of answers to be printed."""

    def command(
        file: str, models: tuple[str, ...], picture: str | None, as_json: bool, jsonl: bool, unit: str, **more: Any
    ) -> None:
        run(file, _Answers(models, picture, as_json=as_json, jsonl=jsonl, unit=unit), **more)

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    command.__click_params__ = getattr(run, "__click_params__", [])  # type: ignore[attr-defined]
    made: Callable[..., None] = command
    for part in reversed(_PARTS):
        made = part(made)
    return click.command()(made)


@_of_models
@click.option("--least", default="1/36", show_default=True, metavar="CHANCE", help="Map chances down to this one.")
def reach(file: str, answers: _Answers, least: str) -> None:
    """Say where each MODEL can end its move.

    It prints square inches by chance, and the enemies that it can touch.
    """
    from sbg_sim import report
    from sbg_sim.solver.reach import reach as find
    from sbg_sim.units import fraction

    try:
        chance = fraction(least)
    except ValueError:
        raise click.BadParameter(
            f"{show.short(least)!r} is no chance: write 1/36 or 0.02", param_hint="--least"
        ) from None

    def answer(table: Table, model: str) -> dict[str, Any]:
        found = find(table, model, least=chance)
        drawn(found, answers.picture)
        data = report.reach_json(found)
        answers.line(data)
        if answers.text:
            show.block(*_reached(model, data, answers.unit))
            show.as_placed(found.table)
            waiting.begin()
        return data

    answers.of(file, answer)


def _reached(model: str, data: dict[str, Any], unit: str) -> tuple[str, None, show.Rows]:
    """Return the headline and the rows of a reach."""
    areas = [("chance", f"{chance}: {area(size)} sq in") for chance, size in data["areas"].items()]
    for name, rows in data["platforms"].items():
        areas += [(name, f"{chance}: {area(size)} sq in") for chance, size in rows.items()]
    contacts = ", ".join(name for name, arcs in data["contacts"].items() if arcs)
    head = f"{model}, Move {data['allowance']:g}"
    return (
        head if unit == "in" else lengths.told(f"{head} in", unit),
        None,
        lengths.rows(
            [
                ("area", area_within(data["area"], data["area_error"])),
                *areas,
                ("covers", f"{area(data['swept'])} sq in with its base"),
                ("contacts", contacts),
                ("reason", data["reason"] and f"{model} goes nowhere for certain: {data['reason']}"),
            ],
            unit,
        ),
    )


@_of_models
def charges(file: str, answers: _Answers) -> None:
    """List the enemies of each MODEL: can it charge them, and why not?

    Interrupted, or out of time, it prints what it has found so far.
    """
    from sbg_sim import report
    from sbg_sim.contested.charges import charges as find

    columns = ("target", "answer", "needed", "margin", "chance", "binds", "why")

    def answer(table: Table, model: str) -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = []

        def told(entry: Any, total: int) -> None:
            (data,) = report.charges_json((entry,))
            seen.append(data)
            waiting.told(len(seen), total, f"charges of {model}")
            answers.line({"model": model, **data} if len(answers.models) > 1 else data)

        try:
            found = find(table, model, told=told)
        except KeyboardInterrupt:
            answers.rows(columns, _lines(seen, answers.unit), model)
            waiting.end()
            show.line(f"{model}: {len(seen)} enemies decided when it ended", err=True)
            raise
        drawn(found, answers.picture)
        entries = report.charges_json(found)
        answers.rows(columns, _lines(entries, answers.unit), model)
        return entries

    answers.of(file, answer)


def _lines(entries: list[dict[str, Any]], unit: str) -> list[tuple[str, ...]]:
    """Return a line for each enemy, with lengths in a unit."""
    from sbg_sim import report

    return [
        (target, answer, lengths.number(needed, unit), lengths.number(margin, unit), *odds, lengths.told(why, unit))
        for target, answer, needed, margin, *odds, why in report.charge_lines(entries)
    ]


@_of_models
def denies(file: str, answers: _Answers) -> None:
    """Say how much of the reach of each MODEL each zone denies.

    It lists the enemies with Control Zones that deny it ground, the largest loss first.
    """
    from sbg_sim import report
    from sbg_sim.solver.denials import denials as find

    def answer(table: Table, model: str) -> list[dict[str, Any]]:
        found = find(table, model, progress=partial(waiting.told, what=f"zones against {model}"))
        drawn(found, answers.picture)
        entries = report.denials_json(found)
        for entry in entries:
            answers.line({"model": model, **entry} if len(answers.models) > 1 else entry)
        unit = answers.unit
        lines = [
            (e["enemy"], *(lengths.number(area(e[key]), unit, 2) for key in ("denied", "area_without")))
            for e in entries
            if e["denied"] > 0
        ]
        if entries and not lines:
            lines = [("no zone", "0", lengths.number(area(entries[0]["area_without"]), unit, 2))]
        answers.rows(("enemy", f"takes away (sq {unit})", f"reach without its zone (sq {unit})"), lines, model)
        if answers.text:
            show.as_placed(found.table)
        return entries

    answers.of(file, answer)
