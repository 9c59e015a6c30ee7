"""Numeric options of commands, and the messages for invalid ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli.show import short
from sbg_sim.errors import LengthError, plain
from sbg_sim.units import fraction, inches

if TYPE_CHECKING:
    _Type = click.ParamType[int]
    _Float = click.ParamType[float]
else:
    _Type = _Float = click.ParamType  # generic in later versions only


class Whole(click.IntRange):
    """A whole number within bounds, with plain error messages."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse it with a message."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{plain(short(str(value)))!r} is not a whole number", param, ctx)
        if wanted := _outside(number, self):
            self.fail(f"{plain(short(str(value)))} is not a whole number {wanted}", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number within bounds, with plain error messages."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse it with a message."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(f"{plain(short(str(value)))!r} is not a number", param, ctx)
        if wanted := _outside(number, self):
            self.fail(f"{plain(short(str(value)))} is not a number {wanted}", param, ctx)
        return super().convert(value, param, ctx)


def _outside(number: float, bounds: click.IntRange | click.FloatRange) -> str:
    """Return the bounds in words if a number lies outside, else an empty text."""
    low, high = bounds.min, bounds.max
    under = low is not None and (number <= low if bounds.min_open else number < low)
    if not under and (high is None or number <= high):
        return ""
    if high is not None:
        return f"from {low:g} to {high:,.0f}".replace(",", "")
    return f"above {low:g}" if bounds.min_open else f"of {low:g} or more"


class Length(_Float):
    """A length above 0, in inches or with a unit."""

    name = "length"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the length in inches, or refuse it with a message."""
        text = plain(short(str(value)))
        try:
            size = inches(_bare(str(value)))
        except LengthError as error:
            self.fail(str(error), param, ctx)
        if size <= 0:
            self.fail(f"{text!r} is not greater than 0", param, ctx)
        return size


def _bare(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


class Trials(_Type):
    """A number of trials: a whole number, also as ``1e6`` or ``1_000_000``, up to some minutes' work."""

    name = "integer"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or refuse it with the numbers that are allowed."""
        from sbg_sim.dice.montecarlo import MOST_TRIALS

        try:
            number = fraction(str(value))
        except ValueError:
            self.fail(f"{plain(short(str(value)))!r} is not a whole number", param, ctx)
        if number.denominator != 1 or not self.least <= number <= MOST_TRIALS:
            self.fail(
                f"{plain(short(str(value)))} is not a whole number from {self.least} to {MOST_TRIALS}", param, ctx
            )
        return int(number)
