"""The referee: judges a given path by closed forms of its own, and shares no rule and no search with the solver."""

from sbg_sim.referee.findings import Audit, Entry, Stop
from sbg_sim.referee.judge import audit
from sbg_sim.referee.sketch import audit_path

__all__ = ["Audit", "Entry", "Stop", "audit", "audit_path"]
