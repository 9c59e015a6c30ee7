"""Names as people type them, and boards on which two things go by one name."""

import pytest

from sbg_sim.boards import metw, riddle, war_of_the_ring
from sbg_sim.boards.metw import faces as metw_faces
from sbg_sim.boards.names import Check, find_name, folded, one_of, shared_names
from sbg_sim.boards.war_of_the_ring import faces as ring_faces
from sbg_sim.errors import FileFaultsError, UnknownNameError


@pytest.mark.parametrize("name", ["Barad-dûr", "barad dur", "BARAD_DUR", " Barad  du\u0302r "])
def test_names_are_compared_without_accents_case_and_marks(name):
    assert folded(name) == "barad dur"
    assert find_name(name, {"barad-dur": (), "dol-guldur": ("Hill of Sorcery",)}, "site") == "barad-dur"


def test_an_unknown_name_tells_what_is_close():
    names = {"bree": (), "edoras": ("Golden Hall",)}
    assert find_name("golden hall", names, "site") == "edoras"
    with pytest.raises(UnknownNameError, match=r"no site is called 'Brea'; close to it: bree"):
        find_name("Brea", names, "site")
    with pytest.raises(UnknownNameError, match=r"no site is called .qqq.$"):
        find_name("qqq", names, "site")


def test_a_name_of_several_things_tells_which_there_are():
    names = {"west-wold": ("The Wold",), "east-wold": ("the wold",), "the wold": ("Wold",)}
    assert find_name("THE WOLD", names, "region") == "the wold"  # an id comes before a name
    del names["the wold"]
    with pytest.raises(UnknownNameError, match=r"more than one region is called 'Wold': say west-wold or east-wold"):
        find_name("Wold", dict.fromkeys(names, ("Wold",)), "region")


def test_two_ids_that_share_a_name_are_told():
    names = {"bree": ("Bree-land",), "breeland": (), "other": ("BREE", "bree"), "Bree land": ()}
    found = list(shared_names(names, "site", "board.sites"))
    assert [fault.key for fault in found] == ["board.sites.other", "board.sites.Bree land"]
    assert found[0].reason == "'BREE' is a name of the site 'bree' already"


def test_names_are_looked_up_one_by_one():
    check = Check(gone=["players.left-out"])
    assert check.each(one_of(["a", "b"], "player"), ["a", "c", "b", "d", "left out"], "players") == ["a", "b"]
    assert check.look(one_of([], "card"), "a", "card") is None
    assert check.look(one_of([], "card"), None, "card") is None
    assert [(fault.key, fault.reason) for fault in check.faults] == [
        ("players", "no player is called 'c'; there are: a, b"),
        ("players", "no player is called 'd'; there are: a, b"),
        ("card", "no card is called 'a'; there are: none"),
    ]


def test_a_board_with_two_regions_of_one_name_is_refused():
    regions = {"west": {"type": "w", "name": "The Wold"}, "east": {"type": "w", "also": ["the wold"]}}
    with pytest.raises(FileFaultsError) as caught:
        metw_faces.load({"game": "metw", "board": {"regions": regions}})
    assert [fault.key for fault in caught.value.faults] == ["board.regions.east"]
    regions = {"west": {"name": "The Wold"}, "east": {"also": ["the wold"]}}
    with pytest.raises(FileFaultsError) as caught:
        ring_faces.load({"game": "war-of-the-ring", "board": {"regions": regions}})
    assert [fault.key for fault in caught.value.faults] == ["board.regions.east"]


def test_a_shared_name_is_told_with_what_else_is_wrong():
    board = {
        "regions": {"west": {"type": "w", "name": "The Wold"}, "the-wold": {"type": "w"}},
        "borders": {"west": ["q"]},
    }
    with pytest.raises(FileFaultsError) as caught:
        metw_faces.load(
            {"game": "metw", "board": {**board, "sites": {"s": {"type": "r", "region": "q", "haven": "s"}}}}
        )
    keys = ("borders.west", "regions.the-wold", "sites.s.region", "sites.s.haven", "sites.s.path")
    assert [fault.key for fault in caught.value.faults] == [f"board.{key}" for key in keys]
    board = {"regions": {"west": {"name": "The Wold"}, "the-wold": {}}, "borders": {"west": ["q"]}}
    with pytest.raises(FileFaultsError) as caught:
        ring_faces.load({"game": "war-of-the-ring", "board": board})
    assert [fault.key for fault in caught.value.faults] == ["board.borders.west", "board.regions.the-wold"]


def test_no_two_things_of_a_packaged_map_share_a_name():
    atlas, chart = metw.load_map(), war_of_the_ring.load_map()
    for names in (atlas.region_names, atlas.site_names, chart.region_names, chart.character_names):
        assert not list(shared_names(names, "thing", ""))
    spaces = riddle.standard().spaces.values()
    assert not list(shared_names({space.id: (space.name,) for space in spaces}, "space", ""))
