"""Lengths in the unit asked for, in output for people only; JSON and computations use inches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

from sbg_sim.units import MM_PER_INCH

if TYPE_CHECKING:
    from sbg_sim.cli.show import Rows

UNITS: Final = {"in": 1.0, "mm": MM_PER_INCH, "cm": MM_PER_INCH / 10}
OPTION: Final = click.option(
    "--units", "unit", type=click.Choice(list(UNITS)), default="in", help="Unit of lengths in texts; JSON has inches."
)

_COARSER: Final = {"mm": 2, "cm": 1}  # decimals dropped, since numbers in these units are larger
_PLAIN: Final = frozenset({"inches", "allowance", "margin", "needed"})
_NUMBER: Final = r"(?<![\w.-])-?\d+(?:\.\d+)?(?:e-?\d+)?"
_AREA: Final = re.compile(rf"({_NUMBER}) (sq in|square inches)\b")
_PAIR: Final = re.compile(rf"({_NUMBER}) of ({_NUMBER}) in\b")
_HAS: Final = re.compile(rf"\bhas ({_NUMBER})(?=,)")
_LENGTH: Final = re.compile(rf"({_NUMBER}) in\b")
_PLACE: Final = re.compile(rf"\(({_NUMBER}), ({_NUMBER})\)")


def rows(given: Rows, unit: str) -> Rows:
    """Return rows of an answer with their lengths in a unit."""
    if unit == "in":
        return given
    return [(_label(label), _all(text, unit) if label in _PLAIN else told(text, unit)) for label, text in given]


def told(text: str, unit: str) -> str:
    """Return a sentence with its lengths in a unit.

    Examples
    --------
    >>> told("lurtz into merry: no, needs 8 in and has 6, 2 in short", "cm")
    'lurtz into merry: no, needs 20.32 cm and has 15.24, 5.08 cm short'
    >>> told("5.0 of 6 in, on 2 square inches", "mm")
    '127 of 152.4 mm, on 1290.32 sq mm'

    """
    if unit == "in":
        return text
    text = _AREA.sub(lambda m: f"{_in(m[1], unit, 2)} sq {unit}", text)
    text = _PAIR.sub(lambda m: f"{_in(m[1], unit)} of {_in(m[2], unit)} {unit}", text)
    text = _HAS.sub(lambda m: f"has {_in(m[1], unit)}", text)
    text = _PLACE.sub(lambda m: f"({_in(m[1], unit)}, {_in(m[2], unit)})", text)
    return _LENGTH.sub(lambda m: f"{_in(m[1], unit)} {unit}", text)


def number(text: str, unit: str, power: int = 1) -> str:
    """Return a length, or with power 2 an area, in a unit; an empty text stays empty."""
    return text if unit == "in" or not text else _in(text, unit, power)


def _label(label: str) -> str:
    return "length" if label == "inches" else label


def _all(text: str, unit: str) -> str:
    """Convert every number of a text with lengths only, and name the unit."""
    number = re.compile(_NUMBER)
    first = True

    def shown(match: re.Match[str]) -> str:
        nonlocal first
        name, first = (f" {unit}" if first else ""), False
        return _in(match[0], unit) + name

    return number.sub(shown, text)


def _in(number: str, unit: str, power: int = 1) -> str:
    """Convert a written number, with no more precision than it has."""
    value = float(number) * UNITS[unit] ** power
    given = len(number.partition(".")[2])
    decimals = max(given - power * _COARSER[unit], 2 if power == 1 else 0) if given else 4
    shown = f"{value:.{decimals}f}"
    return shown.rstrip("0").rstrip(".") if decimals else shown
