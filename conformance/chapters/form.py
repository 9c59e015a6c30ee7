"""What all chapters of positions are made of: models, tables, what is expected, and the hair that turns it over."""

from __future__ import annotations

from typing import Any

HAIR = 1e-4
Position = dict[str, Any]
CHAPTERS: dict[str, list[Position]] = {}


def num(value: float) -> float:
    """Coordinates as a file holds them: twelve decimals."""
    return round(value, 12)


def model(at: tuple[float, float], side: str = "good", **more: Any) -> dict[str, Any]:
    """A man on a base of one inch who may go six."""
    return {"side": side, "at": [num(at[0]), num(at[1])], "base": 1.0, "height": 2.0, "move": 6.0, **more}


def box(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    """The corners of a rectangle."""
    return [[num(x), num(y)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def table(
    models: dict[str, Any], terrain: dict[str, Any] | None = None, size: float = 24.0, **more: Any
) -> dict[str, Any]:
    """A square table."""
    board = {"width": size, "depth": size} | more
    return {"table": board, "models": models, **({"terrain": terrain} if terrain else {})}


def position(chapter: str, name: str, because: str, on: dict[str, Any], ask: dict[str, Any], **told: Any) -> None:
    """Take in a position: what is expected of it and of its mirror, which a hair of difference turns over."""
    change = told.pop("change")
    mirror = told.pop("mirror")
    entry = {"id": name, "because": because, "table": on, "ask": ask, "expect": told, "change": change}
    CHAPTERS.setdefault(chapter, []).append({**entry, "mirror": mirror})


def record(chapter: str, name: str, because: str, there: Position, moves: list[Position], **told: Any) -> None:
    """Take in a position that is played: its moves are replayed, and what is told is said of the end."""
    change = told.pop("change")
    mirror = told.pop("mirror")
    phase = told.pop("phase", {"priority": "good"})
    entry = {"id": name, "because": because, "table": there | {"phase": phase, "moves": moves}, "expect": told}
    CHAPTERS.setdefault(chapter, []).append({**entry, "change": change, "mirror": mirror})


def short_of(inches: str, cost: float, name: str = "m", **told: Any) -> dict[str, Any]:
    """The change that leaves a mover a hair short of a cost, and what becomes of the answer."""
    return {
        "change": {"models": {name: {"move": num(cost - HAIR)}}},
        "mirror": {"answer": "no", "needed": inches, "rules": ["MOV.3"], **told},
    }


def exactly(cost: float) -> float:
    """A Move that is just enough, whatever the last digit of the cost is."""
    return num(cost + 1e-9)
