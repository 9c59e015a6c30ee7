"""The pairs of rims between which ways lead over solids and between levels, and the transitions made of them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.grown import Grown, along_edges, grown, joined, parts
from sbg_sim.geometry.pieces import Piece, outline, rim_pieces, segment, without_specks
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.space.cutting import crossed_by
from sbg_sim.solver.space.transitions import Transition
from sbg_sim.tolerance import HAIR, ROUNDING, STEP_RIM, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import TypeAlias

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.rules.ground import Way
    from sbg_sim.rules.passages import Passage
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.transitions import Touching

    Air: TypeAlias = Callable[[str | None, str | None], Iterable[tuple[str, Shape]]]

_KEPT: Final = 256  # rims of terrain in the cache: terrain stands still while models move


def transitions(
    spaces: Sequence[Space], ways: Iterable[Passage], air: Air, touching: Touching | None = None
) -> list[Transition]:
    """Return every way over a solid within one space, and every way from one space to another.

    Parameters
    ----------
    spaces
        The levels.
    ways
        The ways between them.
    air
        Returns the shapes, with ids, that block a leap from one surface to another.
    touching
        Says where a die may put down a charger that has entered its target's zone; anywhere if None.

    """
    found = [transition for i in range(len(spaces)) for transition in _on_level(spaces, i)]
    index = {space.surface: i for i, space in enumerate(spaces)}
    for passage in ways:
        source, dest = index.get(passage.source), index.get(passage.way.to)
        if source is not None and dest is not None:
            found.append(_between(spaces, passage, source, dest, air))
    return found if touching is None else [replace(way, touching=touching) for way in found]


def _on_level(spaces: Sequence[Space], i: int) -> Iterator[Transition]:
    """Yield the ways over the solids of one space."""
    space = spaces[i]
    for k, block in enumerate(space.blocks):
        for way in block.ways:
            body, rim = outline(block.shape, space.radius)
            others = space.walls.capsules(space.walls.owner != k)
            near = rim if way.foot is None else _spots(rim, rim, way)[0]
            yield Transition(block.id, way, i, i, space, space, near, rim, body, others)


def _between(spaces: Sequence[Space], passage: Passage, source: int, dest: int, air: Air) -> Transition:
    """Return the way by a passage from one space to another."""
    here, there, way = spaces[source], spaces[dest], passage.way
    body, rim = outline(passage.rim, STEP_RIM if passage.by_centre else here.radius)
    firm = brim = sides = None
    if way.kind == "leap" and passage.block not in {here.surface, there.surface}:
        near, far, others, firm, brim = _leap_to_brim(here, there, passage, rim, air)
    elif way.kind == "leap":
        assert here.inside is not None
        assert there.inside is not None
        near, far = inner_rim(here.inside, here.margin), inner_rim(there.inside, there.margin)
        firm = grown([(here.inside, 0.0), (passage.rim, 0.0)] if source != dest else [(passage.rim, 0.0)])
        others = grown((shape, here.radius) for _, shape in air(here.surface, there.surface))
    else:
        near, far, others, crossed = _up_or_down(here, there, passage, rim)
        if way.kind in {"climb", "descend"} and crossed is not None and crossed.rings:
            sides = crossed.capsules
    if way.kind == "leap":
        others = joined(
            others, *(_gaps(space, {passage.block, *passage.past}) for space in dict.fromkeys((here, there)))
        )
    if way.foot is not None:
        near, far = _spots(near, far, way)
    elif [piece.length for piece in near] == [0.0]:
        way = replace(way, across=False)  # from a top with room for one place only, over any of its sides
    if not way.tests and not there.low.empty:
        # Without a die the move need not end where it lands: the mover may go on over a low obstacle there (TER.3).
        there = replace(there, low=grown(()))
    least = 0.0 if passage.by_centre else here.radius + here.margin
    ends = (passage.block, way, source, dest, here, there, near, far)
    return Transition(*ends, body, others, firm, least, brim, sides, inward=passage.inward)


def _leap_to_brim(
    here: Space, there: Space, passage: Passage, rim: tuple[Piece, ...], air: Air
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], Grown, Grown, Grown]:
    """Return the near rim, the far rim, what else may block the leap, the roof and the gap of a leap between them."""
    roof = there if passage.inward else here
    assert roof.inside is not None
    stood = inner_rim(roof.inside, roof.margin)
    near, far = (rim, stood) if passage.inward else (stood, rim)
    ignored = {passage.block, roof.surface, *passage.past}
    others = grown((shape, here.radius) for name, shape in air(here.surface, there.surface) if name not in ignored)
    return near, far, others, grown([(roof.inside, 0.0)]), grown([(passage.rim, 0.0)])


def _up_or_down(
    here: Space, there: Space, passage: Passage, rim: tuple[Piece, ...]
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], Grown, Shape | None]:
    """Return the near rim, the far rim, what else may block the way, and the outline crossed, of a way up or down."""
    inner, outer = (there, here) if passage.inward else (here, there)
    down = passage.way.kind == "descend" and not passage.inward
    in_part = passage.rim != inner.inside and (passage.inward or down)
    on = inner.inside if passage.beside is None else passage.rim  # a step is left at the side of its gap
    assert on is not None
    # A climb starts and ends where the whole base stands, if there is room for it.
    stood = () if passage.way.horizontal else inner_rim(on, inner.radius)
    stood = stood or inner_rim(on, inner.margin)
    if in_part:
        flush = flush_with(rim, inner)
        stood = over_face(stood, passage.rim) if down else stood
        if flush != rim and passage.way.foot is None:
            whole, stood = stood, _opposite(stood, flush, rim)
            flush = flush if down else _opposite(flush, stood, whole)
        rim = flush
    ignored = {passage.block, inner.surface, outer.surface, *passage.past}
    beside = grown((shape, STEP_RIM if passage.by_centre else here.radius) for shape in passage.beside or ())
    aside = grown((shape, max(here.margin, STEP_RIM)) for shape in passage.aside)
    others = joined(_without_named(here, ignored), _without_named(there, ignored), beside, aside)
    return (rim, stood, others, passage.rim) if passage.inward else (stood, rim, others, on)


def _without_named(space: Space, ignored: AbstractSet[str | None]) -> Grown:
    """Return the walls of a space without those of some pieces and without the space's own rim."""
    walls, count = space.walls, len(space.blocks)
    left_out = np.array([*(block.id in ignored for block in space.blocks), True], dtype=bool)
    return walls.capsules(~left_out[np.minimum(walls.owner, count)])


