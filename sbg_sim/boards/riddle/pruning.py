"""Which situations a search may forget: those that another, found no later, is at least as good as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.riddle.state import State
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card
from sbg_sim.boards.search import Seen

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sbg_sim.boards.riddle.options import Options

WINGS = (Card.EAGLES, Card.FLYING_BEASTS)
"""Two cards that do the same: how many of them are left is all that counts (R42)."""


class Kept(Seen[State]):
    """The situations of a search that are worth going on from.

    Without it a hand of all cards takes minutes instead of seconds. More points, more cards and fewer stops never
    take a move away, so a situation that has less of all than another on the same place is forgotten. Under
    `exact_roll` a turn may end only when no step is left: there the two must be alike in everything that allows a
    step, and only flights, which nobody must make, may be fewer.

    Parameters
    ----------
    options
        The readings in force.
    ahead
        Whether the turns after this one count: then it matters which cards lie in play, as these can be
        lost (R19). A space that asks for one of two cards puts one of them in play, and which one it is
        hangs on those that are: then they must be the same.

    """

    def __init__(self, options: Options, *, ahead: bool) -> None:
        super().__init__()
        self.exact = options.exact_roll
        self.fresh = options.flight == "instead"
        self.ahead = ahead
        self.alike = self.exact or options.two_terrains == "either"
        self.kept: dict[Hashable, list[State]] = {}

    def known(self, place: State) -> bool:
        """Whether a situation kept before is at least as good."""
        return any(self._covers(kept, place) for kept in self.kept.get(self._shelf(place), ()))

    def keep(self, place: State) -> None:
        """Note a situation; those that come later are compared with it."""
        self.kept.setdefault(self._shelf(place), []).append(place)

    def _shelf(self, state: State) -> Hashable:
        """Return what two situations must have alike to be compared at all."""
        if not self.exact:
            return state.at
        return (state.at, state.points, state.bonus, state.held, state.river_free)

    def _covers(self, a: State, b: State) -> bool:
        if not self.exact and not (a.points >= b.points and a.bonus >= b.bonus and self._freer(a, b)):
            return False
        if self.fresh and a.moved and not b.moved:
            return False
        return self._more_cards(a, b) and (not self.ahead or self._less_in_play(a, b))

    @staticmethod
    def _freer(a: State, b: State) -> bool:
        return not a.held or (a.held <= b.held and a.river_free >= b.river_free)

    def _more_cards(self, a: State, b: State) -> bool:
        if a.cards == b.cards:
            return True
        if sum(card in a.cards for card in WINGS) < sum(card in b.cards for card in WINGS):
            return False
        if Card.TOM_BOMBADIL in b.cards and Card.TOM_BOMBADIL not in a.cards:
            return False
        more, fewer = a.cards - FLIGHTS, b.cards - FLIGHTS
        return more == fewer if self.alike else more >= fewer

    def _less_in_play(self, a: State, b: State) -> bool:
        return a.in_play == b.in_play if self.alike else a.in_play <= b.in_play
