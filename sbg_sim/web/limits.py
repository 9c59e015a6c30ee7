"""The limits of a question: size, things on the table, time and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sbg_sim.document.source import MAX_BYTES
from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from sbg_sim.table.board import Table

BODY: Final = MAX_BYTES
"""The most bytes of a request, of a message of the page, and of a file."""

MOST_MODELS: Final = 2000
MOST_PIECES: Final = 2000
MOST_VERTICES: Final = 50_000


class TooMuchError(SbgError):
    """A table has more on it than a page or a question may have."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of questions.

    Parameters
    ----------
    seconds
        Time for one question, seconds.
    megabytes
        Memory of one answering process, megabytes; 0 sets no limit.
    pages
        Pages open at once; each has two processes ready, and one more each for pictures and for threats.
    askers
        Processes that answer requests without a page.

    """

    seconds: float = 30.0
    megabytes: int = 4096
    pages: int = 12
    askers: int = 2


def refuse_crowds(table: Table) -> None:
    """Raise TooMuchError for a table with more on it than can be shown or asked about."""
    vertices = sum(len(p.shape.capsules) for p in table.terrain.values() if p.shape is not None)
    for count, most, kind in (
        (len(table.models), MOST_MODELS, "models"),
        (len(table.terrain), MOST_PIECES, "pieces of terrain"),
        (vertices, MOST_VERTICES, "corners of terrain"),
    ):
        if count > most:
            raise TooMuchError(f"the table has {count} {kind}; {most} is the most the page answers for")
