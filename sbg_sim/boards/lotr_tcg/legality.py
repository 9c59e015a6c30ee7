"""Legal moves on the path, the rules that others break, and the state after a move: the one place that judges moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached, Violation, known, refuse
from sbg_sim.boards.lotr_tcg.cards import NUMBERS, Arrow
from sbg_sim.boards.lotr_tcg.decks import off_path, post_shadows
from sbg_sim.boards.lotr_tcg.roaming import price
from sbg_sim.boards.lotr_tcg.state import (
    Effect,
    EndTurn,
    Move,
    PathSite,
    Pending,
    PlayMinion,
    PlaySite,
    State,
    Travel,
    UseEffect,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def next_players(state: State) -> tuple[str, ...]:
    """Return the players who may play the next site if the moving fellowship moves now (L4, L5).

    More than one only if the arrow does not count, see `Options.arrows`.
    """
    here = state.seat(state.moving)
    others = tuple(player for player in state.seats if player != state.moving)
    if len(others) == 1:
        return others
    if state.options.arrows == "post-shadows" and not post_shadows(state.fmt):
        return others
    arrow = state.card(state.path[state.number(state.moving) - 1]).arrow
    step = 1 if arrow is Arrow.LEFT else -1  # seats run clockwise, and clockwise is to the left
    return (state.seats[(here + step) % len(state.seats)],)


def choices(state: State, player: str, number: int) -> tuple[str, ...]:
    """Return the sites that a player could play as site `number`: any in post-Shadows formats, else by number (L13)."""
    deck = dict.fromkeys(state.deck(player))
    return tuple(site for site in deck if not any(_site_faults(state, site, number, printed=True)))


def effect_number(state: State, effect: Effect) -> int:
    """Return the number of the site that a card's effect refers to."""
    if effect.number is not None:
        return effect.number
    whose = state.moving if state.options.next_site_of == "moving-player" else effect.player
    return state.number(whose) + 1


def _explain_waiting(state: State) -> Iterator[Violation]:
    if state.pending is not None:
        who = " or ".join(state.pending.players)
        yield Violation("L3", f"first {who} must place site {state.pending.number}", str(state.pending.number))


def _explain_travel(state: State) -> Iterator[Violation]:
    yield from _explain_waiting(state)
    number = state.number(state.moving) + 1
    if number not in NUMBERS:
        yield Violation("L1", "the fellowship is at site 9, the last of the path", "9")
        return
    if number <= len(state.path) or state.options.missing_site == "stays":
        return
    players = next_players(state)
    if not any(choices(state, player, number) for player in players):
        rule = "L3" if post_shadows(state.fmt) else "L13"
        yield Violation(rule, f"{' or '.join(players)} has no site to play as site {number}", str(number))


def _explain_play(state: State, move: PlaySite) -> Iterator[Violation]:
    if state.pending is None:
        yield Violation("L3", "no site is to be placed now", None)
        return
    number = state.pending.number
    state.seat(move.player)
    if move.player not in state.pending.players:
        rule = "L5" if len(state.seats) == 2 else "L4"
        yield Violation(rule, f"{' or '.join(state.pending.players)} places site {number}", str(number))
    yield from _explain_site(state, move.player, move.site, number, printed=True)


def _explain_site(state: State, player: str, site: str, number: int, *, printed: bool) -> Iterator[Violation]:
    """Yield the rules that playing one site of a deck as `number` breaks."""
    if site not in state.deck(player):
        yield Violation("L3", f"{site} is not in {player}'s adventure deck", str(number))
        return
    yield from _site_faults(state, site, number, printed=printed)


def _site_faults(state: State, site: str, number: int, *, printed: bool) -> Iterator[Violation]:
    """Yield why a site does not belong to the format's path, or does not bear the number."""
    card = state.catalogue[site]
    yield from off_path(card, state.fmt)
    if printed and not post_shadows(state.fmt) and card.number != number:
        yield Violation("L13", f"{card.title} is site {card.number}, and site {number} must be played", str(number))


def _explain_effect(state: State, move: UseEffect) -> Iterator[Violation]:
    yield from _explain_waiting(state)
    effect = move.effect
    if effect not in state.effects:
        yield Violation("L8", f"no card lets {effect.player} play that site now", None)
        return
    number = effect_number(state, effect)
    if number not in NUMBERS:
        yield Violation("L1", f"there is no site {number}", None)
        return
    if number > len(state.path) + 1:
        yield Violation("L10", f"site {len(state.path) + 1} is not on the path yet", str(number))
        return
    old = state.path[number - 1] if number <= len(state.path) else None
    if old is not None and state.options.replay_replaced and (old.owner, old.site) == (effect.player, move.site):
        return
    printed = old is None or state.options.replacement_number == "printed"
    yield from _explain_site(state, effect.player, move.site, number, printed=printed)


def _explain_minion(state: State, move: PlayMinion) -> Iterator[Violation]:
    yield from _explain_waiting(state)
    state.seat(move.player)
    if move.player == state.moving:
        yield Violation("L27", f"{move.player} is moving and is no Shadow player now", None)
    if (move.player, move.minion) not in state.hand:
        yield Violation("L17", f"{move.player} has no {move.minion.id} to play", None)
    number = state.number(state.moving)
    needed = price(move.minion, number, ignore_roaming=move.ignore_roaming)
    if needed > state.twilight:
        roams = " and its roaming penalty" if needed > move.minion.cost else ""
        why = f"{move.minion.id} at site {number} takes {needed} twilight, its cost{roams}"
        yield Violation("L18", f"{why}; {state.twilight} are there", str(number))


