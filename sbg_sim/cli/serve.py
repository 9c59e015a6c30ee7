"""``serve``: the table in a browser."""

from __future__ import annotations

import click

from sbg_sim.cli import show
from sbg_sim.cli.numbers import Number, Whole
from sbg_sim.errors import SbgError

_NEEDED = ("starlette", "uvicorn", "websockets")


@click.command(short_help="Open the table of FILE in a browser: drag, ask, build, play.")
@click.argument("file", required=False)
@click.option("--port", type=Whole(0, 65535), default=0, help="Where to listen; a free port when not given.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Which address; others than loopback let others in."
)
@click.option(
    "--seconds",
    "--limit",
    "seconds",
    type=Number(min=0.01),
    default=30.0,
    show_default=True,
    help="Limit per question.",
)
@click.option(
    "--megabytes", type=Whole(min=0), default=4096, show_default=True, help="Memory per question; 0: no limit."
)
@click.option("--open/--no-open", "browser", default=True, help="Open the page in a browser.")
def serve(file: str | None, port: int, host: str, seconds: float, megabytes: int, browser: bool) -> None:
    """Serve the table of FILE as a page to this machine alone, until Ctrl-C.

    FILE is read and, when the page says so, written. Without FILE the page begins with a small table and saves by
    download.
    """
    try:
        from sbg_sim.web.kept import Kept
        from sbg_sim.web.limits import Limits
        from sbg_sim.web.serve import serve as run
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _NEEDED:
            raise
        raise SbgError(f"serve needs {missing}: pip install {' '.join(_NEEDED)}") from None
    kept = None
    if file is not None:
        from sbg_sim.document import read

        if "game" in read(file).data:
            raise SbgError(f"{file}: a board game's file; the page shows tables")
        kept = Kept(file)
    run(
        kept,
        Limits(seconds=seconds, megabytes=megabytes),
        host=host,
        port=port,
        ready=lambda address: show.line(f"the table is at {address} (Ctrl-C ends it)"),
        browser=browser,
    )
