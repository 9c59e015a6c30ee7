"""``reach``, ``charges`` and ``denies``: what a model can do, and what keeps it from doing more."""

from __future__ import annotations

import click

from sbg_sim.cli import show
from sbg_sim.cli.opening import picture as a_picture
from sbg_sim.cli.opening import table_in

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_PLOT = click.option("--plot", "picture", callback=a_picture, metavar="OUT", help="Draw it to a file.")


def _drawn(thing: object, picture: str | None) -> None:
    if picture is not None:
        from sbg_sim.plot import save

        save(thing, picture)


@click.command()
@click.argument("file")
@click.argument("model")
@_PLOT
@_JSON
def reach(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """Say where MODEL can end its move."""
    table = table_in(file)
    table.model(model)
    from sbg_sim.scenario import report
    from sbg_sim.solver.reach import reach as find

    found = find(table, model)
    _drawn(found, picture)
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
        ],
    )


@click.command()
@click.argument("file")
@click.argument("model")
@_PLOT
@_JSON
def charges(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """List every enemy of MODEL: can it be charged, at what cost, and why not."""
    table = table_in(file)
    table.model(model)
    from sbg_sim.scenario import report
    from sbg_sim.solver.charges import charges as find

    found = find(table, model)
    _drawn(found, picture)
    entries = report.charges_json(found)
    if as_json:
        show.as_json(entries)
        return
    show.grid(("target", "answer", "needed", "margin", "chance", "binds", "why"), report.charge_lines(entries))


@click.command()
@click.argument("file")
@click.argument("model")
@_PLOT
@_JSON
def denies(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """Rank the enemies of MODEL by the area their zones take away from its reach."""
    table = table_in(file)
    table.model(model)
    from sbg_sim.scenario import report
    from sbg_sim.solver.denials import denials as find

    found = find(table, model)
    _drawn(found, picture)
    entries = report.denials_json(found)
    if as_json:
        show.as_json(entries)
        return
    lines = [(e["enemy"], f"{e['denied']:.6g}", f"{e['area_without']:.6g}") for e in entries]
    show.grid(("enemy", "takes away (sq in)", "reach without its zone (sq in)"), lines)
