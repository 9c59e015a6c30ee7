"""Print answers: as JSON, or as rows for people, in colour where a terminal shows them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Rows: TypeAlias = "Sequence[tuple[str, str]]"

_COLOURS = {"yes": "green", "no": "red", "chance": "yellow", "too-close": "magenta"}


def as_json(thing: Any) -> None:
    """Print one object, or an array with an object per line."""
    if isinstance(thing, list):
        inner = ",\n".join(json.dumps(one, allow_nan=False) for one in thing)
        click.echo(f"[\n{inner}\n]" if thing else "[]")
    else:
        click.echo(json.dumps(thing, allow_nan=False))


def block(head: str, answer: str | None, rows: Rows) -> None:
    """Print one answer: a headline with the answer, then what belongs to it."""
    kept = [(label, text) for label, text in rows if text]
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
    """Print a table with a line per entry."""
    rows = [list(line) for line in lines]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        shown = Table(*columns, box=None, header_style="bold")
        for row in rows:
            shown.add_row(*(Text(cell, style=_COLOURS.get(cell, "")) for cell in row))
        Console(highlight=False).print(shown)
        return
    widths = [max(len(row[i]) for row in [list(columns), *rows]) for i in range(len(columns))]
    for row in [list(columns), *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
