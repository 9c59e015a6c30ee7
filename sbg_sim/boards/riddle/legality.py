"""Legal moves of a marker, the rules that others break, and the state after a move: the one place that judges moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Violation, known, refuse
from sbg_sim.boards.riddle.state import EndTurn, Flight, Held, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.stops import (
    FREE,
    NAMES,
    held_violations,
    holds_after,
    lacking,
    lands_by_river,
    missing,
    rough,
    stays_in_play,
    used_by_leaving,
)
from sbg_sim.boards.riddle.terrain import FLIGHTS, KEEPERS, Card, Way

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.boards.riddle.board import Board
    from sbg_sim.boards.riddle.options import Options

DOUBLING = {Way.ROAD: "R16", Way.WATER: "R40", Way.RIVER: "R26", Way.CROSS: "R22", Way.LAND: "R4"}
ON_LAND = frozenset({Way.LAND, Way.ROAD, Way.CROSS})
PASSES = frozenset({Card.BOAT, Card.CLOAK, Card.ROPE})
"""The cards that open steps on the board."""


def _way_fits(board: Board, options: Options, leg: tuple[str, str], way: Way) -> bool:
    if any(there == leg[1] and way is other for there, other in board.neighbours[leg[0]]):
        return True
    border = board.border(*leg)
    return (  # a reading in which a road continues over a river, by Boat
        way is Way.ROAD
        and options.road_by_boat == "double"
        and border is not None
        and bool(border.roads)
        and board.border_way(border) is Way.CROSS
    )


def _no_way(board: Board, leg: tuple[str, str], way: Way) -> Violation:
    """Return the reason why the board has no such leg."""
    a, b = leg
    border = board.border(a, b)
    if border is not None and not border.dry and way in {Way.LAND, Way.ROAD}:
        return Violation("R20", f"a river without bridge or ford lies between {a} and {b}", b)
    if border is not None and way is Way.ROAD:
        return Violation("R16", f"no road joins {a} and {b}", b)
    if b in board.dots and a not in board.dots:
        return Violation("R28", f"{a} is not one of the three spaces at river dot {b}", b)
    if a in board.dots and b not in board.dots:
        return Violation("R29", f"{b} is not one of the three spaces at river dot {a}", b)
    if a in board.dots:
        return Violation("R26", f"river dots {a} and {b} do not follow each other", b)
    if border is not None:
        return Violation("R4", f"{a} and {b} do not meet by way of {way.value}", b)
    return Violation("R4", f"{a} and {b} are no neighbours", b)


def _leg_violations(state: State, leg: tuple[str, str], way: Way) -> Iterator[Violation]:
    """Yield the violations of one leg, apart from its pace."""
    board, (a, b) = state.board, leg
    if not _way_fits(board, state.options, leg, way):
        yield _no_way(board, leg, way)
        return
    if Card.BOAT in state.cards:
        return
    border = board.border(a, b)
    if way is Way.CROSS or (way is Way.ROAD and border is not None and not border.dry):
        yield Violation("R20", f"crossing the river between {a} and {b} needs a Boat, a bridge or a ford", b)
    if way is Way.RIVER and board.is_dot(b) and not _goes_ashore(board, leg):
        yield Violation("R24", f"moving on the river to {b} needs a Boat", b)
    if b in board.spaces and board.spaces[b].water:
        yield Violation("R36", f"{b} is water and needs a Boat", b)


def _goes_ashore(board: Board, leg: tuple[str, str]) -> bool:
    """Whether a leg leads from a dot to one of its banks, which requires no Boat (R29, R33)."""
    return leg[0] in board.dots and leg[1] in board.dots[leg[0]].banks


def _road_goes_on(state: State, a: str, b: str, c: str) -> bool:
    """Whether one road joins three consecutive spaces (R16)."""
    first, second = state.board.border(a, b), state.board.border(b, c)
    assert first is not None
    assert second is not None
    if first.roads & second.roads:
        return True
    if state.options.road_pair == "one-road":
        return False
    apart = state.board.spaces[b].roads_apart
    return any(frozenset((x, y)) not in apart for x in first.roads for y in second.roads)


def _pace_violation(state: State, step: Step) -> Violation | None:
    """Return why two legs cannot be made for one point (R16, R40), or None."""
    board, a, (b, c) = state.board, state.at, step.to
    rule = DOUBLING[step.way]
    if step.way is Way.ROAD:
        ok = _road_goes_on(state, a, b, c)
        why = f"no one road joins {a}, {b} and {c}"
    elif step.way is Way.WATER:
        ok = all(place in board.spaces and board.spaces[place].water for place in (a, b, c))
        why = f"{a}, {b} and {c} are not all water spaces"
    elif step.way is Way.RIVER:
        ok = state.options.river_pace == "double" and board.follow(a, b) and board.follow(b, c)
        why = "each river dot counts one space"
    else:
        ok, why = False, f"a step to {b} by way of {step.way.value} counts one space"
    if ok and step.way is Way.RIVER and state.options.head_by_river == "land":
        wanted = missing(holds_after(state, step.way, a, b), state.cards)
        if wanted:
            return Violation("R34", f"{b} stops a marker without {NAMES[wanted[0]]}", b)
    return None if ok else Violation(rule, why, b)


def _board_violations(state: State, step: Step) -> Iterator[Violation]:
    """Yield the violations of a step by the board and the cards, apart from stops and points."""
    here, broken = state.at, False
    for place in step.to:
        for violation in _leg_violations(state, (here, place), step.way):
            broken = True
            yield violation
        here = place
    if len(step.to) == 2 and not broken:
        pace = _pace_violation(state, step)
        if pace is not None:
            yield pace


def _has_points(state: State, way: Way) -> bool:
    """Whether a point is left for a step; a Horse's points are for land only (R27, R38)."""
    return state.points > 0 or (state.bonus > 0 and way in ON_LAND)


