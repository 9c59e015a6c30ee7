"""Positions and boards of METW, and questions about them."""

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Company, Move, Options, State, mapfile

ATLAS = metw.load_map()


def at(site, options=None, atlas=ATLAS):
    return State(atlas, (Company("c", site),), options=options or Options())


def rules(state, move):
    return {violation.rule for violation in metw.explain(state, move)}


def by_path(to):
    return Move("site-path", "c", to)


def by_regions(to, *regions):
    return Move("region", "c", to, regions)


def site_path_to(site, to, options=None):
    return rules(at(site, options), by_path(to))


def board(**changes):
    entry = {
        "excerpt": True,
        "regions": {"a": {"type": "w"}, "b": {"type": "b"}},
        "borders": {"a": ["b"]},
        "sites": {
            "haven": {"type": "h", "region": "a"},
            "ruin": {"type": "r", "region": "b", "haven": "haven", "path": "w b"},
        },
    }
    return mapfile.build(mapfile.BoardEntry.model_validate(entry | changes))


ROAD = ("Rhudaur", "High Pass", "Anduin Vales", "Wold & Foothills", "Redhorn Gate")
