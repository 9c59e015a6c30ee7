"""Positions from tape readings: least squares, what it leaves in doubt, and what it cannot fix."""

from sbg_sim.tape.fit import Disc, Fit, MisfitError, Reading, fit

__all__ = ["Disc", "Fit", "MisfitError", "Reading", "fit"]
