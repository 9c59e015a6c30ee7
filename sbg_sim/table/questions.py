"""The questions a table can be asked, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


@dataclass(frozen=True, slots=True)
class Measure:
    """How far apart are the nearest edges of two models or pieces of terrain?"""

    start: str
    end: str
    ask = "measure"


@dataclass(frozen=True, slots=True)
class Gap:
    """Does the model's base fit between two models or pieces of terrain?"""

    between: tuple[str, str]
    model: str
    ask = "gap"


@dataclass(frozen=True, slots=True)
class Sight:
    """Can the model see any part of the target?"""

    model: str
    target: str
    ask = "sight"


@dataclass(frozen=True, slots=True)
class Move:
    """Can the model end its move with its centre at ``to`` (inches), on the surface ``on`` (None: the ground)?"""

    model: str
    to: Point
    on: str | None = None
    ask = "move"


@dataclass(frozen=True, slots=True)
class Charge:
    """Can the model end its move in contact with the target, or with every one of several targets?"""

    model: str
    target: str | tuple[str, ...]
    ask = "charge"

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets as a tuple, one or several."""
        return (self.target,) if isinstance(self.target, str) else self.target


@dataclass(frozen=True, slots=True)
class ReachOf:
    """Where can the model end its move?"""

    model: str
    ask = "reach"


Question: TypeAlias = Measure | Gap | Sight | Move | Charge | ReachOf


def named(question: Question) -> tuple[str, ...]:
    """Return the ids of the models and pieces that a question is about.

    Examples
    --------
    >>> named(Gap(("wall", "rock"), "merry"))
    ('merry', 'wall', 'rock')

    """
    match question:
        case Measure(start, end):
            return (start, end)
        case Gap(between, model):
            return (model, *between)
        case Sight(model, target):
            return (model, target)
        case Charge(model):
            return (model, *question.targets)
        case Move(model) | ReachOf(model):
            return (model,)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands in a file.

    Parameters
    ----------
    question
        What is asked.
    expect
        The answer the file expects: a word, a fraction of chance such as ``"5/6"``, or inches or square inches.
    needed
        The cost the file expects, as a number or a formula such as ``"2 + 2*sqrt(3)"``.
    note
        Free text: why this is the answer.

    """

    question: Question
    expect: str | float | None = None
    needed: str | float | None = None
    note: str = ""
