"""Questions from outside, checked and answered: a table as text, a question, and the JSON of the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sbg_sim import document, report, scenario
from sbg_sim.errors import Fault, FileFaultsError, QuestionError, UnknownNameError
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Question, ReachOf, Sight
from sbg_sim.web.limits import refuse_crowds

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.document import Document
    from sbg_sim.table.board import Table


_KEYS: Final = {"table", "question", "model"}  # keys of a request; an endpoint ignores those that it does not need


def asked_of(body: bytes) -> dict[str, Any]:
    """Read the body of a request: a JSON object.

    Raises
    ------
    FileFaultsError
        When it is none.

    """
    try:
        data = json.loads(body, parse_constant=_no_constant)
    except RecursionError:
        raise FileFaultsError((Fault("is nested too deeply", file="request"),)) from None
    except ValueError as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise FileFaultsError((Fault(document.not_json(error), "", "request", line, column),)) from None
    if not isinstance(data, dict):
        raise FileFaultsError((Fault('must be a JSON object such as {"table": "..."}', file="request"),))
    return data


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def text_of(data: dict[str, Any]) -> str:
    """Return the TOML text of a request; FileFaultsError with all its faults of form."""
    faults = [
        Fault("no such key; there are table, question, model", key, "request") for key in data if key not in _KEYS
    ]
    text = data.get("table")
    if not isinstance(text, str):
        faults.append(Fault("must be the text of a scenario file", "table", "request"))
    if faults:
        raise FileFaultsError(tuple(faults))
    assert isinstance(text, str)
    return text


def data_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the plain data of a table; QuestionError if the request has none."""
    found = data.get("data")
    if not isinstance(found, dict):
        raise QuestionError("data must be the tables of a file, as a JSON object")
    return found


def table_of(text: str) -> Table:
    """Read the table of a request.

    Raises
    ------
    FileFaultsError
        With all its faults: line, column and key.

    """
    source = document.parse(text, "table")
    table = scenario.table_of(source)
    refuse_crowds(table)
    return table


def model_of(data: dict[str, Any], table: Table) -> str:
    """Return the id of the model that a request names; UnknownNameError if the table has none of that name."""
    name = data.get("model")
    if not isinstance(name, str):
        raise QuestionError(f"model {'must be' if data.get('model') else 'is missing:'} the id of a model of the table")
    return table.model(name).id


def check(data: dict[str, Any], read: Callable[[str], Table]) -> list[dict[str, Any]]:
    """Answer ``/api/check``: one question, or all of the file, as ``check --json`` prints them."""
    from sbg_sim.contested.certain import check as ask

    text = text_of(data)
    wanted = data.get("question")
    source = document.parse(text, "table")
    if "game" in source.data:
        return _board(source, wanted)
    table = read(text)
    if wanted is None:
        return [report.as_json(ask(table, asked.question, name=name)) for name, asked in table.questions.items()]
    if isinstance(wanted, str):
        return [report.as_json(ask(table, wanted))]
    return [report.as_json(ask(table, question_of(wanted)))]


def _board(source: Document, wanted: Any) -> list[dict[str, Any]]:
    from sbg_sim.scenario import games

    if wanted is not None and not isinstance(wanted, str):
        raise QuestionError("question must be the id of a question of the file")
    found: list[dict[str, Any]] = games.answers(source, [wanted] if wanted else [])
    return found


_FIELDS: dict[str, tuple[str, ...]] = {
    "measure": ("from", "to"),
    "gap": ("between", "model"),
    "sight": ("model", "target"),
    "move": ("model", "to", "on"),
    "charge": ("model", "target"),
    "reach": ("model",),
}


def question_of(data: Any) -> Question:
    """Return the question of an object with the keys of a question in a file.

    Raises
    ------
    QuestionError
        When the object is no question.

    Examples
    --------
    >>> question_of({"ask": "sight", "model": "lurtz", "target": "merry"})
    Sight(model='lurtz', target='merry')

    """
    if not isinstance(data, dict) or not isinstance(data.get("ask"), str) or data["ask"] not in _FIELDS:
        raise QuestionError(f"question must be an id, or an object with ask = one of {', '.join(_FIELDS)}")
    ask = data["ask"]
    extra = ("ask", "expect", "needed", "note")
    for key in data:
        if key not in (*_FIELDS[ask], *extra):
            raise QuestionError(f"question.{key} is no key of a question that asks {ask}")
    if ask == "measure":
        return Measure(_word(data, "from"), _word(data, "to"))
    if ask == "gap":
        one, two = _words(data, "between", 2)
        return Gap((one, two), _word(data, "model"))
    if ask == "sight":
        return Sight(_word(data, "model"), _word(data, "target"))
    if ask == "move":
        on = data.get("on")
        return Move(_word(data, "model"), place_of(data, "to"), None if on is None else _word(data, "on"))
    if ask == "charge":
        target = data.get("target")
        return Charge(
            _word(data, "model"), _word(data, "target") if isinstance(target, str) else _words(data, "target")
        )
    return ReachOf(_word(data, "model"))


def _word(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise QuestionError(f"question.{key} must be an id")
    return value


def _words(data: dict[str, Any], key: str, count: int = 0) -> tuple[str, ...]:
    value = data.get(key)
    right = isinstance(value, list) and value and all(isinstance(v, str) and v for v in value)
    if not right or (count and len(value or ()) != count):
        raise QuestionError(f"question.{key} must be {count or 'one or more'} ids")
    assert value is not None
    return tuple(value)


def place_of(data: dict[str, Any], key: str) -> tuple[float, float]:
    """Return a place of the table, inches; QuestionError for anything but two finite numbers."""
    value = data.get(key)
    if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and abs(v) < 1e9 for v in value):
        return float(value[0]), float(value[1])
    raise QuestionError(f"{key} must be [x, y] in inches")


def refusal(error: Exception) -> tuple[int, dict[str, Any]] | None:
    """Return the HTTP status and the message of an error that users can cause; None for other errors."""
    from sbg_sim.errors import SbgError
    from sbg_sim.web.limits import TooMuchError
    from sbg_sim.web.scene import fault_json

    if isinstance(error, FileFaultsError):
        return 400, {"error": "the table cannot be used", "faults": [fault_json(f) for f in error.faults]}
    if isinstance(error, TooMuchError):
        return 413, {"error": str(error)}
    if isinstance(error, UnknownNameError | QuestionError | SbgError):
        return 422, {"error": str(error)}
    if isinstance(error, MemoryError):
        return 504, {"error": "the question needed more memory than it may have and was given up"}
    return None
