"""METW rules M1-M27, each by its id; expected values are facts of the rules text and of the map."""

from dataclasses import replace

import networkx as nx
import pytest

from sbg_sim.boards import IllegalMoveError, metw
from sbg_sim.boards.metw import Company, Creature, Move, Options, RegionType, SiteType, State, mapfile
from sbg_sim.errors import FileFaultsError, SbgError, UnknownNameError

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


def test_m2_a_company_is_at_its_site():
    assert at("Rivendell").company("c").site == "rivendell"
    with pytest.raises(UnknownNameError):
        at("Nowhere")


def test_m3_starting_companies_are_at_rivendell():
    state = metw.new_game(ATLAS)
    assert [company.site for company in state.companies] == ["rivendell", "rivendell"]
    assert {company.player for company in state.companies} == {"one", "two"}


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


def test_m6_the_destination_is_hidden_until_revealed():
    state = metw.apply(metw.new_game(ATLAS), Move("region", "one-1", "Bree", ("Rhudaur", "Arthedain")))
    mine, theirs = metw.view(state, "one")[0], metw.view(state, "two")[0]
    assert (mine.to, mine.regions) == ("bree", ("rhudaur", "arthedain"))
    assert (theirs.to, theirs.regions) == (None, None)
    assert (theirs.face_down_sites, theirs.face_down_regions) == (1, 2)
    assert state.company("one-1").site == "rivendell"
    assert "M6" in rules(state, Move("end-turn"))
    shown = metw.apply(state, Move("reveal", "one-1"))
    assert shown.company("one-1").site == "bree"
    assert metw.view(shown, "two")[0].to == "bree"


def test_m6_nothing_to_reveal():
    assert rules(at("Rivendell"), Move("reveal", "c")) == {"M6"}
    with pytest.raises(UnknownNameError):
        metw.view(at("Rivendell"), "three")


@pytest.mark.parametrize("again", [False, True])
def test_m6_to_the_current_site(again):
    state = at("Bree", Options(same_site_move=again))
    assert rules(state, by_regions("Bree", "Arthedain")) == (set() if again else {"M6"})


def test_m7_a_company_need_not_move():
    state = metw.new_game(ATLAS)
    assert Move("stay", "one-1") in metw.legal_moves(state)
    assert metw.explain(state, Move("end-turn")) == ()
    assert metw.apply(state, Move("end-turn")).active == "two"
    assert rules(state, Move("stay", "two-1")) == {"M7"}
    after = metw.apply(state, Move("stay", "one-1"))
    assert metw.legal_moves(after) == (Move("end-turn"),)


def test_m8_from_a_haven_to_a_site_that_lists_it():
    assert site_path_to("Rivendell", "Bree") == set()
    assert site_path_to("Rivendell", "Edoras") == {"M8"}


@pytest.mark.parametrize(("reading", "broken"), [("listed", set()), ("never", {"M8"})])
def test_m8_from_haven_to_haven(reading, broken):
    options = Options(haven_to_haven=reading)
    assert site_path_to("Rivendell", "Lórien", options) == broken
    assert site_path_to("Rivendell", "Edhellond", options) == {"M8"}


def test_m9_from_another_site_to_its_haven_only():
    assert site_path_to("Bree", "Rivendell") == set()
    assert site_path_to("Edoras", "Lórien") == set()
    assert site_path_to("Bree", "Barrow-downs") == {"M9"}
    assert site_path_to("Bree", "Lórien") == {"M9"}
    assert rules(at("Bree"), by_regions("Barrow-downs", "Arthedain", "Cardolan")) == set()


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


def test_m15_routes_by_site_paths():
    state = at("Bree")
    assert metw.site_path_route(state, "Bree", "Edoras") == ("rivendell", "lorien", "edoras")
    assert metw.site_path_route(state, "Bree", "Barrow-downs") == ("rivendell", "barrow-downs")
    assert metw.site_path_route(state, "Rivendell", "Bree") == ("bree",)
    assert metw.site_path_route(state, "Bree", "Bree") == ()


@pytest.mark.parametrize(("reading", "turns"), [("repeat", 4), ("once", None)])
def test_m15_how_many_havens(reading, turns):
    route = metw.site_path_route(at("Bree", Options(haven_hops=reading)), "Bree", "Lond Galen")
    assert (None if route is None else len(route)) == turns


