"""The shape that every game on spaces has: what is legal, why not, what comes of it, how far one gets.

A game is any object with the methods of `Game`; a module with functions of these names is one. Legality is
written once per game, in ``explain``: ``legal_moves`` and ``apply`` must agree with it.
"""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args, get_type_hints

from sbg_sim.errors import SbgError, UnknownNameError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S")
Mv = TypeVar("Mv")
O = TypeVar("O", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a move breaks.

    Parameters
    ----------
    rule
        The rule's id in the game's checklist, as ``M19``, ``R5``, ``W12`` or ``L18``.
    reason
        One sentence for people, with the names of the spaces and pieces concerned.
    place
        The space where it happens, or None when it has no place.

    """

    rule: str
    reason: str
    place: str | None = None

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Reached:
    """How one space is reached.

    Parameters
    ----------
    cost
        In the game's own unit: regions, movement points or turns.
    route
        The spaces on the way, the first being where the mover stands and the last the space reached.

    """

    cost: int
    route: tuple[str, ...]


class IllegalMoveError(SbgError):
    """A move was to be carried out that the rules do not allow.

    Parameters
    ----------
    violations
        All broken rules, at least one.

    """

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        self.violations = violations
        super().__init__("; ".join(str(violation) for violation in violations))

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[tuple[Violation, ...]]]:
        return (IllegalMoveError, (self.violations,))


class Game(Protocol[S, Mv]):
    """The rules of one game, as functions of a frozen state."""

    def legal_moves(self, state: S, who: str | None = None) -> tuple[Mv, ...]:
        """Return every move the rules allow, each once, in a fixed order; `who` narrows it to one mover."""
        ...

    def explain(self, state: S, move: Mv) -> tuple[Violation, ...]:
        """Return the rules that `move` breaks; empty means legal."""
        ...

    def apply(self, state: S, move: Mv) -> S:
        """Return the state after `move`; raise `IllegalMoveError` when `explain` is not empty."""
        ...

    def reachable(self, state: S, who: str) -> Mapping[str, Reached]:
        """Return every space `who` can get to with one move, its cost and a cheapest route."""
        ...


def refuse(violations: tuple[Violation, ...]) -> None:
    """Raise `IllegalMoveError` when there is any violation."""
    if violations:
        raise IllegalMoveError(violations)


def folded(name: str) -> str:
    """Return `name` as it is compared: no accents, no case, runs of blanks, hyphens and underscores as one
    blank.

    Examples
    --------
    >>> folded("Barad-dûr") == folded("barad dur")
    True

    """
    bare = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    for mark in "-_":
        bare = bare.replace(mark, " ")
    return " ".join(bare.replace("’", "'").casefold().split())


def find_name(name: str, names: Mapping[str, Iterable[str]], kind: str) -> str:
    """Return the id in `names` that `name` means.

    Parameters
    ----------
    name
        As typed: the id, a name or an alias, with or without accents, in any case.
    names
        Per id every further name it goes by.
    kind
        What is looked for, for the message ("region", "site").

    Raises
    ------
    UnknownNameError
        When nothing goes by that name, with the closest names there are.

    """
    if name in names:
        return name
    wanted = folded(name)
    for key, others in names.items():
        if wanted == folded(key) or any(wanted == folded(other) for other in others):
            return key
    known = {folded(key): key for key in names}
    close = [known[k] for k in difflib.get_close_matches(wanted, list(known), n=3)]
    hint = f"; close to it: {', '.join(close)}" if close else ""
    raise UnknownNameError(f"no {kind} is called {name!r}{hint}")


def variants(options: O) -> Iterator[tuple[str, O]]:
    """Yield every way to read one ambiguous rule differently, one field changed at a time.

    Parameters
    ----------
    options
        A frozen dataclass whose ambiguous readings are ``bool`` or ``Literal`` fields; numbers are left
        alone.

    Yields
    ------
    tuple
        The change in words, as ``"same_region_move = false"``, and the changed options.

    """
    hints = get_type_hints(type(options))
    for field in fields(options):
        now = getattr(options, field.name)
        choices = (True, False) if hints[field.name] is bool else get_args(hints[field.name])
        for value in choices:
            if value != now:
                yield f"{field.name} = {json.dumps(value)}", replace(options, **{field.name: value})


def meets(result: Mapping[str, Any], expect: object) -> bool:
    """Return whether a question's answer is the expected one.

    Parameters
    ----------
    result
        An answer as the faces give it: ``answer``, ``cost``, ``route``, ``reachable`` and the rest.
    expect
        A word is compared with ``answer``, a number with ``cost`` (or with how many spaces are reachable),
        a list with the ``reachable`` spaces in any order, else with ``route``; a table compares each key it
        has, and so do tables in it.

    """
    if isinstance(expect, Mapping):
        return all(key in result and _same(result[key], value) for key, value in expect.items())
    reachable = result.get("reachable")
    if isinstance(expect, str):
        return bool(result.get("answer") == expect)
    if isinstance(expect, int):
        return bool((len(reachable) if reachable is not None else result.get("cost")) == expect)
    if isinstance(expect, list | tuple):
        if reachable is not None:
            return _same(sorted(reachable), sorted(expect))
        return _same(result.get("route"), expect)
    return False


def _same(value: object, expect: object) -> bool:
    if isinstance(value, Mapping) and isinstance(expect, Mapping):
        return all(key in value and _same(value[key], wanted) for key, wanted in expect.items())
    if isinstance(value, list | tuple) and isinstance(expect, list | tuple):
        return list(value) == list(expect)
    return value == expect
