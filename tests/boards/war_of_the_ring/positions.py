"""Positions of War of the Ring, and questions about them."""

from dataclasses import replace

from sbg_sim.boards import war_of_the_ring
from sbg_sim.boards.war_of_the_ring import Means, Move, Options, State, mapfile

CHART = war_of_the_ring.load_map()
FREE, SHADOW = Means("free-peoples"), Means("shadow")


def on_map(means=None, chart=CHART, **figures):
    """A position from ``name="region"`` pairs; underscores stand for blanks."""
    pairs = tuple((name.replace("_", " "), region) for name, region in figures.items())
    return State(chart, pairs, means=means)


def go(figures, to):
    return Move("travel", tuple(figures.split(", ")), to)


def rules(state, move):
    return {violation.rule for violation in war_of_the_ring.explain(state, move)}


def reach(state, who):
    return set(war_of_the_ring.reachable(state, who))


def read_as(state, **options):
    return replace(state, options=Options(**options))


def chart(*edges, **regions):
    """A small chart: edges as ``"ab"``; regions as ``a="shadow"`` with a Stronghold of that side."""
    names = sorted({name for edge in edges for name in edge})
    entry = {
        "nations": {"free-peoples": "free-peoples", "shadow": "shadow"},
        "regions": {
            name: {"nation": regions[name], "settlement": "stronghold"} if name in regions else {} for name in names
        },
        "borders": {name: [edge[1] for edge in edges if edge[0] == name] for name in names},
    }
    return mapfile.build(mapfile.BoardEntry.model_validate(entry))


SIEGE = frozenset({"Minas Tirith"})
