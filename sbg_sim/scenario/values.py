"""Tables made in Python: values, dicts and shapely shapes become the data of a file, and are read like one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from sbg_sim.document import Document, validate
from sbg_sim.document.validate import ordered
from sbg_sim.errors import Fault, FileFaultsError, QuestionError
from sbg_sim.geometry.shapes import Shape
from sbg_sim.scenario.build import Faults, model_of, questions_of
from sbg_sim.scenario.files import table_of
from sbg_sim.scenario.form import ModelsForm, QuestionsForm
from sbg_sim.scenario.write import as_record, as_shape
from sbg_sim.table.faults import table_faults
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Asked, Measure, Question
from sbg_sim.table.terrain import Terrain

if TYPE_CHECKING:
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap

NAME: Final = "Table"
"""The name in messages of a table that comes from no file."""

_TOP: Final = ("title", "source")
_RENAMED: Final = {"start": "from", "end": "to"}


def from_data(data: Mapping[str, Any]) -> Table:
    """Return the table of the plain data of a whole file.

    Raises
    ------
    FileFaultsError
        With every fault.

    """
    return table_of(Document(NAME, b"", plain(data)))


def made(given: Table) -> Table:
    """Return the checked table of one with fields as typed in Python.

    Raises
    ------
    FileFaultsError
        With every fault.

    """
    held = {f.name: getattr(given, f.name) for f in fields(given)}
    held = {name: one.item() if isinstance(one, np.generic) else one for name, one in held.items()}
    rest = {f.name: held[f.name] for f in fields(given) if not _same(held[f.name], _default(f))}
    data: dict[str, Any] = {key: plain(rest.pop(key)) for key in _TOP if key in rest}
    off = _ids(rest.pop("off", ()))
    record = rest.pop("record", None)
    data["rulings"] = plain(getattr(rest.get("rulings"), "chosen", rest.get("rulings", {})))
    data["models"] = _entries(rest.get("models", {}), lambda name, one: _model(name, one, off))
    data["terrain"] = _entries(rest.get("terrain", {}), _piece)
    data["questions"] = _entries(rest.get("questions", {}), _question)
    data = {key: value for key, value in data.items() if not _same(value, {})}
    kept = {"rulings", "models", "terrain", "questions"}
    data["table"] = {key: plain(value) for key, value in rest.items() if key not in kept}
    return table_of(Document(NAME, b"", data | (as_record(record) if record is not None else {})))


def asked(given: Mapping[str, Any]) -> Asked:
    """Return the question of a mapping with the keys of a file.

    Raises
    ------
    FileFaultsError
        With every fault.

    """
    source = Document("question", b"", {"questions": {"asked": plain(given)}})
    found: Faults = []
    made = questions_of(validate(QuestionsForm, source), found)
    if found:
        raise FileFaultsError(ordered(source.fault(key, why) for key, why in found))
    return made["asked"]


def having(table: Table, model: Model, changes: Mapping[str, Any]) -> Table:
    """Return a table with other values for a model, read like those of a file.

    Parameters
    ----------
    table, model
        The table and one of its models.
    changes
        Keys of a model in a file, with their values; None removes a value.

    Raises
    ------
    FileFaultsError
        With every fault that concerns the model.

    """
    said = {**_fields(model, "id"), **{key: plain(value) for key, value in changes.items()}}
    source = Document(NAME, b"", {"models": {model.id: {k: v for k, v in said.items() if v is not None}}})
    form = validate(ModelsForm, source).models[model.id]
    missing = [key for key in ("base", "at") if getattr(form, key) is None]
    wrong = [source.fault(("models", model.id, key), "is missing") for key in missing]
    if form.profile is not None:
        wrong.append(source.fault(("models", model.id, "profile"), "belongs to a file: give the model its fields"))
    if wrong:
        raise FileFaultsError(tuple(wrong))
    changed = model_of(model.id, form)
    off = table.off if form.off_table is None else (table.off - {model.id}) | ({model.id} if form.off_table else set())
    if model.id not in off and "waited" not in changes:
        changed = replace(changed, waited=0)  # it has arrived
    models = _mutual(table.models.with_item(model.id, changed), model, changed)
    found = replace(table, models=models, off=frozenset(off))
    found_faults = table_faults(found, about=model.id)
    faults = [(key, why) for key, why in found_faults if key[:2] == ("models", model.id) or _names(why, model)]
    if faults:
        raise FileFaultsError(ordered(source.fault(key, why) for key, why in faults))
    return found


def _names(reason: str, model: Model) -> bool:
    return f"`{model.id}`" in reason


def _mutual(models: FrozenMap[str, Model], before: Model, now: Model) -> FrozenMap[str, Model]:
    """Return models with contacts that a model has gained or lost set for the others too."""
    for name in before.engaged ^ now.engaged:
        other = models.get(name)
        if other is not None and name != now.id:
            met = other.engaged | {now.id} if name in now.engaged else other.engaged - {now.id}
            models = models.with_item(name, replace(other, engaged=met))
    return models


def plain(value: Any) -> Any:
    """Return a Python value as data of a TOML file; values without such a form stay as they are.

    Examples
    --------
    >>> plain({"at": (1, np.float64(2)), "keywords": frozenset({"infantry"}), "polygon": shapely.box(0, 0, 1, 1)})
    {'at': [1, 2.0], 'keywords': ['infantry'], 'polygon': [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]}

    """
    if isinstance(value, Mapping):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, set | frozenset) and all(isinstance(held, str) for held in value):  # numbers need an order
        return sorted(plain(held) for held in value)
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, shapely.Geometry):
        return _coordinates(value)
    return value


def _coordinates(shape: shapely.Geometry) -> Any:
    if isinstance(shape, shapely.Point) and not shape.is_empty:
        return [shape.x, shape.y]
    if isinstance(shape, shapely.Polygon) and not len(shape.interiors):
        shape = shape.exterior
    # A MultiLineString is no single line.
    return shapely.get_coordinates(shape).tolist() if isinstance(shape, shapely.LineString) else shape


def _entries(given: Any, entry: Any) -> Any:
    if not isinstance(given, Mapping) and isinstance(given, Iterable) and not isinstance(given, str | bytes):
        values = list(given)
        if all(isinstance(one, Model | Terrain) for one in values):
            _each_once(values)
            given = {one.id: one for one in values}
    if not isinstance(given, Mapping):
        return plain(given)
    return {str(name): entry(str(name), one) for name, one in given.items()}


def _each_once(values: list[Any]) -> None:
    """Refuse two entries with one id: in a mapping, the first would be lost silently."""
    seen: set[str] = set()
    for one in values:
        if one.id in seen:
            kind = "models" if isinstance(one, Model) else "terrain"
            raise FileFaultsError((Fault("stands twice; keep one of the two", f"{kind}.{one.id}", NAME),))
        seen.add(one.id)


def _ids(given: Any) -> frozenset[str]:
    """Return the ids of the models off the table."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise QuestionError(f"off holds the ids of models, not {given!r:.60}")
    return frozenset(given)


