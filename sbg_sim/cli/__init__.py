"""The command line: a face that asks the other rooms and prints what they say."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130
"""The exit code of a command that was interrupted."""

_AGAIN = 0.25
"""Seconds after which an interruption is raised again that met an import: some modules swallow what is raised then."""


_heard: list[int] = []
"""The signals that were heard, by number: whatever is raised after the first comes of the interruption."""


def interrupted() -> bool:
    """Say whether this process was interrupted, though something else may have been raised in its place."""
    return bool(_heard)


def _hear(number: int, frame: FrameType | None) -> None:
    """Raise an interruption, and once more where it meets an import."""
    import signal

    _heard.append(number)
    inner = frame
    while inner is not None and not inner.f_code.co_filename.startswith("<frozen importlib"):
        inner = inner.f_back
    if inner is not None:
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    signal.default_int_handler(number, frame)


def _listen() -> None:
    """Hear interruptions, unless this process was started deaf to them."""
    import signal

    if hasattr(signal, "setitimer") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _hear)
        signal.signal(signal.SIGALRM, _hear)


def _hush() -> None:
    """Raise no interruption again."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code, interrupted while it still loads included."""
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
        # At once, and by this code: Python would take modules apart first, and where the interruption met `exec`
        # it would end by the signal itself.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        atexit._run_exitfuncs()  # noqa: SLF001 - what pools of processes share is given back
        os._exit(code)
    sys.exit(code)
