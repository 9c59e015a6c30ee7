"""METW: regions, sites and the paths on their cards (M1, M4, M5, M10-M14, M16, M17)."""

import networkx as nx
import pytest

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Move, Options, RegionType, SiteType
from sbg_sim.errors import FileFaultsError, UnknownNameError
from tests.boards.metw.positions import ATLAS, at, board, by_path, by_regions


def fault_texts(call):
    with pytest.raises(FileFaultsError) as caught:
        call()
    return [(fault.key, fault.reason[: fault.reason.index(":")]) for fault in caught.value.faults]


def test_m1_a_site_lies_in_one_region():
    assert ATLAS.site("Bree").region == "arthedain"
    sites = {"haven": {"type": "h", "region": "nowhere"}}
    assert fault_texts(lambda: board(sites=sites)) == [("board.sites.haven.region", "M1")]


def test_m1_a_border_with_an_unknown_region():
    assert fault_texts(lambda: board(borders={"a": ["b", "nowhere"]})) == [("board.borders.a", "M1")]
    assert fault_texts(lambda: board(borders={"x": ["b"]})) == [("board.borders.x", "M1")]


def test_m4_six_region_types():
    assert [metw.region_type(symbol) for symbol in "cfbwsd"] == list(RegionType)
    assert metw.region_type("[c]") is RegionType.COASTAL_SEAS
    for wrong in ("x", "F", "", "ww"):
        with pytest.raises(ValueError):
            metw.region_type(wrong)


def test_m5_six_site_types_and_case():
    assert [metw.site_type(symbol) for symbol in "hFBrSD"] == list(SiteType)
    assert metw.site_type("[ h ]") is SiteType.HAVEN
    for wrong in ("f", "H", "R", "x"):
        with pytest.raises(ValueError):
            metw.site_type(wrong)


def test_m10_a_site_path_shows_types_not_names():
    path = ATLAS.site("Lonely Mountain").path("lorien")
    assert len(path) == 4
    assert all(isinstance(kind, RegionType) for kind in path)


def test_m11_a_path_begins_at_the_haven_and_ends_at_the_site():
    for site in ATLAS.sites.values():
        for haven, types in site.paths:
            first, last = (site, ATLAS.sites[haven]) if site.is_haven else (ATLAS.sites[haven], site)
            assert types[0] is ATLAS.regions[first.region].type
            assert types[-1] is ATLAS.regions[last.region].type
    ruin = {"type": "r", "region": "b", "haven": "haven", "path": "b w"}
    sites = {"haven": {"type": "h", "region": "a"}, "ruin": ruin}
    assert fault_texts(lambda: board(sites=sites)) == [("board.sites.ruin.path", "M11")]


def test_m10_a_path_that_no_regions_make():
    ruin = {"type": "r", "region": "b", "haven": "haven", "path": "w d b"}
    sites = {"haven": {"type": "h", "region": "a"}, "ruin": ruin}
    assert fault_texts(lambda: board(sites=sites)) == [("board.sites.ruin.path", "M10")]


def test_m12_every_other_site_has_one_path():
    assert all(len(site.paths) == 1 for site in ATLAS.sites.values() if not site.is_haven)
    bare = {"haven": {"type": "h", "region": "a"}, "ruin": {"type": "r", "region": "b"}}
    assert fault_texts(lambda: board(sites=bare)) == [
        ("board.sites.ruin.haven", "M12"),
        ("board.sites.ruin.path", "M12"),
    ]
    proud = {"haven": {"type": "h", "region": "a", "haven": "haven"}}
    assert ("board.sites.haven.haven", "M12") in fault_texts(lambda: board(sites=proud))


