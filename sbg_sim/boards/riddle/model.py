"""The shape of a Riddle board file, as pydantic models: strict, and nothing unknown lets itself in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sbg_sim.boards.form import Strict

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Terrain = Literal["open", "forest", "thicket", "mountain", "hill", "ocean", "lake", "swamp"]
Symbol = Literal["gollum", "clairvoyance", "secret"]


class SpaceTable(Strict):
    """One space: what it is made of, what stands on it, and which spaces it borders."""

    name: str = ""
    terrain: list[Terrain] = Field(default=["open"])
    city: bool = False
    river_head: bool = False
    symbols: list[Symbol] = Field(default_factory=list)
    borders: list[str] = Field(default_factory=list)
    roads_apart: list[Pair] = Field(default_factory=list)
    drawn: Point | None = None


class DotTable(Strict):
    """One river dot: the three spaces that come together at it."""

    banks: list[str]
    drawn: Point | None = None


class RiverTable(Strict):
    """One river: its dots in order, the borders it runs along, and where it is crossed."""

    course: list[str] = Field(default_factory=list)
    between: list[Pair] = Field(default_factory=list)
    bridges: list[Pair] = Field(default_factory=list)
    fords: list[Pair] = Field(default_factory=list)


class RoadTable(Strict):
    """One road: the spaces it leads through, in order."""

    through: Annotated[list[str], Field(min_length=2)]


class BoardTable(Strict):
    """A whole board, or the name of one that comes with the package."""

    map: Literal["standard"] | None = None
    title: str = ""
    spaces: dict[str, SpaceTable] = Field(default_factory=dict)
    dots: dict[str, DotTable] = Field(default_factory=dict)
    rivers: dict[str, RiverTable] = Field(default_factory=dict)
    roads: dict[str, RoadTable] = Field(default_factory=dict)
