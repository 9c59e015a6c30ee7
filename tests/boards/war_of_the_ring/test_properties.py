"""War of the Ring against slow oracles: walks step by step, a second count, networkx for distances."""

from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.boards import perft, war_of_the_ring
from sbg_sim.boards.perft import divide
from sbg_sim.boards.war_of_the_ring import Character, Chart, Means, Move, Options, Region, State

STANDARD = war_of_the_ring.load_map()
CAST = {
    who.id: who
    for who in (
        Character("strider", "strider", "companion", 3),
        Character("merry", "merry", "companion", 1),
        Character("legolas", "legolas", "companion", 2),
        Character("gollum", "gollum", "guide", 0),
        Character("mouth", "mouth", "minion", 3),
        Character("saruman", "saruman", "minion", 0),
        Character("ringwraith", "ringwraith", "nazgul"),
    )
}
LEVELS = {"strider": 3, "merry": 1, "legolas": 2, "gollum": 0, "mouth": 3, "saruman": 0}
SIDES = ("free-peoples", "shadow")


@st.composite
def states(draw, who=tuple(CAST), most=6):
    """A position on a small random chart with Strongholds, some of them captured or besieged."""
    ids = [f"r{n}" for n in range(draw(st.integers(2, most)))]
    pairs = [pair for pair in combinations(ids, 2) if draw(st.booleans())]
    near = {a: frozenset(b for pair in pairs if a in pair for b in pair if b != a) for a in ids}
    owner = {a: draw(st.sampled_from([None, *SIDES])) for a in ids}
    regions = {a: Region(a, a, near[a], owner[a], owner[a], "stronghold" if owner[a] else None) for a in ids}
    held = [a for a in ids if owner[a]]
    return State(
        Chart(regions, CAST),
        tuple((figure, draw(st.sampled_from(ids))) for figure in who),
        control=tuple((a, draw(st.sampled_from(SIDES))) for a in held if draw(st.booleans())),
        besieged=frozenset(a for a in held if draw(st.booleans())),
        options=draw(
            st.builds(
                Options,
                besieged_stronghold_stops=st.booleans(),
                control=st.sampled_from(["current", "original"]),
                friendly=st.sampled_from(["controlled", "original"]),
                mouth_passing=st.sampled_from(["every-region", "destination"]),
                siege_blocks=st.sampled_from(["entering", "landing"]),
                mouth_besieged=st.sampled_from(["go-on", "stop"]),
                nazgul_null_move=st.booleans(),
            )
        ),
    )


def facts(state):
    """Who owns, holds and besieges what, read off the position anew."""
    held = {key: region.side for key, region in state.chart.regions.items()} | dict(state.control)
    first = {key: region.side for key, region in state.chart.regions.items()}
    counted = held if state.options.control == "current" else first
    siege = {key: SIDES[held[key] == SIDES[0]] for key in state.besieged}
    friendly = held if state.options.friendly == "controlled" else first

    def sealed(side):
        return {key for key, by in siege.items() if by != side and friendly[key] == side}

    shut = {key for key in first if counted[key] == "free-peoples" and siege.get(key) != "shadow"}
    return counted, siege, sealed, shut


def brute_reach(state, figures, origin):
    """Where figures may go, by following every walk step by step."""
    options = state.options
    counted, siege, sealed, shut = facts(state)
    if figures == ("ringwraith",):
        return {key for key in state.chart.regions if key not in shut and (key != origin or options.nazgul_null_move)}
    if any(LEVELS[figure] == 0 for figure in figures):
        return set()
    side = "shadow" if figures == ("mouth",) else "free-peoples"
    gates = sealed(side)
    never, landing = (gates, set()) if options.siege_blocks == "entering" else (set(), set(gates))
    if side == "shadow":
        if options.mouth_passing == "every-region":
            never = never | shut
        landing |= shut

    def stops(key):
        if side == "shadow":
            return options.mouth_besieged == "stop" and siege.get(key) == "shadow"
        exempt = not options.besieged_stronghold_stops and siege.get(key) == "free-peoples"
        return counted[key] == "shadow" and not exempt

    found = set()

    def step(here, left):
        for there in state.chart.regions[here].neighbours - never:
            if there not in landing:
                found.add(there)
            if left > 1 and not stops(there):
                step(there, left - 1)

    if origin not in gates:
        step(origin, max(LEVELS[figure] for figure in figures))
    return found - {origin}


