"""``threats`` and ``safe``: the charges that a whole side can make next turn, and the ground safe from them."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli import lengths, show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.numbers import Whole
from sbg_sim.cli.opening import table_in
from sbg_sim.cli.waiting import waiting
from sbg_sim.tolerance import SHOWN
from sbg_sim.units import area
from sbg_sim.wording import cut_off

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.table.board import Table
    from sbg_sim.threats import SafeGround, Threat


def _printed(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options for the form of the output to a command."""

    def wrap(run: Callable[..., None]) -> Callable[..., None]:
        for option in (
            lengths.OPTION,
            click.option("--jsonl", is_flag=True, help=f"Print a line of JSON per {what}, as it is found."),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
            pictured,
        ):
            run = option(run)
        return run

    return wrap


def _line_of(data: dict[str, Any]) -> None:
    waiting.end()
    click.echo(json.dumps(data, allow_nan=False))
    waiting.begin()


def _one_way(*, as_json: bool, jsonl: bool) -> None:
    if as_json and jsonl:
        raise click.UsageError("--json and --jsonl are two ways to print; choose one")


@click.command(short_help="Say what SIDE can cover and charge next turn.")
@click.argument("file")
@click.argument("side")
@click.option("--workers", type=Whole(min=1), default=1, show_default=True, help="Processes that share the work.")
@_printed("model, then per target")
def threats(file: str, side: str, workers: int, picture: str | None, as_json: bool, jsonl: bool, unit: str) -> None:
    """Say where the models of SIDE can be in contact next turn, and how many of them can charge each enemy at once.

    Each model charges alone, from where it stands and past the zones of all who stand: that one may follow where
    another has engaged a model (CHG.7) is not counted; `order` does that.

    Interrupted, or out of time, it prints the models that are done.
    """
    _one_way(as_json=as_json, jsonl=jsonl)
    table = table_in(file)
    from sbg_sim.threats import threats as find
    from sbg_sim.threats.data import target_json, threat_json, threats_json

    done: list[Threat] = []

    def told(row: Threat, _: int) -> None:
        done.append(row)
        if jsonl:
            _line_of(threat_json(row))

    try:
        # Output for people omits what dice could add.
        dice, bar = as_json or jsonl or picture is not None, partial(waiting.told, what="models and targets")
        found = find(table, side, dice=dice, workers=workers, told=told, progress=bar)
    except KeyboardInterrupt:
        if done and not as_json and not jsonl:
            rows = [(r.model, _area(r.area.area, unit), ", ".join(r.targets)) for r in done]
            show.grid(("model", f"covers (sq {unit})", "can charge"), rows)
        waiting.end()
        show.line(f"{side}: {len(done)} models done when it ended", err=True)
        raise
    drawn(found, picture)
    if jsonl:
        for target in found.targets:
            _line_of(target_json(target))
        return
    data = threats_json(found)
    if as_json:
        show.as_json(data)
        return
    levels = [(f"{row['models']} or more", f"{area(row['area'])} sq in") for row in data["levels"]]
    count = len(data["models"])
    head = [("covers", f"{area(data['area'])} sq in"), *levels]
    show.block(f"{side}: {count} model{'s' * (count != 1)}", None, lengths.rows(head, unit))
    lines = [_charged(row, unit) for row in data["targets"]]
    show.grid(("target", "can charge it", "surely at once", f"who, and at what cost ({unit})"), lines)
    show.as_placed(table)


def _area(value: float, unit: str) -> str:
    return lengths.number(area(value), unit, 2)


def _charged(row: dict[str, Any], unit: str) -> tuple[str, str, str, str]:
    who = ", ".join(
        f"{c['model']} {lengths.number(format(c['needed'], '.4g'), unit)}"
        + (f" ({c['chance']})" if c["answer"] == "chance" else "")
        for c in row["chargers"]
    )
    return row["target"], str(len(row["chargers"])), str(row["at_once"]), who


