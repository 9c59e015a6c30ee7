"""From the form of a file to its table, with the faults that the form alone cannot show."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import shapely

from sbg_sim.document import Document, Names, meant, shown, validate
from sbg_sim.errors import FileFaultsError, QuestionError
from sbg_sim.geometry import shapes
from sbg_sim.scenario import form
from sbg_sim.scenario.expecting import expectation
from sbg_sim.scenario.formula import FormulaError, evaluate
from sbg_sim.scenario.placing import placed, put
from sbg_sim.table.board import Table
from sbg_sim.table.faults import length_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Asked, Charge, Gap, Measure, Move, Question, ReachOf, Sight
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.rulings import RULINGS, Rulings
from sbg_sim.table.terrain import Terrain
from sbg_sim.table.underlay import Underlay, turns
from sbg_sim.tolerance import LARGEST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sbg_sim.document import Key
    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.tape import Fit

_GEOS = re.compile(r"^\w+Exception: ")  # the name of an exception of the library that reads WKT

Faults: TypeAlias = "list[tuple[Key, str]]"
"""Pairs of a path in the file and the fault there."""


def build(scenario: form.ScenarioForm, faults: Faults, spoilt: Collection[str] = (), folder: str = "") -> Table:
    """Return the table of a file; faulty parts are left out, with their faults added to ``faults``.

    Models of profiles with faults already known (``spoilt``) are left out without further faults.
    """
    models, off, fit = _models(scenario, faults, spoilt)
    return Table(
        width=_size(scenario, "width", faults),
        depth=_size(scenario, "depth", faults),
        tolerance=_size(scenario, "tolerance", faults),
        horizon=None if scenario.table.horizon is None else _size(scenario, "horizon", faults),
        models=models,
        terrain=_terrain(scenario, faults),
        questions=questions_of(scenario, faults),
        rulings=_rulings(scenario, faults),
        title=scenario.title,
        source=scenario.source,
        record=_record(scenario, faults),
        off=off,
        fit=fit,
        picture=_picture(scenario.table.picture, faults, folder),
    )


def _picture(given: form.PictureForm | None, faults: Faults, folder: str) -> Underlay | None:
    """Return the photograph and its place; its path is relative to the file's folder."""
    if given is None:
        return None
    a, b, c, d = (_point(corner) for corner in given.corners)
    if not turns((a, b, c, d)):
        reason = "must go round: lower left, lower right, upper right, upper left"
        faults.append((("table", "picture", "corners"), reason))
    return Underlay((PurePath(folder) / given.file).as_posix(), (a, b, c, d))


def _size(scenario: form.ScenarioForm, key: str, faults: Faults) -> float:
    """Return a size of the board; for an invalid one a fault is added, and the largest size is used."""
    value: float = getattr(scenario.table, key)
    above = None if key == "tolerance" else 0
    wrong = [*length_faults(value, ("table", key), least=0, above=above)]
    faults += wrong
    return LARGEST if wrong else value


def _models(
    scenario: form.ScenarioForm, faults: Faults, spoilt: Collection[str]
) -> tuple[FrozenMap[str, Model], frozenset[str], Fit | None]:
    for name, profile in scenario.profiles.items():
        faults += [
            (("profiles", name, key), f"belongs to a model, not to a profile: write models.<id>.{key}")
            for key in ("profile", "at", "engaged", "off_table", "waited")
            if getattr(profile, key) is not None
        ]
    recorded = [scenario.moves, *(turn.moves for turn in scenario.turns)]
    arriving = {move.model for moves in recorded for move in moves if move.arrive is not None}
    profiles = Names(scenario.profiles)
    models: dict[str, Model] = {}
    whole = {n: _with_profile(own, scenario.profiles.get(own.profile or "")) for n, own in scenario.models.items()}
    fit = placed(scenario, whole, faults)
    read = {end for r in scenario.readings for end in (r.from_, r.to)} if fit is None else set()
    off = set()
    for name, own in scenario.models.items():
        fields = put(whole[name], name, fit)
        if own.profile is not None and own.profile not in profiles and own.profile not in spoilt:
            reason = f"no profile is called `{own.profile}`{profiles.meant(own.profile)}"
            faults.append((("models", name, "profile"), reason))
        waits = bool(fields.off_table) or (fields.at is None and name in arriving)
        if waits:
            off.add(name)
        if fields.base is None and (own.profile is None or own.profile in profiles):
            faults.append((("models", name, "base"), "is missing, here and in the profile"))
        if fields.at is None and name in read:
            continue  # the readings that should place it have faults of their own
        if fields.at is None and not waits:
            faults.append((("models", name, "at"), "is missing; a model that waits outside says off_table = true"))
        elif fields.base is not None:
            models[name] = model_of(name, fields)
    return FrozenMap(_mutual(models)), frozenset(off & set(models)), fit


