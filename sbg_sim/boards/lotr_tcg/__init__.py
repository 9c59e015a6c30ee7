"""The sites of The Lord of the Rings TCG: adventure decks, the adventure path, moves, game text.

A module with the four functions of `sbg_sim.boards.Game`. Rule ids are L1 to L27.

Examples
--------
>>> from sbg_sim.boards import lotr_tcg
>>> lotr_tcg.hobbit_stealth(lotr_tcg.Where(3, lotr_tcg.Block.TOWER))
'strength +2'

"""

from sbg_sim.boards.lotr_tcg.cards import (
    Arrow,
    Block,
    Catalogue,
    Site,
    SiteNumber,
    catalogue_of,
    find_site,
    standard_sites,
)
from sbg_sim.boards.lotr_tcg.decks import PATHS, Format, check_deck, post_shadows
from sbg_sim.boards.lotr_tcg.legality import (
    apply,
    choices,
    effect_number,
    explain,
    legal_moves,
    next_players,
    reachable,
)
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.roaming import PENALTY, Minion, is_roaming, price
from sbg_sim.boards.lotr_tcg.state import (
    Effect,
    EndTurn,
    Move,
    PathSite,
    Pending,
    PlayMinion,
    PlaySite,
    State,
    Travel,
    UseEffect,
    region,
    start,
)
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where, hobbit_stealth

__all__ = [
    "PATHS",
    "PENALTY",
    "AllyLine",
    "Arrow",
    "Block",
    "Catalogue",
    "Effect",
    "EndTurn",
    "Format",
    "Minion",
    "Move",
    "Options",
    "PathSite",
    "Pending",
    "PlayMinion",
    "PlaySite",
    "Site",
    "SiteNumber",
    "SiteText",
    "State",
    "Travel",
    "UseEffect",
    "Where",
    "apply",
    "catalogue_of",
    "check_deck",
    "choices",
    "effect_number",
    "explain",
    "find_site",
    "hobbit_stealth",
    "is_roaming",
    "legal_moves",
    "next_players",
    "post_shadows",
    "price",
    "reachable",
    "region",
    "standard_sites",
    "start",
]
