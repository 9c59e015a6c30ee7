"""The hand-made tables and results of `samples`, and ways to look at an Axes."""

import pytest
from matplotlib.text import Text

from tests.plot import samples as hand_made
from tests.web.conftest import launched


@pytest.fixture(scope="session")
def samples():
    return hand_made


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


@pytest.fixture(scope="session")
def title_of():
    """The words over an Axes, as they stand on paper."""

    def find(ax):
        head = ax.get_title(loc="left")
        return next(a for a in ax.get_children() if isinstance(a, Text) and a not in ax.texts and a.get_text() == head)

    return find


@pytest.fixture(scope="module")
def browser():
    """Closed after each file: while it is open no other loop of events can run."""
    yield from launched()