def brute_travels(state, side, moved):
    """Every move of the side's figures that are left, as pairs (figures, region)."""
    found = set()
    for origin in state.chart.regions:
        here = sorted(f for f, place in state.figures if place == origin and f not in moved)
        mine = [f for f in here if (f in {"mouth", "saruman", "ringwraith"}) == (side == "shadow")]
        sizes = (1,) if side == "shadow" else range(1, len(mine) + 1)
        for size in sizes:
            for figures in combinations(mine, size):
                if "gollum" in figures:
                    continue
                found |= {(figures, to) for to in brute_reach(state, figures, origin)}
    return found


@settings(max_examples=50, deadline=None)
@given(state=states(), side=st.sampled_from(SIDES))
def test_enumeration_is_the_filter_by_legality(state, side):
    taken = replace(state, means=Means(side), moved=frozenset())
    listed = [(m.figures, m.to) for m in war_of_the_ring.legal_moves(taken) if m.kind == "travel"]
    assert len(set(listed)) == len(listed)
    assert set(listed) == brute_travels(state, side, set())
    # and of all moves that could be named, exactly these have nothing said against them
    groups = [(f,) for f in CAST] + [
        g for size in (2, 3) for g in combinations(sorted(LEVELS), size) if not {"mouth", "saruman"} & set(g)
    ]
    quiet = {
        (group, to)
        for group in groups
        for to in state.chart.regions
        if not war_of_the_ring.explain(taken, Move("travel", group, to))
    }
    assert quiet == set(listed)


@settings(max_examples=30, deadline=None)
@given(state=states(who=("strider", "merry", "mouth", "saruman", "ringwraith"), most=4), depth=st.integers(0, 3))
def test_perft_is_a_count_by_brute_force(state, depth):
    pool = (Means("free-peoples"), Means("shadow"))

    def count(now, side, moved, left, depth):
        if depth == 0:
            return 1
        if side is None:
            return sum(count(now, one, frozenset(), left - {one}, depth - 1) for one in left)
        total = count(now, None, frozenset(), left, depth - 1)
        for figures, to in brute_travels(now, side, moved):
            after = replace(now, figures=tuple({**dict(now.figures), **dict.fromkeys(figures, to)}.items()))
            total += count(after, side, moved | set(figures), left, depth - 1)
        return total

    expected = count(state, None, frozenset(), frozenset(SIDES), depth)
    assert perft(war_of_the_ring, replace(state, pool=pool), depth) == expected


def test_perft_of_the_standard_map():
    state = State(
        STANDARD,
        (
            ("Legolas", "Rivendell"),
            ("Merry", "Rivendell"),
            ("Nazgûl 1", "Dol Guldur"),
            ("Saruman", "Orthanc"),
        ),
        pool=(Means("free-peoples"), Means("shadow")),
    )
    assert perft(war_of_the_ring, state, 1) == 2
    # Free Peoples: Legolas 7, Merry 2, both 7, or the end; Shadow: every region but eight Strongholds
    # of the Free Peoples and the Nazgûl's own, or the end
    held = sum(r.is_stronghold and r.side == "free-peoples" for r in STANDARD.regions.values())
    assert divide(war_of_the_ring, state, 2) == {
        Move("begin", means=Means("free-peoples")): 7 + 2 + 7 + 1,
        Move("begin", means=Means("shadow")): 105 - held - 1 + 1,
    }


@settings(max_examples=40, deadline=None)
@given(region=st.sampled_from(sorted(STANDARD.regions)), level=st.integers(1, 5))
def test_a_higher_level_never_shrinks_a_reach(region, level):
    def reach(most):
        walker = {"w": Character("w", "w", "companion", most)}
        return set(war_of_the_ring.reachable(State(Chart(STANDARD.regions, walker), (("w", region),)), "w"))

    assert reach(level) <= reach(level + 1)


@settings(max_examples=40, deadline=None)
@given(state=states(who=("strider", "merry", "legolas")))
def test_a_larger_group_never_reaches_less(state):
    origin = state.at["strider"]
    together = state.placed(dict.fromkeys(("strider", "merry", "legolas"), origin))
    for size in (1, 2):
        for group in combinations(("legolas", "merry", "strider"), size):
            assert set(war_of_the_ring.reachable(together, group)) <= set(
                war_of_the_ring.reachable(together, ("legolas", "merry", "strider"))
            )


