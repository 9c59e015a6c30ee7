"""The form of a document: which keys its tables have, told by classes, and how documents are read by it."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, Self, TypeVar

from sbg_sim.document.kinds import (
    MAX_FAULTS,
    TEXT,
    TRUTH,
    WHOLE,
    Array,
    Keyed,
    Kind,
    Made,
    Name,
    Number,
    Optional,
    Schema,
    Words,
    Wrong,
    shown,
)
from sbg_sim.document.suggest import meant
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sbg_sim.document.positions import Key
    from sbg_sim.document.source import Document

_NEEDED: Final = object()
_PLAIN: Final = {str: TEXT, int: WHOLE, bool: TRUTH}

F = TypeVar("F", bound="Form")


@dataclass(eq=False, repr=False)
class Said:
    """What a form says of one of its keys."""

    about: str
    default: Any
    named: str
    above: float | None


def key(about: str, default: Any = _NEEDED, *, named: str = "", above: float | None = None) -> Any:
    """Say what a key of a form is.

    Parameters
    ----------
    about
        What it is, for the schema.
    default
        Its value when the file does not say; without one, the key is needed.
    named
        How the file writes it, where Python cannot.
    above
        What a number must be greater than.

    """
    return Said(about, default, named, above)


class Entries(NamedTuple):
    """How many entries an array has, as a mark in an annotation."""

    least: int
    most: float = float("inf")


@dataclass(eq=False, repr=False)
class MadeBy:
    """What makes the value of what is written, and the schema of that, as a mark in an annotation."""

    function: Callable[[Any], Any]
    shape: Mapping[str, Any]


EMPTY: Final[Mapping[str, Any]] = types.MappingProxyType({})
"""The default of a table that the file does not hold."""

NAMED: Final = Name()
"""Marks strings that must not be empty, in an annotation."""


class Form:
    """A table of a document: annotations tell the kinds of its keys, `key` what they are. No other key may stand there.

    Examples
    --------
    >>> class Cat(Form):
    ...     lives: int = key("how often it falls", 9)
    >>> Cat.reading({"lives": 8})[0].lives
    8
    >>> Cat.reading({"lifes": "x"})[1]
    [Wrong(key=('lifes',), reason='unknown key; did you mean `lives`?', what='unknown')]

    """

    _said: typing.ClassVar[dict[str, Said]] = {}
    _entries: typing.ClassVar[dict[str, _Entry]]

    def __init_subclass__(cls) -> None:
        own = {name: said for name, said in vars(cls).items() if isinstance(said, Said)}
        cls._said = cls._said | own
        for name, said in own.items():
            if said.default is _NEEDED:
                delattr(cls, name)
            else:
                setattr(cls, name, said.default)

    @classmethod
    def reading(cls, data: Any, at: Key = ()) -> tuple[Self, list[Wrong]]:
        """Return data read by this form, to be used only when nothing is wrong, and all that is."""
        wrong: list[Wrong] = []
        return TableOf(cls).read(data, at, wrong), wrong

    @classmethod
    def json_schema(cls) -> Schema:
        """Return the JSON Schema of a document of this form, those of its tables under ``$defs``."""
        forms: dict[str, Schema] = {}
        TableOf(cls).schema(forms)
        own = forms.pop(cls.__name__)
        return {"$defs": forms, **own}

    def having(self, values: Mapping[str, Any]) -> Self:
        """Return a copy with other values."""
        made = type(self)()
        vars(made).update(vars(self), **values)
        return made


@dataclass(eq=False, repr=False)
class _Entry:
    """A key of a form: its name in Python, and its kind."""

    name: str
    kind: Kind
    said: Said


def _entries(form: type[Form]) -> dict[str, _Entry]:
    """Return the keys of a form, as a file writes them; worked out when the first table of the form is read."""
    found: dict[str, _Entry] | None = vars(form).get("_entries")
    if found is not None:
        return found
    hints = typing.get_type_hints(form, include_extras=True)
    said = form._said  # noqa: SLF001 - of the same module
    found = {one.named or name: _Entry(name, _kind(hints[name], one), one) for name, one in said.items()}
    form._entries = found  # noqa: SLF001 - of the same module
    return found


@dataclass(eq=False, repr=False)
class TableOf:
    """A table of a form."""

    form: type[Form]

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it."""
        if not isinstance(value, dict):
            return wrong.append(Wrong(key, f"must be a table, not {shown(value)}"))
        known = _entries(self.form)
        made = self.form()
        held = vars(made)
        for name, one in value.items():
            entry = known.get(name)
            if entry is None:
                wrong.append(Wrong((*key, name), f"unknown key{meant(name, known)}", "unknown"))
            else:
                held[entry.name] = entry.kind.read(one, (*key, name), wrong)
        for name, entry in known.items():
            if entry.said.default is _NEEDED and name not in value:
                wrong.append(Wrong((*key, name), "is missing", "missing"))
        return made

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return a reference to it among the forms."""
        name = self.form.__name__
        if name not in forms:
            forms[name] = {}
            known = _entries(self.form)
            forms[name] |= {
                "type": "object",
                "title": name,
                "description": (self.form.__doc__ or "").strip(),
                "additionalProperties": False,
                "properties": {key: _schema(entry, forms) for key, entry in known.items()},
                "required": [key for key, entry in known.items() if entry.said.default is _NEEDED],
            }
        return {"$ref": f"#/$defs/{name}"}


def _schema(entry: _Entry, forms: dict[str, Schema]) -> Schema:
    default = entry.said.default
    held = {} if default is _NEEDED or default is EMPTY or default == () else {"default": default}
    return {**entry.kind.schema(forms), "description": entry.said.about, **held}


@dataclass(eq=False, repr=False)
class OneOf:
    """A table of one of several forms, told apart by a key that all have."""

    by: str
    forms: tuple[type[Form], ...]
    _tagged: dict[str, TableOf] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        for form in self.forms:
            words = _entries(form)[self.by].kind
            assert isinstance(words, Words)
            self._tagged.update(dict.fromkeys(words.words, TableOf(form)))

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it by the form that it names."""
        if not isinstance(value, dict):
            return wrong.append(Wrong(key, f"must be a table, not {shown(value)}"))
        if self.by not in value:
            return wrong.append(Wrong((*key, self.by), "is missing; it says which kind this is"))
        named = Words(tuple(self._tagged)).read(value[self.by], (*key, self.by), wrong)
        return None if named is None else self._tagged[named].read(value, key, wrong)

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return ``oneOf``."""
        return {"oneOf": [table.schema(forms) for table in self._tagged.values()]}


def _kind(hint: Any, said: Said | None = None) -> Kind:
    """Return the kind of value that an annotation means."""
    marks: tuple[Any, ...] = ()
    if typing.get_origin(hint) is Annotated:
        hint, *rest = typing.get_args(hint)
        marks = tuple(rest)
    for mark in marks:
        if isinstance(mark, MadeBy):
            return Made(mark.function, None if hint is Any else _kind(hint, said), mark.shape)
        if isinstance(mark, str):
            return OneOf(mark, typing.get_args(hint))
        if isinstance(mark, Name):
            return mark
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (inner,) = (one for one in args if one is not type(None))
        return Optional(_kind(inner, said))
    if origin is Literal:
        return Words(args)
    if origin is list:
        size = next((mark for mark in marks if isinstance(mark, Entries)), Entries(0))
        return Array(_kind(args[0]), size.least, size.most)
    if origin is dict:
        return Keyed(_kind(args[1]), _kind(args[0]))
    if hint is float:
        return Number(None if said is None else said.above)
    return _PLAIN[hint] if hint in _PLAIN else TableOf(hint)


def faults_in(wrong: Iterable[Wrong], document: Document) -> list[Fault]:
    """Give what is wrong its place in the document."""
    return [document.fault(one.key, one.reason, name=one.what != "value") for one in wrong]


def ordered(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Put faults in the order of the file, each once."""
    return tuple(sorted(dict.fromkeys(faults), key=lambda f: (f.line, f.column)))


def validate(form: type[F], document: Document) -> F:
    """Read a document by a form.

    Raises
    ------
    FileFaultsError
        With every fault, those the document already had included, in the order of the file.

    """
    made, wrong = form.reading(document.data)
    if wrong or document.faults:
        raise FileFaultsError(ordered((*document.faults, *faults_in(wrong[:MAX_FAULTS], document))))
    return made