def _explain_step(state: State, step: Step) -> Iterator[Violation]:
    if len(step.to) not in (1, 2):
        raise ValueError("a step goes to one place or two")
    for place in step.to:
        state.board.require(place)
    yield from held_violations(state, by_river=goes_by_river(state.board, state.at, step))
    if not _has_points(state, step.way):
        if state.bonus:
            rule = "R27" if step.way is Way.RIVER else "R38"
            yield Violation(rule, "the Horse's points are no good on water", step.to[0])
        else:
            yield Violation("R4", "no movement is left this turn", step.to[0])
    yield from _board_violations(state, step)


def _explain_flight(state: State, flight: Flight) -> Iterator[Violation]:
    board, options, to = state.board, state.options, flight.to
    board.require(to)
    tom = flight.card is Card.TOM_BOMBADIL
    rule = "R47" if tom else "R42"
    if flight.card not in FLIGHTS:
        raise ValueError(f"{flight.card.value} lifts no marker")
    yield from held_violations(state, flying=True)
    if flight.card not in state.cards:
        yield Violation(rule, f"the player has no {flight.card.value}", to)
    if options.flight == "instead" and state.moved:
        yield Violation(rule, "flying is the whole move of a turn, and the marker has moved", to)
    if to == state.at and not (tom and options.bombadil_zero):
        yield Violation(rule, f"the marker is on {to} already", to)
    elif tom:
        far = board.hops(state.at, dots=options.bombadil_graph == "dots").get(to)
        if far is None or far > options.bombadil_range:
            how = "out of any count" if far is None else f"{far} spaces away"
            yield Violation(rule, f"{to} is {how}, more than {options.bombadil_range}", to)
    if board.is_water(to):
        landing = "R48" if tom else "R46"
        if to in board.dots and not options.fly_to_dots:
            yield Violation(landing, f"nobody lands on a river dot like {to}", to)
        elif Card.BOAT not in state.cards:
            yield Violation(landing, f"landing on the water of {to} needs a Boat", to)


def _explain_end(state: State) -> Iterator[Violation]:
    if state.options.exact_roll and any(legal_steps(state)):
        yield Violation("R4", f"{state.points} points are left and must be used", state.at)


def explain(state: State, move: Move) -> tuple[Violation, ...]:
    """Return the rules that `move` breaks in `state`; none if it is legal.

    Raises
    ------
    UnknownNameError
        When the move names an unknown place.
    SbgError, ValueError
        For an object that is no move, such as a step of no or three places, or a flight by Boat.

    """
    known(move, Step, Flight, EndTurn)
    if isinstance(move, Step):
        return tuple(_explain_step(state, move))
    if isinstance(move, Flight):
        return tuple(_explain_flight(state, move))
    return tuple(_explain_end(state))


def goes_by_river(board: Board, at: str, step: Step) -> bool:
    """Whether a step continues along the marker's river, neither ashore nor onto another river (R28, R29)."""
    return step.way is Way.RIVER and board.follow(at, step.to[0])


def steps(board: Board, at: str) -> Iterator[Step]:
    """Yield every step from `at` on the board, legal or not."""
    for place, way in board.neighbours[at]:
        # a road that ends at a river may continue by Boat, see `road_by_boat`
        for taken in (Way.CROSS, Way.ROAD) if way is Way.CROSS else (way,):
            yield Step(taken, (place,))
            if taken in {Way.CROSS, Way.LAND}:
                continue
            for beyond, onward in board.neighbours[place]:
                if onward is taken or (taken is Way.ROAD and onward is Way.CROSS):
                    yield Step(taken, (place, beyond))


