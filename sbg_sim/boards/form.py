"""The form that the files of all games share: strict tables, options, questions, names, a record of moves."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from sbg_sim.boards.readings import least

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from _typeshed import DataclassInstance

    from sbg_sim.boards.names import Check, Find

O = TypeVar("O", bound="DataclassInstance")
F = TypeVar("F", bound="BaseModel")

PLACE: Final = "place"
"""The kind of names of places."""


@dataclass(frozen=True, slots=True)
class Named:
    """Marks a text in a file as a name of some kind: ``Annotated[str, Named("site")]``."""

    kind: str


Place = Annotated[str, Named(PLACE)]
ANSWER: Final[Mapping[str, Any]] = {
    "answer": Literal["yes", "no"], "cost": int, "turns": int, "route": list[Place],
    "reachable": int | list[Place] | dict[Place, int], "costs": dict[Place, int], "rules": list[str],
    "options": list[str], "reason": str,
}  # fmt: skip
"""The keys of the answers of all games, and the types of their expectations in a file."""


class Strict(BaseModel):
    """A table of a file: no unknown keys, no silent conversions, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class OptionsTable(Strict):
    """Readings of the rules that the text leaves open; an absent key keeps its reading."""

    def over(self, options: O) -> O:
        """Return `options` changed by the keys of this table."""
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
    expect: Any = None


class MoveEntry(Strict):
    """One move of a game that was played, in the words of `play`."""

    move: str


class File(Strict):
    """The keys that the files of all games share; each game adds its own pieces and questions."""

    game: str
    title: str = ""
    source: str = ""
    options: OptionsTable = OptionsTable()
    moves: list[MoveEntry] = Field(default_factory=list)
    questions: dict[str, Any] = Field(default_factory=dict)


def file_form(
    game: str,
    options: type[DataclassInstance],
    kinds: Mapping[str, tuple[str, Mapping[str, Any]]],
    answers: Mapping[str, Any] = MappingProxyType({}),
) -> type[File]:
    """Return the form of a game's files, without its pieces.

    Parameters
    ----------
    game
        The value of ``game`` in a file.
    options
        The class of the game's readings.
    kinds
        By kind of question, its description, and the type of each of its own keys, or (type, default); a key that may
        be None may be absent.
    answers
        The game's own keys of answers, and the types of their expectations in a file.

    """
    table = options_table(options)
    keys: dict[str, Any] = {key: (kind | None, None) for key, kind in {**ANSWER, **answers}.items()}
    expect = str | int | list[Place] | create_model("Expectation", __base__=Strict, **keys) | None

    def question(ask: str, doc: str, keys: Mapping[str, Any]) -> type[Asked]:
        rows: dict[str, Any] = {"ask": (Literal[ask], ...), "options": (table, table()), "expect": (expect, None)}
        for key, kind in keys.items():
            rows[key] = kind if isinstance(kind, tuple) else (kind, None if type(None) in get_args(kind) else ...)
        name = f"{ask.title().replace('-', '')}Question"
        return create_model(name, __base__=Asked, __doc__=doc, **rows)

    asked = tuple(question(ask, *about) for ask, about in kinds.items())
    any_of: Any = Annotated[Union[asked], Field(discriminator="ask")]  # noqa: UP007 - made at run time
    rows: dict[str, Any] = {
        "game": (Literal[game], ...),
        "options": (table, table()),
        "questions": (dict[str, any_of], Field(default_factory=dict)),
    }
    return create_model("Form", __base__=File, **rows)


def with_ids(value: Any, hint: Any, finders: Mapping[str, Find], check: Check, key: str = "") -> Any:
    """Return a part of a file with ids for the names in it; an unknown name is a fault and stays as it is.

    Parameters
    ----------
    value, hint
        The part, and its type.
    finders
        The look-up of each kind of name.
    check
        Records faults: unknown names, and names in one table that mean the same.
    key
        The key of the part in the file.

    """
    if isinstance(value, BaseModel):
        about = type(value).model_fields
        hints = {name: Annotated[about[name].annotation, *about[name].metadata, ""] for name in value.model_fields_set}
        at = f"{key}." if key else ""
        parts = {name: with_ids(getattr(value, name), hint, finders, check, at + name) for name, hint in hints.items()}
        return value.model_copy(update=parts)
    kinds = dict(_branches(hint))
    if isinstance(value, str) and kinds.get(str):
        return check.look(finders[kinds[str]], value, key) or value
    if isinstance(value, list):
        one = kinds.get(list, (Any,))[0]
        return [
            with_ids(entry, one, finders, check, key if isinstance(entry, str) else f"{key}.{i}")
            for i, entry in enumerate(value)
        ]
    if isinstance(value, dict):
        of_names, of_values = kinds.get(dict, (Any, Any))
        found: dict[str, Any] = {}
        typed: dict[str, str] = {}
        for name, entry in value.items():
            place = f"{key}.{name}"
            known = with_ids(name, of_names, finders, check, place)
            check.typed[f"{key}.{known}"] = place
            if typed.setdefault(known, name) != name:
                check.fault(place, f"{name} stands here already as {typed[known]!r}")
            found[known] = with_ids(entry, of_values, finders, check, place)
        return found
    return value


def _branches(hint: Any, kind: str = "") -> Iterator[tuple[Any, Any]]:
    """Yield the branches of a type: ``str`` with its kind of name, ``list`` and ``dict`` with their content's."""
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
        kind = next((mark.kind for mark in marks if isinstance(mark, Named)), kind)
        yield from _branches(hint, kind)
    elif hint is str:
        yield str, kind
    elif get_origin(hint) in {list, dict}:
        yield get_origin(hint), get_args(hint)
    else:
        for branch in get_args(hint):
            yield from _branches(branch, kind)


def shaped(model: type[F], data: Mapping[str, Any]) -> tuple[F, frozenset[str], ValidationError | None]:
    """Read data by a form, leaving out the parts that do not match it.

    Returns
    -------
    tuple
        The file; the keys left out, dotted; and the errors of form, or None.

    Raises
    ------
    pydantic.ValidationError
        When no part can be read.

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
            around = {key[:end] for key in cut for end in range(len(key))}
            for *tables, last in cut - around:  # a table around another part may be valid without that
                table: Any = (left := dict(left))
                for part in tables:  # tables are copied, but not their values, which may be anything
                    table[part] = dict(table[part])
                    table = table[part]
                del table[last]
                gone.add(".".join(map(str, (*tables, last))))


def _within(loc: tuple[str | int, ...], data: Any) -> tuple[str | int, ...]:
    """Return the location to leave out for an error: a value, the table that lacks one, or the array of an entry."""
    key: list[str | int] = []
    for part in _real(loc, data):
        if isinstance(part, int):
            break
        key.append(part)
    return tuple(key)


def _real(loc: tuple[str | int, ...], data: Any) -> Iterator[str | int]:
    """Yield the parts of a location that are in the data, unlike the names of a union's branches."""
    for part in loc:
        there = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        if part in there:
            data = data[part]
            yield part
