"""Validation of a document by a pydantic class: every error as a fault with its place and a remedy."""

from __future__ import annotations

import types
import typing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from sbg_sim.document.suggest import meant, nearest
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sbg_sim.document.positions import Key
    from sbg_sim.document.source import Document

MAX_FAULTS: Final = 1_000
"""Errors of form reported of one file, at most."""

M = TypeVar("M", bound=BaseModel)

_WANTED = {
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a string",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "an array",
    "tuple_type": "an array",
    "set_type": "an array",
    "frozen_set_type": "an array",
    "dict_type": "a table",
    "mapping_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "dataclass_type": "a table",
}
_LIMITS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
}


def validate(model: type[M], document: Document) -> M:
    """Return a document as an instance of a pydantic class.

    Parameters
    ----------
    model
        The class; its settings decide how strict it is and whether unknown keys are refused.
    document
        The document.

    Raises
    ------
    FileFaultsError
        With every fault, including those that the document already had, in the order of the file.

    """
    document = respelt(document, model)
    try:
        value = model.model_validate(document.data)
    except ValidationError as error:
        raise FileFaultsError(ordered((*document.faults, *faults_of(error, document, model)))) from None
    if document.faults:
        raise FileFaultsError(document.faults)
    return value


def respelt(document: Document, model: type[BaseModel]) -> Document:
    """Return a document with misspelt keys replaced by those probably meant, and a fault for each.

    So the keys meant are not reported as missing, and those really missing are reported at once. A key stays if the one
    probably meant is there too, or does not allow its value.
    """
    try:
        model.model_validate(document.data)
    except ValidationError as error:
        wrong = located(error, document, model)
    else:
        return document
    unknown = {key: fault for key, kind, fault in wrong if kind == "extra_forbidden"}
    means = {key: (*key[:-1], nearest(key[-1], _keys_at(key, document, model))) for key in unknown}
    data, pairs = _put(document.data, means)
    spoilt = {other[:end] for other in _spoilt(data, model) for end in range(len(other) + 1)}
    lost = {key for key, read in pairs.items() if any(new in spoilt for new, _ in read)}
    if lost:
        data, pairs = _put(document.data, {key: meant for key, meant in means.items() if key not in lost})
    if not pairs:
        return document
    faults = (*document.faults, *(unknown[key] for key in pairs))
    return replace(document, data=data, faults=faults, respelt=tuple(pair for read in pairs.values() for pair in read))


def _put(data: Any, means: Mapping[Key, Key]) -> tuple[Any, dict[Key, list[tuple[Key, Key]]]]:
    """Return a copy of data with keys replaced, and for each key the pairs of new and old paths.

    An existing table at the new key takes in the entries.
    """
    data = _copied(data)
    pairs: dict[Key, list[tuple[Key, Key]]] = {}
    for old, new in means.items():
        here = data
        for part in old[:-1]:
            here = here[part]
        there, more = here.get(new[-1]), here[old[-1]]
        if not new[-1]:
            continue
        if new[-1] not in here:
            here[new[-1]] = here.pop(old[-1])
            pairs[old] = [(new, old)]
        elif isinstance(there, dict) and isinstance(more, dict) and there.keys().isdisjoint(more):
            there.update(here.pop(old[-1]))
            pairs[old] = [((*new, name), (*old, name)) for name in more]
    return data, pairs


def _copied(data: Any) -> Any:
    """Return a copy of tables and arrays but not of values, which from Python may be objects that cannot be copied."""
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data


def _spoilt(data: Any, model: type[BaseModel]) -> list[Key]:
    """Return the paths of values that do not match a class; missing and unknown keys do not count."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        wrong = [one for one in error.errors(include_url=False) if one["type"] not in ("missing", "extra_forbidden")]
        return [_resolved(one["loc"], data, named=False) for one in wrong]
    return []


def ordered(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return faults in the order of the file, each once."""
    return tuple(sorted(dict.fromkeys(faults), key=lambda f: (f.line, f.column)))


def faults_of(error: ValidationError, document: Document, model: type[BaseModel]) -> tuple[Fault, ...]:
    """Translate pydantic's errors to faults, one per place: the branches of a union count as one."""
    return tuple(fault for _, _, fault in located(error, document, model))