def _with_profile(own: form.ModelForm, shared: form.ModelForm | None) -> form.ModelForm:
    if shared is None:
        return own
    given = {key: value for key, value in own if value is not None}
    return shared.model_copy(update=given)


def model_of(name: str, fields: form.ModelForm) -> Model:
    """Return a model from its keys in a file, with those of its profile."""
    return Model(
        id=name,
        at=(0.0, 0.0) if fields.at is None else _point(fields.at),
        base=fields.base or 0.0,
        height=fields.height,
        move=fields.move,
        side=fields.side or "",
        keywords=frozenset(fields.keywords or ()),
        prone=bool(fields.prone),
        engaged=frozenset(fields.engaged or ()),
        moved=bool(fields.moved),
        may_move=fields.may_move is not False,
        on=fields.on,
        climbed=fields.climbed or 0.0,
        doubt=fields.doubt,
        waited=fields.waited or 0,
    )


def _mutual(models: dict[str, Model]) -> dict[str, Model]:
    """Return models with contacts that either of two models states set for both."""
    met: dict[str, set[str]] = {name: set(model.engaged) for name, model in models.items()}
    for name, model in models.items():
        for other in model.engaged & models.keys():
            met[other].add(name)
    return {n: m if m.engaged == met[n] else replace(m, engaged=frozenset(met[n])) for n, m in models.items()}


def _terrain(scenario: form.ScenarioForm, faults: Faults) -> FrozenMap[str, Terrain]:
    pieces = {}
    for name, given in scenario.terrain.items():
        before = len(faults)
        shape = _shape(name, given, faults)
        if len(faults) > before:
            continue
        pieces[name] = Terrain(
            id=name,
            tags=frozenset(given.tags),
            shape=shape,
            height=given.height,
            depth=given.depth,
            at=None if given.at is None else _point(given.at),
            to=given.to,
            on=given.on,
            lets_through=frozenset(given.lets_through),
        )
    return FrozenMap(pieces)


def _shape(name: str, given: form.TerrainForm, faults: Faults) -> Shape | None:
    kinds = [k for k in ("polygon", "circle", "line", "wkt") if getattr(given, k) is not None]
    where: Key = ("terrain", name)
    wrong = len(faults)
    if len(kinds) > 1:
        faults.append(((*where, kinds[1]), f"is a second shape beside `{kinds[0]}`; a piece has one"))
    if given.holes is not None and given.polygon is None:
        faults.append(((*where, "holes"), "goes with a polygon, and there is none here"))
    if given.thickness is not None and given.line is None:
        faults.append(((*where, "thickness"), "goes with a line, and there is none here"))
    if given.line is not None and given.thickness is None:
        faults.append(((*where, "thickness"), "is missing; a line needs one"))
    if len(faults) > wrong:
        return None
    if given.polygon is not None:
        return shapes.polygon(_points(given.polygon), [_points(ring) for ring in given.holes or ()])
    if given.circle is not None:
        return shapes.circle(_point(given.circle.center), given.circle.radius)
    if given.line is not None:
        return shapes.line(_points(given.line), given.thickness or 0.0)
    return None if given.wkt is None else _wkt(given.wkt, where, faults)


def _wkt(text: str, where: Key, faults: Faults) -> Shape | None:
    try:
        with np.errstate(invalid="ignore", over="ignore"):  # NaN and infinity in coordinates are faults, found later
            geometry = shapely.from_wkt(text)
    except (shapely.GEOSException, ValueError) as error:
        faults.append(((*where, "wkt"), f"is not WKT: {_GEOS.sub('', str(error).splitlines()[0])}"))
        return None
    if isinstance(geometry, shapely.MultiPolygon) and len(geometry.geoms) == 1:  # as many GIS programs write it
        geometry = geometry.geoms[0]
    if geometry is None or geometry.geom_type != "Polygon" or geometry.is_empty:
        kind = "nothing" if geometry is None or geometry.is_empty else geometry.geom_type.upper()
        faults.append(((*where, "wkt"), f"must be one POLYGON, not {kind}"))
        return None
    outer, *holes = (shapely.get_coordinates(r).tolist() for r in (geometry.exterior, *geometry.interiors))
    return shapes.polygon(_points(outer), [_points(hole) for hole in holes])


