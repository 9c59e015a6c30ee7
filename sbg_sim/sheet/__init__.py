"""The sheet: one page about one answer, for someone who has never seen a terminal."""

from sbg_sim.sheet.facts import Facts, facts
from sbg_sim.sheet.page import page
from sbg_sim.sheet.writing import KINDS, sheet

__all__ = ["KINDS", "Facts", "facts", "page", "sheet"]
