"""The stops of a marker: rough land, and the cards that keep it open (R5-R14, R19, R31, R34, R45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.game import Violation
from sbg_sim.boards.riddle.terrain import KEEPERS, STEEP, WOODED, Card, Kind, Way

if TYPE_CHECKING:
    from sbg_sim.boards.riddle.board import Board
    from sbg_sim.boards.riddle.options import Options
    from sbg_sim.boards.riddle.state import Held, State

NAMES = {Card.CLOAK: "a Cloak", Card.ROPE: "a Rope"}
FREE: Held = frozenset()


def rough(board: Board, options: Options, place: str, *, small: bool = True) -> Held:
    """Return the cards required on a place that is entered across country (R5, R10).

    Parameters
    ----------
    board, options
        The board and its reading.
    place
        A space or dot; dots and water require none.
    small
        Whether thickets and hills count.

    Returns
    -------
    frozenset
        One card of each inner set is required.

    """
    if board.is_water(place) or (options.road_space == "any" and board.roads_at(place)):
        return FREE
    terrain = board.spaces[place].terrain
    if not small:
        terrain -= {Kind.THICKET, Kind.HILL}
    needed = [card for card, kinds in KEEPERS.items() if terrain & kinds]
    if options.two_terrains == "either" and len(needed) == 2:
        return frozenset({frozenset(needed)})
    return frozenset(frozenset({card}) for card in needed)


def missing(held: Held, cards: frozenset[Card]) -> tuple[Card, ...]:
    """Return the missing cards without which the marker may not move on."""
    return tuple(sorted({card for clause in held if not clause & cards for card in clause}))


def holds_after(state: State, way: Way, origin: str, to: str) -> Held:
    """Return the stop of the marker after a leg from `origin` to `to`."""
    board, options = state.board, state.options
    head = to in board.spaces and board.spaces[to].river_head
    small = options.small_rough or not (way is Way.CROSS or head)
    held = FREE if way is Way.ROAD else rough(board, options, to, small=small)
    if options.leaving_rough == "one-space" and way in {Way.LAND, Way.CROSS}:
        held |= rough(board, options, origin)
    return held


def lands_by_river(board: Board, origin: str, to: str) -> bool:
    """Whether a leg along a river ends on its head, which leaves the river open (R31 against R34).

    From a dot of another river the marker goes ashore there, as on any of the three spaces at a dot (R29).
    """
    return to in board.spaces and board.follow(origin, to)


def lacking(state: State, *, by_river: bool = False, flying: bool = False) -> tuple[Card, ...]:
    """Return the missing cards without which the marker may not move on now, `by_river` or `flying` if so given."""
    if not state.held or (state.river_free and (by_river or flying)):
        return ()
    return missing(state.held, state.cards)


def opened(state: State, *, by_river: bool = False) -> tuple[Card, ...]:
    """Return the cards that let the marker move on from rough land now (R9, R14); none if it is not stopped."""
    if state.river_free and by_river:
        return ()
    return tuple(sorted({card for clause in state.held for card in clause & state.cards}))


def held_violations(state: State, *, by_river: bool = False, flying: bool = False) -> tuple[Violation, ...]:
    """Return the violations of a stop if the marker moves on (R6, R7, R11, R12, R45)."""
    terrain = state.board.spaces[state.at].terrain if state.at in state.board.spaces else frozenset()
    out = []
    for card in lacking(state, by_river=by_river, flying=flying):
        wooded = card is Card.CLOAK
        rule = "R45" if state.flown else ("R7" if wooded else "R12") if flying else ("R6" if wooded else "R11")
        kind = "forest or thicket" if wooded else "mountain or hill"
        here = terrain & (WOODED if wooded else STEEP)
        where = f"{state.at} is {kind}" if here else f"it came out of {kind}"
        why = f"{where}: without {NAMES[card]} the marker may not leave {state.at} this turn"
        out.append(Violation(rule, why, state.at))
    return tuple(out)


def used_by_leaving(state: State) -> frozenset[Card]:
    """Return the cards that come into play as the marker moves on from rough land."""
    used: set[Card] = set()
    for clause in state.held:
        owned = clause & state.cards
        if owned and not owned & state.in_play:
            used.add(min(owned))
    return frozenset(used)


def stays_in_play(board: Board, card: Card, place: str) -> bool:
    """Whether a Cloak or Rope in play stays there when the turn ends on `place` (R19)."""
    return place in board.spaces and bool(board.spaces[place].terrain & KEEPERS[card])