def _passable(state: State) -> tuple[tuple[Step, Held, bool], ...]:
    """Return the steps from the marker's place that the board and the cards allow, apart from stops and points.

    Each comes with the stop after it, and whether that leaves the river open. They depend only on place, cards and
    readings, and are cached.
    """
    key = (state.at, state.cards & PASSES, state.options)
    known = state.board.worked_out
    if key not in known:
        tried = steps(state.board, state.at)
        known[key] = tuple((step, *_stop_of(state, step)) for step in tried if not any(_board_violations(state, step)))
    return known[key]


def _stop_of(state: State, step: Step) -> tuple[Held, bool]:
    """Return the stop of the marker after a step, and whether that leaves the river open."""
    origin, to = (state.at, *step.to)[-2:]
    held = holds_after(state, step.way, origin, to)
    afloat = step.way is Way.RIVER and Card.BOAT in state.cards  # otherwise it goes ashore (R35)
    by_river = afloat and lands_by_river(state.board, origin, to)
    return held, bool(held) and by_river and state.options.head_by_river == "river"


def stepped(state: State) -> Iterator[tuple[Step, State]]:
    """Yield every legal step once, with the state after it."""
    paid = {way for way in Way if _has_points(state, way)}
    barred, barred_afloat = bool(lacking(state)), bool(lacking(state, by_river=True))
    for step, held, river_free in _passable(state) if paid and not barred_afloat else ():
        if step.way in paid and not (barred and not goes_by_river(state.board, state.at, step)):
            yield step, _walk(state, step, held, river_free=river_free)


def legal_steps(state: State) -> Iterator[Step]:
    """Yield every legal step once."""
    return (step for step, _ in stepped(state))


def legal_flights(state: State, card: Card, places: Iterable[str] | None = None) -> Iterator[Flight]:
    """Yield every legal flight with one card once; `places` limits the landings."""
    if card in state.cards and not lacking(state, flying=True):
        flights = (Flight(card, place) for place in (state.board.places if places is None else places))
        yield from (flight for flight in flights if not any(_explain_flight(state, flight)))


def legal_moves(state: State, who: str | None = None) -> tuple[Move, ...]:  # noqa: ARG001 - one marker moves
    """Return every legal move once: steps, flights, the end of the turn.

    Parameters
    ----------
    state
        A marker during its turn.
    who
        Ignored, as there is one marker.

    """
    moves: list[Move] = list(legal_steps(state))
    for card in sorted(FLIGHTS):
        moves += legal_flights(state, card)
    if not explain(state, EndTurn()):
        moves.append(EndTurn())
    return tuple(moves)


def apply(state: State, move: Move) -> State:
    """Return the state after `move`.

    Raises
    ------
    IllegalMoveError
        When `explain` finds a broken rule.

    """
    refuse(explain(state, move))
    return moved(state, move)


def moved(state: State, move: Move) -> State:
    """Return the state after a move that is known to be legal."""
    if isinstance(move, EndTurn):
        return _end(state)
    if isinstance(move, Flight):
        return _fly(state, move)
    held, river_free = _stop_of(state, move)
    return _walk(state, move, held, river_free=river_free)


def _walk(state: State, step: Step, held: Held, *, river_free: bool) -> State:
    on_land = step.way in ON_LAND
    riding = on_land and state.bonus > 0
    bonus = state.bonus - 1 if riding else state.bonus
    if not on_land and state.options.horse_after_water == "lost":
        bonus = 0
    stays_afloat = state.river_free and goes_by_river(state.board, state.at, step)
    return state.moved_to(
        step.to[-1],
        points=state.points if riding else state.points - 1,
        bonus=bonus,
        cards=state.cards,
        in_play=state.in_play if stays_afloat else state.in_play | used_by_leaving(state),
        held=held,
        river_free=river_free,
    )


def _fly(state: State, flight: Flight) -> State:
    options = state.options
    tom = flight.card is Card.TOM_BOMBADIL
    head = flight.to in state.board.spaces and state.board.spaces[flight.to].river_head
    held = rough(state.board, options, flight.to, small=options.small_rough or not head)
    whole = options.flight == "instead"
    return state.moved_to(
        flight.to,
        points=0 if whole else state.points,
        bonus=0 if whole else state.bonus,
        cards=state.cards - {flight.card} if options.flights_spent else state.cards,
        in_play=state.in_play | used_by_leaving(state),
        held=FREE if tom and not options.bombadil_stop else held,
        river_free=False,
        flown=True,
    )


def _end(state: State) -> State:
    lost: frozenset[Card] = frozenset()
    if state.options.cards_outside == "lost":
        lost = frozenset(
            card for card in state.in_play & KEEPERS.keys() if not stays_in_play(state.board, card, state.at)
        )
    state = replace(state, cards=state.cards - lost, in_play=state.in_play - lost)
    return begin_turn(state, state.allowance)
