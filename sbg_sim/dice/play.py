"""A play: a chain of tests, and the end of the move for every result of every die."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sbg_sim.dice.distribution import Distribution
from sbg_sim.errors import QuestionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

SIDES: Final = 6


class Go(enum.Enum):
    """The effect of a face that does not end the move."""

    ON = "go on"


@dataclass(frozen=True, slots=True)
class End:
    """An end of a move.

    Parameters
    ----------
    at
        Centre of the base, inches.
    on
        The surface it stands on; None is the ground.
    used
        Movement used, inches.
    prone
        Whether the model is prone.
    hits
        Strength 3 hits taken from falling.
    success
        Whether the goal of the play is reached.
    label
        The event, in words.
    climbed
        Inches climbed on a face whose top it has not reached.

    """

    at: tuple[float, float] = (0.0, 0.0)
    on: str | None = None
    used: float = 0.0
    prone: bool = False
    hits: int = 0
    success: bool = False
    label: str = ""
    climbed: float = 0.0

    def __str__(self) -> str:
        x, y = self.at
        words = [self.label or "ends", f"at ({x:.2f}, {y:.2f})"]
        words += [f"on {self.on}"] if self.on else []
        words += [f"{self.climbed:.2f} in up the face"] if self.climbed else []
        words.append(f"{self.used:.2f} in used")
        words += ["prone"] if self.prone else []
        words += [f"{self.hits} hit{'s' if self.hits > 1 else ''}"] if self.hits else []
        words += ["goal"] if self.success else []
        return ", ".join(words)


Face: TypeAlias = End | Literal[Go.ON]


@dataclass(frozen=True, slots=True)
class Stage:
    """One die of a play.

    Parameters
    ----------
    kind
        The kind of test, as ``"jump"``.
    over
        Id of the terrain or the prone model that is crossed.
    faces
        The effect of each of the six faces, 1 first: an :class:`End`, or :attr:`Go.ON`.

    Raises
    ------
    QuestionError
        If there are not six faces.

    """

    kind: str
    over: str
    faces: tuple[Face, ...]

    def __post_init__(self) -> None:
        if len(self.faces) != SIDES:
            found = len(self.faces)
            raise QuestionError(f"a die has six faces; the {self.kind} test over {self.over!r} has {found}")

    @classmethod
    def split(cls, kind: str, over: str, one: Face, middle: Face, six: Face) -> Stage:
        """Return a stage with the three results of the rulebook's tables: 1, 2 to 5, and 6 (JMP.1, LEAP.2, CLB.2)."""
        return cls(kind, over, (one, middle, middle, middle, middle, six))

    @property
    def groups(self) -> tuple[tuple[Face, tuple[int, ...]], ...]:
        """The different effects, each with its faces, in the order of their first faces."""
        found: dict[Face, list[int]] = {}
        for face, effect in enumerate(self.faces, start=1):
            found.setdefault(effect, []).append(face)
        return tuple((effect, tuple(faces)) for effect, faces in found.items())


@dataclass(frozen=True, slots=True)
class Play:
    """A chain of tests, and the end that is reached if all of them let the model go on.

    Parameters
    ----------
    stages
        The dice, in order.
    final
        The end of the move if every stage was passed with "go on".

    """

    stages: tuple[Stage, ...]
    final: End

    @property
    def ends(self) -> tuple[End, ...]:
        """All ends that the move can have, in the order of the dice, each once."""
        found: dict[End, None] = {}
        for stage in self.stages:
            found.update((effect, None) for effect, _ in stage.groups if isinstance(effect, End))
            if Go.ON not in stage.faces:
                return tuple(found)
        found[self.final] = None
        return tuple(found)


def distribution(play: Play) -> Distribution[End]:
    """Return the exact distribution over the ends of a play, over six to the number of its dice.

    Examples
    --------
    >>> over = End(success=True, label="over")
    >>> wall = Stage.split("jump", "wall", End(label="stumbles"), over, over)
    >>> distribution(Play((wall,), over))[over]
    Fraction(5, 6)

    """
    weights: list[tuple[End, int]] = []
    whole = SIDES ** len(play.stages)
    alive, rest = 1, whole
    for stage in play.stages:
        rest //= SIDES
        weights += [(effect, alive * len(on) * rest) for effect, on in stage.groups if isinstance(effect, End)]
        alive *= stage.faces.count(Go.ON)
    weights.append((play.final, alive * rest))
    return Distribution(weights, whole)


def is_success(end: End) -> bool:
    """Say whether an end reaches the goal of its play."""
    return end.success


def success_chance(play: Play, goal: Callable[[End], bool] = is_success) -> Fraction:
    """Return the exact chance that a play reaches a goal."""
    return distribution(play).chance_of(goal)


def best(plays: Iterable[Play], goal: Callable[[End], bool] = is_success) -> tuple[Play, Fraction]:
    """Return the play with the best chance of a goal, and that chance; the first of equals.

    Raises
    ------
    QuestionError
        If there is no play to choose from.

    """
    rated = [(play, success_chance(play, goal)) for play in plays]
    if not rated:
        raise QuestionError("there is no play to choose from")
    return max(rated, key=lambda pair: pair[1])


def places(ends: Distribution[End]) -> Distribution[tuple[tuple[float, float], str | None]]:
    """Return the distribution of the place of the end: centre of the base in inches, and surface."""
    return ends.by(lambda end: (end.at, end.on))


def inches_used(ends: Distribution[End]) -> Distribution[float]:
    """Return the distribution of the movement used, inches."""
    return ends.by(lambda end: end.used)


def prone(ends: Distribution[End]) -> Distribution[bool]:
    """Return the distribution of whether the model ends prone."""
    return ends.by(lambda end: end.prone)


def hits(ends: Distribution[End]) -> Distribution[int]:
    """Return the distribution of the Strength 3 hits taken from falling (FALL.2)."""
    return ends.by(lambda end: end.hits)
