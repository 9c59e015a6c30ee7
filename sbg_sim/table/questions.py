"""The questions a table can be asked, as values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.table import models

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


def place(given: Any, what: str) -> Point:
    """Return a place given in Python as a pair of floats, inches.

    Raises
    ------
    QuestionError
        If it is not two finite numbers.

    Examples
    --------
    >>> place([1, 2], "to")
    (1.0, 2.0)

    """
    x, y = models.place(given, what)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise QuestionError(f"{what}: must be two finite numbers, not {given!r:.60}")
    return (x, y)


@dataclass(frozen=True, slots=True)
class Measure:
    """How far apart are the nearest edges of two models or pieces of terrain, in inches?

    The answer is in inches, 0 if they touch or overlap (MOV.3).

    Parameters
    ----------
    start, end
        Ids of two models or pieces of terrain.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.check(table, sbg.Measure("lurtz", "merry")).inches
    5.0
    >>> sbg.check(table.having("merry", at=(7, 12)), sbg.Measure("lurtz", "merry")).inches
    0.0

    """

    start: str
    end: str
    ask = "measure"


@dataclass(frozen=True, slots=True)
class Gap:
    """Does the model's base fit between two models or pieces of terrain (MOV.4)?

    A gap of exactly its width is wide enough; ``inches`` of the answer is the width of the gap.

    Parameters
    ----------
    between
        Ids of two models or pieces of terrain.
    model
        Id of the model whose base should fit; not one of the two.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> near = table.having("merry", at=(8, 12)).with_model(replace(table.model("merry"), id="pippin", at=(7, 9)))
    >>> sbg.check(near, sbg.Gap(("lurtz", "merry"), "pippin")).reason
    'the gap between lurtz and merry is 1 in, the base of pippin 1 in: just wide enough'

    """

    between: tuple[str, str]
    model: str
    ask = "gap"

    def __post_init__(self) -> None:
        given: Any = self.between
        if isinstance(given, list):
            object.__setattr__(self, "between", tuple(given))
        if not isinstance(given, list | tuple) or len(given) != 2:
            raise QuestionError(f"between: must be the ids of two models or pieces of terrain, not {given!r:.60}")


@dataclass(frozen=True, slots=True)
class Sight:
    """Can the model see any part of the target (LOS)?

    Parameters
    ----------
    model, target
        Ids of the model that looks, and of the model that it looks at.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.check(table, sbg.Sight("lurtz", "merry")).answer
    'yes'
    >>> wall = {"polygon": [[9, 8], [9.4, 8], [9.4, 16], [9, 16]], "tags": ["obstacle"], "height": 1.5}
    >>> walled = sbg.Table(24, 24, models=table.models, terrain={"wall": wall})  # just as high as Lurtz's eye
    >>> sbg.check(walled, sbg.Sight("lurtz", "merry")).hidden_by
    ('wall',)

    """

    model: str
    target: str
    ask = "sight"


@dataclass(frozen=True, slots=True)
class Move:
    """Can the model end its move at a place (MOV.3)?

    Parameters
    ----------
    model
        Id of the mover.
    to
        The place of its centre at the end, ``(x, y)``, inches.
    on
        Id of the platform or gap on or in which it ends; None is the ground.

    Raises
    ------
    QuestionError
        If ``to`` is not two finite numbers.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.check(table, sbg.Move("merry", (12, 16))).margin
    0.0

    """

    model: str
    to: Point
    on: str | None = None
    ask = "move"

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", place(self.to, "to"))


@dataclass(frozen=True, slots=True)
class Charge:
    """Can the model end its move in contact with the target, or with every one of several targets (CHG.1, CHG.6)?

    Parameters
    ----------
    model
        Id of the charger.
    target
        Id of an enemy, or the ids of all enemies that it must touch at once.

    Raises
    ------
    QuestionError
        If no target is named.

    Examples
    --------
    >>> Charge("lurtz", ("merry", "pippin")).targets
    ('merry', 'pippin')
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [13, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.check(table, Charge("lurtz", "merry")).margin
    0.0
    >>> sbg.check(table.having("merry", at=(13.001, 12)), Charge("lurtz", "merry")).answer
    'no'

    """

    model: str
    target: str | tuple[str, ...]
    ask = "charge"

    def __post_init__(self) -> None:
        given: Any = self.target
        if isinstance(given, list):
            object.__setattr__(self, "target", tuple(given))
        if not isinstance(given, str | list | tuple) or not given:
            raise QuestionError("target: must be the id of a model, or at least one of several")

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets as a tuple, one or several.

        Examples
        --------
        >>> Charge("lurtz", "merry").targets
        ('merry',)

        """
        return (self.target,) if isinstance(self.target, str) else self.target


@dataclass(frozen=True, slots=True)
class ReachOf:
    """Where can the model end its move: how many square inches, by chance?

    Parameters
    ----------
    model
        Id of the mover.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> round(sbg.check(table, sbg.ReachOf("merry")).area, 1)
    50.3
    >>> held = table.having("merry", at=(7, 12), engaged=["lurtz"])
    >>> sbg.check(held, sbg.ReachOf("merry")).area
    0.0

    """

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
    """A question as a file has it, with the expected answer.

    Parameters
    ----------
    question
        The question.
    expect
        The answer the file expects: a word, a fraction of chance such as ``"5/6"``, or inches or square inches.
    needed
        The cost the file expects, as a number or a formula such as ``"2 + 2*sqrt(3)"``.
    note
        Free text: why this is the answer.

    Examples
    --------
    >>> Asked(Sight("merry", "lurtz"), expect="yes").question.ask
    'sight'

    """

    question: Question
    expect: str | float | None = None
    needed: str | float | None = None
    note: str = ""
