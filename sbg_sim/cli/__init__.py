"""The command line: it asks the other rooms and prints their answers."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130
"""The exit code of a command that was interrupted."""

_AGAIN = 0.25
"""Seconds until an interruption during an import is raised again: some modules swallow exceptions while importing."""


_heard: list[int] = []
"""The numbers of the signals received: any exception after the first is due to the interruption."""


def interrupted() -> bool:
    """Say whether this process was interrupted, even if another exception was raised instead."""
    return bool(_heard)


def _hear(number: int, frame: FrameType | None) -> None:
    """Raise an interruption, and once more if it comes during an import."""
    import signal

    _heard.append(number)
    inner = frame
    while inner is not None and not inner.f_code.co_filename.startswith("<frozen importlib"):
        inner = inner.f_back
    if inner is not None:
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    signal.default_int_handler(number, frame)


def _listen() -> None:
    """Handle interruption signals, unless this process was started to ignore them."""
    import signal

    if hasattr(signal, "setitimer") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _hear)
        signal.signal(signal.SIGALRM, _hear)


def _hush() -> None:
    """Stop the interruption from being raised again."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code, even if interrupted while loading."""
    import atexit
    import os
    import sys

    try:
        if args is None:
            _listen()
        from sbg_sim.cli.group import run

        code = run(args)
    except KeyboardInterrupt:
        code = INTERRUPTED
    _hush()
    if code == INTERRUPTED and args is None:
        # At once, and with this code: a normal exit would first tear down modules and, if the interruption came within
        # `exec`, end by the signal itself.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        atexit._run_exitfuncs()  # noqa: SLF001 - frees what process pools share
        os._exit(code)
    sys.exit(code)
