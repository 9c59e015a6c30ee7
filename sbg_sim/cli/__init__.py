"""The command line: a face that asks the other rooms and prints what they say."""

from __future__ import annotations

import contextlib

__all__ = ["main"]

INTERRUPTED = 130
"""The exit code of a command that was interrupted."""


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code, interrupted while it still loads included."""
    import atexit
    import os
    import sys

    try:
        from sbg_sim.cli.group import run

        code = run(args)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED and args is None:
        # At once, and by this code: Python would take modules apart first, and where the interruption met `exec`
        # it would end by the signal itself.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        atexit._run_exitfuncs()  # noqa: SLF001 - what pools of processes share is given back
        os._exit(code)
    sys.exit(code)
