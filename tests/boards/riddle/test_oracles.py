"""The rules against an enumeration written apart, against networkx, and against what must never change."""

import itertools
from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.boards import perft, riddle
from sbg_sim.boards.riddle import Card, EndTurn, Flight, Options, Step, Way
from tests.boards.riddle.random_boards import boards

CARDS = [card.value for card in Card]


class Slow:
    """The rules once more, straight from the text: plain tuples, raw data, no code shared."""

    def __init__(self, raw):
        self.ground = {key: space["terrain"][0] for key, space in raw["spaces"].items()}
        self.heads = {key for key, space in raw["spaces"].items() if space.get("river_head")}
        self.edges = set()
        for key, space in raw["spaces"].items():
            self.edges |= {frozenset((key, other)) for other in space["borders"]}
        river = raw["rivers"]["r"]
        self.river = {frozenset(pair) for pair in river["between"]}
        self.road = {frozenset(r["through"]) for r in raw["roads"].values()}
        self.banks = {dot: set(d["banks"]) for dot, d in raw["dots"].items()}
        self.stream = {frozenset(pair) for pair in itertools.pairwise(river["course"])}
        self.all = [*self.ground, *self.banks]

    def wet(self, x):
        return self.ground.get(x) in ("lake", "ocean", "swamp")

    def stops(self, x, cards):
        kind = self.ground.get(x)
        if kind in ("forest", "thicket"):
            return "cloak" not in cards
        return kind in ("mountain", "hill") and "rope" not in cards

    def legs(self, x, y, cards):
        """How x to y can be gone: a word per way."""
        boat, pair = "boat" in cards, frozenset((x, y))
        if pair in self.edges:
            if self.wet(x) or self.wet(y):
                if boat or not self.wet(y):
                    yield "water"
            elif pair in self.river:
                if boat:
                    yield "cross"
            else:
                yield "road" if pair in self.road else "land"
        ashore = x in self.banks and y in self.banks[x]
        aboard = y in self.banks and x in self.banks[y]
        dry_exit = ashore and not self.wet(y)
        if (pair in self.stream or ashore or aboard) and (boat or dry_exit):
            yield "river"

    def moves(self, at, left, cards, held):
        """Every move as (words, to, points after, cards after, held after); held is "", "all" or "land"."""
        if held != "all" and left > 0:
            for y in self.all:
                for way in self.legs(at, y, cards):
                    onward = way == "river" and frozenset((at, y)) in self.stream  # from dot to next, not ashore
                    if held == "land" and not onward:
                        continue
                    stop = "all" if way != "road" and self.stops(y, cards) else ""
                    if stop and onward and y in self.heads:
                        stop = "land"
                    yield (way, (y,)), y, left - 1, cards, stop
                    if way not in ("road", "water"):
                        continue
                    for z in self.all:
                        if way in self.legs(y, z, cards) and (way == "road" or all(map(self.wet, (at, y, z)))):
                            yield (way, (y, z)), z, left - 1, cards, ""
        if held != "all":
            for card in cards & {"eagles", "flying-beasts", "tom-bombadil"}:
                for y in self.all:
                    water = y in self.banks or self.wet(y)
                    if y == at or (water and "boat" not in cards):
                        continue
                    if card == "tom-bombadil" and self.far(at, y) > 6:
                        continue
                    yield (card, y), y, left, cards - {card}, "all" if self.stops(y, cards) else ""
        yield "end", at, None, cards, ""

    def far(self, x, y):
        graph = nx.Graph([tuple(edge) for edge in self.edges])
        graph.add_nodes_from(self.ground)
        for end in {x, y} & set(self.banks):
            graph.add_edges_from((end, bank) for bank in self.banks[end])
        return nx.shortest_path_length(graph, x, y) if nx.has_path(graph, x, y) else 99

    def count(self, at, left, cards, held, roll, depth):
        if depth == 0:
            return 1
        total = 0
        for _, to, points, after, stop in self.moves(at, left, cards, held):
            total += self.count(to, roll if points is None else points, after, stop, roll, depth - 1)
        return total


def plain(move):
    if isinstance(move, EndTurn):
        return "end"
    if isinstance(move, Flight):
        return (move.card.value, move.to)
    return (move.way.value, move.to)


@settings(max_examples=50, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=4), st.integers(0, 3), st.data())
def test_perft_equals_the_slow_count(raw, cards, roll, data):
    # cards that run out with use are tested by rule; here none is lost between turns
    board, slow = riddle.read_board(raw), Slow(raw)
    at = data.draw(st.sampled_from([p for p in board.places if "boat" in cards or not board.is_water(p)] or ["s0"]))
    state = riddle.start(board, at, roll, cards, options=Options(cards_outside="kept"))
    mine = sorted(plain(move) for move in riddle.legal_moves(state) if not isinstance(move, EndTurn))
    assert mine == sorted(words for words, *_ in slow.moves(at, roll, frozenset(cards), "") if words != "end")
    flying = cards & {"eagles", "flying-beasts", "tom-bombadil"}
    depth = 2 if flying else 3
    assert perft(riddle, state, depth) == slow.count(at, roll, frozenset(cards), "", roll, depth)


def test_perft_of_an_open_line(line):
    # a-b-c, one point: a turn is a step or its end; steps from the middle go two ways
    board = line("open open open")
    state = riddle.start(board, "a", 1)
    assert [perft(riddle, state, depth) for depth in range(4)] == [1, 2, 3, 6]