@settings(max_examples=30, deadline=None)
@given(region=st.sampled_from(sorted(STANDARD.regions)), level=st.integers(1, 4))
def test_distances_are_those_of_networkx(region, level):
    """A Stronghold of the Shadow has no way on: its outgoing arrows are cut, unless one starts there."""
    graph = nx.DiGraph((a.id, b) for a in STANDARD.regions.values() for b in a.neighbours)
    inner = [a.id for a in STANDARD.regions.values() if a.is_stronghold and a.side == "shadow" and a.id != region]
    graph.remove_edges_from(list(graph.out_edges(inner)))
    expected = nx.single_source_shortest_path_length(graph, region, cutoff=level)
    walker = {"w": Character("w", "w", "companion", level)}
    found = war_of_the_ring.reachable(State(Chart(STANDARD.regions, walker), (("w", region),)), "w")
    assert {to: reached.cost for to, reached in found.items()} | {region: 0} == dict(expected)
    for to, reached in found.items():
        assert reached.route[0] == region
        assert reached.route[-1] == to
        assert nx.is_path(graph, reached.route)
        assert len(reached.route) == reached.cost + 1


@settings(max_examples=40, deadline=None)
@given(state=states(), side=st.sampled_from(SIDES), seed=st.randoms(use_true_random=False))
def test_renaming_changes_nothing(state, side, seed):
    fresh = [f"n{n}" for n in range(len(state.chart.regions))]
    seed.shuffle(fresh)
    new = dict(zip(state.chart.regions, fresh, strict=True))
    regions = {
        new[key]: replace(region, id=new[key], name=key, neighbours=frozenset(new[n] for n in region.neighbours))
        for key, region in state.chart.regions.items()
    }
    renamed = State(
        Chart(regions, CAST),
        tuple((figure, new[place]) for figure, place in state.figures),
        control=tuple((new[place], holder) for place, holder in state.control),
        besieged=frozenset(new[place] for place in state.besieged),
        options=state.options,
    )
    before = war_of_the_ring.legal_moves(replace(state, means=Means(side), moved=frozenset()))
    after = war_of_the_ring.legal_moves(replace(renamed, means=Means(side), moved=frozenset()))
    assert {(m.kind, m.figures, m.to and new[m.to]) for m in before} == {(m.kind, m.figures, m.to) for m in after}


@settings(max_examples=40, deadline=None)
@given(state=states(), who=st.sampled_from(sorted(CAST)))
def test_reachable_is_where_legal_moves_go(state, who):
    taken = war_of_the_ring.ready(state, (who,))
    alone = {m.to for m in war_of_the_ring.legal_moves(taken, who) if m.figures == (who,)}
    assert set(war_of_the_ring.reachable(state, who)) == alone


@settings(max_examples=30, deadline=None)
@given(state=states(who=("strider", "mouth"), most=5), who=st.sampled_from(["strider", "mouth"]), data=st.data())
def test_plans_are_played_out_and_shortest(state, who, data):
    goal = data.draw(st.sampled_from(sorted(state.chart.regions)))
    graph = nx.DiGraph()
    graph.add_nodes_from(state.chart.regions)
    for origin in state.chart.regions:
        graph.add_edges_from((origin, to) for to in brute_reach(state, (who,), origin))
    legs = war_of_the_ring.plan(state, who, goal)
    if not nx.has_path(graph, state.at[who], goal):
        assert legs is None
        return
    assert len(legs) == nx.shortest_path_length(graph, state.at[who], goal)
    for leg in legs:
        state = war_of_the_ring.apply(war_of_the_ring.ready(state, (who,)), Move("travel", (who,), leg.route[-1]))
        state = war_of_the_ring.apply(state, Move("end"))
    assert state.at[who] == goal


@pytest.mark.parametrize("who", ["gollum", "saruman"])
def test_level_zero_has_no_plan(who):
    state = State(Chart({"a": Region("a", "a")}, CAST), ((who, "a"),))
    assert war_of_the_ring.plan(state, who, "a") is None