def test_m13_every_haven_has_two_paths_that_reverse():
    havens = {site.id: dict(site.paths) for site in ATLAS.sites.values() if site.is_haven}
    assert set(havens["rivendell"]) == {"lorien", "grey-havens"}
    for haven, paths in havens.items():
        assert len(paths) == 2
        assert all(havens[other][haven] == types[::-1] for other, types in paths.items())
    one = {"haven": {"type": "h", "region": "a"}}
    assert fault_texts(lambda: board(excerpt=False, sites=one)) == [("board.sites.haven.paths", "M13")]
    twisted = {
        "here": {"type": "h", "region": "a", "paths": {"there": "w b"}},
        "there": {"type": "h", "region": "b", "paths": {"here": "b b w"}},
    }
    assert {rule for _, rule in fault_texts(lambda: board(sites=twisted))} == {"M13"}
    stray = {**twisted, "here": {**twisted["here"], "paths": {"nowhere": "w b"}}}
    assert ("board.sites.here.paths.nowhere", "M13") in fault_texts(lambda: board(excerpt=False, sites=stray))
    assert ("board.sites.there.paths.here", "M13") in fault_texts(lambda: board(excerpt=False, sites=stray))


def test_m14_the_example_as_a_board_of_its_own():
    example = metw.load_map("lonely-mountain")
    chain = example.chain("wold-and-foothills", "northern-rhovanion")
    assert [example.regions[region].name for region in chain] == [
        "Wold & Foothills", "Anduin Vales", "Woodland Realm", "Northern Rhovanion",
    ]  # fmt: skip
    assert [example.regions[region].type.value for region in chain] == ["w", "w", "b", "w"]
    assert example.site("the Lonely Mountain").path("lorien") == metw.symbols("w w b w")
    assert set(metw.legal_moves(at("L˘rien", atlas=example))) == {
        Move("stay", "c"),
        by_path("the-lonely-mountain"),
        by_regions("the-lonely-mountain", *chain),
        Move("end-turn"),
    }


@pytest.mark.parametrize(("reading", "types"), [("printed", "w b b w"), ("example", "w w b w")])
def test_m14_the_type_of_anduin_vales(reading, types):
    atlas = metw.read_as(ATLAS, Options(anduin_vales=reading))
    assert atlas.site("Lonely Mountain").path("lorien") == metw.symbols(types)
    assert atlas.site("Bree").path("rivendell") == metw.symbols("w w")


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("f", ["Lindon", "Anórien"]),
        ("b", ["Rohan", "Lamedon"]),
        ("w", ["High Pass", "Enedhwaith", "Rhudaur"]),
        ("s", ["Imlad Morgul", "Dagorlad"]),
        ("d", ["Southern Mirkwood", "Gorgoroth"]),
    ],
)
def test_m16_region_examples(symbol, names):
    assert [ATLAS.region(name).type.value for name in names] == [symbol] * len(names)


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("h", ["Rivendell", "Grey Havens", "Edhellond", "Lórien"]),
        ("F", ["Minas Tirith", "Edoras"]),
        ("B", ["Bree", "Lake-town"]),
        ("r", ["Lonely Mountain", "Barrow-downs"]),
        ("S", ["Goblin-gate", "Mount Gram"]),
        ("D", ["Dol Guldur", "Barad-dûr", "Minas Morgul"]),
    ],
)
def test_m17_site_examples(symbol, names):
    assert [ATLAS.site(name).type.value for name in names] == [symbol] * len(names)


@pytest.mark.parametrize("name", ["Lórien", "lorien", "LÓRIEN", "L˘rien", "Lo\u0301rien"])
def test_names_without_accents_and_aliases(name):
    assert ATLAS.site(name).id == "lorien"


def test_more_names():
    assert ATLAS.site("Barad-d–r") is ATLAS.site("barad dur") is ATLAS.site("Barad-dûr")
    assert ATLAS.region("An˘rien").id == "anorien"
    with pytest.raises(UnknownNameError, match="edoras"):
        ATLAS.site("Edorass")


def test_the_standard_map_in_numbers():
    assert (len(ATLAS.regions), len(ATLAS.sites)) == (52, 69)
    assert sum(len(region.neighbours) for region in ATLAS.regions.values()) == 2 * 101
    assert nx.is_connected(nx.Graph((a.id, b) for a in ATLAS.regions.values() for b in a.neighbours))
    holds = [site for site in ATLAS.sites.values() if site.type is SiteType.BORDER_HOLD]
    outside = [site for site in holds if ATLAS.regions[site.region].type is not RegionType.BORDER_LANDS]
    assert len(outside) == 14
