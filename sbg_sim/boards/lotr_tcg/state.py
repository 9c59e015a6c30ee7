"""A game on an adventure path, and its moves: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sbg_sim.boards.lotr_tcg.cards import NUMBERS, Catalogue, Site, find_site, standard_sites
from sbg_sim.boards.lotr_tcg.decks import Format
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.text import Where
from sbg_sim.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sbg_sim.boards.lotr_tcg.roaming import Minion


@dataclass(frozen=True, slots=True)
class PathSite:
    """A site on the path; only there it has a number (L16).

    Parameters
    ----------
    number
        Its position on the path.
    site
        The id of the card. Copies of one card at two numbers are two sites (L7).
    owner
        The player to whose adventure deck it returns (L9).
    cards, stacked
        Cards played on it and stacked on it, in order (L11).

    """

    number: int
    site: str
    owner: str
    cards: tuple[str, ...] = ()
    stacked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A site that must be placed before any other move (L3), and the players who may place it (L4)."""

    number: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """A card's permission to play a site while no fellowship moves (L8).

    Parameters
    ----------
    player
        The player who may use it, once.
    number
        The number of the site; None for "the next site".

    """

    player: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Travel:
    """The fellowship moves to the next site."""


@dataclass(frozen=True, slots=True)
class PlaySite:
    """A Shadow player places the site to which the fellowship moves."""

    player: str
    site: str


@dataclass(frozen=True, slots=True)
class UseEffect:
    """A card is used to play a site, or to replace one."""

    effect: Effect
    site: str


@dataclass(frozen=True, slots=True)
class PlayMinion:
    """A Shadow player plays a minion from hand to the fellowship's site."""

    player: str
    minion: Minion
    ignore_roaming: bool = False


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The next player clockwise becomes the moving player."""


Move = Travel | PlaySite | UseEffect | PlayMinion | EndTurn


@dataclass(frozen=True, slots=True)
class State:
    """A game during a turn, between moves.

    Parameters
    ----------
    seats
        The players, clockwise.
    decks
        By seat, the ids in the adventure deck, sorted, as their order does not matter.
    path
        The sites played, numbered from 1 without gaps (L10).
    at
        By seat, the number of the fellowship's site.
    moving
        The player whose fellowship moves.
    fmt, catalogue, options
        Constant during a game; the catalogue is ignored in comparisons.
    pending
        The site to be placed, or None.
    twilight
        Tokens in the twilight pool.
    hand
        Minions that Shadow players may play, with their players.
    minions
        Minions in play.
    effects
        Permissions of cards to play a site, each usable once.

    """

    seats: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]
    path: tuple[PathSite, ...]
    at: tuple[int, ...]
    moving: str
    fmt: Format = Format.STANDARD
    pending: Pending | None = None
    twilight: int = 0
    hand: tuple[tuple[str, Minion], ...] = ()
    minions: tuple[Minion, ...] = ()
    effects: tuple[Effect, ...] = ()
    catalogue: Catalogue = field(default_factory=standard_sites, compare=False, repr=False)
    options: Options = field(default=Options(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.seats) < 2 or len(set(self.seats)) != len(self.seats):
            raise ValueError("a game has two or more players, each with a name of their own")
        if len(self.decks) != len(self.seats) or len(self.at) != len(self.seats):
            raise ValueError("every seat has an adventure deck and a place on the path")
        if [site.number for site in self.path] != list(range(1, len(self.path) + 1)):
            raise ValueError("L10: sites on the path are numbered from 1 without a gap, each number once")
        if len(self.path) not in NUMBERS:
            raise ValueError("a path has one to nine sites")
        if not all(1 <= number <= len(self.path) for number in self.at):
            raise ValueError("every fellowship is at a site on the path")
        for player in (self.moving, *(site.owner for site in self.path)):
            self.seat(player)

    def seat(self, player: str) -> int:
        """Return the seat of a player; raise `UnknownNameError` for an unknown player."""
        if player not in self.seats:
            raise UnknownNameError(f"no player is called {player!r}")
        return self.seats.index(player)

    def deck(self, player: str) -> tuple[str, ...]:
        """Return the ids in a player's adventure deck."""
        return self.decks[self.seat(player)]

    def number(self, player: str) -> int:
        """Return the number of the site of a player's fellowship."""
        return self.at[self.seat(player)]

    def card(self, site: PathSite) -> Site:
        """Return the card of a site on the path."""
        return self.catalogue[site.site]

    def where(self, player: str) -> Where:
        """Return the site of a player's fellowship, as game text refers to it."""
        number = self.number(player)
        return Where.of(self.card(self.path[number - 1]), number)


def region(number: int) -> int:
    """Return the region of a site's number: 1 for sites 1 to 3, 2 for 4 to 6, 3 for 7 to 9 (L6).

    Raises
    ------
    ValueError
        For any other number.

    """
    if number not in NUMBERS:
        raise ValueError(f"a site's number is 1 to 9, not {number}")
    return 1 + (number - 1) // 3


def start(
    decks: Mapping[str, Sequence[str]],
    first_site: str,
    fmt: Format = Format.STANDARD,
    *,
    catalogue: Catalogue | None = None,
    options: Options | None = None,
    effects: Iterable[Effect] = (),
) -> State:
    """Return a new game: the first player has played site 1, and every fellowship is there.

    Parameters
    ----------
    decks
        The adventure deck of each player, clockwise from the first player.
    first_site
        The site of the first player's deck that begins the path.
    fmt
        The format.
    catalogue
        All known sites; None for those of the package.
    options
        The readings; None for the defaults.
    effects
        Permissions of cards to play sites.

    Raises
    ------
    UnknownNameError
        When a site is not in the catalogue.
    ValueError
        When the first site is not in the first player's deck.

    """
    sites = catalogue if catalogue is not None else standard_sites()
    seats = tuple(decks)
    ids = [sorted(find_site(name, sites).id for name in deck) for deck in decks.values()]
    first = find_site(first_site, sites).id
    if not ids or first not in ids[0]:
        raise ValueError(f"{first_site} is not in the first player's adventure deck")
    ids[0].remove(first)
    return State(
        seats=seats,
        decks=tuple(map(tuple, ids)),
        path=(PathSite(1, first, seats[0]),),
        at=(1,) * len(seats),
        moving=seats[0],
        fmt=fmt,
        effects=tuple(effects),
        catalogue=sites,
        options=options or Options(),
    )
