"""``play``: a board game played at the terminal."""

from __future__ import annotations

import contextlib
import pathlib
from typing import TYPE_CHECKING

import click

from sbg_sim.cli.opening import opened
from sbg_sim.errors import FileFaultsError, SbgError

if TYPE_CHECKING:
    from sbg_sim.boards.session import Session
    from sbg_sim.document import Document


@click.command(short_help="Play the board game of FILE at the terminal.")
@click.argument("file")
@click.option("--resume", is_flag=True, help="Play the record in FILE first and go on where it ends.")
def play(file: str, resume: bool) -> None:
    """Play the board game of FILE at the terminal: say `help` there for what can be said."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - lines can be edited and called back
    source = opened(file)
    if "game" not in source.data:
        reason = "this file has a table and no board game; `sbg-sim phase` plays its Move phase"
        raise FileFaultsError((source.fault((), reason),))
    from sbg_sim.boards.session import Session
    from sbg_sim.scenario import games

    _, scenario = games.load(source)
    try:
        session = Session.begin(scenario, resume=resume)
    except FileFaultsError as error:
        raise source.placed(error) from None
    if scenario.file.moves and not resume:
        click.echo("the moves of the file's record are not played; --resume goes on where they end")
    click.echo(session.status())
    while not session.finished:
        try:
            answer = _heard(session, source, input("> "))
        except EOFError:
            click.echo("")
            break
        except KeyboardInterrupt:
            answer = "\nnothing has been done; say `quit` to leave"
        if answer:
            click.echo(answer)


def _heard(session: Session, source: Document, said: str) -> str:
    """Do what is said, with the files it asks for; what the player can cause is part of the answer."""
    try:
        answer = session.hear(said)
        if session.saving is not None:
            text = session.record(source.text.decode("utf-8"))
            pathlib.Path(session.saving).write_text(text, encoding="utf-8")
            session.kept = len(session.past)
        if session.drawing is not None:
            from sbg_sim.plot import save

            save(session.state, session.drawing, lit=session.game.lit(session.state))
    except SbgError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or 'file'}: {error.strerror or error}"
    return answer
