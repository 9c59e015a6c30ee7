"""Odds under doubt, held against the normal distribution."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from statistics import NormalDist

import pytest

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.contested.doubt import doubt
from sbg_sim.errors import QuestionError
from tests.contested.field import FIELD

TABLE = (
    FIELD % (0.0, 11.02, "")
    + """
[questions.how-far]
ask = "measure"
from = "lurtz"
to = "merry"
"""
)


def test_two_bases_in_the_open():
    """The distance is normal about 6.02 with sigma sqrt(2)*0.04; to first order the sideways errors do not count."""
    found = doubt(sbg.loads(TABLE), "can-he", sigma=0.04, trials=400, seed=3)
    exact = NormalDist(6.02, math.sqrt(2) * 0.04).cdf(6)
    assert found.interval[0] < exact < found.interval[1]
    assert sum(found.answers.values()) == 400
    assert found.course[-1] == (400, found.successes)


def test_the_same_counts_whatever_the_workers():
    table = sbg.loads(TABLE)
    alone = doubt(table, "can-he", sigma="1 mm", trials=80, seed=5)
    with ThreadPoolExecutor(3) as pool:
        several = doubt(table, "can-he", sigma="1 mm", trials=80, seed=5, executor=pool)
    assert alone.as_json() == several.as_json()
    assert doubt(table, "can-he", sigma="1 mm", trials=80, seed=6).answers != {}


def test_what_is_sure_takes_no_search():
    found = doubt(sbg.loads(TABLE.replace("11.02", "9")), "can-he", sigma="1 mm", trials=100)
    assert (found.successes, found.searched) == (100, 0)
    assert repr(found).startswith("<Doubt: yes as measured; yes for 100 of 100 placements, 1.0000 in [")
    assert repr(found).endswith("], sigma 0.03937 in, seed 0>")


@pytest.mark.parametrize("given", [{"sigma": 0}, {"sigma": -1}, {"sigma": "wide"}, {"trials": 0}, {"seed": -1}])
def test_numbers_that_make_no_sense(given):
    with pytest.raises(QuestionError):
        doubt(sbg.loads(TABLE), "can-he", **given)


def test_a_chance_is_asked_at_every_placement():
    """The dice are no doubt: a jump that may fail stays a chance wherever the models stand."""
    table = sbg.load("scenarios/jumping.toml")
    found = doubt(table.having("pippin", move=5), "pippin-goes-on", sigma="0.1 mm", trials=20, seed=1)
    assert dict(found.answers) == {"chance": 20}
    assert found.searched == 20


def test_an_error_so_large_that_nobody_can_stand_is_refused():
    crowd = {f"m{i}": {"at": [1 + 1.1 * (i % 5), 1 + 1.1 * (i // 5)], "base": 1, "move": 6} for i in range(25)}
    crowd = {name: {**one, "height": 1.5, "side": "good"} for name, one in crowd.items()}
    table = sbg.Table(8, 8, models=crowd)
    with pytest.raises(QuestionError, match="choose a smaller sigma"):
        doubt(table, sbg.Move("m0", (7, 7)), sigma=2, trials=5)


def test_a_distance_is_in_no_doubt():
    with pytest.raises(QuestionError, match="no yes or no"):
        doubt(sbg.loads(TABLE), "how-far")


def test_the_command_line(tmp_path, capsys):
    file, out = tmp_path / "a.toml", tmp_path / "a.svg"
    file.write_text(TABLE)
    call = ["doubt", str(file), "can-he", "--sigma", "1 mm", "--trials", "40", "--seed", "2"]
    with pytest.raises(SystemExit) as ended:
        main([*call, "--json", "--plot", str(out)])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    assert data["trials"] == 40
    assert data["successes"] == data["answers"].get("yes", 0)
    assert data["sigma"] == pytest.approx(1 / 25.4)
    assert out.exists()
    with pytest.raises(SystemExit) as ended:
        main(["doubt", str(file), "can-he", "--sigma", "0 mm"])
    assert ended.value.code == 2
    assert "greater than 0" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["doubt", str(file), "can-he", "--sigma", "1e300"])
    assert ended.value.code == 2
    assert "must not be beyond 100000 in" in capsys.readouterr().err


def test_the_course_is_told_after_ten_twenty_and_fifty_and_so_on():
    found = doubt(sbg.loads(TABLE.replace("11.02", "9")), "can-he", sigma="1 mm", trials=1000)
    assert [mark for mark, _ in found.course] == [10, 20, 50, 100, 200, 500, 1000]
    assert all(mark == yes for mark, yes in found.course)


def test_of_readings_the_spread_that_is_played_is_told():
    """Two tapes 90 degrees apart, each in doubt by 0.05: one standard deviation along x and y is just that."""
    base = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    tapes = [{"from": name, "to": "c", "inches": 5, "doubt": 0.05} for name in "ab"]
    models = {
        "a": {**base, "at": [4, 12]},
        "b": {**base, "at": [10, 6]},
        "c": {**base, "side": "evil", "near": [10, 12]},
    }
    text = "\n".join(
        ["[table]\nwidth = 24\ndepth = 24"]
        + [f"[models.{n}]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in m.items()) for n, m in models.items()]
        + ["[[readings]]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in tape.items()) for tape in tapes]
    )
    found = doubt(sbg.loads(text), sbg.Charge("a", "c"), trials=20, seed=1)
    assert found.sigma == pytest.approx(0.05, abs=1e-9)
    assert found.as_json()["sigma"] == pytest.approx(0.05, abs=1e-9)
