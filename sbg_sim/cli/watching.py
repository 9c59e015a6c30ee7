"""Repeat a command whenever a file is saved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from sbg_sim.cli.opening import told
from sbg_sim.cli.waiting import DEADLINE, waiting
from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAUSE: Final = 0.2
"""Seconds between two checks of the files."""


def watched(files: Sequence[str], run: Callable[[], int]) -> int:
    """Run now and after each change of a file, until interrupted; after a faulty file it waits for the next change.

    Parameters
    ----------
    files
        The files to watch.
    run
        The function to run; returns an exit code.

    Returns
    -------
    The exit code of the last run.

    Raises
    ------
    click.UsageError
        When there is no file that could be saved.

    """
    if "-" in files:
        raise click.UsageError("standard input cannot be watched; name a file")
    deadline = click.get_current_context().meta.get(DEADLINE)
    if deadline is not None:
        deadline.lift()
    code = run()
    waiting.end()
    seen = _state(files)
    click.echo("watching; interrupt to end", err=True)
    try:
        while True:
            time.sleep(PAUSE)
            now = _state(files)
            if now != seen:
                seen = now
                code = run()
    except KeyboardInterrupt:
        return code


def patient(run: Callable[[], int]) -> int:
    """Run, but report a faulty file instead of ending, as it may be corrected."""
    try:
        return run()
    except SbgError as error:
        click.echo(told(error, click.get_current_context().find_root().obj), err=True)
        return 2


def _state(files: Sequence[str]) -> list[tuple[int, int] | None]:
    """Return the time of the last change and the length of each file, or None while it is missing."""
    found: list[tuple[int, int] | None] = []
    for name in files:
        try:
            held = Path(name).stat()
        except OSError:
            found.append(None)
        else:
            found.append((held.st_mtime_ns, held.st_size))
    return found
