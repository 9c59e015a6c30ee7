"""What a value of a document may be: each kind reads values, tells all that is wrong, and describes itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from sbg_sim.document.suggest import meant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.document.positions import Key

MAX_FAULTS: Final = 1_000
"""No more errors of form than this are told of one file."""

Schema = dict[str, Any]


class Wrong(NamedTuple):
    """What is wrong: where, in words, and whether it is a ``value``, a ``missing`` key or an ``unknown`` one."""

    key: Key
    reason: str
    what: str = "value"


class Kind(Protocol):
    """One kind of value."""

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return the value as it is used; what is wrong with it is added to ``wrong``."""

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return its JSON Schema; the schemas of forms are added to ``forms``."""


def shown(value: Any) -> str:
    """Return a value of a document for a message.

    Examples
    --------
    >>> shown(4.0), shown([]), shown(True)
    ('the number 4.0', 'an empty array', 'true')

    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array" if value else "an empty array"
    if isinstance(value, str):
        short = value if len(value) <= 40 else value[:37] + "..."
        return f'the string "{short}"'
    if isinstance(value, int | float):
        if isinstance(value, int) and abs(value) >= 10**40:
            return "a number so large"
        whole = isinstance(value, int) or (abs(value) < 1e6 and value.is_integer())  # 4.0 shows its point
        return f"the number {value}" if whole else f"the number {value:.6g}"
    return f"the {type(value).__name__} {value}"


def _not(wanted: str, value: Any) -> str:
    return f"must be {wanted}, not {shown(value)}"


@dataclass(eq=False, repr=False)
class Number:
    """A finite number, perhaps greater than a bound."""

    above: float | None = None

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it as a float."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return wrong.append(Wrong(key, _not("a number", value)))
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            return wrong.append(Wrong(key, _not("a finite number", value)))
        if self.above is not None and not number > self.above:
            return wrong.append(Wrong(key, _not(f"greater than {self.above:g}", value)))
        return number

    def schema(self, forms: dict[str, Schema]) -> Schema:  # noqa: ARG002 - a kind is asked so
        """Return ``number``."""
        return {"type": "number"} | ({} if self.above is None else {"exclusiveMinimum": self.above})


@dataclass(eq=False, repr=False)
class Plain:
    """A value that is used as it stands: a string, a whole number, true or false."""

    type: type
    wanted: str
    name: str

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it."""
        if not isinstance(value, self.type) or (isinstance(value, bool) and self.type is not bool):
            return wrong.append(Wrong(key, _not(self.wanted, value)))
        return value

    def schema(self, forms: dict[str, Schema]) -> Schema:  # noqa: ARG002 - a kind is asked so
        """Return its type."""
        return {"type": self.name}


TEXT: Final = Plain(str, "a string", "string")
WHOLE: Final = Plain(int, "a whole number", "integer")
TRUTH: Final = Plain(bool, "true or false", "boolean")


@dataclass(eq=False, repr=False)
class Name:
    """A string that is not empty."""

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it."""
        if value == "":
            return wrong.append(Wrong(key, "must have at least 1 character"))
        return TEXT.read(value, key, wrong)

    def schema(self, forms: dict[str, Schema]) -> Schema:  # noqa: ARG002 - a kind is asked so
        """Return ``string``."""
        return {"type": "string", "minLength": 1}


@dataclass(eq=False, repr=False)
class Words:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it."""
        if not isinstance(value, str) or value not in self.words:
            near = meant(value if isinstance(value, str) else "", self.words)
            return wrong.append(Wrong(key, f"cannot be {shown(value)}{near}"))
        return value

    def schema(self, forms: dict[str, Schema]) -> Schema:  # noqa: ARG002 - a kind is asked so
        """Return ``enum``."""
        only = {"const": self.words[0]} if len(self.words) == 1 else {"enum": list(self.words)}
        return {"type": "string", **only}


@dataclass(eq=False, repr=False)
class Array:
    """An array of values of one kind."""

    of: Kind
    least: int = 0
    most: float = math.inf

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it as a list."""
        if not isinstance(value, list):
            return wrong.append(Wrong(key, _not("an array", value)))
        if not self.least <= len(value) <= self.most:
            few = len(value) < self.least
            limit = self.least if few else self.most
            entries = "entry" if limit == 1 else "entries"
            reason = f"must have at {'least' if few else 'most'} {limit} {entries}, not {len(value)}"
            return wrong.append(Wrong(key, reason))
        found = []
        for i, one in enumerate(value):
            found.append(self.of.read(one, (*key, i), wrong))
            if len(wrong) > MAX_FAULTS:
                break
        return found

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return ``array``."""
        bounds = {"minItems": self.least} if self.least else {}
        bounds |= {"maxItems": int(self.most)} if self.most < math.inf else {}
        return {"type": "array", "items": self.of.schema(forms), **bounds}


@dataclass(eq=False, repr=False)
class Keyed:
    """A table whose keys are names."""

    of: Kind
    names: Kind = TEXT

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it as a dict."""
        if not isinstance(value, dict):
            return wrong.append(Wrong(key, _not("a table", value)))
        found = {}
        for name, one in value.items():
            self.names.read(name, (*key, name), wrong)
            found[name] = self.of.read(one, (*key, name), wrong)
            if len(wrong) > MAX_FAULTS:
                break
        return found

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return ``object``."""
        return {"type": "object", "additionalProperties": self.of.schema(forms)}


@dataclass(eq=False, repr=False)
class Optional:
    """A value, or None where Python says so."""

    of: Kind

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return it."""
        return None if value is None else self.of.read(value, key, wrong)

    def schema(self, forms: dict[str, Schema]) -> Schema:
        """Return the schema of the value; a file has no null, an editor's JSON may."""
        return {"anyOf": [self.of.schema(forms), {"type": "null"}]}


@dataclass(eq=False, repr=False)
class Made:
    """A value that a function makes of what is written, with ValueError for what it refuses."""

    function: Callable[[Any], Any]
    of: Kind | None
    shape: Mapping[str, Any]

    def read(self, value: Any, key: Key, wrong: list[Wrong]) -> Any:
        """Return what the function makes of it."""
        try:
            made = self.function(value)
        except ValueError as error:
            return wrong.append(Wrong(key, str(error)))
        return made if self.of is None else self.of.read(made, key, wrong)

    def schema(self, forms: dict[str, Schema]) -> Schema:  # noqa: ARG002 - a kind is asked so
        """Return the schema that was given."""
        return dict(self.shape)
