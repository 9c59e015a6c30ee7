"""The table in the terminal: bases as braille dots with numbers, terrain by kind, a shaded reach."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.errors import SbgError, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_BITS: Final = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])  # of braille cells, rows by columns
_SIDES: Final = ("dodger_blue1", "red1", "dark_orange", "purple")
_SHADE: Final = "grey30"
_TICK: Final = 6.0  # inches between numbers on the rulers


@dataclass(frozen=True, slots=True)
class _Kind:
    """The look of a kind of terrain: its colour, and which of every two by two dots are set."""

    colour: str
    pattern: tuple[tuple[bool, bool], tuple[bool, bool]]


_LOOKS: Final = {
    "gap": _Kind("steel_blue", ((True, False), (False, False))),
    "unscalable": _Kind("grey74", ((True, True), (True, True))),
    "obstacle": _Kind("tan", ((True, True), (True, True))),
    "platform": _Kind("wheat4", ((True, False), (False, True))),
    "difficult": _Kind("green4", ((True, False), (False, False))),
    "": _Kind("grey50", ((True, False), (False, False))),
}


class Map(str):
    """A map as text with colours; names in it contain no control characters."""

    __slots__ = ()


def drawn(table: Table, shaded: str | None, width: int, height: int, *, colour: bool) -> Map:
    """Return a map of the table as lines of text.

    Parameters
    ----------
    table
        The table to draw.
    shaded
        The model with a shaded reach, or None.
    width, height
        Size of the terminal, letters and lines.
    colour
        Whether to use colours; without them the reach is dotted.

    Raises
    ------
    QuestionError
        When the shaded model waits outside the table.

    """
    from rich.console import Console

    if shaded is not None:
        table.present(shaded)
    grid = _Grid.fitting(table, width, height)
    for piece in table.terrain.values():
        grid.terrain(piece)
    if shaded is not None:
        grid.shade(table, shaded)
    colours = _colours(table)
    for number, model in enumerate(table.models.values(), 1):
        if model.id not in table.off:
            grid.model(model, str(number), colours.get(model.side, "white"), current=model.id == shaded)
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, color_system="256" if colour else None, width=max(width, 20), highlight=False
    )
    for line in grid.lines(dotted=not colour):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    for line in _legend(table, colours, width):
        console.print(line, soft_wrap=True)
    return Map(out.getvalue().rstrip("\n"))


def _colours(table: Table) -> dict[str, str]:
    sides = sorted({m.side for m in table.models.values() if m.side}, key=lambda side: (side != "good", side))
    return {side: _SIDES[i % len(_SIDES)] for i, side in enumerate(sides)}


def _legend(table: Table, colours: dict[str, str], width: int) -> Iterable[Text]:
    """Yield the numbers with their names, side by side; `~` means prone, `x` engaged, `.` moved."""
    from rich.text import Text

    for side in (*colours, ""):
        named = [(number, model) for number, model in enumerate(table.models.values(), 1) if model.side == side]
        if not named:
            continue
        line = Text(f"{plain(side) or 'no side'}: ", style=f"bold {colours.get(side, 'white')}")
        for number, model in named:
            part = f"{number} {plain(model.id)}{_marks(table, model)}"
            if len(line) + len(part) > width and len(line) > 2:
                yield line
                line = Text("  ")
            line.append(part + "  ", style=colours.get(side, "white"))
        yield line
    yield Text("~ prone  x fights  . has moved  ^ outside", style="dim")


def _marks(table: Table, model: Model) -> str:
    outside = model.id in table.off
    return (
        ("~" if model.prone else "")
        + ("x" if model.engaged else "")
        + ("." if model.moved and not outside else "")
        + ("^" if outside else "")
    )


@dataclass
class _Grid:
    """A grid of letters over the table, each two dots wide and four high."""

    scale: float  # dots per inch
    columns: int
    rows: int
    depth: float
    dots: Ints
    colours: dict[tuple[int, int], str] = field(default_factory=dict)
    shades: set[tuple[int, int]] = field(default_factory=set)
    letters: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def fitting(cls, table: Table, width: int, height: int) -> _Grid:
        """Return an empty grid, as large as fits in the terminal."""
        room, high = max(20, min(width - 5, 120)), max(8, height - 10)
        scale = min(2 * room / table.width, 4 * high / table.depth)
        columns, rows = math.ceil(table.width * scale / 2), math.ceil(table.depth * scale / 4)
        return cls(scale, columns, rows, table.depth, np.zeros((rows, columns), dtype=np.int64))

    def _places(self, box: tuple[float, float, float, float]) -> tuple[Ints, Floats]:
        """Return the dots in a box, as rows and columns, and their places in inches."""
        x0, y0, x1, y1 = box
        i = np.arange(max(0, math.floor(x0 * self.scale)), min(2 * self.columns, math.ceil(x1 * self.scale) + 1))
        top = (self.depth - y1) * self.scale
        low = (self.depth - y0) * self.scale
        j = np.arange(max(0, math.floor(top)), min(4 * self.rows, math.ceil(low) + 1))
        across, down = np.meshgrid(i, j)
        at = np.stack([across.ravel(), down.ravel()], axis=1)
        return at, np.stack([(at[:, 0] + 0.5) / self.scale, self.depth - (at[:, 1] + 0.5) / self.scale], axis=1)

    def _set(self, at: Ints, colour: str) -> None:
        rows, columns = at[:, 1] // 4, at[:, 0] // 2
        bits = _BITS[at[:, 1] % 4, at[:, 0] % 2]
        np.bitwise_or.at(self.dots, (rows, columns), bits)
        for cell in {(int(r), int(c)) for r, c in zip(rows, columns, strict=True)}:
            self.colours[cell] = colour

    def terrain(self, piece: Terrain) -> None:
        """Draw a piece of terrain in the pattern of its kind."""
        look = next((_LOOKS[tag] for tag in _LOOKS if tag in piece.tags), _LOOKS[""])
        if piece.shape is None:
            if piece.at is not None:
                self._letter(piece.at, "H", look.colour)
            return
        at, places = self._places(piece.shape.bounds)
        if not len(at):
            return
        inside = at[piece.shape.contains(places) | (piece.shape.distance(places) <= 0.35 / self.scale)]
        pattern = np.array(look.pattern)
        self._set(inside[pattern[inside[:, 1] % 2, inside[:, 0] % 2]], look.colour)

    def model(self, model: Model, number: str, colour: str, *, current: bool) -> None:
        """Draw a base with its number."""
        (x, y), r = model.at, model.radius
        at, places = self._places((x - r, y - r, x + r, y + r))
        within = np.hypot(*(places - model.at).T) <= r if len(at) else np.zeros(0, dtype=bool)
        for row, column in {(int(j) // 4, int(i) // 2) for i, j in at[within]}:
            self.dots[row, column] = 0  # the base hides the ground
        self._set(at[within], colour)
        style = f"bold white on {colour}" if not current else f"bold black on {colour}"
        self._letter(model.at, number, style)

    def _letter(self, place: Point, text: str, style: str) -> None:
        row = min(self.rows - 1, max(0, int((self.depth - place[1]) * self.scale // 4)))
        column = min(self.columns - len(text), max(0, int(place[0] * self.scale / 2 - (len(text) - 1) / 2)))
        for index, letter in enumerate(text):
            self.letters[row, column + index] = (letter, style)

    def shade(self, table: Table, name: str) -> None:
        """Shade where a model's centre can certainly end its move; nothing if its reach cannot be computed."""
        from sbg_sim.solver.reach import reach

        try:
            area = reach(table, name).area
        except SbgError:
            return
        row, column = np.mgrid[0 : self.rows, 0 : self.columns]
        xs = (column.ravel() * 2 + 1) / self.scale
        ys = self.depth - (row.ravel() * 4 + 2) / self.scale
        inside = shapely.contains_xy(area, xs, ys)
        self.shades = {(int(i // self.columns), int(i % self.columns)) for i in np.flatnonzero(inside)}

    def lines(self, *, dotted: bool) -> Iterable[Text]:
        """Yield the map, row by row, with a ruler in inches."""
        from rich.text import Text

        yield Text(f"    +{'-' * self.columns}+", style="dim")
        marks = {int((self.depth - tick) * self.scale // 4): f"{tick:g}" for tick in _ticks(self.depth)}
        for row in range(self.rows):
            line = Text(f"{marks.get(row, ''):>3} |", style="dim")
            for column in range(self.columns):
                line.append(*self._cell(row, column, dotted=dotted))
            line.append("|", style="dim")
            yield line
        yield Text(f"    +{'-' * self.columns}+", style="dim")
        ruler = [" "] * (self.columns + 4)
        for tick in _ticks(self.depth if self.columns == 0 else 2 * self.columns / self.scale):
            for index, letter in enumerate(f"{tick:g}"):
                spot = int(tick * self.scale / 2) + index
                if spot < len(ruler):
                    ruler[spot] = letter
        yield Text("     " + "".join(ruler).rstrip(), style="dim")

    def _cell(self, row: int, column: int, *, dotted: bool) -> tuple[str, str]:
        cell = (row, column)
        shade = f" on {_SHADE}" if cell in self.shades and not dotted else ""
        if cell in self.letters:
            letter, style = self.letters[cell]
            return letter, style if " on " in style else style + shade
        bits = int(self.dots[cell])
        if bits:
            return chr(0x2800 + bits), self.colours[cell] + shade
        return ("." if cell in self.shades and dotted else " "), f"default{shade}" if shade else ""


def _ticks(length: float) -> list[float]:
    return [_TICK * i for i in range(int(length // _TICK) + 1)]