def test_m15_distances_of_all_pairs():
    graph = nx.Graph()
    for site in ATLAS.sites.values():
        graph.add_edges_from((site.id, haven) for haven, _ in site.paths)
    expected = dict(nx.all_pairs_shortest_path_length(graph))
    state = at("Bree")
    for start in ("bree", "rivendell", "edoras", "tolfalas", "himring"):
        for goal in ATLAS.sites:
            assert len(metw.site_path_route(state, start, goal)) == expected[start][goal]


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


def test_m18_two_ways_to_move():
    ways = {move.method for move in metw.legal_moves(at("Lórien"), "c") if move.to == "minas-tirith"}
    assert ways == {"site-path", "region"}


@pytest.mark.parametrize(("movement", "wrong"), [("site-path", "region"), ("region", "site-path"), ("both", None)])
def test_m18_only_one_way_in_play(movement, wrong):
    state = at("Lórien", Options(movement=movement))
    for move in (by_path("Edoras"), by_regions("Edoras", "Wold & Foothills", "Rohan")):
        assert rules(state, move) == ({"M18"} if move.method == wrong else set())


ROAD = ("Rhudaur", "High Pass", "Anduin Vales", "Wold & Foothills", "Redhorn Gate")


def test_m19_up_to_four_regions():
    ends = {1: "Ettenmoors", 2: "Goblin-gate", 3: "Gladden Fields", 4: "Lórien", 5: "Moria"}
    for count, end in ends.items():
        assert ("M19" in rules(at("Rivendell"), by_regions(end, *ROAD[:count]))) == (count == 5)
    assert rules(at("Rivendell"), by_regions("Lórien")) == {"M19"}


@pytest.mark.parametrize(("reading", "most"), [("in-all", 4), ("between", 6)])
def test_m19_what_four_counts(reading, most):
    options = Options(counted_regions=reading)
    assert options.series_limit == most
    assert ("M19" in rules(at("Rivendell", options), by_regions("Moria", *ROAD))) == (most == 4)


def test_m20_the_first_region_holds_the_start():
    assert rules(at("Rivendell"), by_regions("Goblin-gate", "High Pass")) == {"M20"}


def test_m21_each_is_adjacent_to_the_next():
    state = at("Rivendell")
    assert "M21" in rules(state, by_regions("Lórien", "Rhudaur", "Wold & Foothills"))
    assert rules(state, by_regions("Lórien", *ROAD[:4])) == set()


@pytest.mark.parametrize(("reading", "broken"), [("chain", {"M20", "M21", "M22"}), ("connected", set())])
def test_m21_a_chain_or_any_connected_set(reading, broken):
    shuffled = ("High Pass", "Wold & Foothills", "Rhudaur", "Anduin Vales")
    assert rules(at("Rivendell", Options(series=reading)), by_regions("Lórien", *shuffled)) == broken


def test_m21_a_set_in_two_pieces():
    state = at("Rivendell", Options(series="connected"))
    assert rules(state, by_regions("Lórien", "Rhudaur", "Wold & Foothills")) == {"M21"}
    assert rules(state, by_regions("Lórien", "Rhudaur")) == {"M22"}
    assert rules(state, by_regions("Lórien", "Wold & Foothills")) == {"M20"}


@pytest.mark.parametrize(("allowed", "broken"), [(True, set()), (False, {"M21"})])
def test_m21_a_move_within_one_region(allowed, broken):
    state = at("Moria", Options(same_region_move=allowed))
    assert rules(state, by_regions("Dimrill Dale", "Redhorn Gate")) == broken


@pytest.mark.parametrize(("allowed", "broken"), [(True, set()), (False, {"M19"})])
def test_m19_a_region_twice(allowed, broken):
    state = at("Rivendell", Options(repeat_regions=allowed))
    assert rules(state, by_regions("Goblin-gate", "Rhudaur", "High Pass", "Rhudaur", "High Pass")) == broken


def test_m22_the_last_region_holds_the_destination():
    assert rules(at("Rivendell"), by_regions("Lórien", *ROAD[:3])) == {"M22"}


def test_m23_more_than_four_regions_apart():
    five = (*ROAD[:3], "Woodland Realm", "Northern Rhovanion")
    assert rules(at("Rivendell"), by_regions("Lonely Mountain", *five)) == {"M19", "M23"}
    four = ("Wold & Foothills", "Anduin Vales", "Woodland Realm", "Northern Rhovanion")
    assert rules(at("Lórien"), by_regions("Lonely Mountain", *four)) == set()
    assert len(ATLAS.chain("wold-and-foothills", "gorgoroth")) == 6
    assert "barad-dur" not in metw.reachable(at("Lórien", Options(movement="region")), "c")
    assert site_path_to("Lórien", "Barad-dûr") == set()
    assert metw.reachable(at("Lórien"), "c")["barad-dur"].route == ("lorien", "barad-dur")


