"""The page of limits tells them as the code has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbg_sim.certificate import form, reading
from sbg_sim.cli import odds, waiting
from sbg_sim.contested import flips
from sbg_sim.dice import chain, montecarlo
from sbg_sim.document import source
from sbg_sim.document.validate import MAX_FAULTS
from sbg_sim.phase import order
from sbg_sim.plot import animation
from sbg_sim.rules import pairing
from sbg_sim.scenario import files
from sbg_sim.solver.path.options import MOST_TESTS
from sbg_sim.threats import crowding, safety, screens
from sbg_sim.tolerance import FITS, LARGEST, PRINTED, ROUNDING, TOUCH
from sbg_sim.web import limits

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
TOLD = {
    "a cost on open ground": [ROUNDING],
    "touching": [TOUCH],
    "a cost that just fits": [FITS],
    "a chance": [MOST_TESTS],
    "numbers in JSON": [PRINTED],
    "a coordinate or length": [LARGEST],
    "a scenario file": [source.MAX_BYTES / 1e6, files.MAX_ENTRIES, source.MAX_TABLES, source.MAX_VALUES],
    "faults of form": [MAX_FAULTS],
    "a certificate": [reading.MOST_BYTES / 1e6, form.MOST_LEGS],
    "the page in the browser": [
        limits.MOST_MODELS,
        limits.MOST_PIECES,
        limits.MOST_VERTICES,
        limits.Limits().pages,
    ],
    "`simulate --trials`": [montecarlo.MOST_TRIALS],
    "values of one `sweep`": [odds._MOST_VALUES],
    "`flips`": [flips._MOST],
    "pictures of a film": [animation._MOST],
    "one command": [waiting.MOST_SECONDS, waiting.MOST_GIGABYTES],
    "one question in the browser": [limits.Limits().seconds, limits.Limits().megabytes],
    "`order`": [order.BUDGET],
    "`threats`: how many": [crowding._MOST_LOOKS],
    "`safe` ": [safety._MOST_ASKED, safety._LEAST_ASKED],
    "`safe --screen`": [screens._MOST_TRIED],
    "ways to pair off": [pairing.MOST_PAIRINGS],
    "a chain of states": [chain.MOST_STATES],
}


@pytest.mark.parametrize("what", TOLD)
def test_it_is_told_as_it_is(what):
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {what}")]
    numbers_in = {float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", row)}
    assert set(map(float, TOLD[what])) <= numbers_in, row
