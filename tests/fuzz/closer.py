"""Answers held against those from samples of rims four times as close, which differ where samples hide a better way."""

from __future__ import annotations

import contextlib

from sbg_sim.solver.answer import ask
from sbg_sim.solver.path import best_path
from tests.fuzz.judging import CLOSE

TIMES = 4

COUNT = {"answers": 0}
"""How many answers were held so."""


@contextlib.contextmanager
def closer_samples(times):
    """Let searches begin with rims sampled so many times as close."""
    before = {how: getattr(best_path, how) for how in ("_look", "_late")}
    for how, search in before.items():

        def closely(*asked, spacing=best_path.SPACING / times, of=search):
            # A search that begins anew tells how close samples are to be.
            return of(*asked) if len(asked) == of.__code__.co_argcount else of(*asked, spacing)

        setattr(best_path, how, closely)
    try:
        yield
    finally:
        for how, search in before.items():
            setattr(best_path, how, search)


def faults(table, question, _seed):
    """What closer samples find cheaper, dearer or likelier."""
    return list(_differences(table, question))


def _differences(table, question):
    usual = ask(table, question, alternatives=False)
    with closer_samples(TIMES):
        close = ask(table, question, alternatives=False)
    COUNT["answers"] += 1
    if (usual.answer, usual.chance) != (close.answer, close.chance):
        yield f"closer: {usual.answer} {usual.chance}, and with closer samples {close.answer} {close.chance}"
    elif None in (usual.needed, close.needed):
        if usual.needed != close.needed:
            yield f"closer: needs {usual.needed}, and with closer samples {close.needed}"
    elif abs(usual.needed - close.needed) > CLOSE:
        yield f"closer: needs {usual.needed}, and with closer samples {close.needed}"
