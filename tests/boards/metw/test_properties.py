"""METW against slow oracles: every move enumerated apart, counted, renamed; reach grows with the cards."""

from dataclasses import replace
from itertools import pairwise, permutations, product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.boards import IllegalMoveError, metw, perft
from sbg_sim.boards.metw import Atlas, Company, Move, Options, Region, RegionType, Site, SiteType, State
from sbg_sim.boards.perft import divide

ATLAS = metw.load_map()


@st.composite
def atlases(draw):
    """A small map: a few regions with random borders, two Havens (an excerpt) and some sites."""
    count = draw(st.integers(2, 5))
    ids = [f"r{n}" for n in range(count)]
    pairs = [(a, b) for i, a in enumerate(ids) for b in ids[i + 1 :]]
    edges = [pair for pair in pairs if draw(st.booleans())]
    near = {a: frozenset(b for e in edges if a in e for b in e if b != a) for a in ids}
    regions = {a: Region(a, a, draw(st.sampled_from(RegionType)), near[a]) for a in ids}
    home = draw(st.sampled_from(ids))
    sites = {"h": Site("h", "h", SiteType.HAVEN, home)}
    for n in range(draw(st.integers(1, 3))):
        key = f"s{n}"
        sites[key] = Site(key, key, SiteType.BORDER_HOLD, draw(st.sampled_from(ids)), "h", (("h", ()),))
    return Atlas(regions, sites, excerpt=True)


option_sets = st.builds(
    Options,
    movement=st.sampled_from(["both", "site-path", "region"]),
    max_regions=st.integers(1, 3),
    same_region_move=st.booleans(),
    haven_to_haven=st.sampled_from(["listed", "never"]),
    repeat_regions=st.booleans(),
    series=st.sampled_from(["chain", "connected"]),
    same_site_move=st.booleans(),
)


def brute_journeys(atlas, start, options):
    """Every declaration there could be, by all orders of all selections of regions, judged from scratch."""
    site, found = atlas.sites[start], set()
    for end in atlas.sites.values():
        new = end.id != site.id or options.same_site_move
        if options.movement != "region" and new:
            near = end.haven == start if site.is_haven else site.haven == end.id
            if near:
                found.add(("site-path", end.id, ()))
        if options.movement == "site-path" or not new:
            continue
        for size in range(1, options.max_regions + 1):
            rows = product(atlas.regions, repeat=size) if options.repeat_regions else permutations(atlas.regions, size)
            for row in rows:
                if size == 1 and not options.same_region_move:
                    continue
                if options.series == "chain":
                    joined = all(b in atlas.regions[a].neighbours for a, b in pairwise(row))
                    good = joined and row[0] == site.region and row[-1] == end.region
                else:  # one order stands for the set
                    graph = nx.Graph((a, b) for a in row for b in atlas.regions[a].neighbours if b in row)
                    graph.add_nodes_from(row)
                    whole = len(set(row)) == size and tuple(sorted(row)) == row
                    good = whole and nx.is_connected(graph) and {site.region, end.region} <= set(row)
                if good:
                    found.add(("region", end.id, row))
    return found


@settings(max_examples=50, deadline=None)
@given(atlas=atlases(), options=option_sets, data=st.data())
def test_enumeration_is_the_filter_by_legality(atlas, options, data):
    start = data.draw(st.sampled_from(sorted(atlas.sites)))
    state = State(atlas, (Company("c", start),), options=options)
    moves = metw.legal_moves(state, "c")
    assert len(set(moves)) == len(moves)
    listed = {(m.method, m.to, m.regions) for m in moves if m.to is not None}
    assert listed == brute_journeys(atlas, start, options)
    assert all(metw.explain(state, move) == () for move in moves)
    ends = {to for _, to, _ in listed}
    assert set(metw.reachable(state, "c")) == ends
    for to, reached in metw.reachable(state, "c").items():
        series = [len(row) for method, end, row in listed if end == to and method == "region"]
        if series:
            assert reached.cost == min(series)


@settings(max_examples=40, deadline=None)
@given(atlas=atlases(), options=option_sets, depth=st.integers(0, 4))
def test_perft_is_a_count_by_brute_force(atlas, options, depth):
    """Count by a second program: two companies, each staying or going; the turn ends when none is pending."""
    state = State(atlas, (Company("a", "h"), Company("b", "h", "two")), options=replace(options, max_regions=2))
    journeys = {site: brute_journeys(atlas, site, state.options) for site in atlas.sites}

    def count(places, turn, step, depth):
        # step: what the mover has done: "idle", ("down", destination) or "done"
        if depth == 0:
            return 1
        other = 1 - turn
        if step == "idle":
            total = count(places, other, "idle", depth - 1) + count(places, turn, "done", depth - 1)
            return total + sum(count(places, turn, ("down", to), depth - 1) for _, to, _ in journeys[places[turn]])
        if step == "done":
            return count(places, other, "idle", depth - 1)
        moved = tuple(step[1] if seat == turn else place for seat, place in enumerate(places))
        return count(moved, turn, "done", depth - 1)

    assert perft(metw, state, depth) == count(("h", "h"), 0, "idle", depth)


