"""Run what stands in a Markdown page, in order: files are written, commands and code are run, outputs compared.

``python docs/outputs.py PAGE...`` writes the outputs of the commands anew after a change to what commands print.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(toml|console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\S+\.toml)\n")


def output(command: str) -> str:
    """Return what a command prints."""
    return CliRunner().invoke(_sbg_sim, shlex.split(command), prog_name="sbg-sim", catch_exceptions=False).output


@contextlib.contextmanager
def room() -> Iterator[None]:
    """Work in an empty folder that has the scenarios."""
    with tempfile.TemporaryDirectory() as there, contextlib.chdir(there):
        Path("scenarios").symlink_to(ROOT / "scenarios")
        yield


def renewed(page: str) -> str:
    """Return a page with the outputs of its commands as they are now; code that fails raises.

    A file block whose first line is ``# NAME.toml`` is written under that name. The code of a page shares its names.
    """
    names: dict[str, Any] = {}

    def run(match: re.Match[str]) -> str:
        kind, text = match[1], match[2]
        if kind == "toml":
            named = NAMED.match(text)
            if named:
                Path(named[1]).write_text(text, encoding="utf-8")
            return match[0]
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "page", "exec"), names)  # noqa: S102 - the page's own code
            return match[0]
        commands = re.findall(r"^\$ sbg-sim (.*)$", text, re.MULTILINE)
        return "```console\n" + "".join(f"$ sbg-sim {command}\n{output(command)}" for command in commands) + "```"

    with room():
        return BLOCK.sub(run, page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