def _gaps(space: Space, ignored: AbstractSet[str]) -> Grown:
    """Return the gaps cut into a level, but for ``ignored`` ones: a leap leads over one gap at a time (LEAP.1)."""
    gaps = [k for k, block in enumerate(space.blocks) if block.rule == "LEAP.1" and block.id not in ignored]
    return space.walls.capsules(np.isin(space.walls.owner, gaps))


def _spots(near: Sequence[Piece], far: Sequence[Piece], way: Way) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return the places on two rims nearest to the foot of a way: at a corner there is one on either side."""
    assert way.foot is not None
    foot = way.foot

    def spots(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        # All of an arc about the foot is equally near; the ends of its neighbours stand for it.
        lines = [piece for piece in pieces if not piece.radius or math.dist(piece.start, foot) > TOUCH]
        found = [(piece, *piece.nearest(foot)) for piece in lines or pieces]
        least = min((away for _, _, away in found), default=0.0)
        nearest = [piece.at(np.array(u)) for piece, u, away in found if away <= least + ROUNDING]
        alone = [at for n, at in enumerate(nearest) if all(np.hypot(*(at - other)) > TOUCH for other in nearest[:n])]
        return tuple(Piece((float(x), float(y)), (1.0, 0.0), 0.0) for x, y in alone)

    return spots(near), spots(far)


# -- rims of levels ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=_KEPT)
def inner_rim(shape: Shape, margin: float) -> tuple[Piece, ...]:
    """Return the rim of the places in a shape at least ``margin`` inches from its edge: where a centre can stand."""
    if not shape.rings:
        room = shape.radius - margin
        if room < -TOUCH:
            return ()
        if room <= TOUCH:  # just as wide as the base, which can stand on its spine alone
            return tuple(segment(a, b) for a, b in shape.capsules.reshape(-1, 2, 2).tolist())
        return tuple(rim_pieces(grown([(shape, -margin)])))
    if not margin:
        return tuple(_onto(shape, segment(a, b)) for a, b in shape.capsules.reshape(-1, 2, 2).tolist())
    rim = tuple(rim_pieces(along_edges(shape, margin), [], shape.contains))
    return rim or _only_place(shape, margin)


def _onto(shape: Shape, side: Piece) -> Piece:
    """Return a side of a top with its normal turned onto the top, as on a rim within it."""
    x, y = side.toward
    left = side.at(np.array([side.length / 2])) + HAIR * np.array([-y, x])
    return replace(side, normal=(-y, x) if shape.contains(left)[0] else (y, -x))


def _only_place(shape: Shape, radius: float) -> tuple[Piece, ...]:
    """Return the one place for a base on a top exactly as wide; nothing on a narrower top."""
    line = shapely.maximum_inscribed_circle(shape.to_shapely(), TOUCH / 10)
    x, y = line.coords[0]
    return (segment((x, y), (x, y)),) if line.length >= radius - TOUCH else ()


def flush_with(rim: Sequence[Piece], inner: Space) -> tuple[Piece, ...]:
    """Return the parts of a face flush with the level's own outline, not those under a ledge that sticks out."""
    assert inner.inside is not None
    shape, margin = inner.inside, inner.margin
    edges = crossed_by(Rims(rim), grown([(shape, margin)]))
    return _parts_of(rim, edges, lambda at: shape.depth(at) >= margin - TOUCH)


