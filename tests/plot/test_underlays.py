"""A photograph under a picture."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.image import imsave

import sbg_sim as sbg
from sbg_sim.plot.underlays import straightened
from sbg_sim.table.underlay import Underlay

FILE = """
[table]
width = 12
depth = 8
[table.picture]
file = "photo.png"
corners = [[1, 1], [11, 1], [9, 7], [3, 7]]
[models.a]
base = 1
at = [2, 2]
"""


def photo():
    """Left half red, right half blue; the top row white."""
    pixels = np.zeros((20, 40, 3), dtype=np.uint8)
    pixels[:, :20, 0] = 255
    pixels[:, 20:, 2] = 255
    pixels[0] = 255
    return pixels


def test_it_is_straightened_by_its_corners():
    flat, extent = straightened(photo(), Underlay("", ((1, 1), (11, 1), (9, 7), (3, 7))))
    assert extent == (1.0, 11.0, 1.0, 7.0)

    def at(x, y):
        rows, columns = flat.shape[:2]
        return flat[round((y - 1) / 6 * (rows - 1)), round((x - 1) / 10 * (columns - 1))].tolist()

    assert at(4, 2) == [255, 0, 0, 255]
    assert at(8, 2) == [0, 0, 255, 255]
    assert at(6, 6.999)[:3] == [255, 255, 255]
    assert at(1.2, 6.5)[3] == 0  # beside it


def test_a_file_lays_it_under(tmp_path):
    imsave(tmp_path / "photo.png", photo())
    (tmp_path / "table.toml").write_text(FILE)
    table = sbg.load(tmp_path / "table.toml")
    assert sbg.loads(sbg.dump(table)) == table
    ax = sbg.plot(table)
    assert [image.get_gid() for image in ax.images] == ["underlay"]
    assert ax.get_xlim()[0] <= 0
    assert ax.get_xlim()[1] >= 12


def test_what_can_be_wrong_with_it(tmp_path):
    (tmp_path / "table.toml").write_text(FILE)
    with pytest.raises(sbg.SbgError, match="cannot be read"):
        sbg.plot(sbg.load(tmp_path / "table.toml"))
    with pytest.raises(sbg.FileFaultsError, match="must go round"):
        sbg.loads(FILE.replace("[9, 7], [3, 7]", "[3, 7], [9, 7]"))
