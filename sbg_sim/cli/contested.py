"""``rulings``, ``flips`` and ``doubt``: what a contested answer hangs on."""

from __future__ import annotations

import click

from sbg_sim.cli import show
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
