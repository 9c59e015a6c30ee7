"""Options that are readings of rules: checked, varied one at a time, and set by a file."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from pydantic import ValidationError

from sbg_sim.boards import lotr_tcg, metw, riddle, war_of_the_ring
from sbg_sim.boards.form import options_table
from sbg_sim.boards.readings import changing, check_readings, variants


@dataclass(frozen=True)
class Readings:
    again: bool = False
    way: Literal["a", "b", "c"] = "b"
    most: int = field(default=4, metadata={"least": 1})


def test_variants_change_one_reading_at_a_time():
    assert dict(variants(Readings())) == {
        "again = true": Readings(again=True),
        'way = "a"': Readings(way="a"),
        'way = "c"': Readings(way="c"),
    }


@pytest.mark.parametrize(
    "wrong", [{"again": 1}, {"again": "no"}, {"way": "d"}, {"most": 0}, {"most": True}, {"most": 2.5}, {"most": "2"}]
)
def test_a_reading_that_there_is_not(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        check_readings(Readings(**wrong))


@pytest.mark.parametrize("game", [metw, riddle, war_of_the_ring, lotr_tcg], ids=lambda game: game.__name__)
def test_every_game_refuses_readings_that_there_are_not(game):
    for change in [*dict(variants(game.Options()))]:
        name = change.split(" ")[0]
        with pytest.raises(ValueError, match=name):
            game.Options(**{name: "neither"})


def test_only_changes_that_change_the_answer_are_told():
    def solve(options):
        return options.way == "a"

    assert changing(Readings(), False, solve) == ['way = "a"']
    assert changing(Readings(), False, solve, matters=lambda change: change.startswith("again")) == []


def test_a_table_of_options_changes_what_it_says():
    table = options_table(Readings)
    assert table.model_validate({"way": "c"}).over(Readings(most=2)) == Readings(way="c", most=2)
    assert table.model_validate({}).over(Readings(again=True)) == Readings(again=True)
    assert table.model_validate({"most": 4}).over(Readings(most=2)) == Readings()  # the default, and said
    for wrong in ({"way": "d"}, {"most": 0}, {"most": True}, {"again": 0}, {"often": 1}):
        with pytest.raises(ValidationError):
            table.model_validate(wrong)


def test_a_series_of_no_regions_is_refused():
    with pytest.raises(ValueError, match="max_regions is a whole number, 1 or more, not 0"):
        metw.Options(max_regions=0)
