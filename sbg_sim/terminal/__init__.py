"""A game played at the terminal: words, a map, and a journal that keeps every step."""

from sbg_sim.terminal.playing import opened_game, opened_session, play
from sbg_sim.terminal.priority import LeftError
from sbg_sim.terminal.prompt import Prompt
from sbg_sim.terminal.session import Session

__all__ = ["LeftError", "Prompt", "Session", "opened_game", "opened_session", "play"]
