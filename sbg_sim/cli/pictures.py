"""``plot`` and ``section``: pictures of a table, of an answer, and of a route from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sbg_sim.cli.opening import opened, table_in, table_of, wrote
from sbg_sim.cli.opening import picture as a_picture
from sbg_sim.cli.watching import patient, watched

if TYPE_CHECKING:
    from sbg_sim.document import Document

_OUT = click.option("--out", callback=a_picture, required=True, metavar="OUT", help="A .png, .svg or .pdf file.")


@click.command(short_help="Draw the table of FILE, or the answer to a QUESTION.")
@click.argument("file")
@click.argument("question", required=False)
@_OUT
@click.option("--watch", is_flag=True, help="Draw it again whenever FILE is saved, until interrupted.")
@click.pass_context
def plot(ctx: click.Context, file: str, question: str | None, out: str, watch: bool) -> None:
    """Draw the table or the board of FILE, or the answer to a QUESTION of it."""

    def run() -> int:
        _draw(file, question, out)
        wrote(out)
        return 0

    ctx.exit(watched([file], lambda: patient(run)) if watch else run())


def _draw(file: str, question: str | None, out: str) -> None:
    source = opened(file)
    if "game" in source.data:
        _board(source, question, out)
        return
    table = table_of(source)
    from sbg_sim.plot import save
    from sbg_sim.table.questions import ReachOf

    if question is None:
        save(table, out)
        return
    asked = table.asked(question).question
    if isinstance(asked, ReachOf):
        from sbg_sim.solver.reach import reach

        save(reach(table, asked.model), out)
        return
    from sbg_sim.contested.certain import settled as ask

    save(ask(table, asked, name=question), out)


def _board(source: Document, question: str | None, out: str) -> None:
    from sbg_sim.plot import save
    from sbg_sim.scenario import games

    _, scenario = games.load(source)
    answer = None if question is None else games.answers(source, [question])[0]
    save(scenario, out, answer=answer, lit=scenario.lit(question))


@click.command(short_help="Draw the route of a QUESTION from above and from the side.")
@click.argument("file")
@click.argument("question")
@_OUT
def section(file: str, question: str, out: str) -> None:
    """Draw the route or the line of sight that answers a QUESTION from above, and from the side under it.

    Where there is neither, only the plan is drawn.
    """
    table = table_in(file)
    asked = table.asked(question).question
    from sbg_sim.contested.certain import settled as ask
    from sbg_sim.plot import save

    save(ask(table, asked, name=question), out, section=True)
    wrote(out)


@click.command(short_help="Film the route of a question, or the record of FILE.")
@click.argument("file")
@click.argument("what", metavar="QUESTION|record")
@click.option("--out", required=True, metavar="OUT", help="A .gif, .mp4 or .html file.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long it runs.")
@click.option(
    "--fps", "frames_per_second", type=click.IntRange(1, 60), default=12, show_default=True, help="How smooth."
)
def film(file: str, what: str, out: str, seconds: float | None, frames_per_second: int) -> None:
    """Film the route that answers a QUESTION of FILE, or with the word `record` the Move phase recorded in it."""
    import pathlib

    table = table_in(file)
    from sbg_sim.plot.animation import animate
    from sbg_sim.plot.reels import checked

    checked(pathlib.Path(out))
    thing: object
    if what == "record" and what not in table.questions:
        from sbg_sim.phase import replay

        thing = replay(table)
    else:
        from sbg_sim.solver.answer import ask

        thing = ask(table, table.asked(what).question, name=what)
    animate(thing, out, seconds=seconds, frames_per_second=frames_per_second)
    wrote(out)
