"""Draw the README's gallery anew, by its own commands, and a page of every kind of picture: ``python docs/gallery.py``.

The page, ``build/gallery/index.html``, shows all pictures in light, dark or grey, in full width or at 830 pixels:
what to look at after a change to how things are drawn.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All pictures</title><style>
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 1rem; background: var(--paper); color: var(--ink);
  --paper: #fff; --ink: #1f1f1f }}
body.dark {{ --paper: #171717; --ink: #ededed }} body.grey figure {{ filter: grayscale(1) }}
figure {{ margin: 0 0 2rem }} svg {{ width: 100%; height: auto }} body.narrow figure {{ width: 830px }}
body.dark .light, body:not(.dark) .dark {{ display: none }} nav {{ position: sticky; top: 0; background: var(--paper) }}
</style></head><body><nav>{buttons}</nav>{figures}<script>
for (const b of document.querySelectorAll("button")) b.onclick = () => document.body.classList.toggle(b.textContent);
</script></body></html>
"""


def readme() -> None:
    """Draw the pictures of the README by the commands under them."""
    for command in re.findall(r"<br>`sbg-sim ([^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8")):
        subprocess.run([sys.executable, "-m", "sbg_sim", *shlex.split(command)], check=True)


def results() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield every kind of result once, with the options of its picture."""
    import sbg_sim as sbg

    gap, hill, jump = (sbg.load(f"scenarios/{name}.toml") for name in ("charging-2", "amon-hen", "jumping"))
    yield "A table", hill, {}
    for file in (
        "amon-hen",
        "jumping",
        "leaping-and-climbing",
        "sight-over-a-wall",
        "sight-prone",
        "difficult-terrain-1",
    ):
        table = sbg.load(f"scenarios/{file}.toml")
        for name in table.questions:
            yield f"{file}: {name}", sbg.check(table, name), {}
    climbing = sbg.load("scenarios/leaping-and-climbing.toml")
    yield "A way from the side", sbg.check(climbing, "aragorn-over-the-pillar"), {"section": True}
    yield "A reach", sbg.reach(hill, "lurtz"), {}
    yield "Its costs", sbg.reach(hill, "lurtz"), {"cost": True}
    yield "Charges", sbg.charges(hill, "lurtz"), {}
    yield "What zones deny", sbg.denials(hill, "merry"), {}
    yield "Threats of a side", sbg.threats(hill, "evil"), {}
    yield "Safe ground", sbg.safe(gap, "pippin"), {}
    yield "Who could stand in between", sbg.screen(hill, "lurtz"), {}
    yield "Where nobody can", sbg.screen(hill, "merry"), {}
    for file in ("charging-2-sequence", "reinforcements-faramir", "three-turns"):
        played = sbg.replay(sbg.load(f"scenarios/phase/{file}.toml"))
        yield f"A Move phase: {file}", played, {}
        yield f"The fights that follow: {file}", played.melee, {}
    yield "What would have to be off", sbg.flips(hill, "lurtz-to-merry"), {}
    yield "How often", sbg.doubt(hill, "legolas-between-the-trees", sigma="1 mm", trials=60, seed=1), {}
    sim = sbg.simulate(jump, "pippin-goes-on", trials=100_000, seed=7)
    yield "A simulation", sim, {}
    yield "A distribution", sim.distribution, {}
    with ThreadPoolExecutor(1) as here:
        heights = [0.3, 0.49, 0.51, 0.8, 1.0, 1.01]
        yield "A sweep", sbg.sweep(jump, "pippin-goes-on", "terrain.wall.height", heights, executor=here), {}
        reach = [3, 3.5, 4.5, 5]
        yield "A sweep to yes", sbg.sweep(jump, "pippin-goes-on", "models.pippin.move", reach, executor=here), {}
    yield "Turns to a goal", sbg.campaign(jump, "pippin-too-far"), {}
    yield from boards()


def boards() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield an answer of each board game on its board."""
    from sbg_sim import document
    from sbg_sim.scenario import games

    for game in ("metw", "riddle", "war-of-the-ring", "lotr-tcg"):
        source = document.read(min((ROOT / "scenarios" / "boards" / game).glob("*.toml")))
        _, scenario = games.load(source)
        name = next(iter(source.data["questions"]))
        yield f"{game}: {name}", scenario, {"answer": games.answers(source, [name])[0], "lit": scenario.lit(name)}


def page(out: Path) -> None:
    """Write the page of all pictures."""
    import sbg_sim as sbg

    figures = []
    for number, (title, thing, options) in enumerate(results()):
        for theme in ("light", "dark"):
            picture = sbg.svg(thing, theme=theme, **options)
            own = re.sub(r'(id="|url\(#|href="#|labelledby=")', rf"\g<1>{theme[0]}{number}-", picture)
            figures.append(f'<figure class="{theme}"><figcaption>{html.escape(title)}</figcaption>{own}</figure>')
    buttons = "".join(f'<button type="button">{name}</button> ' for name in ("dark", "grey", "narrow"))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(PAGE.format(buttons=buttons, figures="".join(figures)), encoding="utf-8")


if __name__ == "__main__":
    os.chdir(ROOT)
    readme()
    page(ROOT / "build" / "gallery" / "index.html")
