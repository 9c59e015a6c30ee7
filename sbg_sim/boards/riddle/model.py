"""The shape of a Riddle board file, as pydantic models: strict, and nothing unknown lets itself in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Terrain = Literal["open", "forest", "thicket", "mountain", "hill", "ocean", "lake", "swamp"]
Symbol = Literal["gollum", "clairvoyance", "secret"]


class Strict(BaseModel):
    """A table of a file: no unknown keys, no silent conversions, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SpaceTable(Strict):
    """One space: what it is made of, what stands on it, and which spaces it borders."""

    name: str = ""
    terrain: list[Terrain] = ["open"]
    city: bool = False
    river_head: bool = False
    symbols: list[Symbol] = []
    borders: list[str] = []
    roads_apart: list[Pair] = []
    drawn: Point | None = None


class DotTable(Strict):
    """One river dot: the three spaces that come together at it."""

    banks: list[str]
    drawn: Point | None = None


class RiverTable(Strict):
    """One river: its dots in order, the borders it runs along, and where it is crossed."""

    course: list[str] = []
    between: list[Pair] = []
    bridges: list[Pair] = []
    fords: list[Pair] = []


class RoadTable(Strict):
    """One road: the spaces it leads through, in order."""

    through: Annotated[list[str], Field(min_length=2)]


class BoardTable(Strict):
    """A whole board, or the name of one that comes with the package."""

    map: Literal["standard"] | None = None
    title: str = ""
    spaces: dict[str, SpaceTable] = {}
    dots: dict[str, DotTable] = {}
    rivers: dict[str, RiverTable] = {}
    roads: dict[str, RoadTable] = {}
