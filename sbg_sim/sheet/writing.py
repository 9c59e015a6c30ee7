"""Sheets as files: a page for browsers, or a PDF or PNG made without one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import SbgError
from sbg_sim.sheet.facts import facts
from sbg_sim.sheet.page import page
from sbg_sim.table.questions import ReachOf

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict

KINDS: Final = (".html", ".pdf", ".png")
"""The formats of a sheet."""


def sheet(verdict: Verdict, kind: str, *, file: str = "", version: str = "") -> bytes:
    """Return a sheet about an answer as the bytes of a file.

    Parameters
    ----------
    verdict
        The answer.
    kind
        ``".html"``, ``".pdf"`` or ``".png"``, such as a path's suffix.
    file, version
        For the foot of the sheet.

    Raises
    ------
    SbgError
        For an unknown kind.

    """
    suffix = Path(f"x{kind}" if kind.startswith(".") else kind).suffix.lower()
    if suffix not in KINDS:
        raise SbgError(f"{kind}: a sheet is written to a file ending in {', '.join(KINDS)}")
    said = facts(verdict, file=file, version=version)
    from sbg_sim.plot import svg

    thing, title = _drawn(verdict)
    if suffix == ".html":
        return page(said, svg(thing, follow=True, title=title)).encode("utf-8")
    from sbg_sim.plot.sheets import sheet_figure

    return sheet_figure(said, thing, title, suffix.removeprefix("."))


def _drawn(verdict: Verdict) -> tuple[object, str | bool]:
    """Return the result drawn, the answer or its reach, and a title with what the sheet does not say elsewhere."""
    if isinstance(verdict.question, ReachOf):
        from sbg_sim.solver.reach import reach

        return reach(verdict.table, verdict.question.model), True
    from sbg_sim.plot.verdicts import clearance

    return verdict, clearance(verdict)
