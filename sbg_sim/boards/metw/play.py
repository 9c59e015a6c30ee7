"""METW movement as a game: companies declare journeys face down and reveal them, and the turn passes on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from sbg_sim.boards.game import Reached, Violation, known, refuse
from sbg_sim.boards.metw import journey
from sbg_sim.boards.metw.options import Options
from sbg_sim.errors import SbgError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.boards.metw.atlas import Atlas, Site

START = "rivendell"
"""The site at which starting characters enter play (M3)."""

Method = Literal["stay", "site-path", "region", "reveal", "end-turn"]
METHODS: Final = frozenset(get_args(Method))


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a company, or the end of the turn.

    Parameters
    ----------
    method
        ``site-path`` and ``region`` declare a journey (M18), ``stay`` forgoes one (M7), ``reveal`` turns
        the cards of a declared journey up and moves the company, ``end-turn`` hands on the turn.
    company
        The company's id; empty for ``end-turn``.
    to
        The destination site, for a declaration.
    regions
        The series of region cards, for ``region``.

    """

    method: Method
    company: str = ""
    to: str | None = None
    regions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SbgError(f"{self.method!r:.60} is no way to move; there are {', '.join(get_args(Method))}")


@dataclass(frozen=True, slots=True)
class Company:
    """A company: its id, its site (M2), its player, and its journey of this turn.

    Parameters
    ----------
    journey
        The journey declared this turn, kept until the turn ends.
    done
        Whether it has moved or stays.

    """

    id: str
    site: str
    player: str = "one"
    journey: Move | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A position: the map, the companies, the players in turn order, the active player, and the options.

    Raises
    ------
    SbgError
        When a company has no site on the map, two companies share an id, or a player is unknown.

    """

    atlas: Atlas
    companies: tuple[Company, ...]
    players: tuple[str, ...] = ("one", "two")
    active: str = "one"
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        ids = [company.id for company in self.companies]
        if len(set(ids)) < len(ids):
            raise SbgError("every company has an id of its own")
        if len(set(self.players)) < len(self.players):
            raise SbgError("every player has a name of their own")
        for player in (self.active, *(company.player for company in self.companies)):
            if player not in self.players:
                raise UnknownNameError(f"no player is called {player!r}")
        named = tuple(replace(company, site=self.atlas.site(company.site).id) for company in self.companies)
        object.__setattr__(self, "companies", named)

    def company(self, name: str) -> Company:
        """Return the company with this id; raise `UnknownNameError` if there is none."""
        for company in self.companies:
            if company.id == name:
                return company
        raise UnknownNameError(f"no company is called {name!r}")


@dataclass(frozen=True, slots=True)
class Seen:
    """The part of a company that one player sees: `to` and `regions` are None while face down (M6, M19)."""

    site: str
    face_down_sites: int = 0
    face_down_regions: int = 0
    to: str | None = None
    regions: tuple[str, ...] | None = None

    @property
    def hidden(self) -> bool:
        """Whether there is a face-down destination that the player does not know."""
        return bool(self.face_down_sites) and self.to is None


def new_game(
    atlas: Atlas,
    players: tuple[str, ...] = ("one", "two"),
    options: Options | None = None,
    start: str = START,
) -> State:
    """Return the first position: every player's starting company is at Rivendell (M3)."""
    site = atlas.site(start).id
    companies = tuple(Company(f"{player}-1", site, player) for player in players)
    return State(atlas, companies, players, players[0], options or Options())


def resolved(state: State, move: Move) -> Move:
    """Return `move` with ids for the names of its site and regions."""
    return replace(
        move,
        to=None if move.to is None else state.atlas.site(move.to).id,
        regions=tuple(state.atlas.region(region).id for region in move.regions),
    )


def explain(state: State, move: Move) -> tuple[Violation, ...]:
    """Return the rules that `move` breaks; none if it is legal."""
    known(move, Move)
    if move.method == "end-turn":
        return tuple(
            Violation("M6", f"the cards of {company.id} still lie face down", company.site)
            for company in state.companies
            if company.player == state.active and _pending(company)
        )
    move = resolved(state, move)
    company = state.company(move.company)
    if company.player != state.active:
        return (Violation("M7", f"it is not the turn of the player of {company.id}", company.site),)
    if move.method == "reveal":
        return _explain_reveal(state, company)
    if move.method == "stay":
        return _explain_stay(state, company)
    if company.done or company.journey is not None:
        return (Violation("M24", f"{company.id} has moved or declared already: one site per turn", company.site),)
    if move.to is None:
        return (Violation("M6", "a company moves by playing a new site card", company.site),)
    return explain_journey(state, company.site, move) if state.options.check_at == "declaration" else ()


def explain_journey(state: State, start: str, move: Move) -> tuple[Violation, ...]:
    """Return the rules that a journey from site `start` breaks; the one test for declaration and reveal (M8-M23)."""
    move = resolved(state, move)
    if move.to is None:
        return (Violation("M6", "a company moves by playing a new site card", start),)
    return _journey_faults(state, state.atlas.site(start), state.atlas.sites[move.to], move)


