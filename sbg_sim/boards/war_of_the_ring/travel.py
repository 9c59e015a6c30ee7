"""Moves of characters in an action: the figures that may move, and the regions they can reach (W4-W9, W15-W26)."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached, Violation
from sbg_sim.boards.war_of_the_ring.ways import OPEN, Terrain, terrain, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.boards.war_of_the_ring.chart import Character
    from sbg_sim.boards.war_of_the_ring.position import State

Figures = tuple[str, ...]


def action_faults(state: State) -> Iterator[Violation]:
    """Yield why no character can move now: the phase, or the die (W4)."""
    if state.phase != "action-resolution":
        yield Violation("W4", f"characters move in the Action Resolution phase, not in {state.phase}")
    if state.means is None:
        yield Violation("W4", "no Character die result or Event card is in use")
    elif not state.means.moves_characters:
        means = state.means.name or state.means.kind
        yield Violation("W4", f"{means} moves no characters: a Character die result or an Event card does")


def figure_faults(state: State, who: Character) -> Iterator[Violation]:
    """Yield why this character cannot move: not on the map, the other side's, Level 0, or already moved (W1-W7)."""
    place = state.at.get(who.id)
    if who.id in state.fellowship:
        yield Violation("W1", f"{who.name} is in the Fellowship and not on the map yet")
    elif place is None:
        rule = {"will-of-the-west": "W2", "muster": "W3"}.get(who.enters or "", "W1")
        yield Violation(rule, f"{who.name} has not come into play")
    if state.means is not None and state.means.side != who.side:
        rule, mover = ("W6", "Shadow") if state.means.side == "shadow" else ("W5", "Free Peoples")
        yield Violation(rule, f"the {mover} player does not move {who.name}", place)
    if who.id in state.moved:
        yield Violation("W26", f"{who.name} has moved with this die already", place)


def group_faults(state: State, group: tuple[Character, ...]) -> Iterator[Violation]:
    """Yield why these characters cannot move together: Level 0, different regions, or no group at all (W7, W9)."""
    rides = state.options.level_zero_rides and any(who.level for who in group) and group[0].side == "free-peoples"
    for who in group:
        if who.bound is not None:
            reason = f"{who.name} never leaves {state.chart.regions[who.bound].name}"
            yield Violation("W20", reason, who.bound)
        if who.level == 0 and not rides:
            yield Violation("W7", f"{who.name} is of Level 0 and cannot move", state.at.get(who.id))
    apart = len({state.at.get(who.id) for who in group}) > 1
    if apart and {who.side for who in group} != {"shadow"}:  # figures of the Shadow move alone (W16)
        yield Violation("W9", "a group moves from one region")
    if len({who.side for who in group}) > 1 or (len(group) > 1 and any(who.kind == "guide" for who in group)):
        allowed = rides and len({who.side for who in group}) == 1
        if not allowed:
            yield Violation("W9", "only Companions form a group")
    mouths = [who for who in group if who.kind == "minion"]
    along = [who for who in group if mouths and state.at.get(who.id) == state.at.get(mouths[0].id)]
    if len(along) > 1 and state.options.mouth_alone == "without-figures":
        yield Violation("W21", f"{mouths[0].name} moves only when no other figure goes with him")


def standing(state: State, figures: Figures) -> tuple[Violation, ...]:
    """Return why these figures cannot move now, to any region."""
    group = tuple(state.chart.characters[figure] for figure in figures)
    found = list(action_faults(state))
    if not figures or len(set(figures)) < len(figures):
        found.append(Violation("W26", "a move names its figures, each once"))
    for who in group:
        found += figure_faults(state, who)
    if group:
        found += group_faults(state, group)
    return tuple(found)


def reach(state: State, figures: Figures, origin: str | None = None) -> dict[str, Reached]:
    """Return the regions that all these figures can reach from theirs, or from `origin`, by the rules about regions.

    Companions go as far as the highest Level among them (W9); a Nazgûl goes anywhere in one step (W15, W17). Figures of
    the Shadow may come from different regions (W16); the route is that of the figure that goes farthest.
    """
    group = [state.chart.characters[figure] for figure in figures]
    found: dict[str, Reached] | None = None
    for who in _judged(group):
        one = _reach_one(state, who, origin or state.at[who.id], _level(group, who))
        found = one if found is None else _farther(found, one)
    return found or {}


def _farther(ways: dict[str, Reached], others: dict[str, Reached]) -> dict[str, Reached]:
    return {place: max(ways[place], others[place], key=lambda way: way.cost) for place in ways if place in others}


def _judged(group: list[Character]) -> list[Character]:
    """Return the characters that determine the reach: one of a group of Companions, all figures of the Shadow."""
    return group[:1] if group and group[0].side == "free-peoples" else sorted(group, key=lambda who: who.is_nazgul)


def _level(group: list[Character], who: Character) -> int:
    """Return the range of a character: the highest Level of its group of Companions (W9), or its own for the Shadow."""
    return max(one.level or 0 for one in (group if who.side == "free-peoples" else [who]))


def _reach_one(state: State, who: Character, origin: str, level: int) -> dict[str, Reached]:
    if not who.is_nazgul:
        return walk(state, origin, terrain(state, who), level)
    found = {
        place: Reached(1, (origin, place)) for place in state.chart.regions if place != origin and not state.shut(place)
    }
    if state.options.nazgul_null_move and not state.shut(origin):
        found[origin] = Reached(0, (origin,))
    return found


