"""Small boards typed in words."""

import tomllib

import pytest

from sbg_sim.boards import riddle


def _line(text, **more):
    """A row of spaces a, b, c, ...: "open forest+hill" says what each is made of."""
    names = "abcdefghijklmnop"
    kinds = [word.split("+") for word in text.split()]
    spaces = {
        names[i]: {"terrain": kind, "borders": [names[i + 1]] if i + 1 < len(kinds) else []}
        for i, kind in enumerate(kinds)
    }
    for place, extra in more.pop("spaces", {}).items():
        spaces[place] = {**spaces.get(place, {}), **extra}
    return riddle.read_board({"spaces": spaces, **more})


@pytest.fixture(scope="session")
def line():
    return _line


@pytest.fixture(scope="session")
def reach():
    """What can be reached on a board, as a set of ids."""

    def run(board, at, allowance, *cards, **options):
        state = riddle.start(board, at, allowance, cards, options=riddle.Options(**options))
        return set(riddle.reachable(state))

    return run


@pytest.fixture(scope="session")
def toml():
    return lambda text: riddle.read_board(tomllib.loads(text))
