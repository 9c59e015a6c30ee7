"""What a marker may do, why not, and what comes of it: the one place where moves of the Riddle are judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Violation, refuse
from sbg_sim.boards.riddle.state import EndTurn, Flight, Held, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.terrain import FLIGHTS, KEEPERS, STEEP, WOODED, Card, Kind, Way

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.boards.riddle.board import Board
    from sbg_sim.boards.riddle.options import Options

DOUBLING = {Way.ROAD: "R16", Way.WATER: "R40", Way.RIVER: "R26", Way.CROSS: "R22", Way.LAND: "R4"}
NAMES = {Card.CLOAK: "a Cloak", Card.ROPE: "a Rope"}
FREE: Held = frozenset()


def rough(board: Board, options: Options, place: str, *, small: bool = True) -> Held:
    """Return the cards that `place` asks for when it is entered across country (R5, R10).

    Parameters
    ----------
    board, options
        The board and its reading.
    place
        A space or dot; dots and water ask for none.
    small
        Whether thickets and hills count.

    Returns
    -------
    frozenset
        Of each inner set one card is needed.

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
    """Return the cards that would still have to be had to move on."""
    return tuple(sorted({card for clause in held if not clause & cards for card in clause}))


def holds_after(state: State, way: Way, origin: str, to: str) -> Held:
    """Return what holds the marker after one leg from `origin` to `to`."""
    board, options = state.board, state.options
    head = to in board.spaces and board.spaces[to].river_head
    small = options.small_rough or not (way is Way.CROSS or head)
    held = FREE if way is Way.ROAD else rough(board, options, to, small=small)
    if options.leaving_rough == "one-space" and way in {Way.LAND, Way.CROSS}:
        held |= rough(board, options, origin)
    return held


def _lands_by_river(state: State, way: Way, to: str) -> bool:
    """Whether a leg ends on a river head as on a dot, which leaves the river open (R31 against R34)."""
    return way is Way.RIVER and to in state.board.spaces and state.board.spaces[to].river_head


def _way_fits(board: Board, options: Options, leg: tuple[str, str], way: Way) -> bool:
    if any(there == leg[1] and way is other for there, other in board.neighbours[leg[0]]):
        return True
    border = board.border(*leg)
    return (  # the one reading in which a road goes on over a river, in a Boat
        way is Way.ROAD
        and options.road_by_boat == "double"
        and border is not None
        and bool(border.roads)
        and board.border_way(border) is Way.CROSS
    )


def _no_way(board: Board, leg: tuple[str, str], way: Way) -> Violation:
    """Say why there is no such leg on the board."""
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
    """Yield what is wrong with one leg, the pace aside."""
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
    """Whether a leg leaves a dot for one of its banks, which takes no Boat (R29, R33)."""
    return leg[0] in board.dots and leg[1] in board.dots[leg[0]].banks


def _road_goes_on(state: State, a: str, b: str, c: str) -> bool:
    """Whether one road joins all three spaces (R16)."""
    first, second = state.board.border(a, b), state.board.border(b, c)
    if first is None or second is None:
        return False
    if first.roads & second.roads:
        return True
    if state.options.road_pair == "one-road":
        return False
    apart = state.board.spaces[b].roads_apart
    return any(frozenset((x, y)) not in apart for x in first.roads for y in second.roads)


def _pace_violation(state: State, step: Step) -> Violation | None:
    """Return why two legs cannot be had for one point (R16, R40), or None."""
    board, a, (b, c) = state.board, state.at, step.to
    rule = DOUBLING[step.way]
    if step.way is Way.ROAD:
        ok = _road_goes_on(state, a, b, c)
        why = f"no one road joins {a}, {b} and {c}"
    elif step.way is Way.WATER:
        ok = all(place in board.spaces and board.spaces[place].water for place in (a, b, c))
        why = f"{a}, {b} and {c} are not all water spaces"
    elif step.way is Way.RIVER:
        ok = state.options.river_pace == "double" and all(map(board.is_dot, (a, b, c)))
        why = "each river dot counts one space"
    else:
        ok, why = False, f"a step to {b} by way of {step.way.value} counts one space"
    if ok and step.way is Way.RIVER and state.options.head_by_river == "land":
        lacking = missing(holds_after(state, step.way, a, b), state.cards)
        if lacking:
            return Violation("R34", f"{b} stops a marker without {NAMES[lacking[0]]}", b)
    return None if ok else Violation(rule, why, b)


def _held_violations(state: State, *, by_river: bool, flying: bool) -> tuple[Violation, ...]:
    """Return the stop rules that keep the marker where it is (R6, R7, R11, R12, R45)."""
    lacking = missing(state.held, state.cards)
    if not lacking or (state.river_free and (by_river or flying)):
        return ()
    terrain = state.board.spaces[state.at].terrain
    out = []
    for card in lacking:
        wooded = card is Card.CLOAK
        rule = ("R7" if wooded else "R12") if flying else ("R6" if wooded else "R11")
        kind = "forest or thicket" if wooded else "mountain or hill"
        here = terrain & (WOODED if wooded else STEEP)
        where = f"{state.at} is {kind}" if here else f"it came out of {kind}"
        why = f"{where}: without {NAMES[card]} the marker may not leave {state.at} this turn"
        out.append(Violation(rule, why, state.at))
    return tuple(out)


