"""What was probably meant: only what somebody could have typed for it."""

import pytest

from sbg_sim.document.source import parse
from sbg_sim.document.suggest import nearest
from sbg_sim.errors import FileFaultsError
from sbg_sim.scenario.games import load


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("modles", ["models", "moves"], "models"),
        ("movement", ["move", "base"], "move"),
        ("the-balrog", ["balrog", "gandalf"], "balrog"),
        ("eight", ["height", "width"], "height"),
        ("companions", ["options", "characters"], ""),
        ("name", ["game", "title"], ""),
    ],
)
def test_a_word_of_the_same_ending_is_no_misspelling(written, known, meant):
    assert nearest(written, known) == meant


def test_what_stands_under_an_unknown_word_is_not_read_as_something_else():
    """A newcomer's `companions` of the War of the Ring were told to be unknown `options`."""
    with pytest.raises(FileFaultsError) as told:
        load(parse('game = "war-of-the-ring"\n[companions.gandalf]\nregion = "Rivendell"\n'))
    assert [fault.key for fault in told.value.faults] == ["companions"]
    assert "did you mean" not in str(told.value)
