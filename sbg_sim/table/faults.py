"""The faults of a table: each once, with the path of the faulty entry.

A table that breaks the rules at the start (bases that overlap, a model in a wall) is a fault, never an answer.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from unicodedata import normalize

import numpy as np
import shapely

from sbg_sim.table.placement import placement_faults
from sbg_sim.table.questions import Charge, Gap, Measure, Move
from sbg_sim.table.record import STAGES
from sbg_sim.tolerance import LARGEST, SLIVER, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sbg_sim.document.suggest import Names
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import MoveRecord, Record
    from sbg_sim.table.terrain import Terrain

Key: TypeAlias = tuple[str | int, ...]
Told: TypeAlias = "Iterator[tuple[Key, str]]"

_KEPT: Final = 1000  # outlines whose faults are cached: terrain stands still while models are moved


class _Known:
    """The known ids, those of faulty entries included: a reference to one of these is no further fault."""

    def __init__(self, table: Table, models: Iterable[str], terrain: Iterable[str], sides: Iterable[str]) -> None:
        from sbg_sim.document.suggest import Names

        self.table = table
        self.order = {name: i for i, name in enumerate(table.models)}
        self.models = Names((*table.models, *models))
        self.terrain = Names((*table.terrain, *terrain))
        self.things = Names((*table.models, *models, *table.terrain, *terrain))
        self.platforms = Names(
            n for n, p in table.terrain.items() if "platform" in p.tags or ("gap" in p.tags and p.depth is not None)
        )
        self.sides = Names((*(m.side for m in table.models.values() if m.side), *sides))

    def model(self, name: str, key: Key) -> Told:
        yield from _one_of(name, self.models, "model", key)

    def thing(self, name: str, key: Key) -> Told:
        yield from _one_of(name, self.things, "model or terrain", key)

    def platform(self, name: str | None, key: Key) -> Told:
        if name is None or name in self.platforms:
            return
        if name not in self.terrain:
            yield key, f"no platform is called `{name}`{self.platforms.meant(name)}"
        elif name in self.table.terrain:
            if "gap" in self.table.terrain[name].tags:
                yield key, f"`{name}` has no depth; give it one for its bottom to be stood on"
                return
            yield key, f"`{name}` is no platform; give it the tag `platform` to be stood on"


def table_faults(
    table: Table,
    *,
    models: Iterable[str] = (),
    terrain: Iterable[str] = (),
    sides: Iterable[str] = (),
    about: str | None = None,
) -> list[tuple[Key, str]]:
    """Return all faults of a table.

    Parameters
    ----------
    table
        The table.
    models, terrain, sides
        Further ids and sides that exist, though not on this table (their entries are faulty).
    about
        The id of the one model that has changed: entries that it cannot affect are not checked.

    Returns
    -------
    Pairs of a path such as ``("models", "lurtz", "at")`` and a sentence that says what would be right.

    """
    models, terrain = (*table.models, *models), (*table.terrain, *terrain)
    known = _Known(table, models, terrain, sides)
    found: list[tuple[Key, str]] = []
    with np.errstate(all="ignore"):
        found += _board(table)
        for model in table.models.values():
            if about is None or model.id == about or model.engaged:
                found += _model(model, known)
        sound = {}
        found += _sides(table)
        for piece in table.terrain.values():
            wrong = [*_piece(piece, known)]
            if not any(key[2:3] == ("on",) or {"polygon", "holes", "line"} & set(key) for key, _ in wrong):
                sound[piece.id] = piece
            found += wrong
        found += [
            (("terrain", name), "this id is a model's too; give one of them another")
            for name in sorted(set(models) & set(terrain))
        ]
        for name, asked in table.questions.items():
            found += _question(("questions", name), asked.question, known)
        if table.record is not None:
            found += _record(table.record, known)
        found += placement_faults(table, sound, about=about)
    return list(dict.fromkeys(found))


def _one_of(name: str, known: Names, kind: str, key: Key) -> Told:
    if name not in known:
        yield key, f"no {kind} is called `{name}`{known.meant(name)}"


def length_faults(value: float | None, key: Key, *, least: float | None = None, above: float | None = None) -> Told:
    """Yield the faults of a length, inches: not finite, too large, or too small."""
    if value is None:
        return
    if not math.isfinite(value):
        yield key, f"must be a finite number, not {value}"
    elif abs(value) > LARGEST:
        yield key, f"must not be beyond {LARGEST:g} in, and is {value:g}"
    elif above is not None and value <= above:
        yield key, f"must be greater than {above:g}, not {value:g}"
    elif least is not None and value < least:
        yield key, f"must be at least {least:g}, not {value:g}"


def place_faults(points: Iterable[Sequence[float]], key: Key) -> Told:
    """Yield the fault of places: not finite, or too far away."""
    if not all(abs(x) <= LARGEST and abs(y) <= LARGEST for x, y in points):  # never true of NaN
        yield key, f"must be finite numbers, none beyond {LARGEST:g} in"


def _board(table: Table) -> Told:
    yield from length_faults(table.width, ("table", "width"), above=0)
    yield from length_faults(table.depth, ("table", "depth"), above=0)
    yield from length_faults(table.tolerance, ("table", "tolerance"), least=0)


def _model(model: Model, known: _Known) -> Told:
    key: Key = ("models", model.id)
    yield from place_faults([model.at], (*key, "at"))
    yield from length_faults(model.base, (*key, "base"), above=0, least=TOUCH)
    yield from length_faults(model.height, (*key, "height"), above=0)
    yield from length_faults(model.move, (*key, "move"), least=0)
    yield from length_faults(model.climbed, (*key, "climbed"), least=0)
    if model.prone and model.climbed:  # who falls lies at the foot (FALL.2)
        yield (*key, "climbed"), "belongs to a model that hangs on a face; who is prone lies at the foot: leave one out"
    yield from length_faults(model.doubt, (*key, "doubt"), least=0)
    if model.waited and model.id not in known.table.off:
        yield (*key, "waited"), "belongs to a reinforcement that is outside: say off_table = true"
    yield from known.platform(model.on, (*key, "on"))
    for other in sorted(model.engaged):
        if other == model.id:
            yield (*key, "engaged"), "a model is not engaged with itself"
            continue
        yield from known.model(other, (*key, "engaged"))
        foe = known.table.models.get(other)
        told = foe is not None and model.id in foe.engaged and known.order[other] < known.order[model.id]
        if foe is not None and foe.side and foe.side == model.side and not told:
            yield (*key, "engaged"), f"`{other}` is on the same side; only enemies are engaged"


def _sides(table: Table) -> Told:
    """Yield sides that differ only in capitals, blanks or invisible characters: enemies by a slip of the pen."""
    first: dict[str, str] = {}
    for model in table.models.values():
        bare = "".join(c for c in normalize("NFKC", model.side).casefold() if c.isprintable() and not c.isspace())
        if model.side and not bare:
            yield ("models", model.id, "side"), "is blank; name a side, or leave it out"
            continue
        said = first.setdefault(bare, model.side)
        if said != model.side:
            yield ("models", model.id, "side"), f"is `{model.side}` here and `{said}` elsewhere; write it one way"


def _piece(piece: Terrain, known: _Known) -> Told:
    key: Key = ("terrain", piece.id)
    yield from length_faults(piece.height, (*key, "height"), above=0)
    yield from length_faults(piece.depth, (*key, "depth"), above=0)
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
            yield from place_faults([piece.at], (*key, "at"))
            yield from _off_table([piece.at], (*key, "at"), known.table)
        below = known.table.terrain.get(piece.on or "")
        if piece.to is None and (below is None or "gap" not in below.tags):  # out of a gap it leads to its brim
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
    unsound = [*place_faults(places, (*key, name))]
    if shape.kind == "circle":
        unsound += length_faults(shape.radius, (*key, "circle", "radius"), above=0)
    elif shape.kind == "line":
        unsound += length_faults(2 * shape.radius, (*key, "thickness"), above=0)
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
    for i, reason in _flaws(shape.rings):
        yield paths[i], reason


@lru_cache(maxsize=_KEPT)
def _flaws(rings: tuple[tuple[Point, ...], ...]) -> tuple[tuple[int, str], ...]:
    """Return the faults of an outline and its holes: the number of the ring, and a sentence."""
    told = tuple((i, reason) for i, ring in enumerate(rings) for reason in _ring(ring))
    body = None if told else shapely.Polygon(rings[0], rings[1:])
    if body is not None and not body.is_valid:
        return ((1 if len(rings) == 2 else 0, f"its holes do not fit in it{_where(body)}"),)
    return told


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
        between: tuple[Key, ...] = (("between", 0), ("between", 1))
        paths = (("from",), ("to",)) if isinstance(question, Measure) else between
        for path, name in zip(paths, ends, strict=True):
            yield from known.thing(name, (*key, *path))
            if name in off:
                yield (*key, *path), f"`{name}` is not on the table"
        if ends[0] == ends[1]:
            what = "a measure runs" if isinstance(question, Measure) else "a gap lies"
            yield (*key, *paths[1]), f"`{ends[1]}` is named twice; {what} between two things"
        if isinstance(question, Measure):
            return
    yield from known.model(question.model, (*key, "model"))
    if isinstance(question, Gap) and question.model in question.between:
        yield (*key, "model"), f"`{question.model}` is one of the two things that the gap lies between"
    if question.model in off:
        yield (*key, "model"), f"`{question.model}` is not on the table"
    if isinstance(question, Move):
        yield from place_faults([question.to], (*key, "to"))
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
    for turn, nth in zip(record.turns, itertools.count(0 if record.key else -1), strict=False):
        yield from _turn(turn, known, ("turns", nth) if turn.key else ())


def _turn(record: Record, known: _Known, where: Key) -> Told:
    head = where or ("phase",)
    yield from _one_of(record.priority, known.sides, "side", (*head, "priority"))
    for i, fight in enumerate(record.fights):
        for j, name in enumerate(fight):
            yield from known.model(name, (*head, "fights", i, j))
        if not fight:
            yield (*head, "fights", i), "names nobody; a fight is an array of models"
    side, _, doing = record.stage.rpartition(" ")
    if record.stage and record.stage != "over" and (side not in known.sides or doing not in STAGES):
        yield (*head, "stage"), 'must be "over", or a side and "moves" or "reinforcements", as in "evil moves"'
    for i, move in enumerate(record.moves):
        yield from _entry(move, known, (*where, "moves", i))


def _entry(move: MoveRecord, known: _Known, key: Key) -> Told:
    yield from known.model(move.model, (*key, "model"))
    for name in move.charge:
        yield from known.model(name, (*key, "charge"))
    yield from known.platform(move.on, (*key, "on"))
    points = [p for p in (move.to, move.crawl, move.arrive, move.place, *(move.path or ())) if p is not None]
    yield from place_faults(points, key)
    if move.path is not None and len(move.path) < 1:
        yield (*key, "path"), "needs at least one point"
    does = (move.charge, move.to, move.path is not None, move.crawl, move.arrive, move.stand, move.lie)
    if move.is_move and all(way in (None, (), False) for way in does):
        yield key, "says nothing that the model does: charge, to, path, stand, lie, crawl or arrive"
    for j, roll in enumerate(move.rolls):
        if not 1 <= roll <= 6:
            yield (*key, "rolls", j), f"a die shows 1 to 6, not {roll}"
