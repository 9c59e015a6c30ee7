"""The corpus of kept answers as files: a table, what is asked of it and the answers in one line of JSON."""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "answers"


def read():
    """All lines, by file and in their order."""
    return {
        path.stem: [json.loads(line) for line in path.open(encoding="utf-8")] for path in sorted(FOLDER.glob("*.jsonl"))
    }


def write(name, lines):
    """Write the lines of a file, keys sorted and nothing that may be left out."""
    text = "".join(json.dumps(one, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n" for one in lines)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