def _default(one: Any) -> Any:
    return one.default_factory() if callable(one.default_factory) else one.default


def _same(one: Any, other: Any) -> bool:
    """Say whether two values have one type and are equal; arrays and frames would compare their entries."""
    return isinstance(one, type(other)) and bool(one == other)


def _fields(value: Any, *without: str) -> dict[str, Any]:
    """Return the fields of a value that differ from their defaults."""
    assert is_dataclass(value)
    held = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in without}
    defaults = {f.name: _default(f) for f in fields(value)}
    return {name: plain(one) for name, one in held.items() if one is not None and one != defaults[name]}


def _model(name: str, given: Any, off: frozenset[str]) -> Any:
    found = _fields(given, "id") if isinstance(given, Model) else plain(given)
    return {**found, "off_table": True} if name in off and isinstance(found, dict) else found


def _piece(_: str, given: Any) -> Any:
    if isinstance(given, Terrain):
        given = {**_fields(given, "id", "shape"), "shape": given.shape}
    if isinstance(given, Shape | shapely.Geometry):
        given = {"shape": given}
    if not isinstance(given, Mapping):
        return plain(given)
    found: dict[str, Any] = {}
    for key, value in given.items():
        if value is None:
            continue
        if isinstance(value, Shape):
            found |= as_shape(value)
        elif isinstance(value, shapely.Geometry) and key in ("shape", "polygon", "wkt"):
            found |= _drawn(value)
        else:
            found[str(key)] = plain(value)
    return found


def _drawn(shape: shapely.Geometry) -> dict[str, Any]:
    if not isinstance(shape, shapely.Polygon) or shape.is_empty:
        return {"wkt": shape.wkt}
    outer, *holes = (shapely.get_coordinates(ring).tolist() for ring in (shape.exterior, *shape.interiors))
    return {"polygon": outer, "holes": holes} if holes else {"polygon": outer}


def _question(_: str, given: Any) -> Any:
    asked = given if isinstance(given, Asked) else None
    question = given.question if isinstance(given, Asked) else given
    if not isinstance(question, Question):
        return plain(given)
    renamed = _RENAMED if isinstance(question, Measure) else {}
    found = {renamed.get(key, key): value for key, value in _fields(question).items()}
    return {"ask": question.ask, **found, **({} if asked is None else _fields(asked, "question"))}
