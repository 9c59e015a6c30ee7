"""``replay``, ``phase`` and ``order``: the Move phase, played from a record or at the terminal."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import drawn, pictured, to_write
from sbg_sim.cli.numbers import Whole
from sbg_sim.cli.opening import opened, table_in, table_of, wrote
from sbg_sim.cli.turning import SEED, priority_of, text_of_next
from sbg_sim.errors import QuestionError
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from sbg_sim.phase import Replay

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command(short_help="Play the record in FILE up to its first illegal move.")
@click.argument("file")
@_JSON
@click.option(
    "--out",
    callback=to_write(".toml"),
    metavar="NEXT",
    help="Write the table as the next turn begins: FILE with what has changed.",
)
@click.option("--priority", metavar="SIDE", help="With --out: who moves first in the next turn, or `roll`.")
@SEED
@pictured
@click.pass_context
def replay(
    ctx: click.Context,
    file: str,
    as_json: bool,
    out: str | None,
    priority: str | None,
    seed: int | None,
    picture: str | None,
) -> None:
    """Play the game record in FILE; the first move that is not allowed stops it, with exit code 1."""
    if priority is not None and out is None:
        raise click.UsageError("--priority is for the next turn: say with --out where to write it")
    source = opened(file)
    table = table_of(source)
    if out is not None and Path(out).exists() and Path(file).exists() and Path(out).samefile(file):
        raise click.BadParameter(f"{out} is the file that is read; name another", param_hint="--out")
    from sbg_sim.phase import replay as play

    played = play(table)
    if out is not None and played.legal:
        from sbg_sim.document import write_whole

        first = None if priority is None else priority_of(played, priority, seed)
        write_whole(out, text_of_next(source.text.decode("utf-8"), played, first))
        wrote(out)
    elif out is not None:
        show.line(f"{out} is not written: the record is not legal", err=True)
    drawn(played, picture)
    if as_json:
        show.as_json(played.as_json())
    else:
        _show(played)
        show.as_placed(table)
    ctx.exit(0 if played.legal else 1)


def _show(played: Replay) -> None:
    turns = played.turns
    rows = [
        (str(turn.number), str(number), step.model, "yes" if step.legal else "no", f"{step.used:.4f}", step.reason)
        for turn in turns
        for number, step in enumerate(turn.steps, 1)
    ]
    columns = ("turn", "#", "model", "legal", "used", "what happened")
    alone = len(turns) == 1
    show.grid(columns[alone:], [row[alone:] for row in rows])
    for step in played.steps:
        for wrong in step.violations:
            show.line(f"  {wrong.rule}: {wrong.reason}")
    for wrong in played.violations:
        show.line(f"  {wrong.rule}: {wrong.reason}")
    for trap in played.melee.traps:
        if trap.trapped:
            show.line(str(trap))
    for number, pairing in enumerate(played.listed(), 1):
        fights = "; ".join(f"{', '.join(f.good)} against {', '.join(f.evil)}" for f in pairing)
        mark = " (chosen)" if played.is_chosen(pairing) else ""
        if fights:
            show.line(f"fights, way {number} of {played.fights.count}{mark}: {fights}")
    show.line(f"hash {played.hash}")


@click.command(short_help="Find an order of moves in which charges come true.")
@click.argument("file")
@click.option(
    "--wishes",
    required=True,
    metavar="A:B,C:D+E",
    help="Who should charge whom: A charges B, C charges D and E at once.",
)
@_JSON
@click.pass_context
def order(ctx: click.Context, file: str, wishes: str, as_json: bool) -> None:
    """Find an order in which all WISHES for charges come true in FILE, or the most of them.

    Exit code 1 when not all of them can.
    """
    table = table_in(file)
    from sbg_sim.phase.order import find_order, read_wishes

    found = find_order(table, read_wishes(wishes))
    if as_json:
        show.as_json(found.as_json())
    else:
        for number, move in enumerate(found.moves, 1):
            show.line(f"{number}. {found.told(move)}")
        for wish, wrong in found.missed:
            why = "; ".join(f"{v.reason} ({v.rule})" for v in wrong)
            show.line(f"-  {wish.charger} cannot charge {listed(wish.targets)}: {why}")
        show.line(found.summary)
    ctx.exit(1 if found.missed else 0)


@click.command(short_help="Play the Move phase of FILE at the terminal.")
@click.argument("file")
@click.option("--priority", help="The side that moves first; asked for when neither this nor the file says.")
@click.option("--resume", is_flag=True, help="Go on where the journal of FILE ends, else where its record ends.")
@click.option("--seed", type=Whole(min=0), help="Roll the same dice every time.")
@click.option("--watch", is_flag=True, help="Show the table in a browser page that follows every move.")
@click.option("--plain", is_flag=True, help="No line editor and no colours, also on a terminal.")
def phase(file: str, priority: str | None, resume: bool, seed: int | None, watch: bool, plain: bool) -> None:
    """Play the Move phase of FILE at the terminal, turn by turn: say `help` there for what can be said.

    Every step is kept in FILE.journal at once; a game that was cut off is offered at the next start.
    """
    if resume and priority is not None:
        raise click.UsageError("--resume takes the side that moves first from the game; leave --priority out")
    source = opened(file)
    table = table_of(source)
    from sbg_sim.terminal import LeftError, Prompt, opened_session, play
    from sbg_sim.terminal.easel import has_screen

    prompt = Prompt(plain=plain)
    try:
        session = opened_session(source, table, prompt, show.of_a_game, priority=priority, resume=resume, seed=seed)
    except LeftError:
        return
    except EOFError:
        raise QuestionError("nobody says who has Priority: give it with --priority") from None
    columns, lines = shutil.get_terminal_size()
    session.width, session.height, session.colour = columns, lines, prompt.rich and "NO_COLOR" not in os.environ
    if not watch:
        play(session, prompt, show.of_a_game)
        return
    from sbg_sim.terminal.watching import watched

    with watched(session.phase, file) as (address, path):
        show.line(f"the table is at {address}")
        if prompt.rich and has_screen():
            click.launch(address)
        play(session, prompt, show.of_a_game, watch=path)