def _journey_faults(state: State, here: Site, there: Site, move: Move) -> tuple[Violation, ...]:
    if move.method == "site-path":
        return journey.by_site_path(here, there, state.options)
    return journey.by_regions(state.atlas, here, there, move.regions, state.options)


def _pending(company: Company) -> bool:
    return company.journey is not None and not company.done


def _explain_reveal(state: State, company: Company) -> tuple[Violation, ...]:
    if not _pending(company) or company.journey is None:
        return (Violation("M6", f"{company.id} has no cards face down", company.site),)
    return explain_journey(state, company.site, company.journey)


def _explain_stay(state: State, company: Company) -> tuple[Violation, ...]:
    if company.done:
        return (Violation("M24", f"{company.id} has finished its movement", company.site),)
    if company.journey is not None and not explain_journey(state, company.site, company.journey):
        return (Violation("M6", f"{company.id} has declared a journey that can be revealed", company.site),)
    return ()


def apply(state: State, move: Move) -> State:
    """Return the position after `move`.

    Raises
    ------
    IllegalMoveError
        When `explain` finds a violation.

    """
    refuse(explain(state, move))
    if move.method == "end-turn":
        rested = tuple(replace(company, journey=None, done=False) for company in state.companies)
        turn = (state.players.index(state.active) + 1) % len(state.players)
        return replace(state, companies=rested, active=state.players[turn])
    move = resolved(state, move)
    company = state.company(move.company)
    if move.method == "stay":
        after = replace(company, journey=None, done=True)
    elif move.method == "reveal":
        assert company.journey is not None
        assert company.journey.to is not None
        after = replace(company, site=company.journey.to, done=True)
    else:
        after = replace(company, journey=move)
    companies = tuple(after if one.id == company.id else one for one in state.companies)
    return replace(state, companies=companies)


def legal_moves(state: State, who: str | None = None) -> tuple[Move, ...]:
    """Return every legal move once; `who` (a company's id) limits them to one company.

    With ``check_at = "reveal"`` an illegal journey may still be declared; it is not listed here.
    """
    if who is not None:
        state.company(who)  # an unknown company is an error, not a company without moves
    moves = [
        move
        for company in state.companies
        if who in {None, company.id} and company.player == state.active
        for move in _candidates(state, company)
        if not explain(state, move)
    ]
    end = Move("end-turn")
    if who is None and not explain(state, end):
        moves.append(end)
    return tuple(moves)


def _candidates(state: State, company: Company) -> Iterator[Move]:
    yield Move("stay", company.id)
    yield Move("reveal", company.id)
    if company.journey is None and not company.done:
        yield from (move for move in _journeys(state, company) if not explain_journey(state, company.site, move))


def _journeys(state: State, company: Company) -> Iterator[Move]:
    atlas = state.atlas
    here = atlas.sites[company.site]
    for site in sorted(atlas.sites):
        yield Move("site-path", company.id, site)
    for regions in journey.series(atlas, here.region, state.options):
        ends = regions if state.options.series == "connected" else regions[-1:]
        for region in ends:
            for site in atlas.sites_in[region]:
                yield Move("region", company.id, site, regions)


def reachable(state: State, who: str) -> dict[str, Reached]:
    """Return the sites to which company `who` can move this turn (M8, M9, M19-M23).

    The cost counts regions: the cards of a shortest series, or the symbols of the site path if no series is legal. The
    route of a series is the company's site, the regions, the new site; that of a site path only the two sites.
    """
    company = state.company(who)
    if company.done or company.journey is not None or company.player != state.active:
        return {}
    return {move.to: reached(state, company.site, move) for move in steps(state, company.site) if move.to is not None}


def reached(state: State, start: str, move: Move) -> Reached:
    """Return the cost of a journey, and its route."""
    assert move.to is not None
    if move.method == "region":
        return Reached(len(move.regions), (start, *move.regions, move.to))
    sites = state.atlas.sites
    return Reached(len(journey.site_path(sites[start], sites[move.to])), (start, move.to))


def steps(state: State, start: str, company: str = "") -> tuple[Move, ...]:
    """Return a cheapest journey to every site that can be reached from site `start` in one turn.

    A shortest series of regions is preferred; a site path is taken if no series is legal.
    """
    atlas, here = state.atlas, state.atlas.sites[start]
    found: list[Move] = []
    for site in sorted(atlas.sites):
        series = journey.shortest(atlas, here.region, atlas.sites[site].region, state.options)
        for move in (Move("region", company, site, series), Move("site-path", company, site)):
            if not _journey_faults(state, here, atlas.sites[site], move):
                found.append(move)
                break
    return tuple(found)


def view(state: State, player: str) -> dict[str, Seen]:
    """Return the parts of companies that `player` sees: of others' face-down journeys only the card count (M6, M19)."""
    if player not in state.players:
        raise UnknownNameError(f"no player is called {player!r}")
    return {company.id: _seen(company, player) for company in state.companies}


def _seen(company: Company, player: str) -> Seen:
    cards = company.journey
    if cards is None:
        return Seen(company.site)
    if company.done:
        return Seen(company.site, to=cards.to, regions=cards.regions)
    known = (cards.to, cards.regions) if company.player == player else ()
    return Seen(company.site, 1, len(cards.regions), *known)