def over_face(rim: Sequence[Piece], face: Shape) -> tuple[Piece, ...]:
    """Return the parts of a rim on a top that lie over a face: from there a mover can climb down."""
    rims = Rims(rim)
    corners = np.array([corner for ring in face.rings for corner in ring]).reshape(-1, 2)
    edges = [*crossed_by(rims, grown([(face, 0.0)])), _feet(rims, corners)]
    return _parts_of(rim, edges, lambda at: face.distance(at) <= TOUCH)


def _opposite(pieces: Sequence[Piece], across: Sequence[Piece], other: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return the parts of one rim from which the nearest place of another rim lies on its parts ``across``.

    ``other`` is that rim as a whole; from elsewhere ways would lead aslant past what sticks out.
    """
    left, whole = Rims(across), Rims(other)

    def straight(p: Floats) -> Bools:
        if not across:
            return np.zeros(len(p), dtype=bool)
        u, apart = left.nearest(p)
        rows, j = np.arange(len(p)), apart.argmin(axis=1)
        # At an end of a part, the whole piece may go on to a nearer place.
        on = whole.nearest(left.at(j, u[rows, j]))[1] <= TOUCH
        return np.asarray(~(on & (whole.nearest(p)[1] < apart[rows, j, None] - TOUCH)).any(axis=1))

    return _parts_of(pieces, [_feet(Rims(pieces), left.ends.reshape(-1, 2))], straight)


def _feet(rims: Rims, places: Floats) -> tuple[Ints, Floats]:
    """Return where each piece is nearest to each of the places ``(n, 2)``: numbers of pieces, inches along them."""
    numbers = np.arange(len(rims.length))
    return np.tile(numbers, len(places)), rims.nearest(places)[0].ravel()


def _parts_of(
    rim: Sequence[Piece], edges: Sequence[tuple[Ints, Floats]], of_use: Callable[[Floats], Bools]
) -> tuple[Piece, ...]:
    """Cut pieces at ``edges`` (pieces, inches along them) and return the parts whose middle is of use."""
    if not rim:
        return ()
    rims = Rims(rim)
    long = rims.length > TOUCH  # a single place is not cut
    row, begin, end = parts(rims.length, [(i[long[i]], u[long[i]]) for i, u in edges])
    use = of_use(rims.at(row, (begin + end) / 2)) & ((end - begin > TOUCH) | ~long[row])
    first, last = without_specks(row, begin, end, use)
    which = zip(row[first].tolist(), begin[first].tolist(), end[last].tolist(), strict=True)
    return tuple(rim[j].part(u, v) if v - u < rim[j].length else rim[j] for j, u, v in which)
