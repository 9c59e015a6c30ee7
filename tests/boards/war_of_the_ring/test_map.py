"""War of the Ring: names, the packaged map, positions and boards that cannot be."""

import networkx as nx
import pytest

from sbg_sim.boards import IllegalMoveError, war_of_the_ring
from sbg_sim.boards.war_of_the_ring import State, mapfile
from sbg_sim.errors import FileFaultsError, SbgError, UnknownNameError
from tests.boards.war_of_the_ring.positions import CHART, FREE, go, on_map


def test_names_without_accents_and_aliases():
    assert CHART.region("barad dur") is CHART.region("Barad~Dur") is CHART.region("BARAD-DÛR")
    assert CHART.region("Lórien").id == "lorien"
    assert CHART.character("nazgul 3").id == "nazgul-3"
    with pytest.raises(UnknownNameError, match="rivendell"):
        CHART.region("Rivendel")


def test_the_standard_map_in_numbers():
    graph = nx.Graph((a.id, b) for a in CHART.regions.values() for b in a.neighbours)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (105, 232)
    assert nx.is_connected(graph)
    assert {who.id: who.level for who in CHART.characters.values() if who.kind == "companion"} == {
        "gandalf-the-grey": 3, "strider": 3, "boromir": 2, "legolas": 2, "gimli": 2, "merry": 1, "pippin": 1,
        "aragorn": 3, "gandalf-the-white": 3,
    }  # fmt: skip
    assert [CHART.character(name).level for name in ("Gollum", "Saruman", "Mouth", "Witch-king")] == [
        0,
        0,
        3,
        None,
    ]


def test_positions_that_cannot_be():
    with pytest.raises(SbgError):
        on_map(strider="Bree", Strider="Dale")
    with pytest.raises(SbgError):
        State(CHART, (("strider", "bree"),), fellowship=frozenset({"strider"}))
    with pytest.raises(SbgError):
        State(CHART, fellowship=frozenset({"Gandalf the White"}))
    with pytest.raises(SbgError):
        State(CHART, besieged=frozenset({"Bree"}))
    with pytest.raises(UnknownNameError):
        on_map(strider="Nowhere")
    with pytest.raises(IllegalMoveError, match="W8"):
        war_of_the_ring.apply(on_map(FREE, merry="Bree"), go("Merry", "Rivendell"))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"regions": {}}, "board"),
        ({"borders": {"a": ["x"]}}, "board.borders.a"),
        ({"borders": {"a": ["a"]}}, "board.borders.a"),
        ({"impassable": [["a", "b"]]}, "board.impassable"),
        ({"impassable": [["a"]]}, "board.impassable"),
        ({"regions": {"a": {"nation": "elves"}, "b": {}}}, "board.regions.a.nation"),
        ({"regions": {"a": {"settlement": "stronghold"}, "b": {}}}, "board.regions.a.nation"),
        ({"characters": {"n": {"kind": "nazgul", "level": 2}}}, "board.characters.n.level"),
        ({"characters": {"n": {"kind": "companion"}}}, "board.characters.n.level"),
        ({"characters": {"n": {"kind": "minion", "level": 0, "bound": "x"}}}, "board.characters.n.bound"),
    ],
)
def test_faults_of_a_board(changes, key):
    entry = {"regions": {"a": {}, "b": {}}, "borders": {"a": ["b"]}} | changes
    with pytest.raises(FileFaultsError) as caught:
        mapfile.build(mapfile.BoardEntry.model_validate(entry))
    assert key in [fault.key for fault in caught.value.faults]
