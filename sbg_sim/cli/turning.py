"""``next``: the turn after a finished record, from file to file."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import to_write
from sbg_sim.cli.numbers import Whole
from sbg_sim.cli.opening import opened, table_of, wrote
from sbg_sim.cli.waiting import waiting
from sbg_sim.errors import QuestionError

if TYPE_CHECKING:
    from sbg_sim.phase import Replay

SEED: Final = click.option("--seed", type=Whole(min=0), help="With --priority roll: the same dice every time.")


def priority_of(played: Replay, said: str, seed: int | None) -> str:
    """Return the side that moves first next turn, by a roll of dice if asked for."""
    from sbg_sim.phase.turn import roll_off, side_of

    if said != "roll":
        return side_of(played.table, said)
    dice = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - dice, not keys
    first, told = roll_off(played.table, played.phase.priority, lambda: dice.randint(1, 6))
    show.line(f"Priority: {told}", err=True)
    return first


def text_of_next(text: str, played: Replay, priority: str | None) -> str:
    """Return the text of a record's file changed for the next turn, all else as it is written there."""
    from sbg_sim.scenario.edit import with_state

    return with_state(text, played.next_turn(priority))


def due(played: Replay) -> list[dict[str, Any]]:
    """Return the models that wait outside as the next turn begins, and the bonus to their rolls (REINF.2)."""
    table = played.next_table
    return [{"model": name, "bonus": table.model(name).waited} for name in sorted(table.off)]


@click.command("next", short_help="Begin the turn after the record in FILE.")
@click.argument("file")
@click.option("--out", callback=to_write(".toml"), metavar="NEXT", help="The file to write; printed when not given.")
@click.option("--priority", metavar="SIDE", help="Who moves first, or `roll`; asked for at a terminal.")
@SEED
@click.option("--overwrite", is_flag=True, help="Replace the file NEXT when it is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print how the turn begins as one JSON object.")
@click.pass_context
def following(
    ctx: click.Context,
    file: str,
    out: str | None,
    priority: str | None,
    seed: int | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Play the record in FILE and begin the turn after it, as a scenario of its own.

    No model has moved yet; models stay engaged, prone or on a face; slain models are removed; reinforcements that did
    not come on are due. Comments, profiles and units of FILE are kept.

    Exit code 1 when the record is not legal; nothing is written then.
    """
    source = opened(file)
    table = table_of(source)
    if out is not None and not overwrite and Path(out).is_file() and Path(out).stat().st_size:
        raise click.BadParameter(f"{out} is there already; --overwrite replaces it", param_hint="--out")
    from sbg_sim.phase import replay

    played = replay(table)
    if not played.legal:
        for wrong in (*(v for step in played.steps for v in step.violations), *played.violations):
            show.line(f"not legal: {wrong.reason} ({wrong.rule})", err=True)
        ctx.exit(1)
    first = _first(played, priority, seed)
    text = text_of_next(source.text.decode("utf-8"), played, first)
    if out is not None:
        from sbg_sim.document import write_whole

        write_whole(out, text)
    if as_json:
        show.as_json(_beginning(played, first))
    elif out is None:
        waiting.end()
        click.echo(text, nl=False)
    else:
        _show(_beginning(played, first))
        wrote(out)


def _first(played: Replay, said: str | None, seed: int | None) -> str | None:
    """Return the side with Priority: given, the only one, or asked for at a terminal; None if nobody can be asked."""
    sides = sorted({m.side for m in played.table.models.values() if m.side})
    if said is None and len(sides) == 1:
        return sides[0]
    if said is None:
        if not sys.stdin.isatty():
            click.echo("Priority is left open: say --priority SIDE or --priority roll", err=True)
            return None
        waiting.end()
        said = click.prompt(
            f"who has Priority, {' or '.join(sides)}? (nothing and I roll)", "roll", show_default=False, err=True
        )
    try:
        return priority_of(played, said, seed)
    except QuestionError as error:
        raise click.BadParameter(str(error), param_hint="--priority") from None


def _beginning(played: Replay, priority: str | None) -> dict[str, Any]:
    """Return the beginning of the turn as plain data."""
    after = played.next_table
    standing = list(after.standing())
    return {
        "turn": played.phase.number + 1,
        "priority": priority,
        "engaged": sorted(m.id for m in standing if m.engaged),
        "prone": sorted(m.id for m in standing if m.prone),
        "due": due(played),
        "slain": sorted(set(played.start.models) - set(after.models)),
        "hash": _hash(after),
    }


def _hash(table: Any) -> str:
    from sbg_sim.phase.canonical import fingerprint

    return fingerprint(table)


def _show(told: dict[str, Any]) -> None:
    due = (f"{d['model']} (+{d['bonus']})" if d["bonus"] else d["model"] for d in told["due"])
    rows = [
        ("Priority", told["priority"] or "open"),
        ("engaged", ", ".join(told["engaged"])),
        ("prone", ", ".join(told["prone"])),
        ("due", ", ".join(due)),
        ("slain", ", ".join(told["slain"])),
    ]
    show.block(f"turn {told['turn']} begins", None, rows)
