"""``rules``: the rules, by the ids that answers cite."""

from __future__ import annotations

import click

from sbg_sim.cli import show


@click.command(short_help="Explain a rule by the ID that answers cite, or list all of them.")
@click.argument("name", metavar="[ID]", default="")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, an object per rule.")
def rules(name: str, as_json: bool) -> None:
    """Explain the rule of an ID such as MOV.3, or the rules of a chapter such as MOV; without either list all."""
    from sbg_sim.rules.book import rules as find

    found = find(name)
    if as_json:
        show.as_json([rule.as_json() for rule in found])
        return
    if not name.strip():
        show.grid(("rule", "chapter", "what it is about"), [(r.id, r.chapter, r.title) for r in found])
        return
    for i, rule in enumerate(found):
        if i:
            click.echo("")
        _explain(rule.as_json())


def _explain(rule: dict[str, object]) -> None:
    from sbg_sim.table.rulings import RULINGS

    show.line(f"{rule['id']}  {rule['title']}  ({rule['chapter']})")
    show.folded(str(rule["text"]), hang="  ")
    for name in rule["rulings"]:  # type: ignore[attr-defined]
        ruling = RULINGS[name]
        show.folded(f"ruling {name} = {' or '.join(ruling.readings)}: {ruling.about}", hang="    ")
    if rule["scenario"]:
        show.line(f"  shown by scenarios/{rule['scenario']}")
