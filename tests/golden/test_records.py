"""Records under `scenarios/phase`, held against what was worked out by hand."""

from pathlib import Path

import pytest

from sbg_sim.phase import replay
from sbg_sim.scenario import files

ROOT = Path(__file__).parents[2] / "scenarios" / "phase"

STEPS = {
    "a-tall-tower": [
        ("aragorn", 6.0, (7.5, 12.0), None, 2.5),
        ("legolas", 6.0, (8.5, 15.0), "tower", 0.0),
        ("aragorn", 5.5, (9.0, 12.0), "tower", 0.0),
        ("legolas", 6.0, (6.5, 15.0), None, 0.0),
        ("aragorn", 6.0, (7.5, 12.0), None, 2.25),
    ],
}
"""Who moved, movement used, where it ended, on what, and inches of a face below it."""


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("*.toml")))
def test_every_step_is_allowed(name):
    played = replay(files.read(ROOT / f"{name}.toml"))
    assert all(step.legal for step in played.steps), [step.reason for step in played.steps if not step.legal]
    assert played.legal
    if name in STEPS:
        found = [(s.model, round(s.used, 9), s.at, s.on, round(s.climbed, 9)) for s in played.steps]
        assert found == STEPS[name]
