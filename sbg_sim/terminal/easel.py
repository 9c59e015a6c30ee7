"""Pictures of a game, drawn anew after every move; a picture that fails does not end the game."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
import tempfile
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from sbg_sim.phase.state import Phase

    Draw: TypeAlias = Callable[[str], None]
    """Draws a game into a file, given its name."""


def place_for(file: str) -> str:
    """Return the default file of a picture: one for this game in the folder for temporary files."""
    name = pathlib.Path(file).stem or "table"
    return str(pathlib.Path(tempfile.gettempdir()) / f"sbg-sim-{os.getpid()}-{name}.png")


def shown(draw: Draw, path: str, *, launch: bool) -> str:
    """Draw a game into a file, with ``launch`` open it if there is a screen, and return a message.

    Raises
    ------
    SbgError
        When the picture cannot be drawn.

    """
    _drawn(draw, path)
    told = f"drawn to {path}, and anew after every move; `show off` ends it"
    if launch and has_screen():
        import click

        with contextlib.suppress(OSError):
            click.launch(path)
    return told


def _drawn(draw: Draw, path: str) -> None:
    try:
        draw(path)
    except (SbgError, OSError):
        raise
    except Exception as error:  # whatever a drawing library raises, the game goes on
        raise SbgError(f"{path}: the picture cannot be drawn: {error}") from error


def put_down(phase: Phase, path: str) -> None:
    """Write the current table into a file, for the page that watches it."""
    from sbg_sim.document import write_whole
    from sbg_sim.scenario import write

    table = phase.table
    write_whole(path, write(replace(table, record=None, questions=type(table.questions)())))


def has_screen() -> bool:
    """Say whether a window can be opened."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Easel:
    """Draws the newest position of a game in the background, so that nobody waits for a picture."""

    def __init__(self) -> None:
        self._newest: tuple[Draw, tuple[str, ...]] | None = None
        self._woken = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False
        self.trouble = ""

    def put(self, draw: Draw, paths: Iterable[str]) -> None:
        """Queue a game to be drawn into files; it replaces one that still waits."""
        with self._woken:
            self._newest = (draw, tuple(paths))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            self._woken.notify()

    def close(self, patience: float = 20.0) -> None:
        """Wait until the current picture is finished, ``patience`` seconds at most."""
        with self._woken:
            self._closing = True
            self._woken.notify()
        if self._thread is not None:
            self._thread.join(patience)

    def _work(self) -> None:
        while True:
            with self._woken:
                while self._newest is None and not self._closing:
                    self._woken.wait()
                if self._newest is None:
                    return
                (draw, paths), self._newest = self._newest, None
            for path in paths:
                try:
                    _drawn(draw, path)
                except (SbgError, OSError) as error:
                    self.trouble = str(error)
