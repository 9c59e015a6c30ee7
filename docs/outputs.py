"""Write the outputs of the commands in a Markdown page anew: what stands after each ``$ sbg-sim ...`` in it.

``python docs/outputs.py README.md`` after a change to what commands print; the tests hold pages and commands together.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim


def output(command: str) -> str:
    """Return what a command prints."""
    return CliRunner().invoke(_sbg_sim, shlex.split(command), prog_name="sbg-sim", catch_exceptions=False).stdout


def renewed(page: str) -> str:
    """Return a page with the outputs of its commands as they are now."""

    def block(match: re.Match[str]) -> str:
        commands = re.findall(r"^\$ sbg-sim (.*)$", match[1], re.MULTILINE)
        return "```console\n" + "".join(f"$ sbg-sim {command}\n{output(command)}" for command in commands) + "```"

    return re.sub(r"^```console\n(\$ sbg-sim .*?)^```", block, page, flags=re.MULTILINE | re.DOTALL)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