def explain(state: State, move: Move) -> tuple[Violation, ...]:
    """Return the rules that `move` breaks in `state`; none if it is legal.

    Raises
    ------
    UnknownNameError
        When the move names an unknown player.
    SbgError
        For an object that is no move of this game.

    """
    known(move, Travel, PlaySite, UseEffect, PlayMinion, EndTurn)
    if isinstance(move, Travel):
        return tuple(_explain_travel(state))
    if isinstance(move, PlaySite):
        return tuple(_explain_play(state, move))
    if isinstance(move, UseEffect):
        return tuple(_explain_effect(state, move))
    if isinstance(move, PlayMinion):
        return tuple(_explain_minion(state, move))
    return tuple(_explain_waiting(state))


def _offered(state: State) -> Iterator[tuple[str, Move]]:
    """Yield every move that may be legal, with its player."""
    yield state.moving, Travel()
    for player in state.seats:
        for site in dict.fromkeys(state.deck(player)):
            yield player, PlaySite(player, site)
    for effect in dict.fromkeys(state.effects):
        sites = dict.fromkeys((*state.deck(effect.player), *(site.site for site in state.path)))
        for site in sites:
            yield effect.player, UseEffect(effect, site)
    for player, minion in dict.fromkeys(state.hand):
        yield player, PlayMinion(player, minion)
    yield state.moving, EndTurn()


def legal_moves(state: State, who: str | None = None) -> tuple[Move, ...]:
    """Return every legal move once; `who` limits them to one player.

    Minions are listed at full price; ask `explain` about cards that waive the penalty.
    """
    if who is not None:
        state.seat(who)  # an unknown player is an error, not a player without moves
    return tuple(move for player, move in _offered(state) if who in (None, player) and not explain(state, move))


def apply(state: State, move: Move) -> State:
    """Return the state after `move`.

    Raises
    ------
    IllegalMoveError
        When `explain` finds a broken rule.

    """
    refuse(explain(state, move))
    if isinstance(move, Travel):
        return _travel(state)
    if isinstance(move, PlaySite):
        assert state.pending is not None
        state = _lay(state, move.player, move.site, state.pending.number)
        return _arrive(replace(state, pending=None))
    if isinstance(move, UseEffect):
        number = effect_number(state, move.effect)
        effects = list(state.effects)
        effects.remove(move.effect)
        return replace(_lay(state, move.effect.player, move.site, number), effects=tuple(effects))
    if isinstance(move, PlayMinion):
        return _play_minion(state, move)
    after = state.seats[(state.seat(state.moving) + 1) % len(state.seats)]
    return replace(state, moving=after, minions=())


def _arrive(state: State) -> State:
    seat = state.seat(state.moving)
    at = (*state.at[:seat], state.at[seat] + 1, *state.at[seat + 1 :])
    return replace(state, at=at)


def _travel(state: State) -> State:
    number = state.number(state.moving) + 1
    if number <= len(state.path):
        return _arrive(state)
    players = tuple(player for player in next_players(state) if choices(state, player, number))
    if not players:  # only under `missing_site = "stays"`
        return state
    return replace(state, pending=Pending(number, players))


def _with_deck(state: State, player: str, deck: list[str]) -> State:
    seat = state.seat(player)
    return replace(state, decks=(*state.decks[:seat], tuple(sorted(deck)), *state.decks[seat + 1 :]))


def _lay(state: State, player: str, site: str, number: int) -> State:
    """Place a site on the path; a site that it replaces goes back to its deck (L9) and passes on its cards (L11)."""
    old = state.path[number - 1] if number <= len(state.path) else None
    if old is not None:
        state = _with_deck(state, old.owner, [*state.deck(old.owner), old.site])
    deck = list(state.deck(player))
    deck.remove(site)
    state = _with_deck(state, player, deck)
    new = PathSite(number, site, player)
    if old is not None:
        new = replace(new, cards=old.cards, stacked=old.stacked)
    return replace(state, path=(*state.path[: number - 1], new, *state.path[number:]))


def _play_minion(state: State, move: PlayMinion) -> State:
    hand = list(state.hand)
    hand.remove((move.player, move.minion))
    paid = price(move.minion, state.number(state.moving), ignore_roaming=move.ignore_roaming)
    return replace(state, hand=tuple(hand), twilight=state.twilight - paid, minions=(*state.minions, move.minion))


def reachable(state: State, who: str | None = None) -> Mapping[str, Reached]:
    """Return every site to which the fellowship of `who` may come with its next move.

    Parameters
    ----------
    state
        A game without a pending site.
    who
        The player of the fellowship; None for the moving player.

    Returns
    -------
    Mapping
        By site id, with cost 1: the next site on the path, or all sites that could be played there.

    """
    state = state if who is None else replace(state, moving=who)
    if explain(state, Travel()):
        return {}
    number = state.number(state.moving)
    here = state.path[number - 1].site
    if number < len(state.path):
        sites = [state.path[number].site]
    else:
        sites = [site for player in next_players(state) for site in choices(state, player, number + 1)]
    return {site: Reached(1, (here, site)) for site in dict.fromkeys(sites)}