@click.command(short_help="Say where MODEL can end its move out of every charge.")
@click.argument("file")
@click.argument("model")
@click.option("--screen", is_flag=True, help="Say the fewest friends that screen MODEL, and where.")
@_printed("enemy")
def safe(file: str, model: str, picture: str | None, as_json: bool, jsonl: bool, unit: str, *, screen: bool) -> None:
    """Say where MODEL can end its move so that no enemy can charge it next turn, and with what margin.

    Each enemy charges alone, from where it stands and past the zones of all who stand: that one may follow where
    another has engaged a model (CHG.7) is not counted; `order` does that.

    A MODEL that lies counts as standing up first.

    Interrupted, or out of time, it prints the enemies whose charges are known by then.
    """
    _one_way(as_json=as_json, jsonl=jsonl)
    table = table_in(file)
    from sbg_sim.threats import safe as find
    from sbg_sim.threats.data import safe_json

    if screen:
        if jsonl:
            raise click.UsageError("--screen has one answer: --json prints it")
        _screen(table, model, picture, as_json=as_json, unit=unit)
        return
    so_far: list[SafeGround] = []

    def told(found: SafeGround, done: int, total: int) -> None:
        so_far[:] = [found]
        waiting.told(done, total, "looks at enemies")

    try:
        found = find(table, model, told=told)
        data = (
            {} if jsonl else safe_json(found, told=partial(waiting.told, what="looks for the safest place on levels"))
        )
    except KeyboardInterrupt:
        if so_far and not as_json:
            _dangers(so_far[0], unit, jsonl=jsonl)
            waiting.end()
            show.line(f"{model}: not all charges were known when it ended; {_most(so_far[0])}", err=True)
        raise
    drawn(found, picture)
    if as_json:
        show.as_json(data)
        return
    if not jsonl:
        others = [row for name, level in data["platforms"].items() for row in _ground(level, f"on {name}")]
        lies = [("counted as", "standing up first, wherever it ends")] if table.model(model).prone else []
        show.block(model, None, lengths.rows([*_ground(data), *others, *lies], unit))
    _dangers(found, unit, jsonl=jsonl)
    if not jsonl:
        show.as_placed(table)


def _ground(data: dict[str, Any], name: str = "safe") -> show.Rows:
    """Return the rows of the safe ground of one level, with its name unless it is the model's own."""
    best = "nowhere"
    if data["best"] is not None:
        lacks, chance = data["margin"], data["chance"]
        short = "nobody comes there"
        if lacks is not None:
            nearest = f"{lacks:.4f}" if data["margin_exact"] else f"at least {cut_off(lacks, 2 * SHOWN):.4f}"
            short = f"the nearest charge is {nearest} in short"
        dice = "" if chance == "1/1" else f"; it gets there with {chance}"
        best = f"({data['best'][0]:.3f}, {data['best'][1]:.3f}), {short}{dice}"
    with_dice = [(chance, free) for chance, free in data["by_chance"].items() if chance != "1/1"]
    rows = [(name, f"{area(data['area'])} sq in of {area(data['reach'])} sq in")]
    rows += [("with dice", f"{chance}: {area(free)} sq in") for chance, free in with_dice if free != data["area"]]
    rows.append(("safest", best))
    rows += [(f"to {c}", f"{area(a)} sq in") for c, a in data["areas"].items() if c != "0/1" and data["reach"]]
    if data["doubt"]:
        rows.append(("not settled", f"{area(data['doubt'])} sq in, counted as dangerous"))
    return rows


def _most(found: SafeGround) -> str:
    return f"so far {area(found.area.area)} sq in of {area(found.reach.area.area)} sq in are safe"


def _dangers(found: SafeGround, unit: str, *, jsonl: bool) -> None:
    from sbg_sim.threats.data import danger_json

    rows = [(level, row) for level in found.levels for row in level.dangers]
    if jsonl:
        for level, row in rows:
            _line_of(danger_json(row, level))
        return
    columns: tuple[str, ...] = ("enemy", f"can charge it on (sq {unit})")
    lines: list[tuple[str, ...]] = [(row.enemy, _area(row.area.area, unit)) for _, row in rows]
    if found.platforms:
        columns = (*columns, "of")
        lines = [(*line, level.surface or "ground") for line, (level, _) in zip(lines, rows, strict=True)]
    show.grid(columns, lines)


def _screen(table: Table, model: str, picture: str | None, *, as_json: bool, unit: str) -> None:
    """Print the screen of a model: the friends and their places."""
    from sbg_sim.threats import screen

    tried = 0

    def asked(count: int, most: int) -> None:
        nonlocal tried
        tried = count
        waiting.told(count, most, "arrangements")

    try:
        found = screen(table, model, progress=asked)
    except KeyboardInterrupt:
        waiting.end()
        show.line(f"{model}: no screen among the {tried} arrangements asked when it ended", err=True)
        raise
    drawn(found, picture)
    if as_json:
        show.as_json(found.as_json())
        return
    if found.places is None:
        through = ", ".join(verdict.question.model for verdict in found.through)  # type: ignore[union-attr]
        rows = [("screen", f"none found; arrangements asked: {found.tried}"), ("who charges", through)]
    elif not found.places:
        rows = [("screen", "none needed: no enemy can charge it where it stands")]
    else:
        ends = zip(found.places, found.levels, strict=True)
        rows = [(name, f"to ({x:.3f}, {y:.3f}){f' on {on}' if on else ''}") for (name, (x, y)), on in ends]
    show.block(found.model, None, lengths.rows(rows, unit))
