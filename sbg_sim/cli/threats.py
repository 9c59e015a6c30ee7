"""``threats`` and ``safe``: what a whole side can do next turn, and where one model is out of its way."""

from __future__ import annotations

from typing import Any

import click

from sbg_sim.cli import show
from sbg_sim.cli.drawing import drawn, pictured
from sbg_sim.cli.opening import table_in
from sbg_sim.cli.waiting import waiting

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command(short_help="What SIDE can cover and charge next turn.")
@click.argument("file")
@click.argument("side")
@pictured
@_JSON
def threats(file: str, side: str, picture: str | None, as_json: bool) -> None:
    """Say where the models of SIDE can be in contact next turn, and whom they can charge with how many at once."""
    table = table_in(file)
    from sbg_sim.threats import threats as find
    from sbg_sim.threats.data import threats_json

    found = find(table, side, told=lambda done, total: waiting.told(done, total, f"models of {side}"))
    drawn(found, picture)
    data = threats_json(found)
    if as_json:
        show.as_json(data)
        return
    levels = [(f"{row['models']} or more", f"{row['area']:.6g} sq in") for row in data["levels"]]
    show.block(f"{side}: {len(data['models'])} models", None, [("covers", f"{data['area']:.6g} sq in"), *levels])
    show.grid(("target", "can charge it", "at once", "who, and at what cost"), [_line(row) for row in data["targets"]])
    show.as_placed(table)


def _line(row: dict[str, Any]) -> tuple[str, str, str, str]:
    who = ", ".join(
        f"{c['model']} {c['needed']:.4g}" + (f" ({c['chance']})" if c["answer"] == "chance" else "")
        for c in row["chargers"]
    )
    return row["target"], str(len(row["chargers"])), str(row["at_once"]), who


@click.command(short_help="Where MODEL can end its move out of every charge.")
@click.argument("file")
@click.argument("model")
@pictured
@_JSON
def safe(file: str, model: str, picture: str | None, as_json: bool) -> None:
    """Say where MODEL can end its move so that no enemy can charge it next turn, and with what margin."""
    table = table_in(file)
    from sbg_sim.threats import safe as find
    from sbg_sim.threats.data import safe_json

    found = find(table, model)
    drawn(found, picture)
    data = safe_json(found)
    if as_json:
        show.as_json(data)
        return
    best = "nowhere"
    if data["best"] is not None:
        lacks = data["margin"]
        short = "nobody comes there" if lacks is None else f"the nearest charge is {lacks:.4f} in short"
        best = f"({data['best'][0]:.3f}, {data['best'][1]:.3f}), {short}"
    rows = [("safe", f"{data['area']:.6g} of {data['reach']:.6g} sq in"), ("safest", best)]
    rows += [(f"to {c}", f"{a:.6g} sq in") for c, a in data["areas"].items() if c != "0/1"]
    show.block(model, None, rows)
    show.grid(("enemy", "can charge it on (sq in)"), [(row["enemy"], f"{row['area']:.6g}") for row in data["dangers"]])
    show.as_placed(table)
