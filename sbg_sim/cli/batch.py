"""The answers of one file after another: printed as they come, counted, and compared with expectations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli import lengths, show
from sbg_sim.cli.opening import as_data, faults_of, listed, opened
from sbg_sim.cli.waiting import waiting
from sbg_sim.errors import FileFaultsError, QuestionError, SbgError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.document import Document
    from sbg_sim.errors import Fault
    from sbg_sim.solver.verdict import Verdict


@dataclass(frozen=True)
class Answer:
    """One answer, ready to be printed in any form.

    Parameters
    ----------
    name, data
        The question's id, and the answer as JSON.
    head, word, rows
        The answer for people.
    missed
        The expectations of the file that it fails to meet.
    expected
        Whether the file has expectations of it.
    verdict
        The verdict; None for a board game.

    """

    name: str
    data: dict[str, Any]
    head: str
    word: str | None
    rows: show.Rows
    missed: tuple[str, ...] = ()
    expected: bool = False
    verdict: Verdict | None = None


def answers(source: Document, names: tuple[str, ...]) -> Iterator[Answer]:
    """Answer the questions of a file, or those named, one after the other.

    Parameters
    ----------
    source
        The file.
    names
        Ids of questions; all when empty.

    """
    return of_boards(source, names) if "game" in source.data else of_table(source, names)


def of_table(source: Document, names: tuple[str, ...]) -> Iterator[Answer]:
    """Answer questions of a table; see `answers`."""
    from sbg_sim import report, scenario

    table = scenario.table_of(source)
    questions = {name: table.asked(name) for name in names or table.questions}
    if not questions:
        return
    from sbg_sim.contested.certain import check as ask  # faults of a file are reported without loading the solver

    wrong: list[Fault] = []
    for done, (name, asked) in enumerate(questions.items()):
        waiting.told(done, len(questions), "answering")
        try:
            verdict = ask(table, asked.question, name=name)
        except QuestionError as error:  # a question without an answer does not stop the others
            wrong += [fault for fault in faults_of(error, source) if fault not in wrong]
            continue
        yield Answer(
            name,
            report.as_json(verdict),
            f"{name} ({report.described(verdict.question)})",
            verdict.answer,
            report.rows(verdict),
            report.unmet(asked, verdict),
            asked.expect is not None or asked.needed is not None,
            verdict,
        )
    if wrong:
        raise FileFaultsError(tuple(wrong))


def of_boards(source: Document, names: tuple[str, ...]) -> Iterator[Answer]:
    """Answer questions of a board game; see `answers`."""
    from sbg_sim.scenario import games

    for answer in games.answers(source, names):
        rest = {k: v for k, v in answer.items() if k not in ("question", "ask", "answer", "expect", "met", "costs")}
        rest["reachable"] = answer["costs"]  # spaces with costs
        name = str(answer["question"])
        missed = [line.removeprefix(f"{name}: ") for line in games.unmet(source, [answer])]
        yield Answer(
            name,
            answer,
            f"{name} ({answer['ask']})",
            answer.get("answer"),
            [(key, games.words(value)) for key, value in rest.items()],
            tuple(missed),
            answer.get("met") is not None,
        )


@dataclass
class Batch:
    """Prints the answers of files and keeps count of failures.

    Parameters
    ----------
    form
        ``"text"``, ``"json"`` (one array at the end) or ``"jsonl"`` (a line per answer, as it comes).
    quiet
        Whether to print, of texts, only answers that are not as expected.
    unit
        The unit of lengths in texts.
    several
        Whether answers must name their files.

    """

    form: str = "text"
    quiet: bool = False
    unit: str = "in"
    several: bool = False
    met: int = 0
    expected: int = 0
    answered: int = 0
    code: int = 0
    held: list[Any] = field(default_factory=list)

    def check(self, path: str, names: tuple[str, ...]) -> list[Answer]:
        """Answer the questions of one file; its errors are printed, and the next file can follow."""
        source = None
        found: list[Answer] = []
        try:
            source = opened(path)
            for answer in answers(source, names):
                self._show(answer, source.name, first=not found)
                found.append(answer)
                waiting.begin()  # output so far stays; the next answer may take long
        except SbgError as error:
            waiting.end()
            self._refuse(error, source, path)
        else:
            if not found and self.form == "text" and not self.quiet:
                show.line(f"{source.name}: a sound table that asks nothing")
        return found

    def _show(self, answer: Answer, file: str, *, first: bool) -> None:
        waiting.end()
        self.answered += 1
        self.expected += answer.expected
        self.met += answer.expected and not answer.missed
        if answer.missed:
            self.code = max(self.code, 1)
        if self.form == "jsonl" or self.several:
            data = {"file": file, **answer.data, "met": not answer.missed if answer.expected else None}
        else:
            data = answer.data
        if self.form == "jsonl":
            show.as_json(data)
        elif self.form == "json":
            self.held.append(data)
        elif not self.quiet or answer.missed:
            if self.several and (first or self.quiet):
                show.line(f"{file}:")
            show.block(lengths.told(answer.head, self.unit), answer.word, lengths.rows(answer.rows, self.unit))
        for why in answer.missed:
            show.line(f"{file + ': ' if self.several else ''}{answer.name}: {why}", err=True)

    def _refuse(self, error: SbgError, source: Document | None, path: str) -> None:
        faults = faults_of(error, source)
        self.code = 2
        data = as_data(faults, source.name if source is not None else path)
        if self.form == "jsonl":
            show.as_json(data)
        elif self.form == "json":
            self.held.append(data)
        click.echo(listed(faults), err=True)

    def finish(self) -> int:
        """Print the end of the output, and return the exit code."""
        waiting.end()
        if self.form == "json":
            show.as_json(self.held)
        elif self.form == "text" and self.expected and not self.quiet:
            rest = self.answered - self.expected
            more = f", {rest} without an expectation" if rest else ""
            show.line(f"{self.met} of {self.expected} as expected{more}")
        return self.code
