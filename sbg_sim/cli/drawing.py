"""The common parts of commands that draw: the file of a picture, its theme, and the message that it was written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from sbg_sim.cli.opening import wrote

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIXES: Final = (".png", ".svg", ".pdf")
_THEME: Final = "sbg_sim.theme"


def to_write(*suffixes: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Return a callback that refuses a file name with another suffix, or in a missing folder.

    It does so before anything is computed, and so keeps files of other kinds from being overwritten.
    """

    def named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        if not value:
            raise click.BadParameter("the name of a file is empty", ctx, param)
        if Path(value).name.lower() in suffixes:
            raise click.BadParameter(f"{value!r} has no name before its suffix", ctx, param)
        if Path(value).is_dir():
            raise click.BadParameter(f"{value!r} cannot be written: this is a folder; name a file in it", ctx, param)
        if Path(value).suffix.lower() not in suffixes:
            raise click.BadParameter(f"{value!r} must end in {', '.join(suffixes)}", ctx, param)
        if not Path(value).parent.is_dir():
            raise click.BadParameter(
                f"{value!r} cannot be written: there is no folder {Path(value).parent}", ctx, param
            )
        return value

    return named


def _themed(ctx: click.Context, _: click.Parameter, value: str) -> None:
    """Store the theme until a picture is drawn."""
    ctx.meta[_THEME] = value


_CHOICE: Final = click.option(
    "--theme",
    type=click.Choice(["light", "dark", "auto"]),
    default="light",
    show_default=True,
    expose_value=False,
    callback=_themed,
    help="Colours of the picture; auto: an .svg follows its reader.",
)


def pictured(run: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--plot OUT`` (as ``picture``) and ``--theme`` to a command."""
    plot = click.option(
        "--plot", "picture", callback=to_write(*_SUFFIXES), metavar="OUT", help="Draw it to a .png, .svg or .pdf."
    )
    return plot(_CHOICE(run))


def to_picture(run: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--out OUT`` and ``--theme`` to a command that only draws."""
    out = click.option(
        "--out", callback=to_write(*_SUFFIXES), required=True, metavar="OUT", help="A .png, .svg or .pdf file."
    )
    return out(_CHOICE(run))


def drawn(thing: object, picture: str | None, **options: Any) -> None:
    """Draw a result into a file if there is one, in the stored theme, and say that it was written."""
    if picture is None:
        return
    from sbg_sim.plot import save

    theme = click.get_current_context().meta.get(_THEME, "light")
    save(thing, picture, theme=theme, **options)
    wrote(picture)
