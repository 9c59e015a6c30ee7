"""The ``sbg-sim`` command: imports its subcommands when they are called, and turns errors into one clear message."""

from __future__ import annotations

import importlib
import importlib.util
import io
import math
import os
import sys
from pathlib import Path
from typing import Any, Final, TextIO
from unicodedata import is_normalized, normalize

import click

from sbg_sim.cli import INTERRUPTED, interrupted, show
from sbg_sim.cli.examples import shown
from sbg_sim.cli.numbers import Number
from sbg_sim.cli.opening import as_data, faults_of, told
from sbg_sim.cli.waiting import DEADLINE, MOST_GIGABYTES, MOST_SECONDS, Deadline, bound_memory, tighter, waiting
from sbg_sim.errors import SbgError, plain

_COMMANDS: Final = {
    "campaign": "sbg_sim.cli.odds:campaign",
    "charges": "sbg_sim.cli.reach:charges",
    "check": "sbg_sim.cli.check:check",
    "denies": "sbg_sim.cli.reach:denies",
    "doubt": "sbg_sim.cli.contested:doubt",
    "film": "sbg_sim.cli.pictures:film",
    "flips": "sbg_sim.cli.contested:flips",
    "map": "sbg_sim.cli.pictures:chart",
    "next": "sbg_sim.cli.turning:following",
    "order": "sbg_sim.cli.phase:order",
    "phase": "sbg_sim.cli.phase:phase",
    "play": "sbg_sim.cli.play:play",
    "plot": "sbg_sim.cli.pictures:plot",
    "reach": "sbg_sim.cli.reach:reach",
    "readings": "sbg_sim.cli.contested:readings",
    "replay": "sbg_sim.cli.phase:replay",
    "rules": "sbg_sim.cli.rules:rules",
    "rulings": "sbg_sim.cli.contested:rulings",
    "safe": "sbg_sim.cli.threats:safe",
    "schema": "sbg_sim.cli.schema:schema",
    "section": "sbg_sim.cli.pictures:section",
    "serve": "sbg_sim.cli.serve:serve",
    "simulate": "sbg_sim.cli.check:simulate",
    "sweep": "sbg_sim.cli.odds:sweep",
    "threats": "sbg_sim.cli.threats:threats",
    "verify": "sbg_sim.cli.evidence:verify",
}

_CHECKED: Final = "`check FILE QUESTION` answers, and says why; `charges FILE MODEL` says it of every enemy"
_MEANT: Final = {
    **dict.fromkeys(("answer", "ask", "explain", "move", "verdict", "why"), _CHECKED),
    **dict.fromkeys(("gap", "measure", "sight"), "`check FILE QUESTION` answers questions of that kind"),
    **dict.fromkeys(("chance", "odds"), "`check FILE QUESTION` tells the chance; `simulate FILE QUESTION` plays it"),
    **dict.fromkeys(("certificate", "report", "sheet"), "`check FILE QUESTION --report OUT`, or `--certificate OUT`"),
    **dict.fromkeys(("lint", "validate"), "`check FILE` tells every fault of a file"),
    **dict.fromkeys(("draw", "picture", "render", "show"), "`plot FILE [QUESTION] --out OUT` draws"),
    **dict.fromkeys(("animate", "movie", "video"), "`film FILE QUESTION --out OUT` does"),
    **dict.fromkeys(("browser", "gui", "open", "web"), "`serve [FILE]` opens a table in a browser"),
    "screen": "`safe FILE MODEL --screen` looks for one",
}
"""Commands to suggest, by words that users type but that are no commands."""

_OPEN_ENDED: Final = frozenset({"phase", "serve", "explore", "play"})
"""Commands that wait for people: they have no deadline and no progress bar."""


