"""Answers as data and as words: what the command line prints, and what other programs read."""

from sbg_sim.report.expected import unmet
from sbg_sim.report.legs import as_legs, route_of
from sbg_sim.report.lists import charge_lines, charges_json, denials_json, reach_json
from sbg_sim.report.verdicts import as_json, number
from sbg_sim.report.words import described, in_words, rows
from sbg_sim.wording import fraction

__all__ = [
    "as_json",
    "as_legs",
    "charge_lines",
    "charges_json",
    "denials_json",
    "described",
    "fraction",
    "in_words",
    "number",
    "reach_json",
    "route_of",
    "rows",
    "unmet",
]
