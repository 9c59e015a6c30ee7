"""A game of METW in words: its moves, moves to try, its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.game import Lit
from sbg_sim.boards.metw import journey
from sbg_sim.boards.metw.play import Move, State, reachable

if TYPE_CHECKING:
    from collections.abc import Iterator


def told(state: State, move: Move) -> str:
    """Return a move in words."""
    if move.method == "end-turn":
        return f"end the turn of {state.active}"
    if move.to is None:
        cards = state.company(move.company).journey
        stays = cards is None or move.method == "stay"
        return f"{move.company} stays" if stays else f"{move.company} reveals {cards.to if cards else ''}"
    over = f"over {', '.join(move.regions)}" if move.regions else "by site path"
    return f"{move.company} to {move.to} {over}"


def lit(state: State) -> Lit:
    """Return the sites to which some company of the active player can move now, each with its cost."""
    return Lit((company.id, reachable(state, company.id)) for company in state.companies)


def tries(state: State, name: str) -> Iterator[Move]:
    """Yield the moves to a site that the active player's companies may try."""
    site, atlas = state.atlas.site(name), state.atlas
    for company in state.companies:
        if company.player == state.active:
            yield Move("site-path", company.id, site.id)
            series = journey.shortest(atlas, atlas.sites[company.site].region, site.region, state.options)
            if series:
                yield Move("region", company.id, site.id, series)


def shown(state: State) -> Iterator[str]:
    """Yield the state of the game, in lines."""
    yield f"turn of {state.active}"
    for company in state.companies:
        cards = company.journey
        down = ", cards face down" if cards is not None and not company.done else ", has moved" if company.done else ""
        yield f"{company.id} ({company.player}) at {state.atlas.sites[company.site].name}{down}"
