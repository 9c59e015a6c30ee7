"""Middle-earth: The Wizards: companies on sites, moving by site paths or by series of region cards.

The rules are cited by the ids M1-M27 of the movement chapter; what it leaves open are the fields of
`Options`.
"""

from sbg_sim.boards.metw.atlas import Atlas, Region, Site, retyped
from sbg_sim.boards.metw.creatures import Creature, explain_attack
from sbg_sim.boards.metw.journey import path_types, site_path
from sbg_sim.boards.metw.kinds import RegionType, SiteType, region_type, site_type, symbols
from sbg_sim.boards.metw.mapfile import load_map, map_names, read_as
from sbg_sim.boards.metw.options import Options
from sbg_sim.boards.metw.play import (
    Company,
    Move,
    Seen,
    State,
    apply,
    explain,
    explain_journey,
    legal_moves,
    new_game,
    reachable,
    steps,
    view,
)
from sbg_sim.boards.metw.routes import plan, site_path_route

__all__ = [
    "Atlas",
    "Company",
    "Creature",
    "Move",
    "Options",
    "Region",
    "RegionType",
    "Seen",
    "Site",
    "SiteType",
    "State",
    "apply",
    "explain",
    "explain_attack",
    "explain_journey",
    "legal_moves",
    "load_map",
    "map_names",
    "new_game",
    "path_types",
    "plan",
    "reachable",
    "read_as",
    "region_type",
    "retyped",
    "site_path",
    "site_path_route",
    "site_type",
    "steps",
    "symbols",
    "view",
]
