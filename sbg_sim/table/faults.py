"""What is wrong with a table as it stands: every fault, each once, with the path of what is wrong.

A table that starts out against the rules (bases that overlap, a model in a wall) is a fault, never an answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.table.questions import Charge, Gap, Measure, Move
from sbg_sim.table.terrain import TAGS
from sbg_sim.tolerance import SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import Record
    from sbg_sim.table.terrain import Terrain

Key: TypeAlias = tuple[str | int, ...]
Told: TypeAlias = "Iterator[tuple[Key, str]]"

LISTED: Final = 100
"""No more than this many overlaps are listed: a heap of models has as many as it has pairs."""

_CHUNK: Final = 100  # bases or pieces compared with all others at a time: bounds the memory a heap can take


@dataclass(frozen=True)
class _Known:
    """The ids there are, those of spoilt entries included: a reference to one of them is no further fault."""

    table: Table
    models: frozenset[str]
    terrain: frozenset[str]
    sides: frozenset[str]
    things: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "things", self.models | self.terrain)

    def model(self, name: str, key: Key) -> Told:
        yield from _one_of(name, self.models, "model", key)

    def thing(self, name: str, key: Key) -> Told:
        yield from _one_of(name, self.things, "model or terrain", key)

    def platform(self, name: str | None, key: Key) -> Told:
        if name is None:
            return
        piece = self.table.terrain.get(name)
        platforms = {n for n, p in self.table.terrain.items() if "platform" in p.tags}
        if name not in self.terrain:
            yield from _one_of(name, platforms or self.terrain, "platform", key)
        elif piece is not None and name not in platforms:
            yield key, f"`{name}` is no platform; give it the tag `platform` to be stood on"


def table_faults(
    table: Table,
    *,
    models: Iterable[str] = (),
    terrain: Iterable[str] = (),
    sides: Iterable[str] = (),
) -> list[tuple[Key, str]]:
    """Return everything that is wrong with a table.

    Parameters
    ----------
    table
        What to look at.
    models, terrain, sides
        Further ids and sides that exist, though not on this table (their entries are spoilt).

    Returns
    -------
    Pairs of a path such as ``("models", "lurtz", "at")`` and a sentence that says what would be right.

    """
    known = _Known(
        table,
        frozenset(models) | frozenset(table.models),
        frozenset(terrain) | frozenset(table.terrain),
        frozenset(sides) | {m.side for m in table.models.values() if m.side},
    )
    found: list[tuple[Key, str]] = []
    with np.errstate(all="ignore"):
        found += _board(table)
        for model in table.models.values():
            found += _model(model, known)
        sound = {}
        for piece in table.terrain.values():
            wrong = [*_piece(piece, known)]
            if not any(key[2:3] == ("on",) or "polygon" in key or "holes" in key for key, _ in wrong):
                sound[piece.id] = piece
            found += wrong
        found += [
            (("terrain", name), "this id is a model's too; give one of them another")
            for name in sorted(known.models & known.terrain)
        ]
        for name, asked in table.questions.items():
            found += _question(("questions", name), asked.question, known)
        if table.record is not None:
            found += _record(table.record, known)
        found += _placement(table, sound)
    return list(dict.fromkeys(found))


def _one_of(name: str, known: Iterable[str], kind: str, key: Key) -> Told:
    if name in known:
        return
    from sbg_sim.document.suggest import meant

    yield key, f"no {kind} is called `{name}`{meant(name, known)}"


def _number(value: float | None, key: Key, *, least: float | None = None, above: float | None = None) -> Told:
    if value is None:
        return
    if not math.isfinite(value):
        yield key, f"must be a finite number, not {value}"
    elif above is not None and value <= above:
        yield key, f"must be greater than {above:g}, not {value:g}"
    elif least is not None and value < least:
        yield key, f"must not be less than {least:g}, not {value:g}"


def _finite(points: Iterable[Point], key: Key) -> Told:
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        yield key, "must be finite numbers"


def _board(table: Table) -> Told:
    yield from _number(table.width, ("table", "width"), above=0)
    yield from _number(table.depth, ("table", "depth"), above=0)
    yield from _number(table.tolerance, ("table", "tolerance"), least=0)


def _model(model: Model, known: _Known) -> Told:
    key: Key = ("models", model.id)
    yield from _finite([model.at], (*key, "at"))
    yield from _number(model.base, (*key, "base"), above=0)
    yield from _number(model.height, (*key, "height"), above=0)
    yield from _number(model.move, (*key, "move"), least=0)
    yield from _number(model.climbed, (*key, "climbed"), least=0)
    yield from known.platform(model.on, (*key, "on"))
    order = list(known.table.models)
    for other in sorted(model.engaged):
        if other == model.id:
            yield (*key, "engaged"), "a model is not engaged with itself"
            continue
        yield from known.model(other, (*key, "engaged"))
        foe = known.table.models.get(other)
        told = foe is not None and model.id in foe.engaged and order.index(other) < order.index(model.id)
        if foe is not None and foe.side and foe.side == model.side and not told:
            yield (*key, "engaged"), f"`{other}` is on the same side; only enemies are engaged"


def _piece(piece: Terrain, known: _Known) -> Told:
    key: Key = ("terrain", piece.id)
    for tag in sorted(piece.tags - set(TAGS)):
        yield from _one_of(tag, TAGS, "tag", (*key, "tags"))
    yield from _number(piece.height, (*key, "height"), above=0)
    yield from _number(piece.depth, (*key, "depth"), above=0)
    if piece.height is None and "unscalable" not in piece.tags:
        for tag in sorted(piece.tags & {"obstacle", "platform"}):
            yield (*key, "height"), f"is missing; every {tag} needs one unless it is unscalable"
            break
    if piece.height is None and piece.tags >= {"platform", "unscalable"}:
        yield (*key, "height"), "is missing; a platform needs one to be stood on"
    if piece.depth is not None and "gap" not in piece.tags:
        yield (*key, "depth"), "belongs to a gap; add the tag `gap` or leave it out"
    yield from known.platform(piece.on, (*key, "on"))
    yield from _round_in_circles(piece, known.table)
    for name in sorted(piece.lets_through):
        yield from known.model(name, (*key, "lets_through"))
    yield from _ladder(piece, key, known)
    if piece.shape is not None:
        yield from _outline(piece.shape, key, known.table)
    elif "ladder" not in piece.tags:
        yield key, "has no shape: give it polygon, circle, line with thickness, or wkt"


def _round_in_circles(piece: Terrain, table: Table) -> Told:
    seen, below = {piece.id}, piece.on
    while below is not None and below in table.terrain:
        if below == piece.id:
            yield ("terrain", piece.id, "on"), "in the end it stands on itself"
        if below in seen:
            return
        seen.add(below)
        below = table.terrain[below].on


def _ladder(piece: Terrain, key: Key, known: _Known) -> Told:
    if "ladder" in piece.tags:
        if piece.at is None:
            yield (*key, "at"), "is missing; a ladder needs its foot, at = [x, y]"
        else:
            yield from _finite([piece.at], (*key, "at"))
            yield from _off_table([piece.at], (*key, "at"), known.table)
        if piece.to is None:
            yield (*key, "to"), "is missing; a ladder needs the platform it leads to"
        yield from known.platform(piece.to, (*key, "to"))
        if piece.shape is not None:
            yield key, "a ladder is a point: it takes at and to, and no shape"
        return
    for name, value in (("at", piece.at), ("to", piece.to)):
        if value is not None:
            yield (*key, name), "belongs to a ladder; add the tag `ladder` or leave it out"


def _off_table(points: Sequence[Point], key: Key, table: Table) -> Told:
    if all(x < 0 or y < 0 or x > table.width or y > table.depth for x, y in points):
        yield key, f"lies off the table, which is {table.width:g} by {table.depth:g}"


def _outline(shape: Shape, key: Key, table: Table) -> Told:
    places = [*shape.spine, *(p for ring in shape.rings for p in ring)]
    name = shape.kind
    unsound = [*_finite(places, (*key, name))]
    if shape.kind == "circle":
        unsound += _number(shape.radius, (*key, "circle", "radius"), above=0)
    elif shape.kind == "line":
        unsound += _number(2 * shape.radius, (*key, "thickness"), above=0)
        if len(shape.spine) < 2:
            unsound.append(((*key, "line"), f"needs at least 2 points, not {len(shape.spine)}"))
    elif not unsound:
        unsound += _rings(shape, key)
    yield from unsound
    if unsound:
        return
    x0, y0, x1, y1 = shape.bounds
    if x1 < 0 or y1 < 0 or x0 > table.width or y0 > table.depth:
        yield (*key, name), f"lies wholly off the table, which is {table.width:g} by {table.depth:g}"


def _rings(shape: Shape, key: Key) -> Told:
    paths: list[Key] = [(*key, "polygon"), *((*key, "holes", i) for i in range(len(shape.rings) - 1))]
    told = False
    for path, ring in zip(paths, shape.rings, strict=True):
        for reason in _ring(ring):
            told = True
            yield path, reason
    body = None if told else shapely.Polygon(shape.rings[0], shape.rings[1:])
    if body is not None and not body.is_valid:
        yield paths[-1 if len(paths) == 2 else 0], f"its holes do not fit in it{_where(body)}"


def _ring(ring: Sequence[Point]) -> Iterator[str]:
    if len(set(ring)) < 3:
        yield f"needs at least 3 different corners, not {len(set(ring))}"
        return
    if shapely.area(shapely.convex_hull(shapely.MultiPoint(ring))) <= SLIVER:
        yield "has no area: its corners lie on one line"
        return
    body = shapely.Polygon(ring)
    if not body.is_valid:
        yield f"crosses or touches itself{_where(body)}"


def _where(body: shapely.Polygon) -> str:
    reason = shapely.is_valid_reason(body)
    return f" at ({reason[reason.index('[') + 1 : -1].replace(' ', ', ')})" if "[" in reason else ""


def _question(key: Key, question: Any, known: _Known) -> Told:
    off = known.table.off
    if isinstance(question, Measure | Gap):
        ends = (question.start, question.end) if isinstance(question, Measure) else question.between
        paths: tuple[Key, ...] = (("from",), ("to",)) if isinstance(question, Measure) else (("between", 0), ("between", 1))
        for path, name in zip(paths, ends, strict=True):
            yield from known.thing(name, (*key, *path))
            if name in off:
                yield (*key, *path), f"`{name}` is not on the table"
        if isinstance(question, Measure):
            return
    yield from known.model(question.model, (*key, "model"))
    if question.model in off:
        yield (*key, "model"), f"`{question.model}` is not on the table"
    if isinstance(question, Move):
        yield from _finite([question.to], (*key, "to"))
        yield from known.platform(question.on, (*key, "on"))
    for i, name in enumerate(_targets(question)):
        several = isinstance(question, Charge) and not isinstance(question.target, str)
        path = ("target", i) if several else ("target",)
        yield from known.model(name, (*key, *path))
        if name == question.model:
            yield (*key, *path), "is the model itself"
        elif name in off:
            yield (*key, *path), f"`{name}` is not on the table"
        elif name in _targets(question)[:i]:
            yield (*key, *path), f"`{name}` is named twice"


def _targets(question: Any) -> tuple[str, ...]:
    target = getattr(question, "target", ())
    return (target,) if isinstance(target, str) else tuple(target)


def _record(record: Record, known: _Known) -> Told:
    yield from _one_of(record.priority, known.sides, "side", ("phase", "priority"))
    for i, fight in enumerate(record.fights):
        for j, name in enumerate(fight):
            yield from known.model(name, ("phase", "fights", i, j))
    for i, move in enumerate(record.moves):
        key: Key = ("moves", i)
        yield from known.model(move.model, (*key, "model"))
        for name in move.charge:
            yield from known.model(name, (*key, "charge"))
        yield from known.platform(move.on, (*key, "on"))
        points = [p for p in (move.to, move.crawl, move.arrive, *(move.path or ())) if p is not None]
        yield from _finite(points, key)
        if move.path is not None and len(move.path) < 1:
            yield (*key, "path"), "needs at least one point"
        does = (move.charge, move.to, move.path, move.crawl, move.arrive, move.stand, move.lie)
        if all(way in (None, (), False) for way in does):
            yield key, "says nothing that the model does: charge, to, path, stand, lie, crawl or arrive"
        for j, roll in enumerate(move.rolls):
            if not 1 <= roll <= 6:
                yield (*key, "rolls", j), f"a die shows 1 to 6, not {roll}"


def _placement(table: Table, sound: dict[str, Terrain]) -> Told:
    standing = [m for m in table.standing() if m.base > 0 and math.isfinite(sum(m.at) + m.base)]
    for model in standing:
        (x, y), r = model.at, model.radius
        over = max(r - x, r - y, x + r - table.width, y + r - table.depth)
        if over > TOUCH:
            yield ("models", model.id, "at"), f"its base lies {over:.6g} in over the table's edge"
    for surface in dict.fromkeys(m.on for m in standing):
        there = [m for m in standing if m.on == surface]
        at = np.array([m.at for m in there])
        radii = np.array([m.radius for m in there])
        yield from _overlaps(there, at, radii)
        pieces = [p for p in sound.values() if p.on == surface and p.shape is not None and (p.is_obstacle or _is_gap(p))]
        yield from _inside(there, at, radii, pieces, table)
        top = sound.get(surface or "")
        if top is not None and top.shape is not None and "platform" in top.tags:
            depth = top.shape.depth(at)
            for i in np.flatnonzero(depth + radii > TOUCH):
                if not there[i].climbed:
                    over = f"{depth[i] + radii[i]:.6g} in"
                    yield ("models", there[i].id, "at"), f"its base reaches {over} over the rim of `{surface}`"


def _is_gap(piece: Terrain) -> bool:
    return "gap" in piece.tags


def _boxes(at: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[Any]:
    boxes: NDArray[Any] = shapely.box(at[:, 0] - radii, at[:, 1] - radii, at[:, 0] + radii, at[:, 1] + radii)
    return boxes


def _overlaps(there: list[Model], at: NDArray[np.float64], radii: NDArray[np.float64]) -> Told:
    boxes = _boxes(at, radii)
    tree = shapely.STRtree(boxes)
    told = 0
    for start in range(0, len(there), _CHUNK):
        one, two = tree.query(boxes[start : start + _CHUNK])
        one = one + start
        one, two = one[one > two], two[one > two]
        lack = radii[one] + radii[two] - np.hypot(*(at[one] - at[two]).T)
        for i in np.flatnonzero(lack > TOUCH):
            key: Key = ("models", there[one[i]].id, "at")
            told += 1
            if told > LISTED:
                yield key, f"and more: only the first {LISTED} overlaps are listed"
                return
            yield key, f"its base overlaps that of `{there[two[i]].id}` by {lack[i]:.6g} in; they may only touch"


def _inside(
    there: list[Model], at: NDArray[np.float64], radii: NDArray[np.float64], pieces: list[Terrain], table: Table
) -> Told:
    """Find bases that overlap something solid, or a gap, on the surface they stand on."""
    tree = shapely.STRtree(_boxes(at, radii))
    points = shapely.points(at)
    told = 0
    for start in range(0, len(pieces), _CHUNK):
        some = pieces[start : start + _CHUNK]
        shapes = [p.shape for p in some if p.shape is not None]
        which, who = tree.query(shapely.box(*np.array([s.bounds for s in shapes]).T))
        bodies = np.array([_body(s) for s in shapes], dtype=object)
        grown = np.array([s.radius for s in shapes])
        lack = radii[who] + grown[which] - shapely.distance(bodies[which], points[who])
        for i in np.flatnonzero(lack > TOUCH):
            reason = _why_not_there(there[who[i]], some[which[i]], table)
            if reason and told < LISTED:
                told += 1
                yield ("models", there[who[i]].id, "at"), reason


def _body(shape: Shape) -> shapely.Geometry:
    """Return what the shape's radius grows from: distances to it are exact."""
    if shape.rings:
        return shapely.Polygon(shape.rings[0], shape.rings[1:])
    return shapely.Point(shape.spine[0]) if len(shape.spine) == 1 else shapely.LineString(shape.spine)


def _why_not_there(model: Model, piece: Terrain, table: Table) -> str:
    """Say why a base may not overlap a piece on its own surface; empty when it may."""
    if model.id in piece.lets_through:
        return ""
    if not piece.is_obstacle:  # a gap: only who fell in, and lies there, is in it
        return "" if model.prone else f"its base stands over the gap `{piece.id}`"
    if piece.tags & {"platform"} and piece.height is not None:
        return f'its base overlaps `{piece.id}`; if it stands on top, say on = "{piece.id}"'
    low = table.rulings["end_on_low_obstacle"] == "yes" and model.height is not None
    half = (model.height or 0) / 2
    exactly = table.rulings["obstacle_exactly_half"] == "free" and piece.top <= half
    if low and (piece.top < half or exactly):
        return ""
    return f"its base overlaps `{piece.id}`; they may only touch"
