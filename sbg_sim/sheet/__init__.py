"""The sheet: one page about one answer, for people who do not use a terminal."""

from sbg_sim.sheet.facts import Facts, facts
from sbg_sim.sheet.page import page
from sbg_sim.sheet.writing import KINDS, sheet

__all__ = ["KINDS", "Facts", "facts", "page", "sheet"]
