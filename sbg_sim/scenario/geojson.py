"""Tables as GeoJSON and back, and results as GeoJSON features: for shapely, geopandas and maps in a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import shapely
import shapely.geometry

from sbg_sim.document import not_json
from sbg_sim.errors import Fault, FileFaultsError, MissingPackageError
from sbg_sim.scenario.values import from_data
from sbg_sim.scenario.write import as_data
from sbg_sim.table.board import Table
from sbg_sim.table.route import Route

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.terrain import Terrain

_REST: Final = "sbg_sim"  # the member for everything without a place on a map
_OWN: Final = frozenset({"id", "kind", "shape"})


def collection(table: Table) -> dict[str, Any]:
    """Return a table as a FeatureCollection: a point for each model and ladder, a shape for each piece of terrain."""
    data = as_data(table)
    models, terrain = data.pop("models", {}), data.pop("terrain", {})
    features = [_feature(name, "model", _point(said.pop("at")), said) for name, said in models.items()]
    features += [_of_piece(table.terrain[name], said) for name, said in terrain.items()]
    return {"type": "FeatureCollection", "features": features, _REST: data}


def _feature(name: str, kind: str, geometry: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "id": name, "geometry": geometry, "properties": {"id": name, "kind": kind, **said}}


def _point(at: Any) -> dict[str, Any]:
    return {"type": "Point", "coordinates": list(at)}


def _of_piece(piece: Terrain, said: dict[str, Any]) -> dict[str, Any]:
    """Return a piece as a feature; round ones as their centre or middle line, with their width as a property."""
    outline, holes = said.pop("polygon", None), said.pop("holes", [])
    if outline is not None:
        rings = [[*ring, ring[0]] for ring in (outline, *holes)]
        return _feature(piece.id, "terrain", {"type": "Polygon", "coordinates": rings}, said)
    if "line" in said:
        return _feature(piece.id, "terrain", {"type": "LineString", "coordinates": said.pop("line")}, said)
    if "circle" in said:
        round_ = said.pop("circle")
        return _feature(piece.id, "terrain", _point(round_["center"]), {**said, "radius": round_["radius"]})
    return _feature(piece.id, "terrain", _point(said.pop("at")), said)


def table(data: Any, width: float | str | None = None, depth: float | str | None = None) -> Table:
    """Return the table of GeoJSON data; see `Table.from_geojson`.

    Raises
    ------
    FileFaultsError
        With every fault.

    """
    data = getattr(data, "__geo_interface__", data)
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data)
        except RecursionError:
            raise _refused("is nested too deeply") from None
        except ValueError as error:
            raise _refused(not_json(error)) from None
    if not isinstance(data, Mapping) or not isinstance(data.get("features"), list | tuple):
        raise _refused("must be a FeatureCollection, with its features in an array")
    whole: dict[str, Any] = {**data[_REST]} if isinstance(data.get(_REST), Mapping) else {}
    size = {key: value for key, value in (("width", width), ("depth", depth)) if value is not None}
    whole["table"] = {**whole.get("table", {}), **size}
    models: dict[str, Any] = {}
    terrain: dict[str, Any] = {}
    for i, feature in enumerate(data["features"]):
        name, kind, said = _read(feature, i)
        held = models if kind == "model" else terrain
        if name in models or name in terrain:
            raise _refused(f"stands twice: two features are called `{name}`", f"features[{i}].id")
        held[name] = said
    return from_data(whole | {"models": models, "terrain": terrain})


def _refused(reason: str, key: str = "") -> FileFaultsError:
    return FileFaultsError((Fault(reason, key, "GeoJSON"),))


def _read(feature: Any, i: int) -> tuple[str, str, dict[str, Any]]:
    """Return a feature's id, its kind (model or terrain), and its keys as in a scenario file."""
    key = f"features[{i}]"
    if not isinstance(feature, Mapping) or not isinstance(feature.get("geometry"), Mapping):
        raise _refused("must be a Feature with a geometry", key)
    given = {k: v for k, v in (feature.get("properties") or {}).items() if v is not None and v == v}  # noqa: PLR0124 - NaN
    geometry, points = feature["geometry"].get("type"), feature["geometry"].get("coordinates")
    said = {k: list(v) if isinstance(v, tuple) else v for k, v in given.items() if k not in _OWN}
    kind = str(given.get("kind") or ("model" if geometry == "Point" and "base" in given else "terrain"))
    name = str(given.get("id") or feature.get("id") or f"{kind}-{i}")
    if geometry == "Point" and "radius" in said:
        said["circle"] = {"center": points, "radius": said.pop("radius")}
    elif geometry == "Point":
        said["at"] = points
    elif geometry == "LineString":
        said["line"] = points
    elif geometry == "Polygon":
        outer, *holes = points
        said["polygon"] = outer
        if holes:
            said["holes"] = holes
    else:
        raise _refused(f"must be a Point, LineString or Polygon, not {geometry}; take it apart first", key)
    return name, kind, said


def frame(given: Table) -> Any:
    """Return models and terrain as a GeoDataFrame.

    Raises
    ------
    MissingPackageError
        When geopandas is not installed.

    """
    try:
        from geopandas import GeoDataFrame
    except ImportError:
        raise MissingPackageError("geopandas is not installed: pip install 'sbg_sim[frames]'") from None
    return GeoDataFrame.from_features(collection(given)["features"])


def of(thing: Any) -> dict[str, Any] | None:
    """Return any result as GeoJSON; None for a result without a place on a table."""
    from sbg_sim.solver.charges import ChargeList
    from sbg_sim.solver.denials import DenialList
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.verdict import Verdict

    match thing:
        case Table():
            return collection(thing)
        case Reach():
            said = {"model": thing.model, "area": thing.area.area}
            return {"type": "Feature", "geometry": shapely.geometry.mapping(thing.area), "properties": said}
        case Route():
            said = {"cost": thing.cost}
            return {"type": "Feature", "geometry": _way(thing.points()), "properties": said}
        case Verdict():
            return _of_verdict(thing, {"question": thing.name})
        case ChargeList():
            rows = [_of_verdict(entry.verdict, {"target": entry.target}) for entry in thing]
            return {"type": "FeatureCollection", "features": rows}
        case DenialList():
            rows = [
                {
                    "type": "Feature",
                    "geometry": shapely.geometry.mapping(entry.region),
                    "properties": {"enemy": entry.enemy, "denied": entry.area},
                }
                for entry in thing
            ]
            return {"type": "FeatureCollection", "features": rows}
    return None


def _of_verdict(verdict: Any, said: dict[str, Any]) -> dict[str, Any]:
    said |= {"answer": verdict.answer, "needed": verdict.needed, "reason": verdict.reason}
    return {"type": "Feature", "geometry": _way(verdict.path), "properties": said}


def _way(path: Sequence[Point] | None) -> dict[str, Any] | None:
    if not path:
        return None
    line = path if len(path) > 1 else [*path, *path]
    return {"type": "LineString", "coordinates": [list(spot) for spot in line]}
