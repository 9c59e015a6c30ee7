"""The side with Priority: asked for, rolled for, named in any case; and the dice of a session."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.table.board import Table

Asker: TypeAlias = "Callable[[str], str]"
"""Asks the player a question and returns the answer."""


class LeftError(EOFError):
    """The player leaves before the game has begun."""


def dice_after(seed: int | None, rolled: int) -> random.Random:
    """Return the dice of a seed after ``rolled`` dice."""
    dice = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - dice, not keys
    for _ in range(rolled if seed is not None else 0):
        dice.randint(1, 6)
    return dice


def sides(table: Table) -> list[str]:
    """Return the sides on the table, sorted."""
    return sorted({m.side for m in table.models.values() if m.side})


def either(names: list[str]) -> str:
    """Return names joined as a choice."""
    return " or ".join(names)


def side_meant(said: str, table: Table) -> str:
    """Return the side that a word names, in any case."""
    return next((side for side in sides(table) if side.casefold() == said.strip().casefold()), said)


def priority_asked(table: Table, asker: Asker, dice: random.Random) -> str | None:
    """Ask which side has Priority, or return the only side.

    Raises
    ------
    LeftError
        When the player says `quit`.

    """
    there = sides(table)
    if table.record is not None or len(there) < 2:
        return None if table.record is not None else next(iter(there), None)
    question = f"who has Priority, {either(there)}? (or `roll`): "
    while True:
        said = side_meant(asker(question), table)
        if said in there:
            return said
        if said.casefold() == "roll":
            return dice.choice(there)
        if said.strip().casefold() in {"quit", "exit"}:
            raise LeftError
        question = f"{said!r} is no side\nwho has Priority, {either(there)}? (or `roll`): "
