"""A board of spaces as a picture needs it, read from any of the games' maps, states and scenarios."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import SbgError
from sbg_sim.plot.words import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sbg_sim.geometry.shapes import Point

_NAMED: Final = 4  # names of pieces in a legend, the last entry standing for all others


@dataclass(frozen=True)
class SpaceMap:
    """A board as a picture needs it.

    Parameters
    ----------
    names
        The text at each space, by id, in order; empty for a river dot.
    links
        Pairs of neighbours, with a word for the kind of link (``""`` for plain land, ``"closed"`` for an impassable
        border).
    kinds
        The kind of each space, a word of the palette if that has one.
    pieces
        The names of the pieces in each space.
    places
        The places of the spaces; empty to have them laid out.
    within
        Places in a space that are drawn small beside it, such as a site by its region: id to the space's id.
    letters
        The symbols written in such places, such as that of a site's type.
    crossings
        Pairs of neighbours with a river between them, and its crossing: ``"bridge"`` or ``"ford"``.
    marked
        Spaces with a mark, and its word: ``"besieged"``, ``"city"``, ``"free peoples army"``, ``"shadow army"``.
    heading
        The title.
    besides
        Further kinds of a space that has several, such as a wooded hill.

    """

    names: Mapping[str, str]
    links: tuple[tuple[str, str, str], ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[str, Point] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    crossings: tuple[tuple[str, str, str], ...] = ()
    marked: tuple[tuple[str, str], ...] = ()
    heading: str = ""
    besides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def reached_by(who: Sequence[str]) -> str:
    """Return the legend text of a ring with a number in it; ``who`` names the pieces if there are several."""
    by = f" by {shortened(who, _NAMED)}" if who else ""
    return f"can be reached{by}, with its {'least ' * (len(who) > 1)}cost"


def space_map(board: Any) -> SpaceMap:
    """Return the board of a map, a state or a scenario of any of the games.

    Raises
    ------
    SbgError
        For a thing with neither regions nor spaces nor a path of sites.

    """
    if isinstance(board, SpaceMap):
        return board
    for inner in ("state", "game", "atlas", "chart", "board"):
        found = getattr(board, inner, None)
        if found is not None and not isinstance(found, str | Mapping):
            return _with_pieces(space_map(found), board)
    if hasattr(board, "regions"):
        return _of_regions(board)
    if hasattr(board, "spaces") and hasattr(board, "neighbours"):
        return _of_spaces(board)
    if hasattr(board, "questions"):
        raise SbgError("there is no board to draw: the file shows no map and no path of sites")
    raise SbgError(f"there is no board in a {type(board).__name__}")


def _of_regions(board: Any) -> SpaceMap:
    sites = getattr(board, "sites", {})
    names = {key: region.name for key, region in board.regions.items()}
    links = {(min(key, other), max(key, other)) for key, region in board.regions.items() for other in region.neighbours}
    ways = [(a, b, "") for a, b in sorted(links) if a in names and b in names]
    ways += [(a, b, "closed") for a, b in sorted(sorted(pair) for pair in getattr(board, "impassable", ()))]
    kinds = {key: _kind(region) for key, region in board.regions.items()}
    kinds = {key: kind for key, kind in kinds.items() if kind}
    return SpaceMap(
        {**names, **{key: site.name for key, site in sites.items()}},
        tuple(ways),
        kinds,
        within={key: site.region for key, site in sites.items()},
        letters={key: site.type.value for key, site in sites.items()},
        heading=_heading(board, "regions"),
    )


def _kind(region: Any) -> str:
    """Return a region's kind as a word of the palette: its type, or else its settlement."""
    kind = getattr(region, "type", None)
    if kind is None:
        kind = getattr(region, "settlement", None)
        if kind == "stronghold":
            kind = _stronghold(region.side)
    word = getattr(kind, "name", kind)
    return str(word).lower().replace("_", "-") if word else ""


