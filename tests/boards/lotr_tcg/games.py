"""Adventure decks and games of The Lord of the Rings TCG."""

from collections import Counter
from dataclasses import replace

from sbg_sim.boards import lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    Arrow,
    Block,
    Effect,
    Format,
    Minion,
    PathSite,
    PlayMinion,
    Site,
    Travel,
)

SITES = lotr_tcg.standard_sites()
SHADOWS = [site.id for site in SITES.values() if site.dark_compass]
F, T, K, S = Block.FELLOWSHIP, Block.TOWER, Block.KING, Block.SHADOWS


def shadows_deck():
    """Nine Shadows sites, at most three of one Shadow number."""
    deck, seen = [], Counter()
    for site in SHADOWS:
        if seen[SITES[site].shadow] < 3 and len(deck) < 9:
            seen[SITES[site].shadow] += 1
            deck.append(site)
    return deck


def block_deck(block, skip=()):
    return [
        next(s.id for s in SITES.values() if s.block is block and s.number == n and s.id not in skip)
        for n in range(1, 10)
    ]


def rules(state, move):
    return [violation.rule for violation in lotr_tcg.explain(state, move)]


def arrows(direction):
    """A made-up catalogue: every site points one way."""
    arrow = Arrow(direction)
    return lotr_tcg.catalogue_of(Site(f"s{i}", f"Site {i}", S, None, arrow, i % 4) for i in range(40))


def table(players, direction="left", **more):
    names = "ABCDEF"[:players]
    decks = {name: [f"s{9 * i + j}" for j in range(9)] for i, name in enumerate(names)}
    return lotr_tcg.start(decks, "s0", catalogue=arrows(direction), **more)


def blocks_game(players=2, fmt=Format.KING_BLOCK, **more):
    deck = block_deck(lotr_tcg.PATHS[fmt])
    return lotr_tcg.start(dict.fromkeys("ABC"[:players], deck), deck[0], fmt, **more)


def play_on(state):
    """The fellowship moves and whoever must places the first site they can."""
    state = lotr_tcg.apply(state, Travel())
    return lotr_tcg.apply(state, lotr_tcg.legal_moves(state)[0]) if state.pending else state


def replacing(**more):
    effect = Effect("B")
    state = table(2, effects=[effect], **more)
    old = PathSite(2, "s1", "A", ("condition", "possession"), ("token",))
    state = replace(
        state,
        path=(*state.path, old),
        decks=(tuple(s for s in state.deck("A") if s != "s1"), state.deck("B")),
    )
    return state, effect


def at_site(number, twilight, *, moves=0):
    orc = Minion("orc", 4, 3)
    state = table(2)
    for _ in range(number - 1):
        state = play_on(state)
    return replace(state, twilight=twilight, hand=(("B", orc),)), PlayMinion("B", orc)
