"""Words are seen on what they are written on: their contrast with it is 4.5 at least (WCAG 2)."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.text import Text

import sbg_sim as sbg

LEAST = 4.5


def light(colours):
    """How light colours are, the last axis being red, green and blue."""
    parts = np.asarray(colours, dtype=float)
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def faint(figure):
    """Return the words of a figure whose contrast with half of the ground under them is too little, and how much."""
    figure.set_dpi(100)
    figure.canvas.draw()
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [Text.get_window_extent(text) for text in texts]
    inks = [to_rgba(text.get_color(), text.get_alpha()) for text in texts]
    for text in texts:  # their boxes stay
        text.set_color("none")
        text.set_alpha(None)
    figure.canvas.draw()
    ground = np.asarray(figure.canvas.buffer_rgba())[::-1, :, :3] / 255
    high, wide = ground.shape[:2]
    found = {}
    for text, box, ink in zip(texts, boxes, inks, strict=True):
        (x0, x1), (y0, y1) = np.clip([box.x0, box.x1], 0, wide), np.clip([box.y0, box.y1], 0, high)
        under = ground[int(y0) : int(y1), int(x0) : int(x1)].reshape(-1, 3)
        if len(under):
            one, other = light(ink[3] * np.array(ink[:3]) + (1 - ink[3]) * under), light(under)
            ratio = (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)
            if np.median(ratio) < LEAST:
                found[text.get_text()] = round(float(np.median(ratio)), 2)
    return found


@pytest.fixture(scope="module")
def results(ranks):
    """What can be asked of a crowd with ground of each kind and three sides, by name, with options of pictures."""
    kinds = {"wall": ("obstacle", {"height": 0.8}), "bog": ("difficult", {}), "rock": ("unscalable", {"height": 5})}
    kinds |= {"roof": ("platform", {"height": 2}), "ditch": ("gap", {"depth": 3})}
    terrain = {
        name: {"tags": [tag], "polygon": [[x, 2], [x + 3, 2], [x + 3, 5], [x, 5]], **more}
        for k, (name, (tag, more)) in enumerate(kinds.items())
        for x in [2 + 4.5 * k]
    }
    models = {name: model for name, model in ranks.models.items() if model.at[0] < 10}
    models |= {f"ent-{k}": sbg.Model(f"ent-{k}", (4 + 6 * k, 20), 1.6, 4.0, 6.0, "wild") for k in range(3)}
    table = sbg.Table(30, 24, models=models, terrain=terrain)
    return {
        "table": (table, {}),
        "reach": (sbg.reach(table, "man-2"), {}),
        "cost": (sbg.reach(table, "man-2"), {"cost": True}),
        "charges": (sbg.charges(table, "orc-203"), {}),
        "denials": (sbg.denials(table, "man-3"), {}),
        "threats": (sbg.threats(table, "evil"), {}),
        "safe": (sbg.safe(table, "man-2"), {}),
        "move": (sbg.check(table, sbg.Move("man-0", (7, 7))), {}),
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["table", "reach", "cost", "charges", "denials", "threats", "safe", "move"])
def test_words_in_a_crowd_are_seen_on_their_ground(results, kind, theme):
    result, options = results[kind]
    figure = sbg.plot(result, theme=theme, **options).figure
    assert len([text for text in figure.findobj(Text) if text.get_text()]) > 8
    assert faint(figure) == {}
    plt.close(figure)
