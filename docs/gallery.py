"""Draw the README's gallery anew, by its own commands, and a page of every kind of picture: ``python docs/gallery.py``.

The page, ``build/gallery/index.html``, shows all pictures in light, dark or grey, in full width or at 830 pixels, at
first as its reader prefers: what to look at after a change to how things are drawn. The site shows the same
(`pages.gallery`).
"""

from __future__ import annotations

import argparse
import html
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

ROOT = Path(__file__).parents[1]
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All pictures</title><style>
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 1rem; background: var(--paper); color: var(--ink);
  --paper: #fff; --ink: #1f1f1f }}
body.dark {{ --paper: #171717; --ink: #ededed }} body.grey figure {{ filter: grayscale(1) }}
figure {{ margin: 0 0 2rem }} svg {{ width: 100%; height: auto }} body.narrow figure {{ width: 830px }}
body.dark .light, body:not(.dark) .dark {{ display: none }} nav {{ position: sticky; top: 0; background: var(--paper) }}
</style></head><body><nav>{buttons}</nav>{figures}<script>
document.body.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
for (const b of document.querySelectorAll("button")) b.onclick = () => document.body.classList.toggle(b.textContent);
</script></body></html>
"""


class Kind(NamedTuple):
    """A kind of picture: what it is called, how it is drawn, and options of `sbg.plot` where no command draws it.

    ``code`` is a command without its output file, or an expression of Python that begins with ``sbg``.
    """

    name: str
    code: str
    options: str = ""

    @property
    def shown(self) -> str:
        """The call as a reader would type it."""
        return f"sbg.plot({self.code}{self.options})" if self.code.startswith("sbg.") else f"sbg-sim {self.code}"


_HILL, _JUMP = "scenarios/amon-hen.toml", "scenarios/jumping.toml"
KINDS = (
    Kind("A table", f"plot {_HILL}"),
    Kind("A move that costs double in the bog, and is too far", f"plot {_HILL} aragorn-through-the-bog"),
    Kind("A charge that has to go round a Control Zone", f"plot {_HILL} lurtz-to-merry"),
    Kind("A charge through a gap that is too narrow", "plot scenarios/charging-2.toml third-to-pippin"),
    Kind("A move that a rule forbids, and where", f"plot {_JUMP} sam-not-on-top"),
    Kind("A jump with its die", f"plot {_JUMP} pippin-goes-on"),
    Kind("Its way alone", f'sbg.check(sbg.load("{_JUMP}"), "pippin-goes-on").route'),
    Kind("A gap, and the base that wants to pass", f"plot {_HILL} does-he-fit"),
    Kind("A line of sight, from above and from the side", "section scenarios/sight-over-a-wall.toml a-hundredth-lower"),
    Kind("What hides a target", "section scenarios/sight-over-a-wall.toml a-hundredth-higher"),
    Kind("A way through three storeys, from the side", "section scenarios/levels/ruin.toml up-and-over"),
    Kind("Where a model can end its move", f"reach {_HILL} lurtz"),
    Kind("With what chance, beyond a wall", f"reach {_JUMP} pippin"),
    Kind("What it costs to end there", f'sbg.reach(sbg.load("{_HILL}"), "lurtz")', ", cost=True"),
    Kind("Whom it can charge, and on which part of their bases", f"charges {_HILL} lurtz"),
    Kind("What Control Zones take away", f"denies {_HILL} merry"),
    Kind("What a whole side can cover and charge next turn", f"threats {_HILL} evil"),
    Kind("Where a model is safe", "safe scenarios/charging-2.toml pippin"),
    Kind("Who screens it", f"safe {_HILL} lurtz --screen"),
    Kind("A Move phase", "replay scenarios/phase/reinforcements-faramir.toml"),
    Kind("One turn of several", 'sbg.replay(sbg.load("scenarios/phase/three-turns.toml")).turns[1]'),
    Kind("One move of a phase", 'sbg.replay(sbg.load("scenarios/phase/jumping-three-hobbits.toml")).steps[0]'),
    Kind("The fights after it", 'sbg.replay(sbg.load("scenarios/phase/charging-2-sequence.toml")).melee'),
    Kind(
        "What would have to be off for another answer",
        "flips scenarios/disputes/gap-too-narrow.toml a-thousandth-too-narrow",
    ),
    Kind(
        "Under which readings of the rules it would be another",
        "rulings scenarios/edge-exactly-half-test.toml just-over",
    ),
    Kind(
        "Whether an answer holds wherever all stand within the doubt",
        'sbg.certainty(sbg.load("scenarios/charging-2.toml"), "third-to-pippin", doubts={"uruk-3": "6 mm"})',
    ),
    Kind(
        "A way judged: what is wrong with it, and where",
        'sbg.audit((t := sbg.load("scenarios/charging-2.toml")), "uruk-3", sbg.check(t, "third-to-pippin").route)',
    ),
    Kind(
        "How often the answer is yes when places are uncertain",
        f"doubt {_HILL} legolas-between-the-trees --sigma 1mm --trials 60 --seed 1",
    ),
    Kind("Tape readings, and what they leave in doubt", "readings scenarios/disputes/placed-by-tape.toml"),
    Kind("A simulation closing in on the exact chance", f"simulate {_JUMP} pippin-goes-on --seed 7"),
    Kind("An exact distribution", f'sbg.simulate(sbg.load("{_JUMP}"), "pippin-goes-on", trials=100).distribution'),
    Kind("An answer by the height of a wall", f"sweep {_JUMP} pippin-goes-on --vary terrain.wall.height=0.3:1.1:0.1"),
    Kind("Turns to a goal by one way", f'sbg.campaign(sbg.load("{_JUMP}"), "pippin-too-far")'),
    Kind("Turns to a goal by several ways", f"campaign {_JUMP} pippin-too-far"),
    Kind("Middle-earth: The Wizards", "plot scenarios/boards/metw/starter-movement.toml"),
    Kind("The Riddle of the Ring", "plot scenarios/boards/riddle/05-rivers.toml"),
    Kind("War of the Ring", "plot scenarios/boards/war-of-the-ring/levels-and-groups.toml"),
    Kind("The Lord of the Rings trading card game", "plot scenarios/boards/lotr-tcg/04-replacing-a-site.toml"),
)
"""Every kind of picture once; the tests see to it that none is missing."""


def readme() -> None:
    """Draw the pictures of the README by the commands under them."""
    for command in re.findall(r"<br>`sbg-sim ([^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8")):
        subprocess.run([sys.executable, "-m", "sbg_sim", *shlex.split(command)], check=True)


def draw(kind: Kind, out: Path, theme: str) -> None:
    """Draw a kind of picture, in a folder that has the scenarios.

    Raises
    ------
    RuntimeError
        When its command does not draw it.

    """
    import sbg_sim as sbg
    from sbg_sim.cli.group import _sbg_sim

    if kind.code.startswith("sbg."):
        call = f"sbg.save({kind.code}, {str(out)!r}, theme={theme!r}{kind.options})"
        eval(call, {"sbg": sbg})  # noqa: S307 - our own words, from the list above
        return
    to = "--out" if kind.code.split()[0] in {"plot", "section"} else "--plot"
    done = CliRunner().invoke(_sbg_sim, [*shlex.split(kind.code), to, str(out), "--theme", theme])
    if not out.exists():
        raise RuntimeError(f"{kind.shown}: {done.output}")


def page(out: Path) -> None:
    """Write the page of all pictures."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for number, kind in enumerate(KINDS):
            for theme in ("light", "dark"):
                made = Path(folder) / f"{theme}.svg"
                made.unlink(missing_ok=True)
                draw(kind, made, theme)
                picture = made.read_text(encoding="utf-8")
                picture = picture[picture.index("<svg") :]
                own = re.sub(r'(id="|url\(#|href="#|labelledby=")', rf"\g<1>{theme[0]}{number}-", picture)
                caption = f"{html.escape(kind.name)}: <code>{html.escape(kind.shown)}</code>"
                figures.append(f'<figure class="{theme}"><figcaption>{caption}</figcaption>{own}</figure>')
    buttons = "".join(f'<button type="button">{name}</button> ' for name in ("dark", "grey", "narrow"))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(PAGE.format(buttons=buttons, figures="".join(figures)), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="draw the page alone, and leave the README's as they are")
    only = parser.parse_args().page
    os.chdir(ROOT)
    if not only:
        readme()
    page(ROOT / "build" / "gallery" / "index.html")
    print(f"wrote {Path('build') / 'gallery' / 'index.html'}")
