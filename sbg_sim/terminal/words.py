"""Moves in words, as people type them: ``gimli charge uruk-1``, ``frodo crawl 3 4 stand``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.table.record import MoveRecord
from sbg_sim.terminal.names import Names, Word, words_of, written

if TYPE_CHECKING:
    from sbg_sim.table.board import Table

VERBS: Final = {
    "charge": "charge", "charges": "charge",
    "to": "to", "move": "to", "moves": "to", "go": "to", "goes": "to",
    "path": "path", "along": "path",
    "stand": "stand", "stands": "stand",
    "lie": "lie", "lies": "lie",
    "crawl": "crawl", "crawls": "crawl",
    "arrive": "arrive", "arrives": "arrive", "enter": "arrive", "enters": "arrive",
    "on": "on", "onto": "on",
    "stay": "stay", "stays": "stay",
    "roll": "rolls", "rolls": "rolls", "rolling": "rolls",
}  # fmt: skip
"""The meaning of each verb."""

COMMANDS: Final = (
    "help", "who", "why", "map", "fights", "choose", "deploy", "delay", "end", "next", "slay", "place", "undo",
    "show", "save", "record", "hash", "quit", "exit",
)  # fmt: skip
"""Words that can be said besides moves."""

FILLERS: Final = frozenset({"and", "then", "up", "down", "at", "from", "with", "into"})

HOW_TO: Final = (
    "say `gimli charge uruk-1`, `gimli to 10 12`, `gimli path 1 1 2 3 4 3`, `frodo crawl 3 4 stand`, "
    "`frodo stand to 10 12`, `frodo lie`, `faramir arrive 0 12 to 3 12`, `gimli stay`"
)


def read_move(text: str, table: Table) -> MoveRecord:
    """Read a move from words.

    Parameters
    ----------
    text
        The model, then its move; ``rolls 3 6`` adds dice. Names may be typed in any case, and names with spaces with or
        without quotes.
    table
        The table with the models.

    Raises
    ------
    UnknownNameError
        For an unknown model.
    QuestionError
        When the words are no move; the message gives the forms of moves.

    Examples
    --------
    >>> from sbg_sim.table.board import Table
    >>> from sbg_sim.table.frozen import FrozenMap
    >>> from sbg_sim.table.models import Model
    >>> table = Table(24, 24, FrozenMap({"The One": Model("The One", (1.0, 1.0), 1.0)}))
    >>> move = read_move("the one to 10, 12 rolls 4", table)
    >>> move.model, move.to, move.rolls
    ('The One', (10.0, 12.0), (4,))

    """
    words = words_of(text)
    if not words:
        raise QuestionError(HOW_TO)
    models, tops = Names(table.models, "model"), Names(table.terrain, "terrain")
    model, index = _subject(words, models)
    said: dict[str, list[str]] = {}
    verb = ""
    while index < len(words):
        word = words[index]
        named = (models if verb == "charge" else tops).at(words, index) if verb in {"charge", "on"} else None
        if named is not None and not (verb == "on" and said["on"]):
            said[verb].append(named[0])
            index += named[1]
            continue
        index += 1
        meant = VERBS.get(word.verb)
        if meant == "to" and verb in {"to", "crawl"} and not said[verb]:
            continue  # "moves to", "crawls to"
        if meant is not None:
            if meant in said:
                raise QuestionError(f"{meant!r} is said twice; {HOW_TO}")
            verb, said[meant] = meant, []
        elif word.verb not in FILLERS:
            if not verb:
                raise QuestionError(f"{word.text!r} is nothing a model can do; {HOW_TO}")
            said[verb].append(word.text)
    if not said:
        raise QuestionError(f"what does {model} do? {HOW_TO}")
    return _record(model, said, table)


def _subject(words: list[Word], models: Names) -> tuple[str, int]:
    """Return the model at the beginning of a line, and the number of words of its name."""
    found = models.at(words)
    if found is not None:
        return found
    typed = next((i for i, word in enumerate(words) if i and word.verb in VERBS), 1)
    name = " ".join(word.text for word in words[:typed])
    meant = models.nearest(name) or "; `help` tells what can be said"
    raise UnknownNameError(f"no model is called {name!r} on this table{meant}")


def _record(model: str, said: dict[str, list[str]], table: Table) -> MoveRecord:
    fields: dict[str, Any] = {}
    for verb, words in said.items():
        if verb in {"to", "crawl", "arrive"}:
            fields[verb] = read_point(words, verb)
        elif verb == "path":
            numbers = [_number(w) for w in words]
            if len(numbers) < 2 or len(numbers) % 2:
                raise QuestionError("a path takes pairs of numbers: path 1 1 2 3 4 3")
            fields["path"] = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        elif verb == "charge":
            if not words:
                raise QuestionError("charge whom? say `gimli charge uruk-1` or `gimli charge uruk-1 and uruk-2`")
            fields["charge"] = tuple(table.model(w).id for w in words)
        elif verb == "rolls":
            fields["rolls"] = tuple(read_die(w) for w in words)
        elif verb == "on":
            fields["on"] = table.piece(_one(words, "on which platform?")).id
        elif words:
            raise QuestionError(f"{words[0]!r} is too much after {verb!r}; {HOW_TO}")
        elif verb == "stay":
            fields["to"], fields["on"] = table.model(model).at, table.model(model).on
        else:
            fields[verb] = True
    return MoveRecord(model, **fields)


def read_place(words: list[Word], table: Table) -> MoveRecord:
    """Read where an effect puts a model, such as ``uruk-1 at 10 12 on wall prone``; without a place it stays.

    Raises
    ------
    UnknownNameError, QuestionError
        For an unknown name, or words that give no place.

    """
    models, tops = Names(table.models, "model"), Names(table.terrain, "terrain")
    name, index = _subject(words, models)
    numbers: list[str] = []
    fields: dict[str, Any] = {"place": table.model(name).at, "on": table.model(name).on}
    while index < len(words):
        word = words[index]
        index += 1
        if word.verb in {"on", "onto"}:
            hit = tops.at(words, index)
            if hit is None:
                raise QuestionError("on which platform? say `place uruk-1 at 10 12 on wall`")
            fields["on"] = table.piece(hit[0]).id
            index += hit[1]
        elif word.verb in {"prone", "lies", "lie", "lying"}:
            fields["lie"] = True
        elif word.verb in {"standing", "stands", "stand"}:
            fields["stand"] = True
        elif word.verb not in {*FILLERS, "to"}:
            numbers.append(word.text)
    if numbers:
        fields["place"] = read_point(numbers, "place")
        fields["on"] = fields["on"] if any(word.verb in {"on", "onto"} for word in words) else None
    return MoveRecord(name, **fields)


def read_die(word: str) -> int:
    """Read one die; QuestionError if it is no number from 1 to 6."""
    if word not in {"1", "2", "3", "4", "5", "6"}:
        raise QuestionError(f"{word!r} is no die; it shows 1 to 6")
    return int(word)


def in_words(move: MoveRecord) -> str:
    """Return an entry of a record in words that read back as the same entry."""
    name = written(move.model, (*VERBS, *COMMANDS))
    if move.slain or move.delayed:
        return f"{'slay' if move.slain else 'delay'} {name}"
    parts = [name]
    if move.place is not None:
        parts = ["place", name, "at", _spot(move.place)]
    if move.arrive is not None:
        parts.append(f"arrive {_spot(move.arrive)}")
    if move.crawl is not None:
        parts.append(f"crawl {_spot(move.crawl)}")
    parts += ["stand"] if move.stand else []
    if move.charge:
        parts.append(f"charge {' and '.join(written(target, VERBS) for target in move.charge)}")
    if move.to is not None:
        parts.append(f"to {_spot(move.to)}")
    if move.path is not None:
        parts.append(f"path {' '.join(_spot(p) for p in move.path)}")
    parts += ["lie"] if move.lie else []
    parts += [f"on {written(move.on, VERBS)}"] if move.on else []
    parts += [f"rolls {' '.join(map(str, move.rolls))}"] if move.rolls else []
    return " ".join(parts)


def _spot(point: tuple[float, float]) -> str:
    return f"{point[0]!r} {point[1]!r}"


def _one(words: list[str], question: str) -> str:
    if len(words) != 1:
        raise QuestionError(f"{question} {HOW_TO}")
    return words[0]


def read_point(words: list[str], verb: str) -> tuple[float, float]:
    """Read a place, inches; QuestionError unless it is two numbers."""
    if len(words) != 2:
        raise QuestionError(f"{verb!r} takes two numbers, x and y in inches; {HOW_TO}")
    return _number(words[0]), _number(words[1])


def _number(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise QuestionError(f"{word!r} is no number of inches")
    return value
