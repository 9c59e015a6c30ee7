"""``check`` and ``simulate``: answer the questions of a file, and play answers with dice."""

from __future__ import annotations

from typing import Any

import click

from sbg_sim.cli import lengths, show
from sbg_sim.cli.batch import Answer, Batch
from sbg_sim.cli.drawing import drawn, pictured, to_write
from sbg_sim.cli.numbers import Trials, Whole
from sbg_sim.cli.opening import opened, table_in, wrote
from sbg_sim.cli.waiting import waiting
from sbg_sim.cli.watching import watched


@click.command(short_help="Answer the questions of files and hold them against `expect`.")
@click.argument("words", nargs=-1, required=True, metavar="FILE... [QUESTION...]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, an object per question.")
@click.option("--jsonl", is_flag=True, help="Print a line of JSON per question as it is answered, and per wrong file.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what is not as expected.")
@lengths.OPTION
@click.option("--watch", is_flag=True, help="Answer again whenever a file is saved, until interrupted.")
@click.option(
    "--certificate",
    callback=to_write(".json"),
    metavar="OUT",
    help="Write evidence for `verify`, of one QUESTION, to a .json file.",
)
@click.option(
    "--report",
    callback=to_write(".html", ".pdf", ".png"),
    metavar="OUT",
    help="Write a sheet about one QUESTION to a .html, .pdf or .png file.",
)
@click.pass_context
def check(
    ctx: click.Context,
    words: tuple[str, ...],
    as_json: bool,
    jsonl: bool,
    quiet: bool,
    unit: str,
    watch: bool,
    certificate: str | None,
    report: str | None,
) -> None:
    """Answer the questions of a FILE, or those named, and compare the answers with the file's expectations.

    Several files are answered one after the other; errors in one do not stop the next. The FILE - is standard input.
    """
    files, names = _sorted(words)
    if as_json and jsonl:
        raise click.UsageError("--json and --jsonl are two ways to print; choose one")
    form = "json" if as_json else "jsonl" if jsonl else "text"

    for option, path in (("--certificate", certificate), ("--report", report)):
        if path is not None:
            _alone(files, names, option)

    def run() -> int:
        batch = Batch(form, quiet, unit, len(files) > 1)
        found = [answer for file in files for answer in batch.check(file, names)]
        if certificate is not None and found:
            _certify(found[0], certificate)
        if report is not None and found:
            _sheet(found[0], report, files[0])
        return batch.finish()

    ctx.exit(watched(files, run) if watch else run())


def _sorted(words: tuple[str, ...]) -> tuple[list[str], tuple[str, ...]]:
    """Tell files from ids of questions: the first word is a file, and others that look like one."""
    files = [words[0], *(word for word in words[1:] if word == "-" or word.lower().endswith(".toml"))]
    names = tuple(word for word in words[1:] if word not in files[1:])
    if names and len(files) > 1:
        raise click.UsageError(f"questions ({', '.join(names)}) are named of one file; there are {len(files)}")
    return files, names


def _alone(files: list[str], names: tuple[str, ...], option: str) -> None:
    """Refuse a certificate or a sheet for anything but one question of a table, before any answer is computed."""
    source = opened(files[0])
    if "game" in source.data:
        raise click.UsageError(f"{option} is for a question at a table, and this is a board game")
    asked = source.data.get("questions")
    count = len(names) or (len(asked) if isinstance(asked, dict) else 0)
    if count != 1 or len(files) > 1:
        raise click.UsageError(f"{option} is for one question; this would answer {count}: name one")


def _certify(answer: Answer, path: str) -> None:
    """Write the certificate of an answer."""
    if answer.verdict is not None:
        from sbg_sim.cli.evidence import written

        written(answer.verdict, path)
        wrote(path)


def _sheet(answer: Answer, path: str, file: str) -> None:
    """Write the sheet about an answer."""
    if answer.verdict is not None:
        from sbg_sim.cli.evidence import laid_out

        laid_out(answer.verdict, path, file)
        wrote(path)


@click.command(short_help="Play a QUESTION with dice, beside its exact chance.")
@click.argument("file")
@click.argument("question")
@click.option("--trials", type=Trials(1), default=100_000, show_default=True, help="How often it is played.")
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Same seed, same dice.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@pictured
def simulate(file: str, question: str, trials: int, seed: int, as_json: bool, picture: str | None) -> None:
    """Play the best play of a QUESTION in FILE with dice, many times, beside its exact chance."""
    table = table_in(file)
    table.asked(question)
    from sbg_sim.simulate.simulation import simulate as play

    run = play(table, question, trials, seed, progress=lambda done, total: waiting.told(done, total, "rolling"))
    drawn(run, picture)
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
    show.as_placed(table)
