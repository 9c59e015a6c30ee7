"""The interface for programs, described as OpenAPI."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

_KEYS: Final[dict[str, dict[str, Any]]] = {
    "table": {"type": "string", "description": "the TOML text of a scenario file, at most 8 MB"},
    "question": {
        "description": "the id of a question of the file, or a question as an object; all of the file's when missing",
        "anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Question"}],
    },
    "model": {"type": "string", "description": "the id of a model"},
}

_QUESTION: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["ask"],
    "properties": {
        "ask": {"enum": ["measure", "gap", "sight", "move", "charge", "reach"]},
        "model": {"type": "string"},
        "target": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "from": {"type": "string"},
        "to": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}, "minItems": 2}]},
        "between": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        "on": {"type": "string"},
    },
    "example": {"ask": "charge", "model": "lurtz", "target": "merry"},
}

_FAULTS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "error": {"type": "string"},
        "faults": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "reason": {"type": "string"},
                    "key": {"type": "string", "description": "the dotted key, as models.lurtz.base"},
                    "file": {"type": "string"},
                    "line": {"type": "integer", "description": "from 1; 0 when unknown"},
                    "column": {"type": "integer"},
                    "text": {"type": "string"},
                },
            },
        },
    },
}

_WRONG: Final = {
    "400": "The table is no scenario file, or the body is wrong: every fault with line, column and key",
    "403": "Asked by another site, or under another name than this server's",
    "413": "More than 8 MB, or more models, pieces or corners than are answered for",
    "422": "A question, model or target that the table does not have, or that cannot be asked of it",
    "504": "The question took more time or memory than it may",
}

_ASKED: Final = (
    ("check", "Answer questions, as `sbg-sim check --json`: an array, an object per question", ("table", "question")),
    ("reach", "Where a model can end its move, as `sbg-sim reach --json`", ("table", "model")),
    ("charges", "Every enemy of a model, as `sbg-sim charges --json`", ("table", "model")),
)


@cache
def openapi() -> dict[str, Any]:
    """Return the description of the interface."""
    try:
        number = version("sbg_sim")
    except PackageNotFoundError:
        number = "0"
    paths: dict[str, Any] = {
        "/api/health": {"get": {"summary": "Whether the server is up", "responses": {"200": _content("It is", {})}}}
    }
    for name, summary, keys in _ASKED:
        paths[f"/api/{name}"] = {"post": _operation(name, summary, keys)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sbg_sim",
            "version": number,
            "description": "The Move phase as exact geometry. Lengths are inches, areas square inches, angles radians.",
        },
        "paths": paths,
        "components": {"schemas": {"Question": _QUESTION, "Faults": _FAULTS}},
    }


def _operation(name: str, summary: str, keys: tuple[str, ...]) -> dict[str, Any]:
    kind = "object" if name == "reach" else "array"
    faults = {"$ref": "#/components/schemas/Faults"}
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "required": [key for key in keys if key != "question"],
                        "properties": {key: _KEYS[key] for key in keys},
                    }
                }
            },
        },
        "responses": {
            "200": _content("The JSON of the command line", {"type": kind}),
            **{code: _content(words, faults) for code, words in _WRONG.items()},
        },
    }


def _content(words: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}
