"""Where a die lands a model on next to no room the picture shows it: as a dot that no name covers."""

import pytest
from matplotlib.text import Text

import sbg_sim as sbg
from sbg_sim.plot import plot


def test_a_landing_as_short_as_a_hair_is_seen():
    found = sbg.reach(sbg.load("scenarios/levels/storeys.toml"), "climber-left")
    _, landing = found.on("upper-left")[0]
    assert landing.length == pytest.approx(0.021, abs=0.002)  # inches, at (8.5, 12)
    ax = plot(found)
    ax.figure.canvas.draw()
    lines = [line for line in ax.lines if line.get_gid() == "reach-line-5/6"]
    assert lines
    assert {line.get_solid_capstyle() for line in lines} == {"round"}
    at = ax.transData.transform((8.5, 12.0))
    width = lines[0].get_linewidth() / 72 * ax.figure.dpi
    for text in ax.findobj(Text):
        if text.get_visible() and text.get_text():
            patch = text.get_bbox_patch()
            box = text.get_window_extent() if patch is None else patch.get_window_extent()
            assert not box.padded(width / 2).contains(*at), text.get_text()
