"""Pieces of files with faults in them, and what is told of those."""

from __future__ import annotations

import pytest

from sbg_sim import scenario
from sbg_sim.errors import FileFaultsError

HEAD = "[table]\nwidth = 24\ndepth = 24\n"
MODELS = "[models.a]\nat = [3, 3]\nbase = 1\nheight = 1.5\nside = 'x'\n[models.b]\nat = [6, 3]\nbase = 1\nside = 'y'\n"
DECK = "[terrain.deck]\ntags = ['platform']\nheight = 2\npolygon = [[10, 10], [14, 10], [14, 14], [10, 14]]\n"
SQUARE = "polygon = [[2, 2], [4, 2], [4, 4], [2, 4]]\n"


def faults(body: str, *, head: str = HEAD) -> list[tuple[str, int, str]]:
    """Return key, line within the body, and reason of every fault."""
    with pytest.raises(FileFaultsError) as caught:
        scenario.read_text(head + body, "f.toml")
    found = caught.value.faults
    assert len({(f.key, f.reason) for f in found}) == len(found)
    assert all(f.file == "f.toml" for f in found)
    assert all((f.line > 0 and f.column > 0) or "and more" in f.reason for f in found)
    return [(f.key, f.line - head.count("\n"), f.reason) for f in found]
