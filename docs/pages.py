"""The pages of the site that the program itself tells: commands, the format of files, rules; and the notebooks."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from sbg_sim.cli.examples import EXAMPLES as SHOWN
from sbg_sim.cli.group import _sbg_sim

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]

ALSO = {
    "schema": "One object, for an editor: `sbg-sim schema > scenario.schema.json`.",
    "serve": "It prints the address of the page and serves it until Ctrl-C: [the table in a browser](../browser.md).",
}

MORE = {
    "check": ["check scenarios/movement-1.toml --units cm"],
    "next": ["next scenarios/phase/three-turns.toml --priority evil --json"],
    "plot": ["plot scenarios/boards/metw/any-site-to-any-other.toml same-haven --out board.svg"],
    "replay": ["replay scenarios/phase/charging-2-sequence.toml"],
}
EXAMPLES: dict[str, list[str]] = {
    name: [] if name in ALSO else [*said, *MORE.get(name, [])] for name, said in SHOWN.items()
}
"""What each command is shown with; its output is what it prints when the site is built."""

TYPED = {
    "phase": ["who", "why gimli to 10 6", "undo 2", "fights", "quit", "quit"],
    "play": ["help", "quit"],
}
"""What is typed in the examples of commands that listen."""

_API = re.compile(r"<!-- api: (.*?) -->")
LISTED = {"index", "tutorial", "format", "rulings", "certificates", "limits", "algorithm", "performance", "trust"}


def run(words: str, typed: list[str] | None = None) -> str:
    """Return what a command prints; what is typed is echoed as a terminal does."""
    done = CliRunner(echo_stdin=True).invoke(
        _sbg_sim, shlex.split(words), input="".join(f"{line}\n" for line in typed or ()), prog_name="sbg-sim"
    )
    return done.output


@contextlib.contextmanager
def room() -> Iterator[None]:
    """Work in an empty folder that has the scenarios."""
    with tempfile.TemporaryDirectory() as there, contextlib.chdir(there):
        shutil.copytree(ROOT / "scenarios", "scenarios")  # a game keeps its journal beside the file
        yield


def make(docs: Path) -> None:
    """Write the pages into ``made/``, and copy the notebooks there."""
    made = docs / "made"
    shutil.rmtree(made, ignore_errors=True)
    for folder in ("notebooks", "gallery"):
        (made / folder).mkdir(parents=True)
    with room():
        pictures = ("gallery", gallery(made.resolve() / "gallery"))
        for name, text in (("commands", commands()), ("keys", keys()), ("rules", rules()), pictures):
            (made / f"{name}.md").write_text(text, encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copy(path, made / "notebooks" / path.name)


def fill(app: Any, _: str, source: list[str]) -> None:
    """Put what is there in place of the marks for it: a page that lands is found on the site by itself."""
    docs = Path(app.srcdir)
    more = [p.stem for p in sorted(docs.glob("*.md")) if p.stem not in LISTED]
    there = [name for name in ("algorithm", "performance", "trust") if (docs / f"{name}.md").exists()]
    books = [f"made/notebooks/{path.stem}" for path in sorted((docs / "made" / "notebooks").glob("*.ipynb"))]
    source[0] = _API.sub(lambda match: _described(match[1].split()), source[0])
    for mark, names in (("more", more), ("proof", there), ("notebooks", books)):
        source[0] = source[0].replace(f"<!-- {mark} -->", "\n".join(names))


def _described(names: list[str]) -> str:
    """Return the directives that describe public names; those that are not there are left out."""
    import sbg_sim as sbg

    lines = ["```{eval-rst}"]
    for name in names:
        if name in sbg.__all__:
            kind = "class" if isinstance(getattr(sbg, name), type) else "function"
            lines += [f".. auto{kind}:: sbg_sim.{name}"]
            if kind == "class":
                lines += [
                    "   :members:",
                    "   :inherited-members: ImportError, BaseException",
                    "   :special-members: __getitem__",
                ]
            lines += [""]
    return "\n".join([*lines, "```"])


# -- pictures ------------------------------------------------------------------------------------------------------


def gallery(folder: Path) -> str:
    """Draw every kind of picture into a folder, and return the page that shows them with what draws them."""
    from gallery import KINDS, draw  # beside this file, which conf.py sees to

    lines = [
        "# Every kind of picture",
        "",
        "The call under a picture draws it: a command with `--plot FILE` or `--out FILE` (`.svg`, `.png`, `.pdf`), or",
        "a line of Python; `sbg.plot` takes every result, and a notebook shows each as its picture. `--theme dark`, or",
        '`theme="dark"`, turns the colours; these pictures follow their reader.',
    ]
    for number, kind in enumerate(KINDS):
        picture = folder / f"{number:02d}.svg"
        draw(kind, picture, "auto")
        lines += ["", f"## {kind.name}", "", f"![{kind.name}]({folder.name}/{picture.name})", "", f"`{kind.shown}`"]
    return "\n".join(lines) + "\n"


# -- commands ------------------------------------------------------------------------------------------------------


def commands() -> str:
    """Return the page of the commands: what each is for, what it takes, and what it prints."""
    lines = [
        "# Commands",
        "",
        "Exit code 0: answered, and every expectation met. 1: an expectation not met, a record illegal, evidence",
        "refuted. 2: the file or the call is wrong, or an answer is beyond its limits. What is printed for people",
        "goes by `NO_COLOR`; what programs read is `--json`.",
        "",
        "```text",
        run("--help").rstrip(),
        "```",
    ]
    for name in sorted(_sbg_sim.list_commands(None)):
        lines += ["", f"## {name}", "", "```text", run(f"{name} --help").rstrip(), "```"]
        lines += ["", ALSO[name]] if name in ALSO else []
        for example in EXAMPLES.get(name, []):
            said = run(example, TYPED.get(name)).rstrip()
            lines += ["", "```console", *filter(None, (f"$ sbg-sim {example}", said)), "```"]
    return "\n".join(lines) + "\n"


# -- the format ----------------------------------------------------------------------------------------------------

_ORDER = ("TableForm", "ModelForm", "TerrainForm", "CircleForm", "PhaseForm", "RecordedMoveForm", "TurnForm")
_HEADS = {
    "TableForm": "`[table]`",
    "ModelForm": "`[models.ID]` and `[profiles.NAME]`",
    "TerrainForm": "`[terrain.ID]`",
    "CircleForm": "`circle = { ... }`",
    "PhaseForm": "`[phase]`",
    "RecordedMoveForm": "`[[moves]]`",
    "TurnForm": "`[[turns]]`",
}


def keys() -> str:
    """Return every key of a scenario file, as the schema has it."""
    from sbg_sim.scenario import json_schema

    schema = json_schema()
    forms = schema["$defs"]
    lines = [
        "# Every key",
        "",
        "From the schema that `sbg-sim schema` prints. A length is a number of inches or a string with a unit",
        '(`"25 mm"`, `"2.5 cm"`, `\'1"\'`); a place is `[x, y]`, inches.',
        "",
        "## The file",
        "",
        *_table(schema, ("rulings",)),
        "",
        "`[rulings]` has a key per ruling: [all of them](../rulings.md).",
    ]
    asks = sorted(name for name in forms if "ask" in forms[name].get("properties", {}))
    rest = [name for name in forms if name not in (*_ORDER, *asks)]
    for name in (*(n for n in _ORDER if n in forms), *rest):
        lines += ["", f"## {_HEADS.get(name, name)}", "", forms[name].get("description", ""), "", *_table(forms[name])]
    lines += ["", "## `[questions.ID]`", "", "Which keys a question has depends on what it asks.", ""]
    for name in asks:
        ask = forms[name]["properties"]["ask"]["const"]
        lines += ["", f'### `ask = "{ask}"`', "", forms[name].get("description", ""), "", *_table(forms[name])]
    return "\n".join(lines) + "\n"


def _table(form: dict[str, Any], plain: tuple[str, ...] = ()) -> Iterator[str]:
    yield "| key | what it is | kind | |"
    yield "| --- | --- | --- | --- |"
    needed = form.get("required", [])
    for key, said in form.get("properties", {}).items():
        kind = "a table" if key in plain else _kind(said)
        default = said.get("default")
        told = "needed" if key in needed else f"`{json.dumps(default)}`" if default not in (None, "") else ""
        yield f"| `{key}` | {said.get('description', '')} | {kind} | {told} |"


def _kind(said: dict[str, Any]) -> str:
    if "$ref" in said:
        return "a table"
    if {"type": "number"} in said.get("anyOf", []) and "inches" in said.get("description", "") + str(said["anyOf"]):
        return "a length"
    if "const" in said:
        return f'`"{said["const"]}"`'
    if "enum" in said:
        return ", ".join(f"`{word}`" for word in said["enum"])
    branches = [b for b in said.get("anyOf", said.get("oneOf", [])) if b.get("type") != "null"]
    if branches:
        return " or ".join(dict.fromkeys(_kind(b) for b in branches))
    kinds = {"number": "a number", "string": "a string", "boolean": "`true`, `false`", "integer": "a whole number"}
    if said.get("type") == "array":
        inner = said.get("items", {})
        if inner.get("type") == "number" and said.get("maxItems") == 2:
            return "`[x, y]`"
        return f"an array of: {_kind(inner)}"
    return kinds.get(str(said.get("type")), "a table")


# -- rules ---------------------------------------------------------------------------------------------------------


def rules() -> str:
    """Return every rule by its id, chapter by chapter."""
    from sbg_sim.rules.book import CHAPTERS, RULES

    lines = ["# Rules by id", "", "What answers cite, said in this project's words; `sbg-sim rules ID` prints one.", ""]
    for letters, chapter in CHAPTERS.items():
        lines += ["", f"## {chapter}", ""]
        for rule in RULES.values():
            if rule.id.partition(".")[0] != letters:
                continue
            lines += [f"({rule.id.lower().replace('.', '-')})=", f"### {rule.id} {rule.title}", "", rule.text, ""]
            if rule.rulings:
                told = ", ".join(f"`{name}`" for name in rule.rulings)
                lines += [f"Read in more than one way: {told} ([rulings](../rulings.md)).", ""]
            if rule.scenario:
                lines += [f"Shown by `scenarios/{rule.scenario}`.", ""]
    return "\n".join(lines) + "\n"
