"""What the files of all games have in common: strict tables, the options table, questions looked up by id."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from sbg_sim.boards.readings import least
from sbg_sim.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance

O = TypeVar("O", bound="DataclassInstance")
Q = TypeVar("Q")


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


def question(questions: Mapping[str, Q], name: str) -> Q:
    """Return the question of this id; raise `UnknownNameError` when there is none."""
    if name not in questions:
        raise UnknownNameError(f"no question is called {name!r}; there are: {', '.join(questions) or 'none'}")
    return questions[name]
