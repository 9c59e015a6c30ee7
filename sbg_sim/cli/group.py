"""The ``sbg-sim`` command: finds its subcommands when called, and makes errors one clear message."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any, Final

import click

from sbg_sim.cli.opening import told
from sbg_sim.errors import SbgError

_COMMANDS: Final = {
    "campaign": "sbg_sim.cli.odds:campaign",
    "charges": "sbg_sim.cli.reach:charges",
    "check": "sbg_sim.cli.check:check",
    "denies": "sbg_sim.cli.reach:denies",
    "order": "sbg_sim.cli.phase:order",
    "phase": "sbg_sim.cli.phase:phase",
    "plot": "sbg_sim.cli.pictures:plot",
    "reach": "sbg_sim.cli.reach:reach",
    "replay": "sbg_sim.cli.phase:replay",
    "rules": "sbg_sim.cli.rules:rules",
    "safe": "sbg_sim.cli.threats:safe",
    "schema": "sbg_sim.cli.schema:schema",
    "section": "sbg_sim.cli.pictures:section",
    "serve": "sbg_sim.cli.serve:serve",
    "simulate": "sbg_sim.cli.check:simulate",
    "sweep": "sbg_sim.cli.odds:sweep",
    "verify": "sbg_sim.cli.evidence:verify",
    "threats": "sbg_sim.cli.threats:threats",
}


class Faces(click.Group):
    """Commands that are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        """Return the names of the commands that are there."""
        return [name for name, place in _COMMANDS.items() if importlib.util.find_spec(place.partition(":")[0])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), name)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what the user can cause ends with a message and exit code 2."""
        try:
            return super().invoke(ctx)
        except SbgError as error:
            message = told(error, ctx.obj)
        except BrokenPipeError:
            raise
        except OSError as error:
            message = f"{error.filename or 'file'}: {error.strerror or error}"
        click.echo(message, err=True)
        return ctx.exit(2)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"sbg-sim {version('sbg_sim')}")
    except PackageNotFoundError:
        click.echo("sbg-sim, not installed")
    ctx.exit()


@click.group(cls=Faces, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version.")
def _sbg_sim() -> None:
    """Ask a table of the Strategy Battle Game: can it move there, charge them, see them, and with what odds?

    Exit code 0: answered, and every expectation met. 1: an expectation not met.
    2: the file or the call is wrong.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line; names that the terminal cannot show are shown as question marks."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    _sbg_sim.main(args=args, prog_name="sbg-sim")
