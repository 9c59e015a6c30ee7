"""The command line: a face that asks the other rooms and prints what they say."""

from __future__ import annotations

__all__ = ["main"]


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code, interrupted while it still loads included."""
    import sys

    try:
        from sbg_sim.cli.group import run

        code = run(args)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