def located(error: ValidationError, document: Document, model: type[BaseModel]) -> list[tuple[Key, str, Fault]]:
    """Translate pydantic's errors to (path, pydantic's type of error, fault), one per place."""
    by_key: dict[tuple[Key, bool], list[Mapping[str, Any]]] = {}
    for one in error.errors(include_url=False)[:MAX_FAULTS]:
        named = one["type"] in ("extra_forbidden", "missing")
        key = _resolved(one["loc"], document.data, named=named)
        if one["type"] in ("union_tag_invalid", "union_tag_not_found"):
            key = (*key, str(one["ctx"]["discriminator"]).strip("'"))
        by_key.setdefault((key, named), []).append(one)
    around = {key[:end] for key, _ in by_key for end in range(len(key))}
    found = []
    for (key, named), errors in by_key.items():
        if not named and key in around and _only_types(errors):
            continue  # another branch of the same union matched further and tells more
        if errors[0]["type"] == "missing" and (key, False) in by_key:
            continue
        reason = _reason(key, errors, document, model)
        found.append((key, str(errors[0]["type"]), document.fault(key, reason, name=named)))
    return found


def _only_types(errors: list[Mapping[str, Any]]) -> bool:
    return all(one["type"] in _WANTED for one in errors)


def _resolved(loc: tuple[str | int, ...], data: Any, *, named: bool) -> Key:
    """Return pydantic's location as a path, without the names of union branches, which are not in the data."""
    key: list[str | int] = []
    here = data
    for i, part in enumerate(loc):
        last = i == len(loc) - 1
        if not last and isinstance(here, dict) and part in here.values() and loc[i + 1] in here:
            continue  # the branch of a union, although there is a key of this name too
        element = isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
        if element or (isinstance(here, dict) and part in here):
            here = here[part]
        elif not (last and named):
            continue
        key.append(part)
    return tuple(key)


def _reason(key: Key, errors: list[Mapping[str, Any]], document: Document, model: type[BaseModel]) -> str:
    one = errors[0]
    kind, context = one["type"], one.get("ctx", {})
    if kind == "extra_forbidden":
        return f"unknown key{meant(key[-1], _keys_at(key, document, model))}"
    if kind == "missing":
        return "is missing"
    if len(errors) > 1 and _only_types(errors):
        wanted = dict.fromkeys(_WANTED[e["type"]] for e in errors)
        return f"must be {' or '.join(wanted)}, not {shown(one['input'])}"
    if len(errors) > 1:  # the branch that matched furthest: not just a wrong type
        one = next((e for e in errors if e["type"] not in _WANTED), one)
        kind, context = one["type"], one.get("ctx", {})
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {shown(one['input'])}{_other_form(key, _WANTED[kind], one['input'])}"
    if kind in ("literal_error", "union_tag_invalid", "enum"):
        return _one_of(one, context)
    if kind == "union_tag_not_found":
        tags = [tag for branch in _classes_at(model, key[:-1], document.data) for tag in _tags(branch, key[-1])]
        return f"is missing; it says which kind this is: {', '.join(sorted(tags))}"
    if kind == "finite_number":
        return f"must be a finite number, not {shown(one['input'])}"
    if kind in ("too_short", "too_long"):
        return _length(kind, context)
    if kind == "value_error":
        return str(context.get("error", one["msg"]))
    if kind == "string_too_short" and context.get("min_length") == 1:
        return "must not be empty"
    if kind == "string_pattern_mismatch":
        return f"must match the pattern {context.get('pattern')}, and is {shown(one['input'])}"
    message = str(one["msg"])
    if kind in _LIMITS:
        words, limit = _LIMITS[kind]
        return f"must be {words} {context[limit]:.12g}, not {shown(one['input'])}"
    return message[:1].lower() + message[1:]


def _other_form(key: Key, wanted: str, value: Any) -> str:
    """Return a hint for tables written as an array of tables in TOML, or the other way round."""
    name = ".".join(str(part) for part in key)
    entries = isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)
    if wanted == "a table" and entries:
        return f"; write [{name}.NAME] for each, not [[{name}]]"
    if wanted == "an array" and isinstance(value, dict) and value and all(isinstance(e, dict) for e in value.values()):
        return f"; write [[{name}]] for each, not [{name}.NAME]"
    return ""


