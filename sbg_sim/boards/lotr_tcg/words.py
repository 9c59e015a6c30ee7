"""A game on an adventure path in words: its moves, moves to try, its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.lotr_tcg.cards import find_site
from sbg_sim.boards.lotr_tcg.legality import effect_number, reachable
from sbg_sim.boards.lotr_tcg.state import Move, PlayMinion, PlaySite, State, Travel, UseEffect

if TYPE_CHECKING:
    from collections.abc import Iterator


def told(state: State, move: Move) -> str:
    """Return a move in words."""
    if isinstance(move, Travel):
        return f"{state.moving} moves on to site {state.number(state.moving) + 1}"
    if isinstance(move, PlaySite):
        return f"{move.player} plays {move.site}"
    if isinstance(move, UseEffect):
        return f"{move.effect.player} plays {move.site} by a card as site {effect_number(state, move.effect)}"
    if isinstance(move, PlayMinion):
        return f"{move.player} plays the minion {move.minion.id}"
    return f"end the turn of {state.moving}"


def lit(state: State) -> dict[str, int]:
    """Return the sites that may come next."""
    return {site: way.cost for site, way in reachable(state).items()}


def tries(state: State, name: str) -> Iterator[Move]:
    """Yield the moves of any player that play a site, and the move of the fellowship."""
    site = find_site(name, state.catalogue).id
    yield from (PlaySite(player, site) for player in state.seats)
    yield from (UseEffect(effect, site) for effect in state.effects)
    yield Travel()


def shown(state: State) -> Iterator[str]:
    """Yield the state of the game, in lines."""
    yield f"{state.moving} moves; {state.twilight} twilight"
    for site in state.path:
        here = [player for player, at in zip(state.seats, state.at, strict=True) if at == site.number]
        who = f": {', '.join(here)}" if here else ""
        yield f"site {site.number}  {state.card(site).title} ({site.owner}'s){who}"
    if state.pending is not None:
        yield f"{' or '.join(state.pending.players)} places site {state.pending.number}"
