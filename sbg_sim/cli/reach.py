"""``reach``, ``charges`` and ``denies``: what a model can do, and what keeps it from doing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.opening import table_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.table.board import Table

T = TypeVar("T")

_PARTS = (
    click.argument("file"),
    click.argument("model"),
    pictured,
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)


def _of_a_model(run: Callable[..., None]) -> click.Command:
    """Make a command of a function of a file, a model, a picture's name and whether to print JSON."""
    for part in reversed(_PARTS):
        run = part(run)
    return click.command()(run)


def _found(find: Callable[[Table, str], T], file: str, model: str, picture: str | None) -> T:
    """Return what `find` says of the model, drawn to `picture` where there is one."""
    table = table_in(file)
    table.model(model)
    found = find(table, model)
    drawn(found, picture)
    return found


@_of_a_model
@click.option("--least", default="1/36", show_default=True, metavar="CHANCE", help="Map chances down to this one.")
def reach(file: str, model: str, picture: str | None, as_json: bool, least: str) -> None:
    """Say where MODEL can end its move."""
    from fractions import Fraction

    from sbg_sim import report
    from sbg_sim.solver.reach import reach as find

    try:
        chance = Fraction(least.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{least!r} is no chance: write 1/36 or 0.02", param_hint="--least") from None
    found = _found(lambda table, name: find(table, name, least=chance), file, model, picture)
    data = report.reach_json(found)
    if as_json:
        show.as_json(data)
        return
    areas = [("chance", f"{chance}: {area:.6g} sq in") for chance, area in data["areas"].items()]
    for name, rows in data["platforms"].items():
        areas += [(name, f"{chance}: {area:.6g} sq in") for chance, area in rows.items()]
    contacts = ", ".join(name for name, arcs in data["contacts"].items() if arcs)
    show.block(
        f"{model}, Move {data['allowance']:g}",
        None,
        [
            ("area", f"{data['area']:.6g} sq in, within {data['area_error']:.2g}"),
            *areas,
            ("covers", f"{data['swept']:.6g} sq in with its base"),
            ("contacts", contacts),
            ("reason", data["reason"] and f"{model} may not move: {data['reason']}"),
        ],
    )
    show.as_placed(found.table)


@_of_a_model
def charges(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """List the enemies of MODEL: can it charge them, and why not?"""
    from sbg_sim import report
    from sbg_sim.contested.certain import settled_charges as find

    found = _found(find, file, model, picture)
    entries = report.charges_json(found)
    if as_json:
        show.as_json(entries)
        return
    show.grid(("target", "answer", "needed", "margin", "chance", "binds", "why"), report.charge_lines(entries))


@_of_a_model
def denies(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """Say how much of the reach of MODEL each zone takes away."""
    from sbg_sim import report
    from sbg_sim.solver.denials import denials as find

    found = _found(find, file, model, picture)
    entries = report.denials_json(found)
    if as_json:
        show.as_json(entries)
        return
    lines = [(e["enemy"], f"{e['denied']:.6g}", f"{e['area_without']:.6g}") for e in entries]
    show.grid(("enemy", "takes away (sq in)", "reach without its zone (sq in)"), lines)
    show.as_placed(found.table)