def place_faults(state: State, figures: Figures, to: str) -> tuple[Violation, ...]:
    """Return the rules about regions that keep these figures from moving to `to`."""
    if to in reach(state, figures):
        return ()
    group = [state.chart.characters[figure] for figure in figures]
    found: list[Violation] = []
    for who in _judged(group):
        origin = state.at[who.id]
        found += (
            _nazgul_faults(state, who, origin, to) if who.is_nazgul else _walk_faults(state, group, who, origin, to)
        )
    return tuple(dict.fromkeys(found))


def _nazgul_faults(state: State, who: Character, origin: str, to: str) -> Iterator[Violation]:
    name = state.chart.regions[to].name
    if state.shut(to):
        reason = f"{who.name} does not enter {name}: a Stronghold of the Free Peoples that is not besieged"
        yield Violation("W17", reason, to)
    elif to == origin and not state.options.nazgul_null_move:
        yield Violation("W26", f"{who.name} is in {name} already; staying needs no move", to)


def _walk_faults(state: State, group: list[Character], who: Character, origin: str, to: str) -> Iterator[Violation]:
    names, ground = state.chart.regions, terrain(state, who)
    if to == origin:
        yield Violation("W26", f"{who.name} is in {names[to].name} already; staying needs no move", to)
        return
    level = _level(group, who)
    if to in walk(state, origin, ground, level):
        return
    free = walk(state, origin, OPEN).get(to)
    if free is None or free.cost > level or frozenset((origin, to)) in state.chart.impassable:
        yield from _distance_faults(state, group, who, origin, to)
    if free is None or free.cost > level:
        yield from _barred(state, ground, origin, to)
        return
    yield from _blocked(state, who, level, origin, to)


def _distance_faults(state: State, group: list[Character], who: Character, origin: str, to: str) -> Iterator[Violation]:
    names = state.chart.regions
    level, distance = _level(group, who), state.chart.distance(origin, to)
    companions = who.side == "free-peoples"
    if distance is None or frozenset((origin, to)) in state.chart.impassable:
        reason = f"no border that can be crossed leads from {names[origin].name} to {names[to].name}"
        yield Violation("W14" if companions else "W22", reason, to)
    if distance is not None and distance > level:
        rule = "W21" if not companions else "W9" if len(group) > 1 else "W8"
        whose = "the highest Level" if len(group) > 1 else f"the Level of {who.name}"
        most = f"{whose} is {level}" if companions else f"{who.name} moves up to {level}"
        yield Violation(rule, f"{names[to].name} is {distance} regions away, and {most}", to)


def _why(rule: str, name: str, *, on_the_way: bool = False) -> str:
    if rule == "W12":
        return f"a Stronghold controlled by the Shadow ends the move on every short way to {name}"
    if rule == "W25":
        held = "a Stronghold of the Free Peoples that is not besieged"
        return f"every short way to {name} leads through {held}" if on_the_way else f"{name} is {held}"
    if rule == "W21":
        return f"the move ends in a besieged Stronghold on every short way to {name}"
    held = "a friendly Stronghold that an enemy Army besieges"
    return f"every short way to {name} leads through {held}" if on_the_way else f"{name} is {held}"


def _barred(state: State, ground: Terrain, origin: str, to: str) -> Iterator[Violation]:
    """Yield the rules that forbid the first or the last region, at any distance."""
    names = state.chart.regions
    pairs = {(origin, rule) for place, rule in ground.sealed if place == origin}
    pairs |= {(to, rule) for place, rule in (*ground.closed, *ground.no_end) if place == to}
    for place, rule in sorted(pairs):
        yield Violation(rule, _why(rule, names[place].name), place)


def shut_in(state: State, figures: Figures) -> tuple[Violation, ...]:
    """Return the sieges that keep some of these figures in their regions (W13, W24)."""
    walkers = [who for who in (state.chart.characters[figure] for figure in figures) if not who.is_nazgul]
    found = ((state.at[who.id], dict(terrain(state, who).sealed).get(state.at[who.id])) for who in walkers)
    return tuple(
        Violation(rule, _why(rule, state.chart.regions[place].name), place)
        for place, rule in dict.fromkeys(found)
        if rule is not None
    )


def _blocked(state: State, who: Character, level: int, origin: str, to: str) -> Iterator[Violation]:
    """Yield the rules without any one of which the way would be short enough, or else those that block it alone."""
    ground = terrain(state, who)
    rules = ("W12", "W13") if who.side == "free-peoples" else ("W21", "W24", "W25")
    barred = list(_barred(state, ground, origin, to))
    if barred:
        yield from barred
        return
    name = state.chart.regions[to].name

    def opens(*gone: str) -> bool:
        return to in walk(state, origin, reduce(Terrain.without, gone, ground), level)

    deciding = [rule for rule in rules if opens(rule)] or [
        rule for rule in rules if not opens(*(other for other in rules if other != rule))
    ]
    for rule in deciding or rules:
        yield Violation(rule, _why(rule, name, on_the_way=True), to)


def stays(state: State, figure: str) -> tuple[Violation, ...]:
    """Return why a character cannot move with an Army; empty if it can (W1, W7, W20)."""
    who = state.chart.character(figure)
    found = []
    if who.id in state.fellowship:
        found.append(Violation("W1", f"{who.name} is in the Fellowship and not on the map yet"))
    if who.level == 0:
        found.append(Violation("W7", f"{who.name} is of Level 0 and cannot move, even with an Army"))
    if who.bound is not None:
        found.append(Violation("W20", f"{who.name} never leaves {state.chart.regions[who.bound].name}", who.bound))
    return tuple(found)
