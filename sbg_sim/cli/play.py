"""``play``: a board game played at the terminal."""

from __future__ import annotations

import click

from sbg_sim.cli import show
from sbg_sim.cli.opening import opened
from sbg_sim.errors import FileFaultsError


@click.command(short_help="Play the board game of FILE at the terminal.")
@click.argument("file")
@click.option("--resume", is_flag=True, help="Go on where the journal of FILE ends, else where its record ends.")
@click.option("--plain", is_flag=True, help="No line editor, also on a terminal.")
def play(file: str, resume: bool, plain: bool) -> None:
    """Play the board game of FILE at the terminal: say `help` there for what can be said.

    Every move is kept in FILE.journal at once; a game that was cut off is offered at the next start.
    """
    source = opened(file)
    if "game" not in source.data:
        reason = "this file is of no board game: it has no `game`"
        if "table" in source.data:
            reason = "this file has a table and no board game; `sbg-sim phase` plays its Move phase"
        raise FileFaultsError((source.fault((), reason),))
    from sbg_sim.scenario import games
    from sbg_sim.terminal import Prompt, opened_game
    from sbg_sim.terminal import play as heard

    _, scenario = games.load(source)
    prompt = Prompt(plain=plain)
    try:
        session = opened_game(source, scenario, prompt, show.of_a_game, resume=resume)
    except FileFaultsError as error:
        raise source.placed(error) from None
    heard(session, prompt, show.of_a_game)