def test_perft_of_the_standard_map():
    state = metw.new_game(ATLAS)
    first = divide(metw, state, 2)
    assert sum(first.values()) == perft(metw, state, 2)
    # after the end of the turn the other player has the same choices; any other first move leaves one
    assert first[Move("end-turn")] == perft(metw, state, 1)
    assert {count for move, count in first.items() if move.method != "end-turn"} == {1}


@settings(max_examples=40, deadline=None)
@given(site=st.sampled_from(sorted(ATLAS.sites)), cards=st.integers(1, 5))
def test_more_cards_never_shrink_a_reach(site, cards):
    def reach(most):
        return set(metw.reachable(State(ATLAS, (Company("c", site),), options=Options(max_regions=most)), "c"))

    assert reach(cards) <= reach(cards + 1)


@settings(max_examples=25, deadline=None)
@given(site=st.sampled_from(sorted(ATLAS.sites)))
def test_region_reach_is_the_distance_of_networkx(site):
    graph = nx.Graph((region.id, other) for region in ATLAS.regions.values() for other in region.neighbours)
    distance = nx.single_source_shortest_path_length(graph, ATLAS.sites[site].region)
    state = State(ATLAS, (Company("c", site),), options=Options(movement="region"))
    expected = {s.id: distance[s.region] + 1 for s in ATLAS.sites.values() if distance[s.region] < 4 and s.id != site}
    assert {to: reached.cost for to, reached in metw.reachable(state, "c").items()} == expected


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_plans_are_shortest(data):
    graph = nx.DiGraph()
    for site in ATLAS.sites:
        for move in metw.steps(State(ATLAS, (Company("c", site),)), site):
            graph.add_edge(site, move.to)
    start = data.draw(st.sampled_from(sorted(ATLAS.sites)))
    goal = data.draw(st.sampled_from(sorted(ATLAS.sites)))
    state = State(ATLAS, (Company("c", start),))
    legs = metw.plan(state, start, goal)
    assert len(legs) == nx.shortest_path_length(graph, start, goal)
    for leg in legs:
        state = metw.apply(state, replace(leg, company="c"))
        state = metw.apply(state, Move("reveal", "c"))
        state = metw.apply(metw.apply(state, Move("end-turn")), Move("end-turn"))
    assert state.company("c").site == goal


@settings(max_examples=40, deadline=None)
@given(atlas=atlases(), options=option_sets, seed=st.randoms(use_true_random=False))
def test_renaming_changes_nothing(atlas, options, seed):
    fresh = [f"n{n}" for n in range(len(atlas.regions) + len(atlas.sites))]
    seed.shuffle(fresh)
    new = dict(zip([*(f"R{r}" for r in atlas.regions), *(f"S{s}" for s in atlas.sites)], fresh, strict=True))
    regions = {
        new[f"R{key}"]: Region(
            new[f"R{key}"], key, region.type, frozenset(new[f"R{other}"] for other in region.neighbours)
        )
        for key, region in atlas.regions.items()
    }
    sites = {
        new[f"S{key}"]: Site(
            new[f"S{key}"], key, site.type, new[f"R{site.region}"], site.haven and new[f"S{site.haven}"],
            tuple((new[f"S{haven}"], types) for haven, types in site.paths),
        )
        for key, site in atlas.sites.items()
    }  # fmt: skip
    before = State(atlas, (Company("c", "h"),), options=options)
    after = State(Atlas(regions, sites, excerpt=True), (Company("c", new["Sh"]),), options=options)
    renamed = {
        (m.method, m.to and new[f"S{m.to}"], frozenset(new[f"R{r}"] for r in m.regions))
        for m in metw.legal_moves(before)
    }
    assert {(m.method, m.to, frozenset(m.regions)) for m in metw.legal_moves(after)} == renamed
    costs = {new[f"S{to}"]: reached.cost for to, reached in metw.reachable(before, "c").items()}
    assert {to: reached.cost for to, reached in metw.reachable(after, "c").items()} == costs


@settings(max_examples=30, deadline=None)
@given(
    start=st.sampled_from(sorted(ATLAS.sites)),
    to=st.sampled_from(sorted(ATLAS.sites)),
    regions=st.lists(st.sampled_from(sorted(ATLAS.regions)), max_size=5),
)
def test_apply_refuses_exactly_what_explain_objects_to(start, to, regions):
    state = State(ATLAS, (Company("c", start),))
    move = Move("region", "c", to, tuple(regions))
    objections = metw.explain(state, move)
    if objections:
        with pytest.raises(IllegalMoveError) as caught:
            metw.apply(state, move)
        assert caught.value.violations == objections
    else:
        assert metw.apply(state, move).company("c").journey == move
    assert (not objections) == (move in metw.legal_moves(state))
