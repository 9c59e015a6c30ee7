"""Certificates of scenarios, each issued once."""

from __future__ import annotations

import copy
from pathlib import Path

import sbg_sim as sbg
from sbg_sim import certificate, report

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"


CASES = [
    ("amon-hen", "lurtz-to-merry"),
    ("charging-2", "third-to-pippin"),
    ("jumping", "pippin-goes-on"),
    ("jumping", "pippin-too-far"),
    ("movement-3", "not-between-gimli-and-boromir"),
    ("movement-1", "how-far-is-aragorn"),
    ("sight-over-a-wall", "just-so"),
    ("sight-over-a-wall", "a-hundredth-higher"),
    ("prone-and-movement", "crawls"),
    ("leaping-and-climbing", "boromir-up-the-cliff"),
    ("levels/out-of-a-pit", "let-down-again"),
    ("difficult-terrain-1", "two-open-two-inside"),
    ("unscalable", "inside"),
    ("levels/stepping-stones", "upon-whom"),
]


PAPERS: dict[tuple[str, str], dict] = {}


def paper(name, key):
    if (name, key) not in PAPERS:
        table = sbg.load(SCENARIOS / f"{name}.toml")
        PAPERS[name, key] = certificate.issue(table, key, report.as_json(sbg.check(table, key)))
    return copy.deepcopy(PAPERS[name, key])
