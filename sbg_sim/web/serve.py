"""Run the server: find a port, report the page's address, and end cleanly."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import webbrowser
from typing import TYPE_CHECKING, Final

import uvicorn

from sbg_sim.errors import SbgError
from sbg_sim.web.app import application

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from sbg_sim.web.kept import Kept
    from sbg_sim.web.limits import Limits

_UNTOLD: Final = (
    "Cancel ",
    "Invalid UTF-8 ",
)  # uvicorn's messages for closed pages and binary data

_GIVEN_UP: Final = "CancelledError"  # the end of the traceback that it logs if Ctrl-C is pressed twice


class _Server(uvicorn.Server):
    """A server that ends its answering processes as soon as it is stopped, so that no question delays it."""

    def __init__(self, config: uvicorn.Config, end: Callable[[], None]) -> None:
        super().__init__(config)
        self._end = end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and give up current questions."""
        self._end()
        super().handle_exit(sig, frame)


def serve(
    kept: Kept | None, limits: Limits, *, host: str, port: int, ready: Callable[[str], None], browser: bool
) -> None:
    """Serve until told to stop.

    Parameters
    ----------
    kept
        The file to open and save.
    limits
        Limits of each question.
    host, port
        The address to listen on; port 0 takes a free port.
    ready
        Called with the page's address once it can be opened.
    browser
        Whether to open the page.

    Raises
    ------
    SbgError
        When the port is taken, or the address does not belong to this machine.

    """
    bound = _bound(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{bound.getsockname()[1]}/"
    app = application(kept, limits, host)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=9_000_000,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=0,
        timeout_keep_alive=30,
        lifespan="on",
    )
    logging.getLogger("uvicorn.error").addFilter(_told)
    server = _Server(config, app.state.crew.end)
    ready(address)
    if browser and has_browser():
        webbrowser.open(address)
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        pass
    finally:
        app.state.crew.end()
        bound.close()


def _told(record: logging.LogRecord) -> bool:
    """Say whether a log record is printed; those about questions given up at the end of the server are not."""
    words = record.getMessage()
    given_up = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not given_up and not words.startswith(_UNTOLD) and not words.rstrip().endswith(_GIVEN_UP)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    if os.name == "posix":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)
    except OSError as error:
        found.close()
        raise SbgError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return found


def has_browser() -> bool:
    """Say whether a browser window can be opened; browsers that would take over the terminal do not count."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in {"win32", "darwin"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
