"""The path against an enumeration written apart, and what must never change."""

from dataclasses import replace

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.boards import lotr_tcg, perft
from sbg_sim.boards.lotr_tcg import (
    Arrow,
    Block,
    Effect,
    EndTurn,
    Format,
    Minion,
    PlayMinion,
    PlaySite,
    Site,
    Travel,
    UseEffect,
)


@st.composite
def games(draw):
    """A made-up game: few sites per deck so that decks run out, all kinds of arrows, effects and minions."""
    players = "ABCD"[: draw(st.integers(2, 4))]
    shadows = draw(st.booleans())
    raw = {}
    for i in range(6):
        raw[f"c{i}"] = (None if shadows else 1 + i % 4, draw(st.sampled_from(["left", "right"])))
    first = "c0"
    decks = {p: sorted(draw(st.lists(st.sampled_from(sorted(raw)), min_size=0, max_size=3))) for p in players}
    effects = draw(st.lists(st.tuples(st.sampled_from(players), st.sampled_from([None, 1, 2])), max_size=2))
    hand = draw(st.lists(st.tuples(st.sampled_from(players), st.integers(1, 4), st.integers(0, 3)), max_size=2))
    return {
        "players": players,
        "shadows": shadows,
        "sites": raw,
        "first": first,
        "decks": decks,
        "effects": effects,
        "hand": [(p, f"m{i}", n, c) for i, (p, n, c) in enumerate(hand)],
        "twilight": draw(st.integers(0, 5)),
    }


def state_of(game, names=lambda name: name):
    block = Block.SHADOWS if game["shadows"] else Block.KING
    catalogue = lotr_tcg.catalogue_of(
        Site(names(key), key, block, number, Arrow(arrow)) for key, (number, arrow) in game["sites"].items()
    )
    decks = {p: [names(s) for s in deck] for p, deck in game["decks"].items()}
    decks[game["players"][0]] = [*decks[game["players"][0]], names(game["first"])]
    fmt = Format.EXPANDED if game["shadows"] else Format.KING_BLOCK
    effects = [Effect(p, n) for p, n in game["effects"]]
    state = lotr_tcg.start(decks, names(game["first"]), fmt, catalogue=catalogue, effects=effects)
    hand = tuple((p, Minion(m, n, c)) for p, m, n, c in game["hand"])
    return replace(state, hand=hand, twilight=game["twilight"])


class Slow:
    """The rules once more with dictionaries and lists, no code shared."""

    def __init__(self, game):
        self.g = game
        self.players = list(game["players"])

    def begin(self):
        g = self.g
        decks = {p: list(deck) for p, deck in g["decks"].items()}
        return {
            "decks": decks,
            "path": [(g["first"], self.players[0])],
            "at": dict.fromkeys(self.players, 1),
            "turn": self.players[0],
            "wait": None,
            "effects": list(g["effects"]),
            "hand": list(g["hand"]),
            "pool": g["twilight"],
        }

    def able(self, s, player, number):
        fits = [x for x in s["decks"][player] if self.g["shadows"] or self.g["sites"][x][0] == number]
        return sorted(set(fits))

    def who(self, s):
        order = self.players
        i = order.index(s["turn"])
        if len(order) == 2:
            return order[1 - i]
        left = self.g["sites"][s["path"][s["at"][s["turn"]] - 1][0]][1] == "left"
        return order[i + 1 - len(order)] if left else order[i - 1]

    def moves(self, s):
        if s["wait"]:
            player, number = s["wait"]
            return [("site", player, x) for x in self.able(s, player, number)]
        out = [("end",)]
        at = s["at"][s["turn"]]
        if at < len(s["path"]) or (at < 9 and self.able(s, self.who(s), at + 1)):
            out.append(("go",))
        for player, n in set(s["effects"]):
            number = at + 1 if n is None else n
            if number <= len(s["path"]) + 1 and number <= 9:
                out += [("card", player, n, x) for x in self.able(s, player, number)]
        for entry in s["hand"]:
            player, _, low, cost = entry
            if player != s["turn"] and s["pool"] >= cost + (2 if at < low else 0):
                out.append(("minion", entry))
        return out

    def do(self, s, move):
        s = {
            **s,
            "decks": {p: list(d) for p, d in s["decks"].items()},
            "path": list(s["path"]),
            "at": dict(s["at"]),
            "effects": list(s["effects"]),
            "hand": list(s["hand"]),
        }
        at = s["at"][s["turn"]]
        if move[0] == "end":
            s["turn"] = self.players[(self.players.index(s["turn"]) + 1) % len(self.players)]
        elif move[0] == "go":
            if at < len(s["path"]):
                s["at"][s["turn"]] += 1
            else:
                s["wait"] = (self.who(s), at + 1)
        elif move[0] == "site":
            s["decks"][move[1]].remove(move[2])
            s["path"].append((move[2], move[1]))
            s["at"][s["turn"]] += 1
            s["wait"] = None
        elif move[0] == "card":
            number = at + 1 if move[2] is None else move[2]
            s["effects"].remove((move[1], move[2]))
            if number <= len(s["path"]):
                old, owner = s["path"][number - 1]
                s["decks"][owner].append(old)
                s["path"][number - 1] = (move[3], move[1])
            else:
                s["path"].append((move[3], move[1]))
            s["decks"][move[1]].remove(move[3])
        else:
            _, _, low, cost = move[1]
            s["hand"].remove(move[1])
            s["pool"] -= cost + (2 if at < low else 0)
        return s

    def count(self, s, depth):
        return 1 if depth == 0 else sum(self.count(self.do(s, move), depth - 1) for move in self.moves(s))


