"""METW: movement by region cards, and routes over several turns (M18-M24)."""

import pytest

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Move, Options
from tests.boards.metw.positions import ATLAS, ROAD, at, board, by_path, by_regions, rules, site_path_to


def test_m18_two_ways_to_move():
    ways = {move.method for move in metw.legal_moves(at("Lórien"), "c") if move.to == "minas-tirith"}
    assert ways == {"site-path", "region"}


@pytest.mark.parametrize(("movement", "wrong"), [("site-path", "region"), ("region", "site-path"), ("both", None)])
def test_m18_only_one_way_in_play(movement, wrong):
    state = at("Lórien", Options(movement=movement))
    for move in (by_path("Edoras"), by_regions("Edoras", "Wold & Foothills", "Rohan")):
        assert rules(state, move) == ({"M18"} if move.method == wrong else set())


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
