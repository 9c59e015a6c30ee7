"""The page in the browser beside a game at the terminal: it shows the table after every move."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import threading
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import SbgError
from sbg_sim.terminal.easel import put_down

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.phase.state import Phase

_PATIENCE: Final = 30.0  # seconds within which the server must print the page's address


@contextlib.contextmanager
def watched(phase: Phase, file: str) -> Iterator[tuple[str, str]]:
    """Serve the table of a game as a page while it is played.

    Parameters
    ----------
    phase
        The current phase.
    file
        The scenario file; the page shows a copy under its name.

    Yields
    ------
    The page's address, and the file with its table: writing the file changes the page.

    Raises
    ------
    SbgError
        When the page cannot be served.

    """
    with tempfile.TemporaryDirectory(prefix="sbg-sim-") as folder:
        path = str(pathlib.Path(folder) / pathlib.Path(file).name)
        put_down(phase, path)
        command = [sys.executable, "-m", "sbg_sim", "serve", path, "--port", "0", "--no-open"]
        with subprocess.Popen(  # noqa: S603 - the program itself
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as server:
            try:
                yield f"{_address(server)}?watch", path
            finally:
                server.terminate()
                late = threading.Timer(5.0, server.kill)
                late.start()
                server.wait()
                late.cancel()


def _address(server: subprocess.Popen[str]) -> str:
    """Return the page's address from the server's output."""
    assert server.stdout is not None
    assert server.stderr is not None
    late = threading.Timer(_PATIENCE, server.kill)
    late.start()
    line = server.stdout.readline()
    late.cancel()
    found = next((word for word in line.split() if word.startswith("http")), "")
    if not found:
        server.kill()
        raise SbgError(f"the page cannot be served: {server.stderr.read().strip() or 'it did not begin'}")
    return found
