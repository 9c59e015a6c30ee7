"""Words and legends are measured once in a figure, however often they look for their places."""

from __future__ import annotations

from collections import Counter

import matplotlib.pyplot as plt
import pytest
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.legend import Legend

import sbg_sim as sbg


@pytest.fixture
def made(monkeypatch):
    """How many of a class are made."""
    counted = Counter()

    def count(kind):
        begin = kind.__init__

        def counting(self, *args, **how):
            counted[kind.__name__] += 1
            begin(self, *args, **how)

        monkeypatch.setattr(kind, "__init__", counting)

    count(Legend)
    count(RendererAgg)
    return counted


@pytest.fixture(scope="module")
def found():
    return sbg.reach(sbg.load("scenarios/amon-hen.toml"), "lurtz")


def test_a_legend_of_the_same_lines_is_not_written_again_to_be_measured(found, made):
    """It was written some sixty times for each Axes: anew whenever names had looked for their places."""
    figure = plt.figure(figsize=(9, 7))
    for ax in figure.subplots(2, 2).flat:
        sbg.plot(found, ax=ax, cost=True)
    plt.close(figure)
    assert made["Legend"] < 100


def test_a_figure_without_a_canvas_has_one_renderer(found, made):
    figure = Figure(figsize=(6, 4))
    assert type(figure.canvas) is FigureCanvasBase
    sbg.plot(found, ax=figure.subplots())
    assert made["RendererAgg"] == 1


def test_a_canvas_of_some_kind_stays(found, tmp_path):
    figure = Figure(figsize=(3, 2))
    canvas = FigureCanvasSVG(figure)
    sbg.plot(found, ax=figure.subplots())
    assert figure.canvas is canvas
    bare = Figure(figsize=(3, 2))
    sbg.plot(found, ax=bare.subplots())
    for kind, start in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        bare.savefig(tmp_path / f"picture.{kind}")
        assert (tmp_path / f"picture.{kind}").read_bytes().startswith(start)
