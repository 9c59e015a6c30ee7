"""Results that show themselves: as a picture in a notebook, as JSON and as GeoJSON, without knowing how."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Pictured:
    """Something that `sbg_sim.plot` can draw, that a notebook shows as its picture, and that says itself as data.

    The rooms that draw and write stand above all others, so they are looked up by name, when they are wanted and
    not before: no result imports them, and matplotlib is not loaded until then.
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module("sbg_sim.plot").svg(self))

    def as_json(self) -> Any:
        """Return what the command line prints with ``--json``, ready for :func:`json.dumps`.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> sbg.check(table, "third-to-pippin").as_json()["answer"]
        'no'

        """
        return import_module("sbg_sim.report.told").as_json(self)

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The result as GeoJSON, inches: a Feature or a FeatureCollection."""
        found: dict[str, Any] | None = import_module("sbg_sim.scenario.geojson").of(self)
        if found is None:
            raise AttributeError(f"a {type(self).__name__} has no place on a table")
        return found
