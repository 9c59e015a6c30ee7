"""``schema``: the form of files, for editors."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--game", metavar="GAME", help="The form of a board game's file instead of a table's.")
@click.option("--certificate", is_flag=True, help="The form of a certificate instead.")
def schema(game: str | None, certificate: bool) -> None:
    """Print the JSON Schema of scenario files.

    An editor completes and checks files by it.
    """
    if certificate and game is not None:
        raise click.UsageError("--game and --certificate are two forms; choose one")
    if certificate:
        from sbg_sim.certificate import json_schema as of_certificates

        found = of_certificates()
    elif game is None:
        from sbg_sim.scenario import json_schema

        found = json_schema()
    else:
        from sbg_sim.scenario import games

        found = games.json_schema(game)
    click.echo(json.dumps(found, indent=2))