def _stronghold(side: str | None) -> str:
    """Return the word for a Stronghold, by the side that holds it, if any."""
    return f"{side}-stronghold" if side else "stronghold"


def _of_spaces(board: Any) -> SpaceMap:
    names = {key: space.name or key for key, space in board.spaces.items()}
    names |= dict.fromkeys(getattr(board, "dots", {}), "")
    links: dict[tuple[str, str], str] = {}
    for key, steps in board.neighbours.items():
        for other, way in steps:
            pair = (key, other) if key < other else (other, key)
            word = str(getattr(way, "value", way))
            links.setdefault(pair, word if word != "river" or frozenset(pair) in board.channels else "bank")
    kinds: dict[str, str] = {}
    besides: dict[str, tuple[str, ...]] = {}
    for key, space in board.spaces.items():
        words = sorted(str(getattr(k, "value", k)) for k in space.terrain)
        kinds[key], *more = [w for w in words if w != "open"] or ["open"]
        if more:
            besides[key] = tuple(more)
    kinds |= dict.fromkeys(getattr(board, "dots", {}), "river")
    return SpaceMap(
        names,
        tuple((a, b, w) for (a, b), w in sorted(links.items())),
        kinds,
        places=_drawn(board, tuple(links)),
        crossings=tuple(sorted(_crossings(board))),
        marked=tuple((key, "city") for key, space in board.spaces.items() if space.city),
        heading=_heading(board, "spaces"),
        besides=besides,
    )


def _crossings(board: Any) -> Iterator[tuple[str, str, str]]:
    for border in board.borders.values():
        a, b = sorted(border.ends)
        if border.bridge or border.ford:
            yield a, b, "bridge" if border.bridge else "ford"


def _drawn(board: Any, links: Iterable[tuple[str, str]]) -> Mapping[str, Point]:
    """Return the places that the file gives, neighbours about 1 apart; empty unless it gives one for every space."""
    places = {key: thing.drawn for key, thing in (*board.spaces.items(), *board.dots.items())}
    if not places or any(at is None for at in places.values()):
        return {}
    apart = [math.dist(places[a], places[b]) for a, b in links if a in board.spaces and b in board.spaces]
    unit = statistics.median(apart) if apart else 1.0
    return {key: (at[0] / unit, at[1] / unit) for key, at in places.items()} if unit > 0 else {}


def _with_pieces(shown: SpaceMap, state: Any) -> SpaceMap:
    pieces: dict[str, tuple[str, ...]] = {}
    for company in getattr(state, "companies", ()):
        pieces[company.site] = (*pieces.get(company.site, ()), company.id)
    for who, where in getattr(state, "figures", ()):
        pieces[where] = (*pieces.get(where, ()), state.chart.characters[who].name)
    inside = getattr(state, "fellowship_at", None)
    if inside is not None:
        pieces[inside] = (*pieces.get(inside, ()), "the Fellowship")
    marked, kinds = [(where, "besieged") for where in sorted(getattr(state, "besieged", ()))], dict(shown.kinds)
    marked += [(where, f"{side.replace('-', ' ')} army") for where, side in sorted(getattr(state, "armies", ()))]
    for where, side in getattr(state, "control", ()):
        if state.chart.regions[where].is_stronghold:
            kinds[where] = _stronghold(side)
    at = getattr(state, "at", None) or getattr(getattr(getattr(state, "file", None), "marker", None), "at", None)
    if isinstance(at, str):
        pieces[state.board.find(at)] = ("marker",)
    merged = {**shown.pieces, **{k: v for k, v in pieces.items() if k in shown.names}}
    heading = getattr(state, "title", "") or getattr(getattr(state, "file", None), "title", "") or shown.heading
    return replace(shown, pieces=merged, kinds=kinds, marked=(*shown.marked, *marked), heading=str(heading))


def _heading(board: Any, words: str) -> str:
    return str(getattr(board, "title", "") or "") or f"{len(getattr(board, words))} {words}"
