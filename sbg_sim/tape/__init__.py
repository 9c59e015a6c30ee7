"""Positions from tape readings: least squares, the doubts that remain, and readings that do not determine places."""

from sbg_sim.tape.fit import Disc, Fit, MisfitError, Reading, fit

__all__ = ["Disc", "Fit", "MisfitError", "Reading", "fit"]
