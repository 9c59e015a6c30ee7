"""``check`` and ``simulate``: the questions of a file, answered, and played with dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sbg_sim.cli import show
from sbg_sim.cli.opening import Trials, opened, table_in
from sbg_sim.cli.waiting import waiting

if TYPE_CHECKING:
    from sbg_sim.document import Document
    from sbg_sim.solver.verdict import Verdict


@click.command(short_help="Answer the questions of FILE and hold them against `expect`.")
@click.argument("file")
@click.argument("question", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, an object per question.")
@click.option("--certificate", metavar="OUT", help="Write evidence for `verify`, of one QUESTION, to a .json file.")
@click.pass_context
def check(ctx: click.Context, file: str, question: tuple[str, ...], as_json: bool, certificate: str | None) -> None:
    """Answer the questions of FILE, or those named, and hold the answers against what the file expects."""
    source = opened(file)
    if "game" in source.data:
        if certificate is not None:
            raise click.UsageError("a board game's answer has no certificate; it carries its route")
        missed = _boards(source, question, as_json)
    else:
        missed = _table(source, question, as_json, certificate)
    for line in missed:
        click.echo(show.plain(line), err=True)
    ctx.exit(1 if missed else 0)


def _table(source: Document, names: tuple[str, ...], as_json: bool, certificate: str | None) -> list[str]:
    from sbg_sim import report, scenario

    table = scenario.table_of(source)
    questions = {name: table.asked(name) for name in names or table.questions}
    if certificate is not None and len(questions) != 1:
        raise click.UsageError(f"--certificate is for one question; this would answer {len(questions)}: name one")
    from sbg_sim.solver.answer import ask  # what is wrong with a file is told without loading the solver

    each = waiting.counted(questions, "answering")
    verdicts = {name: ask(table, questions[name].question, name=name) for name in each}
    if certificate is not None:
        from sbg_sim.cli.evidence import written

        written(next(iter(verdicts.values())), certificate)
    missed = [f"{n}: {why}" for n, asked in questions.items() for why in report.unmet(asked, verdicts[n])]
    if as_json:
        show.as_json([report.as_json(verdict) for verdict in verdicts.values()])
        return missed
    for name, verdict in verdicts.items():
        _show(name, verdict)
    if not questions:
        click.echo(f"{show.plain(source.name)}: a sound table that asks nothing")
    return missed


def _show(name: str, verdict: Verdict) -> None:
    from sbg_sim.report import described, rows

    show.block(f"{name} ({described(verdict.question)})", verdict.answer, rows(verdict))


def _boards(source: Document, names: tuple[str, ...], as_json: bool) -> list[str]:
    from sbg_sim.scenario import games

    answers = games.answers(source, names)
    missed = games.unmet(source, answers)
    if as_json:
        show.as_json(answers)
        return missed
    for answer in answers:
        rest = {k: v for k, v in answer.items() if k not in ("question", "ask", "answer", "expect", "met", "costs")}
        rest["reachable"] = answer["costs"]  # each with its cost
        rows = [(key, games.words(value)) for key, value in rest.items()]
        show.block(f"{answer['question']} ({answer['ask']})", answer.get("answer"), rows)
    return missed


@click.command(short_help="Play a QUESTION with dice, beside its exact chance.")
@click.argument("file")
@click.argument("question")
@click.option("--trials", type=Trials(1), default=100_000, show_default=True, help="How often.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same dice.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(file: str, question: str, trials: int, seed: int, as_json: bool) -> None:
    """Play the best play of a QUESTION in FILE with dice, beside its exact chance."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.simulate.simulation import simulate as play

    run = play(table, question, trials, seed, progress=lambda done, total: waiting.told(done, total, "rolling"))
    result: dict[str, Any] = run.as_json()
    if as_json:
        show.as_json(result)
        return
    low, high = result["interval"]
    show.block(
        question,
        None,
        [
            ("trials", f"{trials}, seed {seed}"),
            ("successes", str(result["successes"])),
            ("frequency", f"{result['frequency']:.6f}  (99 %: {low:.6f} to {high:.6f})"),
            ("exact", f"{result['chance']} = {result['chance_value']:.6f}"),
        ],
    )
