"""Faults of a text that is not TOML, in words for its author."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = "text, and lengths with a unit, stand in quotes"
_NAMES: Final = 'a name with other signs than a-z, A-Z, 0-9, - and _ stands in quotes, as in [models."Éowyn"]'
_AT: Final = {
    "invalid value": (
        (r"[ \t\r]*(?:[\n#]|$)", "a value is missing after ="),
        (r"(?i:true|false)\b", "true and false are written small"),
        ("[\u201c\u201d\u201e\u2018\u2019]", "the quotes of text are straight ones: \" or '"),
        (r"\(", "places and other arrays stand in [ ], as in [10, 12]"),
        (r"[+-]?\.[0-9]", "a number begins with a digit, as in 0.5"),
        (r"\w", _QUOTED),
    ),
    "expected newline or end of document after a statement": (
        (",[ \t]*[0-9]", "a number has a point, not a comma, as in 1.5; a place stands in [ ], as in [10, 12]"),
        (r"\.", "a number ends with a digit, as in 5.0"),
        (r"(?<=\b0)[0-9]", "a number does not begin with 0"),
        ("[ \t]*/[ \t]*[0-9]", "a fraction is written as a decimal, as in 0.0625 for 1/16"),
        (r"[ \t]*[\"'\w/\u201d\u2033]", f"there is more after the value; {_QUOTED}"),
        ("", "there is more after the value"),
    ),
    "expected '=' after a key in a key/value pair": (
        (":", "a key and its value are joined by =, not :"),
        (r"[ \t\r]*(?:\n|$)", "= and a value are missing after the key"),
        ("", f"= is missing after the key; {_NAMES}"),
    ),
    "expected ']' at the end of a table declaration": (
        (r"[ \t\r]*(?:\n|$)", "the ] that ends the name is missing"),
        ("", _NAMES),
    ),
    "expected ']]' at the end of an array declaration": (("", "the ]] that ends the name is missing"),),
    "invalid initial character for a key part": (
        (r"[ \t\r]*\n", "what stands in { } stands on one line, and a comma only between two keys"),
        ("[}]", "a comma stands only between two keys"),
        (r"[^\W\d_]|[ \t]", _NAMES),
    ),
    "invalid statement": (
        ("//|;|--|%", "a comment begins with #"),
        (r"[^\W\d_]", _NAMES),
        ("", "a line is [the name of a table], key = value, or # a comment"),
    ),
    "illegal character '\\n'": (("", "text ends with its quote on the line where it begins"),),
    "unescaped '\\' in a string": (("", "a backslash in text is written twice, or the text stands in ' '"),),
    "unclosed array": (("", "commas between the entries of an array, or the ] that ends it, are missing"),),
    "unclosed inline table": (("", "commas between the keys, or the } that ends them, are missing"),),
}


def in_words(message: str, text: str, line: int, column: int) -> str:
    """Return a message of the parser about a place (line and column from 1) as the correction that is needed there."""
    said = message[:1].lower() + message[1:]
    rest, here = "".join(text.split("\n", line - 1)[line - 1 :]) if line else "", max(0, column - 1)
    return next((words for start, words in _AT.get(said, ()) if re.compile(start).match(rest, here)), said)
