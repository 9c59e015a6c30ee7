"""``rulings``, ``flips`` and ``doubt``: what a contested answer hangs on."""

from __future__ import annotations

import math
from typing import Any

import click

from sbg_sim.cli import show
from sbg_sim.cli.opening import picture as a_picture
from sbg_sim.cli.opening import table_in

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command(short_help="Answer a QUESTION under every reading of the rules in play.")
@click.argument("file")
@click.argument("question")
@_JSON
def rulings(file: str, question: str, as_json: bool) -> None:
    """Answer a QUESTION of FILE under every reading of the rules in play, and under two where both matter."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.contested.rulings import rulings as under_all

    found = under_all(table, question)
    if as_json:
        show.as_json(found.as_json())
        return
    data = found.as_json()
    click.echo(f"{question}: {found.verdict.answer}, as the table is played")
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
        click.echo(f"together: {both}: {row['answer']}")
    click.echo("* in force")


@click.command(short_help="Say what would have to be off for the answer to a QUESTION to be otherwise.")
@click.argument("file")
@click.argument("question")
@click.option("--limit", type=float, help="How far to look, inches; a little beyond what is missing by itself.")
@_JSON
@click.option("--plot", "picture", callback=a_picture, metavar="OUT", help="Draw it to a file.")
def flips(file: str, question: str, limit: float | None, as_json: bool, picture: str | None) -> None:
    """Find the smallest shift of each base, and of all at once, that turns the answer to a QUESTION of FILE."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.contested.flips import flips as what_flips

    found = what_flips(table, question, limit=limit)
    if picture is not None:
        from sbg_sim.plot import save

        save(found, picture)
    data = found.as_json()
    if as_json:
        show.as_json(data)
        return
    margin = "" if data["margin"] is None else f", margin {data['margin']:.6g} in = {data['margin'] * 25.4:.4g} mm"
    click.echo(f"{question}: {data['answer']}{margin}")
    rows = [*data["shifts"], *([data["together"]] if data["together"] else [])]
    show.grid(("base", "inches", "mm", "direction", "then", "asked again"), [_shift(row) for row in rows])
    for bend in data["decides"]:
        x, y = bend["at"]
        turn = f", bent by {bend['angle'] * 57.29577951308232:.4g} degrees" if bend["angle"] else ""
        click.echo(f"{bend['what']} at {bend['around']}: ({x:.6g}, {y:.6g}){turn}, pull {bend['pull']:.6g}")


def _shift(row: dict[str, Any]) -> tuple[str, ...]:
    name = row["model"] or "all at once"
    if row["inches"] is None:
        return (name, "-", "", "", "", "")
    way = row["direction"]
    degrees = "" if way is None else f"{math.degrees(math.atan2(way[1], way[0])):.2f} deg"
    good = "it turns there" if row["verified"] else "not confirmed"
    return (name, f"{row['inches']:.6f}", f"{row['millimetres']:.4f}", degrees, row["answer"] or "", good)
