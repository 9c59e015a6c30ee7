"""What zones take away, through the command line, against the area of a lens."""

from __future__ import annotations

import json
import math

import pytest

M, RIM = 6.0, 2.0  # the Move; radii of both bases and the zone's inch
TEXT = """\
[table]
width = 40
depth = 40
[models.sam]
at = [20, 20]
base = 1
move = 6
side = "good"
[models.near]
at = [27.5, 20]
base = 1
side = "evil"
[models.nearer]
at = [20, 13]
base = 1
side = "evil"
[models.far]
at = [1, 1]
base = 1
side = "evil"
[models.prone]
at = [16, 20]
base = 1
side = "evil"
prone = true
"""


def lens(d: float) -> float:
    """Area common to discs of radius M and RIM whose centres are d apart."""
    a = math.acos((d * d + M * M - RIM * RIM) / (2 * d * M))
    b = math.acos((d * d + RIM * RIM - M * M) / (2 * d * RIM))
    return M * M * (a - math.sin(2 * a) / 2) + RIM * RIM * (b - math.sin(2 * b) / 2)


def test_zones_at_the_rim_of_a_move_take_away_a_lens(run, tmp_path):
    path = tmp_path / "zones.toml"
    path.write_text(TEXT)
    entries = json.loads(run("denies", path, "sam", "--json").stdout)
    assert [e["enemy"] for e in entries] == ["nearer", "near", "far"]
    # nobody is hidden behind a zone: the tangents to it are longer than M
    assert math.sqrt(7.0**2 - RIM**2) > M
    # the rim of nearer's own base is just out of reach: 7 - 1 = M
    assert [e["denied"] for e in entries] == pytest.approx([lens(7.0), lens(7.5), 0.0], abs=0.02)
