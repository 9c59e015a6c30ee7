"""The form that the files of all games share: strict tables, options, questions, a record of moves."""

from __future__ import annotations

import copy
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from sbg_sim.boards.readings import least

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from _typeshed import DataclassInstance

O = TypeVar("O", bound="DataclassInstance")
F = TypeVar("F", bound="BaseModel")


class Strict(BaseModel):
    """A table of a file: no unknown keys, no silent conversions, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class OptionsTable(Strict):
    """Readings of the rules that the text leaves open; what is absent stays as it is."""

    def over(self, options: O) -> O:
        """Return `options` with what this table says instead."""
        return replace(options, **self.model_dump(exclude_unset=True))


def options_table(options: type[DataclassInstance]) -> type[OptionsTable]:
    """Return the table of a file that sets the fields of `options`, a frozen dataclass of readings."""
    hints = get_type_hints(options)
    rows: dict[str, Any] = {}
    for field in fields(options):
        bound: dict[str, Any] = {"ge": least(field)} if hints[field.name] is int else {}
        rows[field.name] = (hints[field.name], Field(default=field.default, **bound))
    return create_model("OptionsTable", __base__=OptionsTable, __doc__=OptionsTable.__doc__, **rows)


class Asked(Strict):
    """A question, its readings of the rules, and the answer it expects."""

    ask: str
    options: OptionsTable = OptionsTable()
    expect: str | int | list[str] | dict[str, Any] | None = None


class MoveEntry(Strict):
    """One move of a game that was played, in the words that `play` lists it by."""

    move: str


class File(Strict):
    """What the file of every game may say; each adds its own pieces and questions."""

    game: str
    title: str = ""
    source: str = ""
    options: OptionsTable = OptionsTable()
    moves: list[MoveEntry] = Field(default_factory=list)

    @property
    def asked(self) -> Mapping[str, Asked]:
        """The questions by id."""
        return getattr(self, "questions", {})


def shaped(model: type[F], data: Mapping[str, Any]) -> tuple[F, frozenset[str], ValidationError | None]:
    """Read data by a form, leaving out what does not have it.

    Returns
    -------
    tuple
        The file; the keys left out, dotted; and what is wrong with the form, or None.

    Raises
    ------
    pydantic.ValidationError
        When nothing can be read of it.

    """
    first: ValidationError | None = None
    left, gone = dict(data), set[str]()
    while True:
        try:
            return model.model_validate(left), frozenset(gone), first
        except ValidationError as error:
            first = first or error
            cut = {_within(found["loc"], left) for found in error.errors()}
            if () in cut:
                raise first from None
            left = copy.deepcopy(left)
            for *around, last in sorted(cut, key=lambda key: (len(key), str(key)), reverse=True):
                table: Any = left
                for part in around:
                    table = table[part]
                del table[last]
                gone.add(".".join(map(str, (*around, last))))


def _within(loc: tuple[str | int, ...], data: Any) -> tuple[str | int, ...]:
    """Return what to leave out for an error: the value, or the table that lacks one; a whole array for an entry."""
    key: list[str | int] = []
    for part in _real(loc, data):
        if isinstance(part, int):
            break
        key.append(part)
    return tuple(key)


def _real(loc: tuple[str | int, ...], data: Any) -> Iterator[str | int]:
    """Yield the parts of a location that are in the data; the names of a union's branches are not."""
    for part in loc:
        there = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        if part in there:
            data = data[part]
            yield part