def _keys_at(key: Key, document: Document, model: type[BaseModel]) -> list[str]:
    """Return the keys that are possible in the table of an unknown one."""
    return [name for kind in _classes_at(model, key[:-1], document.data) for name in _names(kind)]


def _length(kind: str, context: Mapping[str, Any]) -> str:
    few = kind == "too_short"
    limit = context.get("min_length" if few else "max_length")
    entries = "entry" if limit == 1 else "entries"
    return f"must have at {'least' if few else 'most'} {limit} {entries}, not {context.get('actual_length')}"


def _one_of(one: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    listed = str(context.get("expected") or context.get("expected_tags") or "")
    known = [part.strip(" '\"") for part in listed.replace(" or ", ", ").split(",")]
    wrong = one["input"]
    if one["type"] == "union_tag_invalid":
        wrong = one["input"].get(str(context.get("discriminator", "")).strip("'"), context.get("tag"))
    return f"cannot be {shown(wrong)}{meant(wrong if isinstance(wrong, str) else '', known)}"


def shown(value: Any) -> str:
    """Return a value in the words of messages about files."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array" if value else "an empty array"
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:37] + "..."
        return f'the string "{shown}"'
    if isinstance(value, int | float):
        if isinstance(value, int) and abs(value) >= 10**40:
            return "a number so large"
        whole = isinstance(value, int) or (abs(value) < 1e6 and value.is_integer())  # 4.0 is shown with its point
        return f"the number {value}" if whole else f"the number {value:.6g}"
    return f"the {type(value).__name__} {' '.join(str(value).split()):.60}"  # a data frame would fill many lines


def _classes_at(model: type[BaseModel], key: Key, data: Any) -> list[Any]:
    """Return the classes that a model allows at a path."""
    kinds: list[Any] = [model]
    here = data
    for part in key:
        kinds = [inner for kind in kinds for inner in _inside(kind, part, here)]
        here = here[part]
    return [branch for kind in kinds for branch in _branches(kind, here)]


def _inside(kind: Any, part: str | int, data: Any) -> list[Any]:
    found = []
    for branch in _branches(kind, data):
        origin, args = typing.get_origin(branch), typing.get_args(branch)
        if isinstance(branch, type) and issubclass(branch, BaseModel):
            found += [
                info.annotation
                for name, info in branch.model_fields.items()
                if part in (name, info.alias, info.validation_alias)
            ]
        elif isinstance(part, str) and len(args) == 2 and origin is not None:
            found.append(args[1])  # a mapping
        elif isinstance(part, int) and args:
            found.append(args[min(part, len(args) - 1)] if args[-1] is not ... else args[0])
    return found


def _branches(kind: Any, data: Any) -> list[Any]:
    """Return the branches of a type: without Annotated, the members of a union, or those that the data names."""
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        return _branches(typing.get_args(kind)[0], data)
    if origin in (typing.Union, types.UnionType):
        members = [b for member in typing.get_args(kind) for b in _branches(member, data)]
        named = [b for b in members if _says(b, data)]
        return named or members
    return [kind]


def _says(kind: Any, data: Any) -> bool:
    """Say whether the data has a value of some Literal field of a class."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(data, dict)):
        return False
    for name, info in kind.model_fields.items():
        if typing.get_origin(info.annotation) is typing.Literal:
            value = data.get(info.alias or name)
            if isinstance(value, str) and value in typing.get_args(info.annotation):
                return True
    return False


def _tags(kind: Any, key: str | int) -> list[str]:
    """Return the values of a Literal field of a class, by its key."""
    fields = kind.model_fields.items() if isinstance(kind, type) and issubclass(kind, BaseModel) else ()
    literals = [info.annotation for name, info in fields if (info.alias or name) == key]
    return [tag for one in literals if typing.get_origin(one) is typing.Literal for tag in typing.get_args(one)]


def _names(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [info.alias or name for name, info in kind.model_fields.items()]
    return []
