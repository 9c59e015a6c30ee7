"""Files of the board games: each game reads and answers its own; here faults get their places."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from sbg_sim import document
from sbg_sim.boards.expectations import key_of
from sbg_sim.document import meant, shown
from sbg_sim.document.validate import faults_of, ordered, respelt
from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sbg_sim.document import Document

GAMES: Final = ("metw", "riddle", "war-of-the-ring", "lotr-tcg")


def faces(game: str) -> Any:
    """Return the room of a game, with ``load``, ``answer``, ``model`` and the functions for `play`.

    Raises
    ------
    UnknownNameError
        For an unknown game.

    """
    if game not in GAMES:
        raise UnknownNameError(f"no game is called `{game}`{meant(game, GAMES)}")
    return importlib.import_module(f"sbg_sim.boards.{game.replace('-', '_')}.faces").room


def json_schema(game: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's files; UnknownNameError for an unknown game."""
    schema = faces(game).model.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def load(source: Document) -> tuple[Any, Any]:
    """Return the game's room and the scenario it reads from a document.

    Raises
    ------
    FileFaultsError
        With every fault: file, line, column and key.

    """
    name = source.data["game"]
    if not isinstance(name, str):
        raise FileFaultsError((source.fault(("game",), f"must be a string, not {shown(name)}"),))
    try:
        room = faces(name)
    except UnknownNameError as error:
        raise FileFaultsError((source.fault(("game",), str(error)),)) from None
    source = respelt(source, room.model)
    faults, scenario = _read(room, source, lambda found: _map(room, source, found))
    if faults or source.faults:
        raise FileFaultsError(ordered((*source.faults, *faults)))
    return room, scenario


def _read(room: Any, source: Document, maps: Any = None) -> tuple[tuple[Fault, ...], Any]:
    """Return the faults of a document, of its form and all others, or its scenario."""
    try:
        return (), room.load(source.data, maps)
    except ValidationError as error:
        return faults_of(error, source, room.model), None
    except FileFaultsError as error:
        form = error.__cause__
        of_form = faults_of(form, source, room.model) if isinstance(form, ValidationError) else ()
        return (*of_form, *source.placed(error).faults), None


def _map(room: Any, source: Document, name: str) -> dict[str, Any]:
    """Return the data of the map file `name` beside a scenario; its faults have places in that file."""
    path = Path(source.name).parent / name
    if Path(name).is_absolute() or not path.is_file():
        raise FileFaultsError((Fault(f"there is no map file {name!r} beside this file", "board.map"),))
    found = document.read(path)
    board = {key: value for key, value in found.data.items() if key != "game"}
    as_board = replace(found, data={"game": source.data["game"], "board": board})
    faults, _ = _read(room, as_board)
    wrong = found.data.get("game", source.data["game"])
    if wrong != source.data["game"]:
        faults = (
            *faults,
            found.fault(("game",), f"this is a map of {wrong}, and the scenario plays {source.data['game']}"),
        )
    if faults or found.faults:
        raise FileFaultsError(ordered((*found.faults, *(_in_map(found, fault) for fault in faults))))
    return board


def _in_map(found: Document, fault: Fault) -> Fault:
    """Return a fault of a board with its place in the map's own file."""
    inner = FileFaultsError((replace(fault, key=fault.key.removeprefix("board").lstrip("."), line=0, column=0),))
    return found.placed(inner).faults[0]


def answers(source: Document, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Answer the questions of a game's file, or those named.

    Raises
    ------
    UnknownNameError
        For an unknown question.

    """
    room, scenario = load(source)
    asked = _asked(source)
    for name in names:
        if name not in asked:
            raise UnknownNameError(f"no question is called `{name}` in this file{meant(name, asked)}")
    return [room.answer(scenario, name) for name in names or asked]


def unmet(source: Document, given: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for every answer that does not meet the file's expectation."""
    asked = _asked(source)
    found = []
    for answer in given:
        if answer["met"] is False:
            name, expect = str(answer["question"]), asked[str(answer["question"])]["expect"]
            if isinstance(expect, dict):
                got: Any = {key: answer.get(key) for key in expect}
            else:
                got = answer.get(key_of(str(answer["ask"]), expect))
            counts = isinstance(expect, int) and isinstance(got, list)
            found.append(f"{name}: expected {words(expect)}, got {len(got) if counts else words(got) or 'nothing'}")
    return found


def words(value: Any) -> str:
    """Return a part of an answer as a line of text, with lists in it separated; empty if it has no content."""
    nested = all(isinstance(one, dict | list | tuple) for one in _inner(value))
    return _told(value, ("; ", ", ", " ") if nested else (", ",))


def _inner(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list | tuple) else []


def _told(value: Any, apart: tuple[str, ...]) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list | tuple):
        told = [_told(one, apart[1:] or apart) for one in _inner(value)]
        if isinstance(value, dict):
            told = [f"{key} {one}" if one else "" for key, one in zip(value, told, strict=True)]
        return apart[0].join(filter(None, told))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _asked(source: Document) -> dict[str, Any]:
    return dict(source.data.get("questions", {}))
