"""``plot``, ``section``, ``film`` and ``map``: pictures of a table and of answers, on paper, moving, in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sbg_sim.cli.drawing import drawn, to_picture
from sbg_sim.cli.numbers import Number, Whole
from sbg_sim.cli.opening import opened, table_in, table_of, wrote
from sbg_sim.cli.waiting import waiting
from sbg_sim.cli.watching import patient, watched

if TYPE_CHECKING:
    from sbg_sim.document import Document


@click.command(short_help="Draw the table of FILE, or the answer to a QUESTION.")
@click.argument("file")
@click.argument("question", required=False)
@to_picture
@click.option("--watch", is_flag=True, help="Draw it again whenever FILE is saved, until interrupted.")
@click.pass_context
def plot(ctx: click.Context, file: str, question: str | None, out: str, watch: bool) -> None:
    """Draw the table or the board of FILE, or the answer to a QUESTION of it."""

    def run() -> int:
        _draw(file, question, out)
        return 0

    ctx.exit(watched([file], lambda: patient(run)) if watch else run())


def _draw(file: str, question: str | None, out: str) -> None:
    source = opened(file)
    if "game" in source.data:
        _board(source, question, out)
        return
    table = table_of(source)
    if question is None:
        drawn(table, out)
        return
    from sbg_sim.contested.certain import check as ask

    drawn(ask(table, table.asked(question).question, name=question), out)


def _board(source: Document, question: str | None, out: str) -> None:
    from sbg_sim.scenario import games

    _, scenario = games.load(source)
    answer = None if question is None else games.answers(source, [question])[0]
    drawn(scenario, out, answer=answer, lit=scenario.lit(question))


@click.command(short_help="Draw the route of a QUESTION from above and from the side.")
@click.argument("file")
@click.argument("question")
@to_picture
def section(file: str, question: str, out: str) -> None:
    """Draw the route or the line of sight that answers a QUESTION from above, and from the side under it.

    Where there is neither, only the plan is drawn.
    """
    table = table_in(file)
    asked = table.asked(question).question
    from sbg_sim.contested.certain import check as ask

    drawn(ask(table, asked, name=question), out, section=True)


@click.command(short_help="Film the route of a question, or the record of FILE.")
@click.argument("file")
@click.argument("what", metavar="QUESTION|record")
@click.option("--out", required=True, metavar="OUT", help="A .gif, .mp4 or .html file.")
@click.option("--seconds", type=Number(min=0, min_open=True), help="How long it runs.")
@click.option("--fps", "frames_per_second", type=Whole(1, 60), default=12, show_default=True, help="Pictures a second.")
@click.option(
    "--theme",
    type=click.Choice(["light", "dark", "auto"]),
    default="auto",
    show_default=True,
    help="Colours of the film; auto: an .html follows its reader.",
)
def film(file: str, what: str, out: str, seconds: float | None, frames_per_second: int, theme: str) -> None:
    """Film the route that answers a QUESTION of FILE, or with the word `record` the Move phase recorded in it."""
    import pathlib

    table = table_in(file)
    from sbg_sim.plot.animation import animate
    from sbg_sim.plot.films import checked

    checked(pathlib.Path(out))
    thing: object
    if what == "record" and what not in table.questions:
        from sbg_sim.phase import replay

        thing = replay(table)
    else:
        from sbg_sim.solver.answer import ask

        thing = ask(table, table.asked(what).question, name=what)
    animate(thing, out, seconds=seconds, frames_per_second=frames_per_second, theme=theme)
    wrote(out)


@click.command("map", short_help="Print the table of FILE as a map in letters.")
@click.argument("file")
@click.argument("model", required=False)
def chart(file: str, model: str | None) -> None:
    """Print the table of FILE as a map in letters, with the reach of MODEL shaded when one is named.

    As large as the terminal lets it be; in colour on a terminal, unless NO_COLOR is set.
    """
    import os
    import shutil
    import sys

    table = table_in(file)
    from sbg_sim.terminal.map import drawn as drawn_in_letters

    columns, lines = shutil.get_terminal_size()
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    said = drawn_in_letters(table, model, columns, lines, colour=colour)
    waiting.end()
    click.echo(said)
