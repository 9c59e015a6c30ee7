"""Judges lying, standing and crawling: the legs that a mover may make in each posture (PRN.2, PRN.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from sbg_sim.referee.scene import Scene
    from sbg_sim.table.route import Leg

CRAWL: Final = 1.0
"""How far a prone model crawls, inches (PRN.2)."""


@dataclass(slots=True)
class Posture:
    """The mover's posture, and what it has done in this move.

    Parameters
    ----------
    prone
        Whether it is prone now.
    crawled
        Inches crawled.
    stood, lain, walked
        Whether it has stood up, lain down, moved upright.

    """

    prone: bool
    crawled: float = 0.0
    stood: bool = False
    lain: bool = False
    walked: bool = False

    def judged(self, scene: Scene, leg: Leg) -> list[Violation]:
        """Judge a leg by the mover's posture, and note the posture after it."""
        name = scene.model.id
        why: tuple[str, str] | None = None
        if leg.kind in ("stand", "lie") and leg.start != leg.end:
            why = ("PRN.3", f"{name} stands up or lies down and moves in the same leg")
        elif leg.kind == "stand":
            why = self._stand(name)
        elif leg.kind == "lie":
            why = self._lie(name)
        elif leg.kind == "crawl":
            why = self._crawl(name, leg.length)
        elif self.prone and leg.kind in {"up", "down"} and leg.test is None:
            why = self._crawl(name, leg.length)  # a crawl may lead up or down if no test is needed
        else:
            if self.prone:
                what = "takes a test while crawling" if leg.test is not None else "moves upright while prone"
                why = ("PRN.2", f"{name} {what}")
            elif self.crawled > 0:
                why = ("PRN.2", f"{name} has crawled, and may only stand up after that")
            self.walked = True
        return [] if why is None else [Violation(*why, leg.start)]

    def _stand(self, name: str) -> tuple[str, str] | None:
        was, self.prone, self.stood = self.prone, False, True
        if not was:
            return "PRN.3", f"{name} is not prone and cannot stand up"
        return ("PRN.3", f"{name} may not lie down and stand up in one move") if self.lain else None

    def _lie(self, name: str) -> tuple[str, str] | None:
        was, self.prone, self.lain = self.prone, True, True
        if was:
            return "PRN.3", f"{name} is prone already"
        return ("PRN.3", f"{name} may not stand up and lie down in one move") if self.stood else None

    def _crawl(self, name: str, length: float) -> tuple[str, str] | None:
        self.crawled += length
        if not self.prone:
            return "PRN.2", f"{name} is not prone and cannot crawl"
        if self.walked or self.lain or self.stood:
            return "PRN.2", f"{name} has moved otherwise, and may not crawl as well"
        if self.crawled > CRAWL + ROUNDING:
            return "PRN.2", f"{name} crawls {self.crawled:.6g} inches, and may crawl 1"
        return None
