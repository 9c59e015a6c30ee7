"""``schema``: the form of a file, for editors."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--game", metavar="GAME", help="The form of a board game's file instead of a table's.")
def schema(game: str | None) -> None:
    """Print the JSON Schema of scenario files."""
    if game is None:
        from sbg_sim.scenario import json_schema

        found = json_schema()
    else:
        from sbg_sim.scenario import games

        found = games.json_schema(game)
    click.echo(json.dumps(found, indent=2))