def _rulings(scenario: form.ScenarioForm, faults: Faults) -> Rulings:
    chosen = {}
    for name, reading in scenario.rulings.items():
        if name not in RULINGS:
            faults.append((("rulings", name), f"no such ruling{meant(name, RULINGS)}"))
        elif reading not in RULINGS[name].readings:
            known = " or ".join(f"`{r}`" for r in RULINGS[name].readings)
            told = f"`{reading}`" if isinstance(reading, str) else shown(reading)
            faults.append((("rulings", name), f"cannot be {told}; it is {known}"))
        else:
            chosen[name] = reading
    return Rulings(FrozenMap(chosen))


def questions_of(scenario: form.ScenarioForm | form.QuestionsForm, faults: Faults) -> FrozenMap[str, Asked]:
    """Return the questions of a file; faults are added to ``faults``."""
    asked = {}
    for name, given in scenario.questions.items():
        wrong = expectation(given.expect, given.ask)
        if wrong:
            faults.append((("questions", name, "expect"), wrong))
        if isinstance(given.needed, str):
            try:
                evaluate(given.needed)
            except FormulaError as error:
                faults.append((("questions", name, "needed"), str(error)))
        asked[name] = Asked(_question(given), given.expect, given.needed, given.note)
    return FrozenMap(asked)


def _question(given: form.QuestionForm) -> Question:
    match given:
        case form.MeasureForm():
            return Measure(given.from_, given.to)
        case form.GapForm():
            return Gap((given.between[0], given.between[1]), given.model)
        case form.SightForm():
            return Sight(given.model, given.target)
        case form.MoveForm():
            return Move(given.model, _point(given.to), given.on)
        case form.ChargeForm():
            target: str | list[str] = given.target
            return Charge(given.model, target if isinstance(target, str) else tuple(target))
    assert isinstance(given, form.ReachForm)
    return ReachOf(given.model)


def _record(scenario: form.ScenarioForm, faults: Faults) -> Record | None:
    if scenario.phase is None and scenario.moves:
        faults.append((("phase",), "is missing: moves need [phase] with priority, the side to move first"))
        return None
    later = tuple(
        _turn(turn, turn.moves, ("turns", i), f"turns[{i}].", faults) for i, turn in enumerate(scenario.turns)
    )
    if scenario.phase is not None:
        return replace(_turn(scenario.phase, scenario.moves, (), "", faults), later=later)
    return replace(later[0], later=later[1:]) if later else None


def _turn(head: form.PhaseForm, given: Sequence[form.RecordedMoveForm], where: Key, key: str, faults: Faults) -> Record:
    for i, move in enumerate(given):
        ways = [w for w in ("charge", "to", "path", "crawl", "place") if getattr(move, w) is not None]
        ways += [w for w in ("slain", "delayed") if getattr(move, w)]
        if len(ways) > 1:
            faults.append(((*where, "moves", i, ways[1]), f"stands beside `{ways[0]}`; a move is one of the two"))
    moves = tuple(_move(move) for move in given)
    return Record(head.priority, moves, tuple(tuple(f) for f in head.fights), head.stage, key=key)


def entry_of(data: Mapping[str, Any]) -> MoveRecord:
    """Return one entry of a record from its plain data.

    Raises
    ------
    QuestionError
        When its form is wrong; the message gives the key and the fault.

    """
    try:
        return _move(validate(form.RecordedMoveForm, Document("move", b"", dict(data))))
    except FileFaultsError as error:
        raise QuestionError(str(error.faults[0])) from None


def _move(given: form.RecordedMoveForm) -> MoveRecord:
    charge = () if given.charge is None else given.charge
    return MoveRecord(
        model=given.model,
        charge=(charge,) if isinstance(charge, str) else tuple(charge),
        to=None if given.to is None else _point(given.to),
        path=None if given.path is None else tuple(_points(given.path)),
        stand=given.stand,
        lie=given.lie,
        crawl=None if given.crawl is None else _point(given.crawl),
        arrive=None if given.arrive is None else _point(given.arrive),
        on=given.on,
        rolls=tuple(given.rolls),
        place=None if given.place is None else _point(given.place),
        slain=given.slain,
        delayed=given.delayed,
    )


def _point(given: Sequence[float]) -> Point:
    return (float(given[0]), float(given[1]))


def _points(given: Sequence[Sequence[float]]) -> list[Point]:
    return [_point(p) for p in given]
