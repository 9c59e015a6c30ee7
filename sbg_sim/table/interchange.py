"""A table in other forms: the plain data of a scenario file, GeoJSON and GeoDataFrames."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self


class Interchange:
    """The conversions of a table; the room that makes them is above this one, so it is imported by name."""

    def as_data(self) -> dict[str, Any]:
        """Return the table as the plain data of a scenario file.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> sbg.Table(24, 12).as_data()
        {'table': {'width': 24, 'depth': 12}}

        """
        found: dict[str, Any] = import_module("sbg_sim.scenario.write").as_data(self)
        return found

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Make a table from the plain data of a scenario file, profiles and record included.

        Raises
        ------
        FileFaultsError
            With everything that is wrong, in the words of the reader of files.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> sbg.Table.from_data({"table": {"width": 24, "depth": "12 in"}})
        <Table: 24 x 12 in, 0 models, 0 pieces, 0 questions>

        """
        found: Self = import_module("sbg_sim.scenario.values").from_data(data)
        return found

    def to_geojson(self) -> dict[str, Any]:
        """Return the table as a GeoJSON FeatureCollection that `from_geojson` reads back without loss.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.Table(24, 12, models={"merry": {"at": [4, 4], "base": 1}})
        >>> table.to_geojson()["features"][0]["geometry"]
        {'type': 'Point', 'coordinates': [4.0, 4.0]}
        >>> sbg.Table.from_geojson(table.to_geojson()) == table
        True

        """
        found: dict[str, Any] = import_module("sbg_sim.scenario.geojson").collection(self)
        return found

    @classmethod
    def from_geojson(cls, data: Any, *, width: float | str | None = None, depth: float | str | None = None) -> Self:
        """Make a table from GeoJSON: points are models (or ladders), polygons and lines terrain.

        Parameters
        ----------
        data
            A FeatureCollection as a dict, as text, or anything that has one as ``__geo_interface__``, such as
            a GeoDataFrame. Properties are the keys of a scenario file, and ``id``.
        width, depth
            Size of the table, inches, if the data lack it.

        Raises
        ------
        FileFaultsError
            With everything that is wrong, in the words of the reader of files.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> rock = {"type": "Feature", "id": "rock", "properties": {"tags": ["unscalable"]},
        ...         "geometry": {"type": "Polygon", "coordinates": [[[4, 4], [6, 4], [6, 6], [4, 4]]]}}
        >>> sbg.Table.from_geojson({"type": "FeatureCollection", "features": [rock]}, width=24, depth=24)
        <Table: 24 x 24 in, 0 models, 1 piece, 0 questions>

        """
        found: Self = import_module("sbg_sim.scenario.geojson").table(data, width, depth)
        return found

    def to_geopandas(self) -> Any:
        """Return models and terrain as a GeoDataFrame, a row each.

        Raises
        ------
        MissingPackageError
            If geopandas is not installed.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> from importlib.util import find_spec
        >>> find_spec("geopandas") is None or len(table.to_geopandas()) == 6
        True

        """
        return import_module("sbg_sim.scenario.geojson").frame(self)