@settings(max_examples=30, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=3), st.integers(0, 2), st.data())
def test_enumerating_is_filtering(raw, cards, roll, data):
    board = riddle.read_board(raw)
    state = riddle.start(board, data.draw(st.sampled_from(board.places)), roll, cards)
    steps = [Step(way, (a,)) for way in Way for a in board.places]
    steps += [Step(way, (a, b)) for way in Way for a in board.places for b in board.places]
    flights = [Flight(Card(c), p) for c in ("eagles", "flying-beasts", "tom-bombadil") for p in board.places]
    legal = [move for move in (*steps, *flights, EndTurn()) if not riddle.explain(state, move)]
    listed = riddle.legal_moves(state)
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(legal)


@settings(max_examples=40, deadline=None)
@given(
    boards(),
    st.sets(st.sampled_from(CARDS), max_size=3),
    st.sampled_from(CARDS),
    st.integers(0, 3),
    st.data(),
)
def test_more_cards_and_more_points_never_shrink_a_reach(raw, cards, more, roll, data):
    board = riddle.read_board(raw)
    at = data.draw(st.sampled_from(board.places))
    options = Options(horse_bonus=1)
    few = riddle.reachable(riddle.start(board, at, roll, cards, options=options))
    many = riddle.reachable(riddle.start(board, at, roll, cards | {more}, options=options))
    further = riddle.reachable(riddle.start(board, at, roll + 1, cards, options=options))
    assert set(few) <= set(many)
    assert set(few) <= set(further)
    assert all(many[place].cost <= few[place].cost for place in few)


@settings(max_examples=30, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=3), st.integers(0, 3), st.data())
def test_new_names_change_nothing(raw, cards, roll, data):
    board = riddle.read_board(raw)
    at = data.draw(st.sampled_from(board.places))
    new = {place: f"x{i}" for i, place in enumerate(reversed(board.places))}
    board2 = riddle.read_board(_renamed(raw, new))
    one = riddle.reachable(riddle.start(board, at, roll, cards))
    two = riddle.reachable(riddle.start(board2, new[at], roll, cards))
    assert {new[place]: way.cost for place, way in one.items()} == {p: way.cost for p, way in two.items()}


def _renamed(value, new):
    if isinstance(value, dict):
        return {new.get(key, key): _renamed(inner, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, new) for inner in value]
    return new.get(value, value) if isinstance(value, str) else value


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))
    )
)
def test_open_country_is_a_graph(case):
    n, pairs = case
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((a, b) for a, b in pairs if a != b)
    spaces = {str(i): {"borders": [str(j) for j in graph[i]]} for i in graph}
    found = riddle.reachable(riddle.start(riddle.read_board({"spaces": spaces}), "0", n))
    expected = nx.single_source_shortest_path_length(graph, 0)
    assert {place: way.cost for place, way in found.items()} == {str(i): far for i, far in expected.items()}


@pytest.mark.parametrize("dots", [False, True])
def test_hops_on_the_standard_board(dots):
    board = riddle.standard()
    graph = nx.Graph([tuple(sorted(pair)) for pair in board.borders])
    if dots:
        graph.add_edges_from((dot.id, bank) for dot in board.dots.values() for bank in dot.banks)
        graph.add_edges_from(tuple(sorted(pair)) for pair in board.channels)
    for start in ("bree", "moria"):
        far = board.hops(start, dots=dots)
        expected = nx.single_source_shortest_path_length(graph, start)
        assert {place: far[place] for place in expected} == expected


def test_costs_of_a_road_with_networkx(line):
    """With cost one for one or two road steps, the cost is the distance in the graph and its road squares."""
    board = riddle.standard()
    graph = nx.Graph()
    for border in board.borders.values():
        a, b = sorted(border.ends)
        if border.dry and not any(board.spaces[end].water for end in (a, b)):
            graph.add_edge(a, b, road=bool(border.roads))
    roads = nx.Graph([(a, b) for a, b, road in graph.edges.data("road") if road])
    apart = {"ithilien"}
    squares = [
        (a, c)
        for b in roads
        for a, c in itertools.combinations(roads[b], 2)
        if b not in apart or (board.border(a, b).roads & board.border(b, c).roads)
    ]
    graph.add_edges_from(squares)
    state = riddle.start(board, "bree", 40, ["cloak", "rope"])
    expected = nx.single_source_shortest_path_length(graph, "bree")
    assert {place: way.cost for place, way in riddle.reachable(state).items()} == expected


def test_routes_are_walks_of_their_cost():
    board = riddle.standard()
    state = riddle.start(board, "shire", 6, ["boat", "cloak"])
    for place, way in riddle.reachable(state).items():
        assert way.route[0] == "shire"
        assert way.route[-1] == place
        assert all(any(n == b for n, _ in board.neighbours[a]) for a, b in itertools.pairwise(way.route))
        assert len(way.route) - 1 <= 2 * way.cost


def test_a_plan_replays_and_is_shortest(line):
    board = riddle.standard()
    state = riddle.start(board, "havens", 2, ["boat"])
    plan = riddle.plan(state, "barad-dur", [1, 3])
    here = state
    rolls = iter([1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3])
    for turn in plan.turns:
        for move in turn:
            here = riddle.apply(here, move)
        last = here
        here = riddle.begin_turn(riddle.apply(here, EndTurn()), next(rolls))
    assert last.at == "barad-dur"
    assert riddle.plan(state, "barad-dur", [1, 3], turns=len(plan.turns) - 1) is None
    assert riddle.plan(state, "havens").turns == ()


def test_needed_is_the_first_allowance_that_does():
    board = riddle.standard()
    state = riddle.start(board, "bree", 0, ["cloak"])
    for goal in ("rivendell", "edoras", "lorien", "havens"):
        need = riddle.needed(state, goal)
        tries = [n for n in range(20) if goal in riddle.reachable(riddle.start(board, "bree", n, ["cloak"]))]
        assert need == (tries[0] if tries else None)
    exact = replace(state, options=Options(exact_roll=True))
    assert riddle.needed(exact, "chetwood") == 1
