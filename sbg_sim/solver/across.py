"""Charges across a barrier: the places opposite to defended models as lines that a path may end on (CHG.8)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sbg_sim.geometry.pieces import Piece

if TYPE_CHECKING:
    from sbg_sim.rules.defended import Strand


def pieces_of(locus: tuple[Strand, ...]) -> tuple[Piece, ...]:
    """Return strands as pieces for the solver; each is a rim of its own."""
    return tuple(_piece(strand, -2 - i) for i, strand in enumerate(locus))


def _piece(strand: Strand, owner: int) -> Piece:
    (ax, ay), (bx, by) = strand.start, strand.end
    if strand.center is not None:
        x, y = strand.center
        first = strand.start if strand.sweep >= 0 else strand.end
        angle = math.atan2(first[1] - y, first[0] - x)
        return Piece(strand.center, (angle, 0.0), strand.length, strand.radius, owner=owner)
    toward = ((bx - ax) / strand.length, (by - ay) / strand.length) if strand.length else (1.0, 0.0)
    return Piece(strand.start, toward, strand.length, owner=owner)
