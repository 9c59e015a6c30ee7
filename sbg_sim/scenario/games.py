"""Files of the board games: the game's own room reads and answers them; faults get their place here."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from sbg_sim.document import meant
from sbg_sim.document.validate import faults_of, ordered
from sbg_sim.errors import FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sbg_sim.document import Document

GAMES: Final = ("metw", "riddle", "war-of-the-ring", "lotr-tcg")


def faces(game: str) -> Any:
    """Return the room of a game: its ``load``, ``answer`` and ``model``.

    Raises
    ------
    UnknownNameError
        When there is no such game.

    """
    if game not in GAMES:
        raise UnknownNameError(f"no game is called `{game}`{meant(game, GAMES)}")
    return importlib.import_module(f"sbg_sim.boards.{game.replace('-', '_')}.faces")


def json_schema(game: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's files; UnknownNameError when there is no such game."""
    schema = faces(game).model.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def load(source: Document) -> tuple[Any, Any]:
    """Return the game's room and the scenario it reads from a document.

    Raises
    ------
    FileFaultsError
        With every fault, each with file, line, column and key.

    """
    name = source.data["game"]
    try:
        room = faces(name if isinstance(name, str) else str(name))
    except UnknownNameError as error:
        raise FileFaultsError((source.fault(("game",), str(error)),)) from None
    try:
        scenario = room.load(source.data)
    except ValidationError as error:
        raise FileFaultsError(ordered((*source.faults, *faults_of(error, source, room.model)))) from None
    except FileFaultsError as error:
        placed = source.placed(error)
        raise FileFaultsError(ordered((*source.faults, *placed.faults))) from None
    if source.faults:
        raise FileFaultsError(source.faults)
    return room, scenario


def answers(source: Document, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Answer the questions of a game's file, or those named.

    Raises
    ------
    UnknownNameError
        When the file has no such question.

    """
    room, scenario = load(source)
    asked = _asked(source)
    for name in names:
        if name not in asked:
            raise UnknownNameError(f"no question is called `{name}` in this file{meant(name, asked)}")
    return [room.answer(scenario, name) for name in names or asked]


def unmet(source: Document, given: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for every answer that is not the one the file expects."""
    from sbg_sim.boards.expectations import meets

    found = []
    asked = _asked(source)
    for answer in given:
        name = str(answer["question"])
        expect = asked[name].get("expect")
        if expect is None:
            continue
        met = answer["met"] if answer.get("met") is not None else meets(answer, expect)
        if not met:
            got = answer.get("answer") or words(answer.get("reachable") or answer.get("route")) or "nothing"
            found.append(f"{name}: expected {words(expect)}, got {got}")
    return found


def words(value: Any) -> str:
    """Write a part of an answer in a line of plain text; empty when it says nothing."""
    if value is None or (isinstance(value, list | dict) and not value):
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{key} {words(inner)}".strip() for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(words(inner) for inner in value)
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _asked(source: Document) -> dict[str, Any]:
    return dict(source.data.get("questions", {}))
