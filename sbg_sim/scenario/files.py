"""Read scenario files: return their table, or report all their faults at once."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from sbg_sim import document
from sbg_sim.document.validate import MAX_FAULTS, located, ordered, respelt
from sbg_sim.errors import Fault, FileFaultsError, QuestionError
from sbg_sim.scenario.build import Faults, build
from sbg_sim.scenario.form import ScenarioForm
from sbg_sim.scenario.names import unknown_names
from sbg_sim.table.doubts import table_doubts
from sbg_sim.table.faults import table_faults
from sbg_sim.tolerance import LARGEST

if TYPE_CHECKING:
    from sbg_sim.document import Document, Key
    from sbg_sim.table.board import Table

MAX_ENTRIES: Final = 20_000
"""The most models, pieces, questions or moves in a file."""

_ENTRIES: Final = ("profiles", "models", "terrain", "questions", "moves", "readings")
_NAMED: Final = ("profiles", "models", "terrain")
_STATE: Final = (
    "height",
    "move",
    "side",
    "keywords",
    "prone",
    "engaged",
    "moved",
    "may_move",
    "climbed",
    "doubt",
    "waited",
)
_DISPENSABLE: Final = {
    "profiles": _STATE,
    "models": _STATE,
    "terrain": ("lets_through",),  # the tags decide which keys a piece may have
}


def read(path: str | Path) -> Table:
    """Read a scenario file; ``sbg_sim.load`` is this function.

    Parameters
    ----------
    path
        The path of the file.

    Returns
    -------
    The table with its questions, and its record if it has one.

    Raises
    ------
    FileFaultsError
        With every fault of the file: file, line, column, key, and what would be right.
    QuestionError
        For an object that is no path.

    Examples
    --------
    >>> read("scenarios/charging-2.toml")
    <Table 'Charging 2: the gap is shut': 24 x 24 in, 6 models, 0 pieces, 6 questions>

    """
    if not isinstance(path, str | PathLike):
        raise QuestionError(f"{path!r:.60} is no path of a file; loads reads a text, Table makes a table here")
    return table_of(document.read(path))


def read_text(text: str | bytes, name: str = "<text>") -> Table:
    r"""Read a scenario from its text; ``sbg_sim.loads`` is this function.

    Parameters
    ----------
    text
        TOML; bytes are UTF-8.
    name
        Its name in messages.

    Raises
    ------
    FileFaultsError
        As `read` does.

    Examples
    --------
    >>> read_text("[table]\nwidth = 24\ndepth = '12 in'")
    <Table: 24 x 12 in, 0 models, 0 pieces, 0 questions>
    >>> read_text("[table]\nwidth = 24")
    Traceback (most recent call last):
    sbg_sim.errors.FileFaultsError: <text>:1:2: table.depth: is missing

    """
    if not isinstance(text, str | bytes):
        raise QuestionError(f"{text!r:.60} is no text; load reads a file, Table makes a table here")
    return table_of(document.parse(text, name))


def table_of(source: Document) -> Table:
    """Return the table of a document.

    Raises
    ------
    FileFaultsError
        With every fault; the file of a board game is refused too.

    """
    if "game" in source.data:
        reason = "a board game's file can be checked, drawn and played; a table is needed here"
        raise FileFaultsError((source.fault(("game",), reason),))
    table, faults = examined(source)
    if faults:
        raise FileFaultsError(faults)
    for doubt in doubts(source, table):
        import logging

        logging.getLogger("sbg_sim").warning("%s", doubt)
    return table


def examined(source: Document) -> tuple[Table, tuple[Fault, ...]]:
    """Return the table of a document without its faulty parts, and every fault found.

    A table of a document with faults may only be shown, and not asked anything.
    """
    _refuse_crowds(source)
    source = respelt(source, ScenarioForm)
    form_faults, data, played = _sound(source)
    scenario = ScenarioForm.model_validate(data)
    found: Faults = []
    folder = str(Path(source.name).parent) if source.name.endswith(".toml") else ""
    table = build(
        scenario, found, folder=folder, spoilt=set(_names(source.data.get("profiles"))) - set(scenario.profiles)
    )
    sides = [m.get("side") for m in _values(source.data, "models", "profiles")]
    found += table_faults(
        table,
        models=_names(source.data.get("models")),
        terrain=_names(source.data.get("terrain")),
        sides=[side for side in sides if isinstance(side, str)],
    )
    told = {key for key, _ in found}
    found += [(key, reason) for key, reason in unknown_names(source.data, table) if key not in told]
    if any(not isinstance(source.data.get(kind, {}), dict) for kind in _NAMED):
        found = []  # the models or pieces are unknown
    if "phase" in source.data:  # a faulty [phase] has faults of its own
        found = [(key, reason) for key, reason in found if key != ("phase",)]
    faults = [*source.faults, *form_faults, *(_fault(source, _numbered(key, played), reason) for key, reason in found)]
    return table, ordered(faults) if faults else ()


def doubts(source: Document, table: Table) -> tuple[Fault, ...]:
    """Return likely mistakes in a file without faults, with their places; `table_of` logs them as warnings."""
    return ordered(_fault(source, key, reason) for key, reason in table_doubts(table))


def _names(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def _values(data: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    found = [v for kind in kinds if isinstance(data.get(kind), dict) for v in data[kind].values()]
    return [v for v in found if isinstance(v, dict)]


def _refuse_crowds(source: Document) -> None:
    crowds = [
        Fault(f"has {len(source.data[kind])} entries; {MAX_ENTRIES} is the most", kind, source.name)
        for kind in _ENTRIES
        if isinstance(source.data.get(kind), dict | list) and len(source.data[kind]) > MAX_ENTRIES
    ]
    if crowds:
        raise FileFaultsError(tuple(crowds))


def _sound(source: Document) -> tuple[list[Fault], dict[str, Any], list[int]]:
    """Return the faults of form, the data without the parts that they spoil, and the numbers of the moves kept.

    An unknown key, or a field that its model or piece can do without, is left out alone; any other fault removes its
    model, piece, question, move or table. The other parts can so be checked too. Moves keep their numbers in the file.
    """
    data = source.data
    moves = data.get("moves")
    played = list(range(len(moves))) if isinstance(moves, list) else []
    try:
        ScenarioForm.model_validate(data)
    except ValidationError as error:
        errors = located(error, source, ScenarioForm)
        if error.error_count() > MAX_FAULTS:
            faults = [fault for _, _, fault in errors]
            more = Fault(f"and more: only {MAX_FAULTS} faults of form are listed", file=source.name)
            raise FileFaultsError((*ordered((*source.faults, *faults)), more)) from None
    else:
        return [], data, played
    unknown = [key for key, kind, _ in errors if kind == "extra_forbidden"]
    spoilt = [key for key, kind, _ in errors if kind != "extra_forbidden"]
    gone = [_spoils(key) for key in spoilt]
    data = _without(data, (*unknown, *gone))
    played = [i for i in played if ("moves", i) not in gone]
    if not isinstance(data.get("table"), dict):
        told = source.data.get("table")
        told = told if isinstance(told, dict) else {}
        # On a side of unknown size nothing is off the table.
        data["table"] = {
            size: told[size] if size in told and ("table", size) not in spoilt else LARGEST
            for size in ("width", "depth")
        }
    return [fault for _, _, fault in errors], data, played


def _numbered(key: Key, played: list[int]) -> Key:
    """Return a key with the number that its move has in the file."""
    return ("moves", played[int(key[1])], *key[2:]) if key[:1] == ("moves",) and len(key) > 1 else key


def _spoils(key: Key) -> Key:
    """Return the key of the part to leave out for a fault at a key."""
    if len(key) > 2 and key[2] in _DISPENSABLE.get(str(key[0]), ()):
        return key if len(key) > 3 and key[2] == "keywords" else key[:3]
    return key[: 2 if key[:1] and key[0] in _ENTRIES else 1]


def _without(data: dict[str, Any], keys: tuple[Key, ...]) -> dict[str, Any]:
    tree: dict[str | int, Any] = {}
    for key in keys:
        here = tree
        for part in key[:-1]:
            here = here.setdefault(part, {})
            if here is None:
                break
        else:
            if key:
                here[key[-1]] = None
    return dict(_pruned(data, tree))


def _pruned(value: Any, tree: dict[str | int, Any]) -> Any:
    """Copy a value without the branches of ``tree`` that end in None."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    kept = [
        (part, _pruned(inner, tree[part]) if part in tree else inner)
        for part, inner in pairs
        if tree.get(part, tree) is not None
    ]
    return dict(kept) if isinstance(value, dict) else [inner for _, inner in kept]


def _fault(source: Document, key: Key, reason: str) -> Fault:
    """Return a fault of the table with its place in the file, for keys from a profile the place there."""
    if len(key) > 2 and key[0] == "models" and not source.has(key[:3]) and source.has((*key[:2], "profile")):
        shared: Key = ("profiles", source.data["models"][key[1]]["profile"], *key[2:])
        key = shared if source.has(shared[:3]) else key
    if len(key) > 2 and key[2] == "polygon" and not source.has(key) and source.has((*key[:2], "wkt")):
        key = (*key[:2], "wkt")
    return source.fault(key, reason)
