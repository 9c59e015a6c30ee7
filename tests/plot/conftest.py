"""The hand-made tables and results of `samples`, and ways to look at an Axes."""

import pytest
from matplotlib.text import Text

import sbg_sim as sbg
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


@pytest.fixture(scope="session")
def ranks():
    """Fifteen good models before two ranks of evil ones."""
    look = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"man-{i}": {"at": [3 + 2.1 * i, 10], "side": "good", **look} for i in range(12)}
    for row, x, y in ((1, 3.5, 13.5), (2, 3.5, 14.7)):
        models |= {f"orc-{row}{i:02}": {"at": [x + 2.1 * i, y], "side": "evil", **look} for i in range(12)}
    return sbg.Table(30, 24, models=models)


@pytest.fixture(scope="session")
def lines():
    """Two ranks of six of each side on a table on which their names have room, though not all beside their bases."""
    models = {}
    for side, y, away in (("good", 10, -1), ("evil", 15, 1)):
        for k in range(12):
            at = (6 + k // 2 * 1.2, y + away * (k % 2) * 1.1)
            models[f"{side}-{k}"] = sbg.Model(f"{side}-{k}", at, 25 / 25.4, 1.5, 6, side)
    return sbg.Table(36, 24, models=models)
