"""What zones take away, through the command line, against the area of a lens."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
import shapely

import sbg_sim
from sbg_sim.solver.denials import denials
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model

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


def test_nothing_lost_is_exactly_nothing():
    """Pippin stands too far behind the Men to take anything away; and what the Men take away has no specks."""
    table = sbg_sim.load("scenarios/charging-2.toml")
    found = denials(table, "uruk-3")
    lost = {entry.enemy: entry for entry in found.entries}
    assert lost["pippin"].area == 0.0
    assert lost["pippin"].region.is_empty
    assert lost["pippin"].area_without == found.area
    assert "pippin" not in repr(found)
    (only,) = [entry for entry in found.entries if entry.enemy == "pippin"]
    assert repr(replace(found, entries=(only,))).endswith(" are left>\n  no zone takes any away")
    assert repr(replace(found, entries=())).endswith(" are left>")
    # the Men stand as in a mirror: their zones take away the same
    assert lost["aragorn"].area == pytest.approx(lost["boromir"].area, abs=4 * found.area_error)


def test_a_loss_has_no_specks():
    at = {"f": (12.0, 12.0), "a": (14.0, 12.0)}
    models = {n: Model(n, p, 25 / 25.4, move=6.0, side="good" if n == "f" else "evil") for n, p in at.items()}
    found = denials(Table(24.0, 24.0, FrozenMap(models)), "f")
    (loss,) = found.entries
    assert repr(loss) == f"<Denial by {loss.enemy}: {loss.area:.2f} square inches>"
    assert repr(found).endswith(f" are left>\n  {loss.enemy} takes away {loss.area:.2f} square inches")
    # what is taken away is cut in no more pieces than the shadow in front of the base and behind it
    assert all(part.area > 1e-4 for part in shapely.get_parts(loss.region))
    assert loss.region.area == pytest.approx(loss.area, abs=1e-3)
