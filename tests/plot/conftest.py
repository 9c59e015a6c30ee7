"""The hand-made results of samples.py, and ways to look at an Axes."""

import importlib.util
import pathlib
import sys

import pytest

_NAME = "sbg_sim_plot_samples"


@pytest.fixture(scope="session")
def samples():
    if _NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(_NAME, pathlib.Path(__file__).with_name("samples.py"))
        module = importlib.util.module_from_spec(spec)
        sys.modules[_NAME] = module
        spec.loader.exec_module(module)
    return sys.modules[_NAME]


@pytest.fixture(scope="session")
def by_gid():
    """Artists of an Axes whose id starts with some words."""

    def find(ax, start):
        return [artist for artist in ax.get_children() if (artist.get_gid() or "").startswith(start)]

    return find


@pytest.fixture(scope="session")
def words():
    """The legend of an Axes, its line breaks undone."""

    def read(ax):
        return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]

    return read
