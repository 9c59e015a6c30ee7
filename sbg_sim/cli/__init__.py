"""The command line: a face that asks the other rooms and prints what they say."""

from sbg_sim.cli.group import main

__all__ = ["main"]
