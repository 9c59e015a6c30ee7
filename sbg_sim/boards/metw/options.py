"""Readings of the rules that the METW text leaves open, each a named option."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sbg_sim.boards.readings import check_readings


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the rules that the text leaves open.

    Parameters
    ----------
    movement
        Which ways of moving are in play (M18): the starter rules know site paths only.
    max_regions
        Region cards in a series (M19).
    counted_regions
        ``in-all``: the limit counts the regions of both end sites; ``between``: only those in between.
    same_region_move
        Whether a series of one region connects two sites in it.
    haven_to_haven
        ``listed``: a Haven's two site paths name its nearest Havens; ``never``: no step from Haven to Haven.
    haven_hops
        ``repeat``: a route by site paths may pass as many Havens as it needs; ``once``: one step between
        Havens.
    repeat_regions
        Whether a series may hold one region twice.
    series
        ``chain``: every region is adjacent to the next; ``connected``: the regions hang together in any
        order.
    double_symbol
        ``two-cards``: a creature with two like symbols needs two region cards; ``one-card``: one will do.
    site_path_keying
        ``cards``: only region cards key a creature; ``types``: the symbols of a site path do as well.
    same_site_move
        Whether a company may move to the site where it is.
    anduin_vales
        The type of Anduin Vales: ``printed`` as on the map (Border-land), ``example`` as in the rules
        (Wilderness).
    check_at
        When an illegal journey is found: at ``declaration``, or at the ``reveal``.

    """

    movement: Literal["both", "site-path", "region"] = "both"
    max_regions: int = field(default=4, metadata={"least": 1})
    counted_regions: Literal["in-all", "between"] = "in-all"
    same_region_move: bool = True
    haven_to_haven: Literal["listed", "never"] = "listed"
    haven_hops: Literal["repeat", "once"] = "repeat"
    repeat_regions: bool = False
    series: Literal["chain", "connected"] = "chain"
    double_symbol: Literal["two-cards", "one-card"] = "two-cards"
    site_path_keying: Literal["cards", "types"] = "cards"
    same_site_move: bool = False
    anduin_vales: Literal["printed", "example"] = "printed"
    check_at: Literal["declaration", "reveal"] = "declaration"

    def __post_init__(self) -> None:
        check_readings(self)

    @property
    def series_limit(self) -> int:
        """The greatest number of regions in a series, including those of both end sites."""
        return self.max_regions + (2 if self.counted_regions == "between" else 0)