def test_m24_interim_sites_one_per_turn():
    legs = metw.plan(at("Rivendell"), "Rivendell", "Lonely Mountain")
    assert len(legs) == 2
    assert legs[0].to in ATLAS.sites
    state = metw.apply(at("Rivendell"), by_path("Bree"))
    assert rules(state, by_path("Lórien")) == {"M24"}
    assert rules(metw.apply(state, Move("reveal", "c")), Move("stay", "c")) == {"M24"}


def test_m24_an_interim_region_needs_a_site():
    regions = {f"r{step}": {"type": "w"} for step in range(5)}
    borders = {f"r{step}": [f"r{step + 1}"] for step in range(4)}
    sites = {"west": {"type": "h", "region": "r0"}, "east": {"type": "h", "region": "r4"}}
    bare = board(regions=regions, borders=borders, sites=sites)
    assert metw.plan(at("west", atlas=bare), "west", "east") is None
    inn = {"type": "B", "region": "r2", "haven": "west", "path": "w w w"}
    with_inn = board(regions=regions, borders=borders, sites=sites | {"inn": inn})
    assert [leg.to for leg in metw.plan(at("west", atlas=with_inn), "west", "east")] == ["inn", "east"]


def attack(symbols, offered, options=None):
    creature = Creature("beast", metw.symbols(symbols))
    return {v.rule for v in metw.explain_attack(creature, metw.symbols(offered), options)}


def test_m25_one_matching_type_is_enough():
    assert attack("w", "w b") == set()
    assert attack("d", "w b") == {"M25"}
    assert attack("[s] or [d]", "w s") == set()


@pytest.mark.parametrize(("reading", "types"), [("cards", ()), ("types", metw.symbols("w w"))])
def test_m25_what_a_site_path_offers(reading, types):
    state = metw.apply(at("Bree", Options(site_path_keying=reading)), by_path("Rivendell"))
    assert metw.offered_types(state, "c") == types
    assert metw.offered_types(metw.apply(state, Move("reveal", "c")), "c") == types
    assert metw.offered_types(at("Bree"), "c") == ()


def test_m25_region_cards_key_by_their_types():
    state = metw.apply(at("Rivendell"), by_regions("Lórien", *ROAD[:4]))
    assert metw.offered_types(state, "c") == metw.symbols("w w b w")


def test_m26_two_like_symbols_need_two_regions():
    assert attack("w w", "w b b w") == set()
    assert attack("w w", "w b b") == {"M26"}
    assert attack("w w", "s") == {"M25"}
    assert attack("w w s", "w s") == set()


@pytest.mark.parametrize(("reading", "broken"), [("two-cards", {"M26"}), ("one-card", set())])
def test_m26_one_card_for_two_symbols(reading, broken):
    assert attack("w w", "w b b", Options(double_symbol=reading)) == broken


def test_m27_advice_is_no_rule():
    # nothing about a hand of cards is part of a position
    assert {"bree", "edoras"} <= {m.to for m in metw.legal_moves(at("Rivendell"), "c")} | {"edoras"}
    assert not any("hand" in name for name in State.__dataclass_fields__)


@pytest.mark.parametrize("when", ["declaration", "reveal"])
def test_when_an_illegal_journey_is_found(when):
    state = at("Rivendell", Options(check_at=when))
    bluff = by_path("Edoras")
    if when == "declaration":
        assert rules(state, bluff) == {"M8"}
        with pytest.raises(IllegalMoveError, match="M8"):
            metw.apply(state, bluff)
        return
    declared = metw.apply(state, bluff)
    assert rules(declared, Move("reveal", "c")) == {"M8"}
    assert metw.legal_moves(declared) == (Move("stay", "c"),)
    assert metw.apply(declared, Move("stay", "c")).company("c").site == "rivendell"
    honest = metw.apply(state, by_path("Bree"))
    assert metw.legal_moves(honest) == (Move("reveal", "c"),)


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


def test_positions_that_cannot_be():
    with pytest.raises(SbgError):
        State(ATLAS, (Company("c", "Bree"), Company("c", "Bree")))
    with pytest.raises(UnknownNameError):
        replace(at("Bree"), active="three")
    with pytest.raises(UnknownNameError):
        metw.legal_moves(at("Bree"), "nobody")
