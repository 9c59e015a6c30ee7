"""Examples of every command, printed by its help; in the project's folder each works as it stands."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "campaign": ("campaign scenarios/jumping.toml pippin-too-far",),
    "charges": ("charges scenarios/charging-2-open.toml uruk-3",),
    "check": ("check scenarios/charging-2.toml third-to-pippin",),
    "denies": ("denies scenarios/control-zones.toml uruk-2",),
    "doubt": ("doubt scenarios/charging-2.toml third-to-pippin --sigma 0.04 --trials 50 --seed 1",),
    "film": ("film scenarios/charging-2.toml third-to-pippin --out move.gif --seconds 1",),
    "flips": ("flips scenarios/disputes/gap-too-narrow.toml a-thousandth-too-narrow",),
    "map": ("map scenarios/amon-hen.toml lurtz",),
    "next": ("next scenarios/phase/three-turns.toml --priority roll --seed 7 --out fourth.toml",),
    "order": ("order scenarios/charging-2-open.toml --wishes uruk-3:pippin",),
    "phase": ("phase scenarios/phase/three-turns.toml --resume",),
    "play": ("play scenarios/boards/metw/any-site-to-any-other.toml",),
    "plot": ("plot scenarios/charging-2.toml third-to-pippin --out answer.svg --theme auto",),
    "reach": ("reach scenarios/jumping.toml pippin",),
    "readings": ("readings scenarios/disputes/placed-by-tape.toml",),
    "replay": ("replay scenarios/phase/three-turns.toml",),
    "rules": ("rules CZ.1",),
    "rulings": ("rulings scenarios/charging-2.toml third-to-pippin",),
    "safe": ("safe scenarios/charging-2.toml pippin",),
    "schema": ("schema --game metw",),
    "section": ("section scenarios/leaping-and-climbing.toml aragorn-over-the-pillar --out side.svg",),
    "serve": ("serve scenarios/amon-hen.toml --no-open",),
    "simulate": ("simulate scenarios/jumping.toml pippin-goes-on --trials 100000 --seed 7",),
    "sweep": ("sweep scenarios/jumping.toml pippin-goes-on --vary models.pippin.move=2:5:1",),
    "threats": ("threats scenarios/charging-2.toml evil",),
    "verify": (
        "check scenarios/charging-2.toml third-to-pippin --certificate evidence.json",
        "verify evidence.json",
    ),
}


def shown(name: str) -> str:
    """Return the examples of a command in the form of its help, with their line breaks."""
    return "\n  ".join(["\b\nExample:", *(f"sbg-sim {example}" for example in EXAMPLES[name])])
