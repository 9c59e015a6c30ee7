"""Positions from tape readings: against exact distances, scipy, and random errors."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import optimize

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.tape import Disc, MisfitError, Reading, fit
from sbg_sim.tape.fit import _descended

PLACES = {"a": (6.0, 8.0), "b": (13.0, 10.0), "c": (9.0, 15.0)}
DISCS = {name: Disc(0.5) for name in PLACES}


def read(start, end, error=0.0, doubt=1 / 32, centres=False):
    x, y = PLACES[start]
    if end in PLACES:
        far = math.dist(PLACES[start], PLACES[end]) - (0 if centres else 1.0)
    else:
        less = 0 if centres else 0.5
        far = {
            "left": x,
            "right": 24 - x,
            "lower": y,
            "upper": 24 - y,
            "lower-left": math.hypot(x, y),
            "upper-right": math.hypot(24 - x, 24 - y),
        }[end] - less
    return Reading(start, end, far + error, doubt, centres)


FULL = [
    ("a", "left"),
    ("a", "lower"),
    ("a", "b"),
    ("a", "c"),
    ("b", "c"),
    ("b", "right"),
    ("c", "upper"),
    ("c", "lower-left"),
    ("b", "upper-right"),
]


def test_exact_readings_give_exact_places():
    for centres in (False, True):
        found = fit(DISCS, [read(*pair, centres=centres) for pair in FULL], 24, 24)
        for name, at in PLACES.items():
            assert found.places[name] == pytest.approx(at, abs=1e-9)
        assert max(map(abs, found.residuals)) < 1e-9
        assert found.freedom == 3


def test_another_library_finds_the_same():
    rng = np.random.default_rng(4)
    rows = [read(*pair, error=rng.normal(0, 1 / 32)) for pair in FULL]
    found = fit(DISCS, rows, 24, 24)
    names = list(PLACES)

    def residuals(x):
        at = {n: x[2 * i : 2 * i + 2] for i, n in enumerate(names)}
        spots = {"lower-left": (0, 0), "upper-right": (24, 24)}
        out = []
        for r in rows:
            x0, y0 = at[r.start]
            if r.end in at:
                far = math.dist(at[r.start], at[r.end]) - 1
            elif r.end in spots:
                far = math.dist(at[r.start], spots[r.end]) - 0.5
            else:
                far = {"left": x0, "right": 24 - x0, "lower": y0, "upper": 24 - y0}[r.end] - 0.5
            out.append((r.inches - far) / r.doubt)
        return out

    start = np.array([PLACES[n] for n in names]).ravel() + 0.3
    other = optimize.least_squares(residuals, start, xtol=1e-14, ftol=1e-14, gtol=1e-14)
    mine = np.array([found.places[n] for n in names]).ravel()
    assert np.allclose(mine, other.x, atol=1e-6)
    inverse = np.linalg.inv(other.jac.T @ other.jac)
    assert np.allclose([found.covariance["b"][0], found.covariance["b"][2]], np.diag(inverse)[2:4], rtol=1e-3)


def test_places_scatter_as_their_ellipses_say():
    rng = np.random.default_rng(8)
    hinted = {name: Disc(0.5, near=at) for name, at in PLACES.items()}
    found = []
    for _ in range(150):
        run = fit(hinted, [read(*pair, error=rng.normal(0, 1 / 32)) for pair in FULL], 24, 24)
        found.append(run.places["c"])
    scatter = np.cov(np.array(found).T)
    xx, _, yy = run.covariance["c"]
    assert 0.7 < scatter[0, 0] / xx < 1.4
    assert 0.7 < scatter[1, 1] / yy < 1.4


def test_too_few_readings_say_what_is_open():
    with pytest.raises(MisfitError, match="no reading of `c`"):
        fit(DISCS, [read("a", "left"), read("a", "lower"), read("b", "right"), read("b", "lower")], 24, 24)
    turning = [read("a", "b"), read("b", "c"), read("a", "c")]
    with pytest.raises(MisfitError, match="can turn or slide as a whole"):
        fit(DISCS, turning, 24, 24)


def test_a_mirror_image_is_told_and_a_hint_chooses():
    discs = {"a": Disc(0.5, at=(6, 12)), "b": Disc(0.5, at=(13, 12)), "c": Disc(0.5)}
    rows = [Reading("c", "a", 4.0, 0.03), Reading("c", "b", 4.5, 0.03)]
    with pytest.raises(MisfitError, match="mirror image"):
        fit(discs, rows, 24, 24)
    up = fit({**discs, "c": Disc(0.5, near=(9, 16))}, rows, 24, 24)
    assert up.places["c"][1] > 12


def test_the_reading_that_contradicts_is_named():
    rows = [read(*pair, error=1.0 if pair == ("b", "c") else 0.0) for pair in FULL]
    with pytest.raises(MisfitError, match="b to c was read as") as told:
        fit(DISCS, rows, 24, 24)
    assert told.value.index == FULL.index(("b", "c"))
    assert "1 in more than they allow" in str(told.value)


FILE = """
[table]
width = 24
depth = 24
[profiles.man]
base = 1.0
height = 2.0
move = 6
[models.lurtz]
profile = "man"
side = "evil"
[models.merry]
profile = "man"
side = "good"
at = [12.0, 12.0]
[[readings]]
from = "lurtz"
to = "left"
inches = "5.5 in"
[[readings]]
from = "lurtz"
to = "lower"
inches = 11.5
doubt = 0.02
[[readings]]
from = "lurtz"
to = "merry"
inches = 5.02
[questions.can-he]
ask = "charge"
model = "lurtz"
target = "merry"
"""


def test_a_file_is_placed_and_its_doubt_flows_on(tmp_path, capsys):
    table = sbg.loads(FILE)
    assert table.model("lurtz").at == pytest.approx((6.0, 12.0), abs=0.02)
    assert table.model("lurtz").doubt == pytest.approx(2 * table.fit.ellipse("lurtz")[0])
    verdict = sbg.check(table, "can-he")
    assert verdict.answer == "yes"
    assert verdict.certainty.doubts.keys() == {"lurtz"}
    assert sbg.doubt(table, "can-he", trials=16).frequency == 1.0
    assert sbg.loads(sbg.dump(table)) == table
    file = tmp_path / "read.toml"
    file.write_text(FILE)
    with pytest.raises(SystemExit) as ended:
        main(["readings", str(file), "--json"])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    assert data["models"][0]["model"] == "lurtz"
    assert data["readings"][2]["residual"] == pytest.approx(0.01, abs=0.011)


HALF = """
[table]
width = 48
depth = 48
[models.eowyn]
base = 1
near = [20, 14]
[models.king]
base = 1
at = [22, 22]
[[readings]]
from = "eowyn"
to = "king"
inches = 7
[[readings]]
from = "eowyn"
to = "lower"
inches = 13.5
"""


def test_a_mirror_image_that_only_a_hint_rules_out_is_told(tmp_path, capsys):
    """At a height of 14 and 9 from (22, 22) she may stand to the left and to the right."""
    near = HALF.replace("inches = 7\n", "inches = 8.0\n")
    table = sbg.loads(near)
    (image,) = table.fit.images
    x, y = table.fit.places["eowyn"]
    assert x < 22
    assert image["eowyn"] == pytest.approx((44 - x, y), abs=1e-6)
    assert sbg.loads(FILE).fit.images == ()
    file = tmp_path / "half.toml"
    file.write_text(near)
    with pytest.raises(SystemExit) as ended:
        main(["readings", str(file), "--plot", str(tmp_path / "half.svg")])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert f"only `near` rules it out: eowyn at ({44 - x:.4f}, {y:.4f})" in told
    assert "nothing checks them" in told
    assert 'id="image-eowyn"' in (tmp_path / "half.svg").read_text()


def test_the_picture_shows_tapes_ellipses_and_residuals():
    table = sbg.loads(FILE)
    ax = sbg.plot(table, readings=True)
    tapes = {line.get_gid(): line for line in ax.lines if (line.get_gid() or "").startswith("tape-")}
    assert sorted(tapes) == ["tape-1", "tape-2", "tape-3"]
    x = table.fit.places["lurtz"][0]
    assert tapes["tape-1"].get_xdata() == pytest.approx([x - 0.5, 0])
    assert tapes["tape-3"].get_xdata()[1] == pytest.approx(11.5, abs=1e-3)
    (ring,) = [patch for patch in ax.patches if patch.get_gid() == "doubt-lurtz"]
    major, minor, turn = table.fit.ellipse("lurtz")
    assert ring.get_width() / ring.get_height() == pytest.approx(major / minor)
    assert ring.get_angle() == pytest.approx(math.degrees(turn))
    (below,) = ax.child_axes
    bars = [bar.get_width() for bar in below.patches if bar.get_gid() == "residuals"]
    assert bars == pytest.approx(
        [off / r.doubt for off, r in zip(table.fit.residuals, table.fit.readings, strict=True)]
    )


def test_a_reading_that_is_far_off_is_marked():
    table = sbg.loads(FILE.replace("inches = 5.02", "inches = 5.13"))
    assert max(abs(off / r.doubt) for off, r in zip(table.fit.residuals, table.fit.readings, strict=True)) > 2
    legend = sbg.plot(table, readings=True).get_legend()
    told = [" ".join(text.get_text().split()) for text in legend.get_texts()]
    assert any("off by more than 2 of its doubts" in words for words in told)


def test_the_bar_of_what_was_read_too_long_leads_to_where_its_axis_says_so():
    table = sbg.loads(FILE.replace("inches = 5.02", "inches = 5.13"))  # of 5.01 or so
    (below,) = sbg.plot(table, readings=True).child_axes
    bars = [bar.get_width() for bar in below.patches if bar.get_gid() == "residuals"]
    long = [k for k, reading in enumerate(table.fit.readings) if reading.inches == 5.13]
    assert [bars[k] > 0 for k in long] == [True]
    before, _, after = below.get_xlabel().split(" · ")
    assert (before, after) == ("← read too short", "read too long →")
    assert below.get_xlim()[0] < 0 < below.get_xlim()[1]


def test_readings_of_models_that_all_have_a_place():
    text = "[table]\nwidth = 24\ndepth = 24\n[models.a]\nat = [4, 4]\nbase = 1\n"
    text += '[[readings]]\nfrom = "a"\nto = "left"\ninches = 3.5\n'
    with pytest.raises(sbg.FileFaultsError, match="readings: place nothing: every model they name has `at`"):
        sbg.loads(text)
    with pytest.raises(sbg.FileFaultsError) as told:
        sbg.loads(text.replace("base = 1\n", ""))
    assert [fault.key for fault in told.value.faults] == ["models.a.base"]


def test_without_readings_there_is_no_such_picture():
    with pytest.raises(sbg.QuestionError, match="no readings"):
        sbg.plot(sbg.Table(24, 24), readings=True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("doubt = 0.02", "doubt = 0", "greater than 0"),
        ("doubt = 0.02", "doubt = -1", "greater than 0"),
        ("inches = 5.02", "inches = 9.0", "contradicts"),
        ('to = "lower"', 'to = "lowr"', "did you mean"),
        ('to = "lower"', 'to = "lurtz"', "itself"),
        ("inches = 11.5", "inches = -2", "must be a distance"),
        ("inches = 11.5", "inches = nan", "finite"),
        ("inches = 11.5", "inches = 1e308", "must not be beyond 100000 in"),  # squares of it overflow
        ("doubt = 0.02", "doubt = 1e-300", "at least 1e-06"),
        ("doubt = 0.02", "doubt = 1e300", "must not be beyond 100000 in"),
        ('[[readings]]\nfrom = "lurtz"\nto = "left"\ninches = "5.5 in"\n', "", "mirror|too few|contradicts"),
    ],
)
def test_readings_that_are_wrong(old, new, said):
    assert old in FILE
    with pytest.raises(sbg.FileFaultsError, match=said) as told:
        sbg.loads(FILE.replace(old, new))
    assert len(told.value.faults) == 1 or said == "finite"


@pytest.mark.parametrize(
    ("size", "number"),
    [("base", "1e200"), ("base", "-1e200"), ("base", "1e-300"), ("near", "1e200"), ("at", "1e200"), ("at", "-1e308")],
)
def test_a_place_or_base_beyond_all_tables_is_one_fault_and_no_warning_of_numpy(size, number):
    """Told once, where it stands; what readings make of it is not, nor that who they should place has none."""
    of_who = {"base": 1, "near": "[4, 4]", size: number if size == "base" else f"[{number}, 4]"}
    keys = "".join(f"{key} = {value}\n" for key, value in of_who.items() if (key, size) != ("near", "at"))
    text = f"[table]\nwidth = 24\ndepth = 24\n[models.a]\n{keys}[models.b]\nbase = 1\nnear = [9, 9]\n"
    for one, other, inches in (("a", "left", 3.5), ("a", "lower", 3.5), ("b", "left", 8.5), ("b", "lower", 8.5)):
        text += f'[[readings]]\nfrom = "{one}"\nto = "{other}"\ninches = {inches}\n'
    with pytest.raises(sbg.FileFaultsError) as told:
        sbg.loads(text)
    assert [fault.key for fault in told.value.faults] == [f"models.a.{size}"]


def test_where_no_step_however_short_leads_down_the_fit_stays():
    """A slope that is none of the residual's: each step makes it worse, and the damping ends it."""

    class Wrong:
        asked = 0

        def residuals(self, x):
            self.asked += 1
            return np.array([1.0 if not x.any() else 2.0]), np.array([[1.0]])

    system = Wrong()
    assert _descended(system, np.zeros(1)).tolist() == [0.0]
    assert system.asked < 40
