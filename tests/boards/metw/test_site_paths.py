"""METW: movement by site paths (M8, M9, M15)."""

import networkx as nx
import pytest

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Options
from tests.boards.metw.positions import ATLAS, at, by_regions, rules, site_path_to


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
