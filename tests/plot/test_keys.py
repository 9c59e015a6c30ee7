"""Numbers in bases, and the key that tells whose they are."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.plot.names import key_of


def test_numbers_that_names_end_with_share_a_row_of_the_key():
    named = [sbg.Model(f"{'orc' if i % 4 else 'man'}-{i}", (2.0 * i, 3.0), 1.0, 1.5, 6.0, "evil") for i in range(1, 16)]
    key = key_of([(model, i) for i, model in enumerate(named, 1)])
    assert key == [("orc-…", "1–3, 5–7, 9–11, 13–15", ""), ("man-…", "4, 8, 12", "")]
    few = key_of([(model, i) for i, model in enumerate(named[:5], 1)])
    assert few[:2] == [("1", "orc-1", ""), ("2", "orc-2", "")]


def test_a_key_does_not_list_what_the_numbers_say():
    models = [sbg.Model(f"m{2 * i}", (2.0 * i, 3.0), 1.0, 1.5, 6.0, "good") for i in range(60)]
    assert key_of([(m, int(m.id[1:])) for m in models]) == [("m…", "with the number in the base", "")]
    orcs = [sbg.Model(f"orc-{2 * i + 1}", (2.0 * i, 6.0), 1.0, 1.5, 6.0, "evil") for i in range(60)]
    both = key_of([(m, int(m.id.strip("mocr-"))) for m in (*models, *orcs)])
    assert both == [("m…", "with the number in the base", "good"), ("orc-…", "with the number in the base", "evil")]
    mixed = [replace(m, id=f"man-{m.id[1:]}") if i % 2 else m for i, m in enumerate(models)]
    rows = key_of([(m, int(m.id.strip("man-"))) for m in mixed])
    assert [words[:8] for _, words, _ in rows] == ["0, 4, 8,", "2, 6, 10"]


def test_a_long_name_in_a_key_is_broken():
    names = ["a" * 120, "b" * 120]
    models = {n: {"at": [4 + i, 4], "base": 1, "height": 1, "move": 6} for i, n in enumerate(names)}
    ax = sbg.plot(sbg.Table(12, 12, models=models))
    lines = [line for t in ax.get_legend().get_texts() for line in t.get_text().split("\n")]
    assert sum("aaa" in line for line in lines) == 3
    assert max(map(len, lines)) <= 46


def test_numbers_of_a_large_crowd_fit_in_their_bases():
    base = 25 / 25.4
    models = {
        f"orc-{k}": {"at": [4 + k % 30 * 1.0, 4 + k // 30 * 1.0], "base": base, "height": 1, "side": "evil"}
        for k in range(150)
    }
    ax = sbg.plot(sbg.Table(72, 48, models=models))
    ax.figure.canvas.draw()
    across = base * ax.bbox.width / (ax.get_xlim()[1] - ax.get_xlim()[0])
    numbers = [t.get_window_extent() for t in ax.texts if t.get_text().isdigit()]
    assert len(numbers) == 150
    assert max(box.width for box in numbers) <= across + 1  # boxes of type are whole pixels


@pytest.mark.parametrize(("wide", "legible"), [(24, 7.0), (48, 4.2)])
def test_numbers_on_a_whole_table_stand_within_the_rims_of_their_bases(wide, legible):
    look = {"base": 25 / 25.4, "height": 1.5, "move": 6, "side": "evil"}
    models = {f"morannon orc {k + 10}": {"at": [12 + k % 8 * 1.02, 12 + k // 8 * 1.03], **look} for k in range(40)}
    ax = sbg.plot(sbg.Table(wide, wide, models=models))
    ax.figure.canvas.draw()
    rims = {a.get_gid().removeprefix("model-"): a for a in ax.patches if (a.get_gid() or "").startswith("model-")}
    numbers = [t for t in ax.texts if t.get_text().isdigit()]
    assert len(numbers) == len(rims)
    assert {t.get_fontsize() for t in numbers} == {legible}  # all of a kind
    dots = ax.figure.dpi / 72
    for text in numbers:
        rim = rims[text.get_gid().removeprefix("name-")]
        left, wide = ax.transData.transform([rim.center, (rim.center[0] + rim.radius, 0)])[:, 0]
        inner = wide - left - rim.get_linewidth() / 2 * dots
        width = text.get_window_extent().width
        assert math.hypot(width, 0.73 * text.get_fontsize() * dots) / 2 <= inner + 1  # type is hinted to whole pixels
    beside = ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1
    assert beside == (
        legible > 4.2
    )  # where numbers are that small the legend stands under, and the picture is no wider
