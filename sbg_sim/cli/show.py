"""Print answers as JSON, or as rows for people, in colour on a terminal."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from sbg_sim.cli.waiting import waiting
from sbg_sim.errors import plain
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.table.board import Table

Rows: TypeAlias = "Sequence[tuple[str, str]]"

_COLOURS = {"yes": "green", "no": "red", "chance": "yellow", "too-close": "magenta"}
_WIDEST: Final = 100  # columns of running text at most
_LAST: Final = 20  # columns for the last cell of a line, which may be folded, at least


def short(text: str, most: int = 40) -> str:
    """Return a text, cut if it is too long to be repeated.

    Examples
    --------
    >>> short("9" * 50, 8)
    '99999...'

    """
    return text if len(text) <= most else text[: most - 3] + "..."


def line(text: str, *, err: bool = False) -> None:
    """Print one line without control characters; on a terminal a line that is too long is broken between words."""
    waiting.end()
    text, stream = plain(text), sys.stderr if err else sys.stdout
    hang = " " * (len(text) - len(text.lstrip()) + 2)
    columns = max(shutil.get_terminal_size().columns, _LAST)
    parts = wrapped(text, columns, hang=hang, long_words=False) if stream.isatty() else [text]
    for part in parts or [""]:
        click.echo(part, err=err)


def folded(text: str, *, hang: str) -> None:
    """Print running text, indented and broken between words to fit the terminal."""
    waiting.end()
    width = min(_WIDEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else _WIDEST
    for part in wrapped(plain(text), max(width, _LAST), indent="  ", hang=hang):
        click.echo(part)


def of_a_game(text: str) -> None:
    """Print the text of a game, without control characters except the colours of a map."""
    from sbg_sim.terminal.map import Map

    click.echo(text if isinstance(text, Map) else plain(text, lines=True))


def as_json(thing: Any) -> None:
    """Print an object, or an array with a line for each object."""
    waiting.end()
    if isinstance(thing, list):
        inner = ",\n".join(json.dumps(one, allow_nan=False) for one in thing)
        click.echo(f"[\n{inner}\n]" if thing else "[]")
    else:
        click.echo(json.dumps(thing, allow_nan=False))


def as_placed(table: Table) -> None:
    """Say that an answer takes models at their places in the file, if the file gives doubts about these."""
    off = max((table.tolerance if m.doubt is None else m.doubt for m in table.standing()), default=0.0)
    if off > 0:
        line(f"as placed: up to {off:.4g} in by which models may be off are not weighed; check and charges weigh them")


def block(head: str, answer: str | None, rows: Rows) -> None:
    """Print one answer: a heading with the answer, then its rows."""
    waiting.end()
    head, answer = plain(head), answer and plain(answer)
    kept = [(plain(label), plain(text)) for label, text in rows if text]
    if not sys.stdout.isatty():
        click.echo(f"{head}: {answer}" if answer else head)
        for label, text in kept:
            click.echo(f"  {label:<10} {text}")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, show_header=False, padding=(0, 1, 0, 1))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for label, text in kept:
        grid.add_row(label, Text(text))
    title = Text(head, style="bold")
    if answer:
        title.append(": ").append(answer, style=_COLOURS.get(answer, "cyan"))
    console = Console(highlight=False)
    console.print(title)
    console.print(grid)


def grid(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    """Print a table with a line for each entry."""
    waiting.end()
    rows = [[plain(cell) for cell in line] for line in lines]
    widths = [max(len(row[i]) for row in [list(columns), *rows]) for i in range(len(columns))]
    if sys.stdout.isatty():
        _on_terminal(columns, rows, widths)
        return
    for row in [list(columns), *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _on_terminal(columns: Sequence[str], rows: list[list[str]], widths: list[int]) -> None:
    """Print a table in colour or, on a terminal too narrow for it, a block for each entry, so that no number is cut."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if sum(widths[:-1]) + 2 * len(widths) + min(widths[-1], _LAST) > console.width:
        for row in rows:
            block(row[0], None, list(zip(columns[1:], row[1:], strict=True)))
        return
    shown = Table(box=None, header_style="bold")
    for name in columns[:-1]:
        shown.add_column(name, no_wrap=True)
    shown.add_column(columns[-1])
    for row in rows:
        shown.add_row(*(Text(cell, style=_COLOURS.get(cell, "")) for cell in row))
    console.print(shown)
