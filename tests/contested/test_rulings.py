"""All rulings at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.contested.rulings import rulings
from sbg_sim.errors import QuestionError

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def test_the_reading_that_decides():
    table = sbg.load(SCENARIOS / "disputes/leaving-one-zone-for-another.toml")
    found = rulings(table, "away-and-charge")
    assert found.deciding == ("stuck_then_charge = no",)
    row = next(row for row in found.rows if row.chosen == (("stuck_then_charge", "no"),))
    assert (row.answer, row.in_force) == ("no", False)
    assert [row.answer for row in found.rows if row.in_force] == ["yes"] * (len(found.rows) // 2)


def test_two_readings_that_matter_only_together():
    # A wall hides the target, and so does a friend: each ruling removes one of the two.
    table = sbg.loads(
        """
        [table]
        width = 24
        depth = 24
        [profiles.man]
        base = 1.0
        height = 2.0
        move = 6
        [models.looker]
        profile = "man"
        side = "good"
        at = [4, 12]
        [models.friend]
        profile = "man"
        side = "good"
        height = 30
        at = [6, 12]
        base = 1.6
        [models.target]
        profile = "man"
        side = "evil"
        at = [10, 12]
        [terrain.hut]
        tags = ["unscalable"]
        height = 9
        polygon = [[9.4, 11], [14, 11], [14, 13], [9.4, 13]]
        lets_through = ["target"]
        [questions.sees]
        ask = "sight"
        model = "looker"
        target = "target"
        """
    )
    found = rulings(table, "sees")
    assert (found.verdict.answer, found.deciding) == ("no", ())
    assert [dict(row.chosen) for row in found.combinations] == [{"models_block_sight": "no", "sight_within": "ignored"}]


def test_a_question_that_no_ruling_touches():
    table = sbg.load(SCENARIOS / "movement-1.toml")
    with pytest.raises(QuestionError, match="no ruling touches"):
        rulings(table, "how-far-is-aragorn")


def test_the_command_line(capsys):
    file = str(SCENARIOS / "sight-over-a-wall.toml")
    with pytest.raises(SystemExit) as ended:
        main(["rulings", file, "just-so", "--json"])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["answer"], data["deciding"]) == ("yes", ["sight_grazing = blocks"])
    assert {row["ruling"] for row in data["rows"]} >= {"eye", "sight_grazing", "models_block_sight"}
    with pytest.raises(SystemExit) as ended:
        main(["rulings", file, "nothing"])
    assert ended.value.code == 2


def test_its_picture_says_under_which_readings_the_answer_is_another():
    found = rulings(sbg.load(SCENARIOS / "disputes/leaving-one-zone-for-another.toml"), "away-and-charge")
    told = [text.get_text().replace("\n", " ") for text in sbg.plot(found).get_legend().get_texts()]
    same = sum(not row.differs and not row.in_force for row in (*found.rows, *found.combinations))
    assert told[-2:] == ["if stuck_then_charge = no: NO", f"{same} other readings of the rules would not change it"]
    assert found._repr_svg_().startswith("<svg")
