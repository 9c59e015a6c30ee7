"""Make the notebooks from their sources and execute them: ``python notebooks/build.py [NAME...]``."""

from __future__ import annotations

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def _joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join pieces of one stream that follow each other: how they are cut depends on the speed of the machine."""
    found: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = found[-1] if found else None
        if last is not None and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def built(source: Path) -> str:
    """Return one executed notebook as text: the same source gives the same."""
    book = jupytext.read(source)
    book.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(HERE)}}).execute()
    for number, cell in enumerate(book.cells):
        cell["outputs"] = _joined(cell.get("outputs", [])) if cell.cell_type == "code" else cell.get("outputs")
        if cell["outputs"] is None:
            del cell["outputs"]
        cell["id"] = f"{source.stem[:20]}-{number}"
        cell.metadata = nbformat.from_dict({})
    nbformat.validate(book)
    return nbformat.writes(book) + "\n"


if __name__ == "__main__":
    for path in sorted((HERE / "sources").glob("*.py")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            (HERE / f"{path.stem}.ipynb").write_text(built(path), encoding="utf-8")