def _explain_step(state: State, step: Step) -> Iterator[Violation]:
    if len(step.to) not in (1, 2):
        raise ValueError("a step goes to one place or two")
    for place in step.to:
        state.board.require(place)
    yield from _held_violations(state, by_river=step.way is Way.RIVER, flying=False)
    on_land = step.way in {Way.LAND, Way.ROAD, Way.CROSS}
    if state.points + (state.bonus if on_land else 0) < 1:
        if state.bonus:
            rule = "R27" if step.way is Way.RIVER else "R38"
            yield Violation(rule, "the Horse's points are no good on water", step.to[0])
        else:
            yield Violation("R4", "no movement is left this turn", step.to[0])
    here = state.at
    broken = False
    for place in step.to:
        for violation in _leg_violations(state, (here, place), step.way):
            broken = True
            yield violation
        here = place
    if len(step.to) == 2 and not broken:
        pace = _pace_violation(state, step)
        if pace is not None:
            yield pace


def _explain_flight(state: State, flight: Flight) -> Iterator[Violation]:
    board, options, to = state.board, state.options, flight.to
    board.require(to)
    tom = flight.card is Card.TOM_BOMBADIL
    rule = "R47" if tom else "R42"
    if flight.card not in FLIGHTS:
        raise ValueError(f"{flight.card.value} lifts no marker")
    yield from _held_violations(state, by_river=False, flying=True)
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
    """Return the rules that `move` breaks in `state`; empty means legal.

    Raises
    ------
    UnknownNameError
        When the move names a place the board does not have.
    ValueError
        When it is no move at all: a step of no or three places, a flight by Boat.

    """
    if isinstance(move, Step):
        return tuple(_explain_step(state, move))
    if isinstance(move, Flight):
        return tuple(_explain_flight(state, move))
    return tuple(_explain_end(state))


def steps(board: Board, at: str) -> Iterator[Step]:
    """Yield every step that the shape of the board offers from `at`, legal or not."""
    for place, way in board.neighbours[at]:
        # a road that comes to a river may go on by Boat, see `road_by_boat`
        for taken in (Way.CROSS, Way.ROAD) if way is Way.CROSS else (way,):
            yield Step(taken, (place,))
            if taken in {Way.CROSS, Way.LAND}:
                continue
            for beyond, onward in board.neighbours[place]:
                if onward is taken or (taken is Way.ROAD and onward is Way.CROSS):
                    yield Step(taken, (place, beyond))


def legal_steps(state: State) -> Iterator[Step]:
    """Yield every legal step, each once."""
    return (step for step in steps(state.board, state.at) if not explain(state, step))


def legal_flights(state: State, card: Card, places: Iterable[str] | None = None) -> Iterator[Flight]:
    """Yield every legal flight with one card, each once; `places` narrows the landings."""
    if card in state.cards and not _held_violations(state, by_river=False, flying=True):
        flights = (Flight(card, place) for place in (state.board.places if places is None else places))
        yield from (flight for flight in flights if not explain(state, flight))


def legal_moves(state: State, who: str | None = None) -> tuple[Move, ...]:  # noqa: ARG001 - one marker moves
    """Return every legal move, each once: steps, flights, the end of the turn.

    Parameters
    ----------
    state
        A marker in its turn.
    who
        There is one marker; any name will do.

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
        When `explain` names a broken rule.

    """
    refuse(explain(state, move))
    if isinstance(move, EndTurn):
        return _end(state)
    on_river = isinstance(move, Step) and move.way is Way.RIVER
    used = frozenset() if state.river_free and on_river else _used_by_leaving(state)
    state = replace(state, in_play=state.in_play | used, moved=True)
    return _fly(state, move) if isinstance(move, Flight) else _walk(state, move)


def _used_by_leaving(state: State) -> frozenset[Card]:
    """Return the cards that come into play because the marker moves on from rough land."""
    used: set[Card] = set()
    for clause in state.held:
        owned = clause & state.cards
        if owned and not owned & state.in_play:
            used.add(min(owned))
    return frozenset(used)


def _walk(state: State, step: Step) -> State:
    on_land = step.way in {Way.LAND, Way.ROAD, Way.CROSS}
    riding = on_land and state.bonus > 0
    bonus = state.bonus - 1 if riding else state.bonus
    if not on_land and state.options.horse_after_water == "lost":
        bonus = 0
    origin = (state.at, *step.to)[-2]
    held = holds_after(state, step.way, origin, step.to[-1])
    by_river = _lands_by_river(state, step.way, step.to[-1])
    return replace(
        state,
        at=step.to[-1],
        points=state.points if riding else state.points - 1,
        bonus=bonus,
        held=held,
        river_free=bool(held) and by_river and state.options.head_by_river == "river",
    )


def _fly(state: State, flight: Flight) -> State:
    options = state.options
    tom = flight.card is Card.TOM_BOMBADIL
    head = flight.to in state.board.spaces and state.board.spaces[flight.to].river_head
    held = rough(state.board, options, flight.to, small=options.small_rough or not head)
    whole = options.flight == "instead"
    return replace(
        state,
        at=flight.to,
        points=0 if whole else state.points,
        bonus=0 if whole else state.bonus,
        cards=state.cards - {flight.card} if options.flights_spent else state.cards,
        held=FREE if tom and not options.bombadil_stop else held,
        river_free=False,
    )


def stays_in_play(board: Board, card: Card, place: str) -> bool:
    """Whether a Cloak or Rope in play stays there when the turn ends on `place` (R19)."""
    return place in board.spaces and bool(board.spaces[place].terrain & KEEPERS[card])


def _end(state: State) -> State:
    lost: frozenset[Card] = frozenset()
    if state.options.cards_outside == "lost":
        lost = frozenset(
            card for card in state.in_play & KEEPERS.keys() if not stays_in_play(state.board, card, state.at)
        )
    state = replace(state, cards=state.cards - lost, in_play=state.in_play - lost)
    return begin_turn(state, state.allowance)
