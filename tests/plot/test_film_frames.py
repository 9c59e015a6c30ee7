"""The pictures of a film: as if each were drawn anew, though what stays for a while is drawn once."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from matplotlib.text import Text

import sbg_sim as sbg
from sbg_sim.plot.animation import _of_phase, _of_verdict
from sbg_sim.plot.fonts import house_style
from sbg_sim.plot.frames import frames
from sbg_sim.plot.options import PictureOptions, with_options
from sbg_sim.table.record import MoveRecord

NEARLY = 3  # of 255 by which a colour may differ that was laid over another one


def _of_turns(theme):
    return _of_phase(sbg.replay(sbg.load("scenarios/phase/three-turns.toml")), 2.0, 12, whole=False)


def _of_a_way(theme):
    return _of_verdict(sbg.check(sbg.load("scenarios/amon-hen.toml"), "aragorn-through-the-bog"), 1.0, 12, whole=False)


def roofs():
    """A phase in which one falls from a roof, and one climbs up a ladder."""
    ground, top = {"base": 1, "height": 1.5, "move": 6, "side": "good"}, {"on": "roof"}
    models = {"sam": {"at": [9.5, 8], **ground, **top}, "pippin": {"at": [10.6, 12], **ground}}
    box = [[2, 4], [10, 4], [10, 16], [2, 16]]
    terrain = {
        "roof": {"tags": ["platform"], "height": 3, "polygon": box},
        "far": {"tags": ["platform"], "height": 3, "polygon": [[x + 10, y] for x, y in box]},
        "ladder": {"tags": ["ladder"], "at": [10, 12], "to": "roof"},
    }
    phase = sbg.Phase.begin(sbg.Table(24, 24, models=models, terrain=terrain), "good")
    phase = phase.push(MoveRecord("sam", to=(12.5, 8), on="far"), [1])
    return phase.push(MoveRecord("pippin", to=(9.4, 12), on="roof"))


def _of_levels(theme):
    return _of_phase(roofs(), 2.0, 12, whole=False)


def told(reel, number):
    """Return what is written of each model in a picture."""
    reel.show(reel.moments[number])
    words = {name: [p for p in parts if isinstance(p, Text) and p.get_visible()] for name, parts in reel.parts.items()}
    return {name: [text.get_text() for text in texts] for name, texts in words.items()}


def test_labels_tell_on_which_level_a_model_is_at_the_moment():
    reel = _of_levels("light")
    assert told(reel, 0) == {"sam": ["sam\n(on roof)"], "pippin": ["pippin"]}
    assert told(reel, -1) == {"sam": ["sam"], "pippin": ["pippin\n(on roof)"]}
    for moment in reel.moments:  # the ladder stands on the rim at 10: on the roof it goes on from 9.5
        if moment.states["pippin"].on == "roof":
            assert moment.places["pippin"][0] <= 9.5 + 1e-9
        else:
            assert moment.places["pippin"][0] > 9.5


def test_a_page_shows_of_a_models_labels_that_of_the_moment(tmp_path):
    page = sbg.animate(roofs(), tmp_path / "x.html", seconds=2).read_text(encoding="utf-8")
    film = json.loads(re.search(r"const film = (.*);", page)[1])
    assert {name: len(parts) for name, parts in film["labels"].items()} == {"sam": 2, "pippin": 2}
    for name, parts in film["labels"].items():
        first, last = (film["moments"][number]["n"][name] for number in (0, -1))
        assert {first, last} == set(parts)
        assert all(f'id="film-with-{name}-{part}"' in page for part in parts)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("made", [_of_turns, _of_a_way, _of_levels])
def test_every_picture_is_as_if_drawn_anew(made, theme):
    from sbg_sim.plot.dispatch import turn_dark

    with with_options(PictureOptions.wanted(theme=theme)):
        reel = made(theme)
        if theme == "dark":
            turn_dark(reel.ax)
    pictures = list(frames(reel))
    assert len(pictures) == len(reel.moments)
    canvas = reel.ax.figure.canvas
    for number in range(0, len(pictures), 5):
        reel.show(reel.moments[number])
        for artist in reel.moving():
            artist.set_animated(True)
        canvas.draw()
        for artist in reel.moving():
            if artist.get_visible():
                reel.ax.draw_artist(artist)
        whole = np.array(canvas.buffer_rgba()).astype(int)
        assert np.abs(whole - pictures[number]).max() <= NEARLY


def crowd():
    """A phase in which three of 48 have moved."""
    models = {
        f"{side}-{n}": {"at": [3 + 5 * (n % 8), y + 4 * (n // 8)], "base": 1, "height": 1, "move": 6, "side": side}
        for side, y in (("good", 4), ("evil", 30))
        for n in range(1, 25)
    }
    phase = sbg.Phase.begin(sbg.Table(48, 48, models=models), "good")
    for name, (x, y) in (("good-1", (8, 6)), ("good-2", (13, 6)), ("good-3", (18, 6))):
        phase = phase.push(MoveRecord(name, to=(x, y)))
    return phase


def test_a_film_is_as_wide_as_a_page_and_no_margin_is_blank():
    """Where the legend stood under it, a third of the film was blank, and numbers in bases were too small to read."""
    reel = _of_phase(crowd(), 1.0, 4, whole=True)
    picture = next(frames(reel))
    assert reel.ax.get_legend().get_window_extent().y1 < reel.ax.get_window_extent().y0
    high, wide = picture.shape[:2]
    assert wide >= 830
    inked = np.argwhere((picture[..., :3] < 200).any(axis=-1))
    (low, left), (top, right) = inked.min(axis=0), inked.max(axis=0)
    assert min(low, left, high - 1 - top, wide - 1 - right) > 0
    assert max(low, left, high - 1 - top, wide - 1 - right) < 0.04 * wide


def test_a_legend_beside_a_film_is_whole():
    """It was measured with fewer dots an inch than it was drawn with, and hinted letters were wider by a tenth."""
    table = sbg.load("scenarios/jumping-over-prone.toml")
    with house_style():
        reel = _of_verdict(sbg.check(table, "charge-the-uruk"), 1.0, 4, whole=False)
        picture = next(frames(reel))
    legend, wide = reel.ax.get_legend().get_window_extent(), picture.shape[1]
    assert wide >= 830
    assert reel.ax.get_window_extent().x1 < legend.x0 < legend.x1 < wide
    assert (picture[:, -2:, :3] > 200).all()


def test_names_that_travel_beyond_the_edge_are_whole():
    """A name goes with its base to the edge of the table and past that of the picture."""
    name = "a-name-of-many-letters"
    models = {name: {"at": [18, 6], "base": 1, "height": 1, "move": 6, "side": "good"}}
    models["other"] = {**models[name], "at": [4, 9], "side": "evil"}
    phase = sbg.Phase.begin(sbg.Table(24, 12, models=models), "good").push(MoveRecord(name, to=(23.4, 6)))
    reel = _of_phase(phase, 1.0, 6, whole=True)
    for moment, _ in zip(reel.moments, frames(reel), strict=True):
        reel.show(moment)
        box = reel.parts[name][1].get_window_extent()
        assert 0 <= box.x0 < box.x1 <= reel.ax.figure.bbox.x1


def test_names_in_a_crowd_are_not_drawn_for_every_picture(monkeypatch):
    """It took 6 seconds for 49 pictures of a crowd of 60, two thirds of which went to names that stayed."""
    reel = _of_phase(crowd(), 3.0, 12, whole=True)
    drawn, once = [], Text.draw
    monkeypatch.setattr(Text, "draw", lambda text, renderer: (drawn.append(text), once(text, renderer)))
    pictures = list(frames(reel))
    names = [text for text in reel.ax.texts if text is not reel.note]
    assert len(names) >= 48
    assert sum(text in names for text in drawn) < len(names) * len(pictures) / 4
