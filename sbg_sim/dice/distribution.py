"""Exact distributions: integers over a denominator; floats only for a mean of inches."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.wording import fraction

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)


class Distribution(Mapping[T, Fraction], Pictured, Generic[T]):
    """An exact probability distribution over hashable outcomes; immutable.

    As a mapping it gives the chance of each outcome that can happen.

    Parameters
    ----------
    weights
        Pairs of an outcome and its weight, a whole number; an outcome may occur several times, and weights of 0 are
        dropped.
    denominator
        The sum of the weights.

    Raises
    ------
    QuestionError
        If a weight is negative or the weights do not sum to the denominator.

    Examples
    --------
    >>> two_up = Distribution([(True, 5), (False, 1)], 6)
    >>> two_up[True]
    Fraction(5, 6)
    >>> two_up.numerator("never"), two_up.denominator
    (0, 6)

    """

    def __init__(self, weights: Iterable[tuple[T, int]], denominator: int) -> None:
        counts: dict[T, int] = {}
        for outcome, weight in weights:
            if weight < 0:
                raise QuestionError(f"a weight of {weight} for {outcome!r} is negative")
            if weight:
                counts[outcome] = counts.get(outcome, 0) + weight
        if denominator < 1 or sum(counts.values()) != denominator:
            raise QuestionError(f"weights sum to {sum(counts.values())}, not to {denominator}")
        self._counts = counts
        self._denominator = denominator

    @classmethod
    def of(cls, chances: Mapping[T, Fraction]) -> Distribution[T]:
        """Return the distribution with these chances, over their least common denominator."""
        over = math.lcm(*(p.denominator for p in chances.values()))
        return cls(((o, int(p * over)) for o, p in chances.items()), over)

    @property
    def denominator(self) -> int:
        """The sum of the numerators."""
        return self._denominator

    def numerator(self, outcome: T) -> int:
        """Return the outcome's weight over :attr:`denominator`; 0 if it cannot happen."""
        return self._counts.get(outcome, 0)

    @cached_property
    def weights(self) -> tuple[tuple[T, int], ...]:
        """Every outcome that can happen with its weight, in the order given."""
        return tuple(self._counts.items())

    def __getitem__(self, outcome: T) -> Fraction:
        return Fraction(self._counts[outcome], self._denominator)

    def __iter__(self) -> Iterator[T]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Distribution[T]], tuple[tuple[tuple[T, int], ...], int]]:
        return (Distribution, (self.weights, self._denominator))

    def chance_of(self, predicate: Callable[[T], bool]) -> Fraction:
        """Return the chance that the outcome satisfies a predicate."""
        return Fraction(sum(w for o, w in self._counts.items() if predicate(o)), self._denominator)

    def by(self, key: Callable[[T], S]) -> Distribution[S]:
        """Return the distribution of a function of the outcome: a marginal."""
        return Distribution(((key(o), w) for o, w in self._counts.items()), self._denominator)

    def mean(self, key: Callable[[T], float | Fraction] | None = None) -> float | Fraction:
        """Return the mean of a function of the outcome; exact if its values are ints or fractions.

        Parameters
        ----------
        key
            The function; by default the outcome itself.

        """
        values = [(_number(o if key is None else key(o)), w) for o, w in self._counts.items()]
        if any(isinstance(v, float) for v, _ in values):
            return math.fsum(float(v) * w for v, w in values) / self._denominator
        return sum((Fraction(v) * w for v, w in values), Fraction(0)) / self._denominator

    def as_json(self) -> list[dict[str, Any]]:
        """Return the outcomes in words with their chances, exact as text and as numbers beside them."""
        return [
            {"outcome": str(outcome), "chance": fraction(chance), "chance_value": float(chance)}
            for outcome, chance in self.items()
        ]

    def __repr__(self) -> str:
        rows = "; ".join(f"{w}/{self._denominator} {o}" for o, w in self._counts.items())
        return f"<Distribution: {rows}>"


def _number(value: object) -> float | Fraction:
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):
        return value
    raise QuestionError(f"a mean needs numbers, and {value!r} is none")