class Faces(click.Group):
    """Commands that are imported when they are needed."""

    whole_process = False  # whether the process runs only this command, so that its memory may be limited

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        """Return the names of all commands."""
        return [name for name, place in _COMMANDS.items() if importlib.util.find_spec(place.partition(":")[0])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), name)
        found.epilog = shown(cmd_name)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that is called; for an unknown one suggest what may have been meant."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from sbg_sim.document.suggest import meant

            if Path(name).is_file():
                hint = f"; `sbg-sim check {name}` answers its questions"
            else:
                does = _MEANT.get(name.casefold())
                hint = f"; {does}" if does else meant(name, _COMMANDS)
            raise click.UsageError(f"no command is called {plain(name)!r}{plain(hint)}", ctx)
        return super().resolve_command(ctx, [_composed(arg) for arg in args])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error that users can cause ends it with one message and its exit code."""
        if self.whole_process:
            bound_memory(ctx.params["memory"])
        deadline = Deadline(math.inf if _asked(ctx) in _OPEN_ENDED else ctx.params["limit"])
        ctx.meta[DEADLINE] = deadline
        try:
            with deadline:
                if _asked(ctx) not in _OPEN_ENDED:
                    waiting.begin()
                return super().invoke(ctx)
        except (SbgError, OSError, MemoryError, KeyboardInterrupt) as error:
            waiting.end()
            if isinstance(error, BrokenPipeError):
                return ctx.exit(_muted(141))
            message, code = _ended(error, ctx, deadline)
            if isinstance(error, SbgError) and ctx.meta.get("as_json"):
                show.as_json(as_data(faults_of(error, ctx.obj), ctx.obj.name if ctx.obj else ctx.meta["file"]))
        finally:
            waiting.end()
        _tell(message)
        return ctx.exit(code)


def _composed(arg: str) -> str:
    """Return a word in the Unicode form of files, so that names match; an existing file keeps its name."""
    place = Path(arg.partition("=")[2] if arg.startswith("-") else arg)
    there = place.parent if place.parent.name else place
    return arg if is_normalized("NFC", arg) or os.access(there, os.F_OK) else normalize("NFC", arg)


def _asked(ctx: click.Context) -> str:
    """Return the name of the command called; click stores it in one of two attributes."""
    said = vars(ctx)
    return str(next(iter(said.get("_protected_args") or said.get("protected_args") or [""])))


def _ended(error: BaseException, ctx: click.Context, deadline: Deadline) -> tuple[str, int]:
    """Return the message for an error that users can cause, and the exit code."""
    if isinstance(error, SbgError):
        return told(error, ctx.obj), 2
    file = f"{ctx.obj.name}: " if ctx.obj is not None else ""
    if isinstance(error, KeyboardInterrupt):
        if deadline.passed:
            return f"{file}no answer within {deadline.seconds:g} seconds; sbg-sim --limit SECONDS allows more", 2
        return "interrupted", INTERRUPTED
    if isinstance(error, MemoryError):
        if tighter(ctx.params["memory"]):
            return f"{file}needs more memory than the system gives this process", 2
        return f"{file}needs more than {ctx.params['memory']:g} GB; sbg-sim --memory GIGABYTES allows more", 2
    assert isinstance(error, OSError)
    return f"{plain(str(error.filename or 'standard output'))}: {error.strerror or error}", 2


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"sbg-sim {sys.modules[__name__.partition('.')[0]].__version__}")
    ctx.exit()


def _finite(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is no amount")
    return value


@click.group(
    cls=Faces,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  sbg-sim check scenarios/amon-hen.toml\n\n"
    "`sbg-sim COMMAND --help` tells what a command takes, with an example of its own.",
)
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version.")
@click.option(
    "--limit",
    type=Number(min=0, min_open=True),
    callback=_finite,
    default=MOST_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up after this long.",
)
@click.option(
    "--memory",
    type=Number(min=0.25, max=1e6),
    callback=_finite,
    default=MOST_GIGABYTES,
    show_default=True,
    metavar="GIGABYTES",
    help="Give up beyond this much memory.",
)
def _sbg_sim(limit: float, memory: float) -> None:
    """Ask a table of the Strategy Battle Game: can it move there, charge them, see them, and with what odds?

    Exit code 0: answered, and every expectation met. 1: an expectation not met.
    2: the file or the call is wrong, or an answer is beyond its limits. 130: interrupted.
    """


def run(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Characters that the terminal cannot show become question marks. If the reader of the output is gone, the command
    ends quietly with 141, like the shell's own tools; a fault of the program itself is reported in one line, with 3.
    """
    if sys.stdin is None:  # closed at the start: there is nothing to read
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - to the end
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed at the start: the exit code still matters
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    os.environ["MPLBACKEND"] = "agg"  # commands draw to files, whatever backend the environment asks for
    try:
        _sbg_sim.whole_process = True
        try:
            code = _sbg_sim.main(args=args, prog_name="sbg-sim", standalone_mode=False)
        except click.ClickException as error:
            message = io.StringIO()
            error.show(message)
            _tell(plain(message.getvalue(), lines=True), nl=False)
            code = 2
        sys.stdout.flush()
    except BrokenPipeError:  # output left in the buffer
        return _muted(141)
    except SystemExit as left:
        if left.code == 1:  # click's own exit code for a broken pipe
            return _muted(141)
        raise
    except OSError as error:  # such as a full disk behind standard output
        _tell(f"standard output: {error.strerror or error}")
        return _muted(2)
    except (click.Abort, KeyboardInterrupt):
        _tell("interrupted")
        return INTERRUPTED
    except Exception as error:
        # Code that is interrupted may raise another exception instead, as the creation of a class does.
        if interrupted():
            _tell("interrupted")
            return INTERRUPTED
        if os.environ.get("SBG_SIM_TRACEBACK"):
            raise
        return _mistaken(error)
    return code if isinstance(code, int) else 0


def _mistaken(error: Exception) -> int:
    """Report a fault of the program itself, or a missing dependency, and return the exit code."""
    if isinstance(error, ImportError):
        said = plain(next(filter(str.strip, str(error).splitlines()), "?"))
        _tell(f"what sbg-sim needs cannot be loaded: {said}; SBG_SIM_TRACEBACK=1 shows where")
        return _muted(2)
    said = plain(f"{type(error).__name__}: {error}")
    _tell(f"a mistake in sbg-sim itself, please report it: {said}; SBG_SIM_TRACEBACK=1 shows where")
    return 3


def _tell(message: str, *, nl: bool = True) -> None:
    """Print a message to standard error; if that fails, only the exit code tells it."""
    try:
        click.echo(message, err=True, nl=nl)
    except BrokenPipeError:
        raise
    except OSError:
        _silence(sys.stderr)


def _muted(code: int) -> int:
    """Silence standard output, so that the exit prints nothing more, and return the exit code."""
    _silence(sys.stdout)
    return code


def _silence(stream: TextIO) -> None:
    """Discard the rest of a stream's buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
