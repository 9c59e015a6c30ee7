"""The sheet as one self-contained HTML page: light or dark on a screen, one A4 page on paper."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.sheet.facts import Facts

_NAMED: Final = re.compile(r'(<title id="picture-title">).*?</title>', re.DOTALL)
_COLOURS: Final = {"yes": "#00694c", "no": "#a3301a", "chance": "#8a5a00", "too-close": "#6d2a78"}

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f1f1f; --dim: #5a5a5a; --paper: #fff; --line: #d9d9d4; --card: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececea; --dim: #a9a9a4; --paper: #16181b; --line: #3a3d42; --card: #171717; }
  .answer { filter: brightness(1.7) saturate(.8); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 8mm; max-width: 210mm; background: var(--paper); color: var(--ink);
  font: 10.5pt/1.32 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 17pt; line-height: 1.15; margin: 0 0 1mm; }
h2 { font-size: 10.5pt; margin: 3mm 0 1mm; border-bottom: .3mm solid var(--line); }
p, ul { margin: 0 0 1mm; } ul { padding-left: 4.5mm; }
.title { color: var(--dim); margin: 0; }
.top { display: flex; gap: 6mm; align-items: baseline; flex-wrap: wrap; }
.answer { font-size: 30pt; font-weight: 700; line-height: 1.1; }
.picture { background: var(--card); border: .3mm solid var(--line); border-radius: 1.5mm; padding: 1.5mm;
  margin: 2mm 0; }
.picture svg { display: block; width: 100%; height: auto; max-height: 92mm; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 7mm; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
td { padding: .4mm 0; vertical-align: top; } td:last-child { text-align: right; white-space: nowrap; }
td.how { color: var(--dim); padding: .4mm 2mm; } tr.sum td { border-top: .3mm solid var(--ink); font-weight: 600; }
.small { font-size: 9pt; line-height: 1.28; } .dim { color: var(--dim); } b { font-weight: 650; }
footer { margin-top: 3mm; border-top: .3mm solid var(--line); padding-top: 1mm; font-size: 8pt; color: var(--dim);
  overflow-wrap: anywhere; }
@media (max-width: 170mm) { .columns { grid-template-columns: 1fr; } }
@page { size: A4; margin: 10mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --dim: #444; --paper: #fff; --card: #fff; --line: #bbb; }
  body { padding: 0; max-width: none; font-size: 9.5pt; } .answer { filter: none; }
  .columns { grid-template-columns: 1fr 1fr; } .small { font-size: 8.2pt; } .picture svg { max-height: 84mm; }
  section, .picture, footer { break-inside: avoid; }
}
"""


def page(facts: Facts, picture: str) -> str:
    """Return the sheet as self-contained HTML.

    Parameters
    ----------
    facts
        The content.
    picture
        The picture as SVG.

    """
    colour = _COLOURS.get(facts.kind, "#1f1f1f")
    drawn = _NAMED.sub(lambda found: f"{found[1]}{escape(facts.alt)}</title>", picture, count=1)
    drawn = drawn.replace("@media (prefers", "@media screen and (prefers", 1)  # light on paper
    left = _sums(facts) + _list("What would turn it", facts.flips) + _list("The dice", facts.dice)
    right = _rules(facts) + _rulings(facts)
    certain = f'<p class="small">{escape(facts.certain)}</p>' if facts.certain else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(facts.question)} {escape(facts.answer)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<p class="title">{escape(facts.title)}</p>
<h1>{escape(facts.question)}</h1>
<div class="top"><span class="answer" style="color: {colour}">{escape(facts.answer)}</span>
<span>{escape(facts.margin)}</span></div>
<p>{escape(facts.reason)}</p>
{certain}
<div class="picture">{drawn}</div>
<div class="columns">
<div>{left}</div>
<div>{right}</div>
</div>
</main>
<footer>{escape(facts.footer)}</footer>
</body>
</html>
"""


def _sums(facts: Facts) -> str:
    if not facts.sums:
        return ""
    rows = "".join(
        f'<tr{" class=sum" if item == "in all" else ""}><td>{escape(item)}</td><td class="how">{escape(how)}</td>'
        f"<td>{escape(inches)} in</td></tr>"
        for item, how, inches in facts.sums
    )
    if facts.margin:
        size, _, rest = facts.margin.partition(" in = ")
        words = rest.partition(" mm ")[2]
        rows += f'<tr class="sum"><td>{escape(words)}</td><td class="how">{escape(rest.partition(" mm")[0])} mm</td>'
        rows += f"<td>{escape(size)} in</td></tr>"
    return f"<section><h2>The arithmetic</h2><table>{rows}</table></section>"


def _list(head: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<section><h2>{head}</h2><ul class="small">{items}</ul></section>' if items else ""


def _rules(facts: Facts) -> str:
    items = "".join(
        f"<p><b>{escape(rule)} {escape(title)}.</b> {escape(text)}</p>" for rule, title, text in facts.rules
    )
    return f'<section><h2>The rules that decided</h2><div class="small">{items}</div></section>' if items else ""


def _rulings(facts: Facts) -> str:
    if not facts.rulings:
        return '<section><h2>Rulings</h2><p class="small">No other reading of the rules changes it.</p></section>'
    items = "".join(
        f"<p><b>{escape(name)} = {escape(reading)}</b>: {escape(about)}.</p>" for name, reading, about in facts.rulings
    )
    return f'<section><h2>Rulings that would change it</h2><div class="small">{items}</div></section>'