@settings(max_examples=50, deadline=None)
@given(games())
def test_perft_equals_the_slow_count(game):
    state, slow = state_of(game), Slow(game)
    for depth in (1, 2, 3, 4):
        assert perft(lotr_tcg, state, depth) == slow.count(slow.begin(), depth)


def test_perft_by_hand():
    # two players, B has two sites: go or end; after go one of two sites; after end go or end
    game = {
        "players": "AB", "shadows": True, "sites": {f"c{i}": (None, "left") for i in range(6)}, "first": "c0",
        "decks": {"A": [], "B": ["c1", "c2"]}, "effects": [], "hand": [], "twilight": 0,
    }  # fmt: skip
    # end: B moves, A has no site to place, so only end is left there
    assert [perft(lotr_tcg, state_of(game), depth) for depth in (0, 1, 2)] == [1, 2, 3]


@settings(max_examples=40, deadline=None)
@given(games(), st.data())
def test_enumerating_is_filtering_and_the_path_keeps_whole(game, data):
    state = state_of(game)
    total = sorted([site.site for site in state.path] + [s for deck in state.decks for s in deck])
    for _ in range(6):
        candidates = [Travel(), EndTurn()]
        candidates += [PlaySite(p, s) for p in state.seats for s in state.catalogue]
        candidates += [
            UseEffect(Effect(p, n), s) for p in state.seats for n in (None, 1, 2, 3) for s in state.catalogue
        ]
        candidates += [PlayMinion(p, m) for p in state.seats for _, m in dict.fromkeys(state.hand)]
        legal = {move for move in candidates if not lotr_tcg.explain(state, move)}
        listed = lotr_tcg.legal_moves(state)
        assert set(listed) == legal
        assert len(listed) == len(legal)
        assert sorted(m for p in state.seats for m in map(str, lotr_tcg.legal_moves(state, p))) == sorted(
            map(str, listed)
        )
        if not listed:
            break
        state = lotr_tcg.apply(state, data.draw(st.sampled_from(listed)))
        assert [site.number for site in state.path] == list(range(1, len(state.path) + 1))
        assert sorted([site.site for site in state.path] + [s for deck in state.decks for s in deck]) == total


@settings(max_examples=30, deadline=None)
@given(games())
def test_new_names_change_nothing(game):
    one = state_of(game)
    two = state_of(game, lambda name: f"x{9 - int(name[1:])}")
    assert perft(lotr_tcg, one, 3) == perft(lotr_tcg, two, 3)
    assert len(lotr_tcg.reachable(one)) == len(lotr_tcg.reachable(two))


@settings(max_examples=40, deadline=None)
@given(games(), st.integers(0, 3))
def test_more_sites_in_a_deck_never_shrink_the_choice(game, more):
    few = lotr_tcg.reachable(state_of(game))
    fuller = {**game, "decks": {p: [*deck, f"c{more}"] for p, deck in game["decks"].items()}}
    assert set(few) <= set(lotr_tcg.reachable(state_of(fuller)))


@settings(max_examples=30, deadline=None)
@given(games())
def test_reachable_is_what_one_move_gives(game):
    state = state_of(game)
    found = set()
    if Travel() in lotr_tcg.legal_moves(state):
        gone = lotr_tcg.apply(state, Travel())
        ends = [lotr_tcg.apply(gone, m) for m in lotr_tcg.legal_moves(gone)] if gone.pending else [gone]
        found = {end.path[end.number(end.moving) - 1].site for end in ends}
    assert set(lotr_tcg.reachable(state)) == found


def test_seats_are_a_ring():
    """Passing left as often as there are seats comes home; left and right are one seat in the ring."""
    catalogue = lotr_tcg.catalogue_of(Site(a, a, Block.SHADOWS, None, Arrow(a)) for a in ("left", "right"))
    for n in range(3, 7):
        seats = [f"p{i}" for i in range(n)]
        ring = nx.cycle_graph(seats)
        for arrow in ("left", "right"):
            state = lotr_tcg.start({p: [arrow] for p in seats}, arrow, catalogue=catalogue)
            seen = []
            for _ in seats:
                (after,) = lotr_tcg.next_players(state)
                assert ring.has_edge(state.moving, after)
                seen.append(after)
                state = replace(state, moving=after)
            assert sorted(seen) == seats
