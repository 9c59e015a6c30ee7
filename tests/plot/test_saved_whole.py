"""Pictures of no given size are saved with all that they show; others in the size that was asked for."""

import matplotlib.image
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

import sbg_sim as sbg


def saved(ax, tmp_path, **options):
    """The size of a picture on paper, inches, saved as one does."""
    ax.figure.savefig(tmp_path / "picture.png", dpi=100, **options)
    deep, wide = matplotlib.image.imread(tmp_path / "picture.png").shape[:2]
    return wide / 100, deep / 100


@pytest.fixture
def verdict():
    return sbg.check(sbg.load("scenarios/leaping-and-climbing.toml"), "aragorn-over-the-pillar")


def test_a_side_view_below_the_map(verdict, tmp_path):
    ax = sbg.plot(verdict, section=True)
    shown = ax.figure.get_tightbbox()
    assert shown.y0 < -1  # the side view hangs below the figure
    wide, deep = saved(ax, tmp_path)
    assert deep >= shown.height
    assert wide >= shown.width


def test_a_legend_below_a_crowd(ranks, tmp_path):
    ax = sbg.plot(ranks, legend="below")
    shown = ax.figure.get_tightbbox()
    assert shown.y0 < 0
    assert saved(ax, tmp_path)[1] >= shown.height


def test_what_is_not_cut_keeps_its_size(verdict, tmp_path):
    ax = sbg.plot(verdict)
    assert saved(ax, tmp_path) == pytest.approx(ax.figure.get_size_inches(), abs=0.02)


def test_sizes_that_were_asked_for_stay(verdict, tmp_path):
    assert saved(sbg.plot(verdict, section=True, figsize=(6, 5)), tmp_path) == pytest.approx((6, 5))
    figure, ax = plt.subplots(figsize=(7, 4))
    assert saved(sbg.plot(verdict, section=True, ax=ax), tmp_path) == pytest.approx((7, 4))
    plt.close(figure)
    whole = sbg.plot(verdict, section=True)
    assert saved(whole, tmp_path, bbox_inches=None) == pytest.approx(whole.figure.get_size_inches(), abs=0.02)
    assert type(sbg.plot(verdict, figsize=(6, 5)).figure) is Figure
