"""Names in entries that a fault of form keeps off the table: these are checked as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sbg_sim.document import Names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.document import Key
    from sbg_sim.table.board import Table

_REFERS: Final = {
    "questions": {"model": "model", "target": "model", "between": "thing", "from": "thing", "to": "thing", "on": "top"},
    "models": {"profile": "profile", "engaged": "model", "on": "top"},
    "terrain": {"to": "top", "on": "top", "lets_through": "model"},
}
_SAID: Final = {"model": "model", "thing": "model or terrain", "top": "platform", "profile": "profile"}


def unknown_names(data: dict[str, Any], table: Table) -> Iterator[tuple[Key, str]]:
    """Yield unknown names in entries that are in a file but, for their faults, not on its table.

    Parameters
    ----------
    data
        The whole file.
    table
        The table of its parts without faults.

    """
    models, terrain, profiles = (_entries(data, kind) for kind in ("models", "terrain", "profiles"))
    known = {
        "model": Names(models),
        "thing": Names((*models, *terrain)),
        "top": Names(terrain),
        "profile": Names(profiles),
    }
    built: dict[str, Any] = {"questions": table.questions, "models": table.models, "terrain": table.terrain}
    for kind, fields in _REFERS.items():
        for name, entry in _entries(data, kind).items():
            if name in built[kind] or not isinstance(entry, dict):
                continue
            for field, role in fields.items():
                for key, word in _words(entry.get(field)):
                    if word not in known[role]:
                        yield (kind, name, field, *key), f"no {_SAID[role]} is called `{word}`{known[role].meant(word)}"


def _entries(data: dict[str, Any], kind: str) -> dict[str, Any]:
    found = data.get(kind)
    return found if isinstance(found, dict) else {}


def _words(value: Any) -> list[tuple[Key, str]]:
    if isinstance(value, str):
        return [((), value)]
    if not isinstance(value, list) or any(isinstance(part, int | float) for part in value):
        return []  # numbers mean a place
    return [((i,), word) for i, word in enumerate(value) if isinstance(word, str)]
