"""A film as a page, in a browser: steps, keys, how wide it is, and its theme."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sbg_sim as sbg


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    table = sbg.load("scenarios/amon-hen.toml")
    out = tmp_path_factory.mktemp("film") / "film.html"
    return sbg.animate(sbg.check(table, sbg.Charge("lurtz", "merry")), out, seconds=1, theme="auto")


@pytest.fixture
def shown(browser, film):
    pages = []

    def show(width=830, scheme="light"):
        page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme, reduced_motion="reduce")
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or page.wrong.append(request.url))
        page.goto(film.resolve().as_uri())
        pages.append(page)
        return page

    yield show
    for page in pages:
        assert page.wrong == []
        page.close()


def test_keys_step_through_a_film_wherever_the_focus_is(shown):
    page = shown()
    last = int(page.get_attribute("#at", "max"))
    assert page.inner_text("#play") == "Play"  # who wants little motion starts it
    for key, moment in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert int(page.input_value("#at")) == moment, key
    assert page.inner_text("#said") == page.get_attribute("#at", "aria-valuetext")
    for where in ("#at", "#play", "body"):
        page.locator(where).focus()
        page.keyboard.press(" ")
        assert page.inner_text("#play") == "Pause", where
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#play") == "Play", where


def test_a_film_moves_its_base_to_where_the_way_ends(shown):
    page = shown()
    place = "(() => { const b = document.getElementById('film-base-lurtz').getBoundingClientRect(); return b.x; })()"
    before = page.evaluate(place)
    page.keyboard.press("End")
    assert page.evaluate(place) - before > 100


def test_a_page_writes_of_a_model_on_which_level_it_is(browser, tmp_path):
    from tests.plot.test_film_frames import roofs

    page = browser.new_page(reduced_motion="reduce")
    page.goto(sbg.animate(roofs(), tmp_path / "film.html", seconds=2).resolve().as_uri())
    seen = """() => Object.fromEntries(Object.entries(film.labels).map(([name, labels]) => [name,
        labels.filter((i) => document.getElementById(`film-with-${name}-${i}`).style.display !== "none").length]))"""
    at = "(name) => film.moments[document.getElementById('at').value].n[name]"
    shown = []
    for key in ("Home", "End"):
        page.keyboard.press(key)
        assert page.evaluate(seen) == {"sam": 1, "pippin": 1}
        shown.append([page.evaluate(at, name) for name in ("sam", "pippin")])
    assert all(first != last for first, last in zip(*shown, strict=True))
    page.close()


def test_on_a_narrow_page_the_picture_is_moved_along_and_the_page_is_not(shown):
    page = shown(width=400)
    wide = page.evaluate("[document.documentElement.scrollWidth, document.querySelector('svg').clientWidth]")
    assert wide[0] == 400
    assert wide[1] > 500
    assert page.evaluate("document.querySelector('figure').scrollWidth") >= wide[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_has_the_ground_of_its_picture(shown, scheme):
    page = shown(scheme=scheme)
    ground, ink = page.evaluate(
        "(() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]; })()"
    )
    paper = page.evaluate("getComputedStyle(document.querySelector('svg #patch_1 path')).fill")
    assert ground == paper
    assert ink != ground


def test_words_stay_readable_over_a_base_that_travels():
    from sbg_sim.plot.animation import _of_verdict

    found = sbg.check(sbg.load("scenarios/amon-hen.toml"), "aragorn-through-the-bog")
    reel = _of_verdict(found, 4.0, 12, whole=False)
    (base,), moving = reel.parts["aragorn"], reel.moving()
    words = [text for text in reel.ax.texts if text is not reel.note]
    assert "2.98″ ×2 = 5.97″" in {text.get_text() for text in words}
    assert all(moving.index(base) < moving.index(text) for text in words)  # in a film of pixels
    assert all(base.get_zorder() < text.get_zorder() for text in words)  # on a page


def test_zones_that_stay_lie_under_the_bases_of_a_film():
    """They are drawn once, with the table; those that travel, come or go are drawn for every moment."""
    from sbg_sim.plot.animation import _of_phase
    from sbg_sim.plot.frames import frames

    table = sbg.load("scenarios/phase/charging-2-sequence.toml")
    table = table.with_model(replace(table.model("pippin"), id="bystander", at=(3, 3)))
    reel = _of_phase(sbg.replay(table).phase, None, 12, whole=True)
    moving = reel.moving()
    assert {name for name, ring in reel.zones.items() if ring not in moving} == {"bystander"}
    *_, last = frames(reel)
    at = reel.ax.transData.transform((3 + table.model("bystander").radius + 1, 3)).astype(int)
    rim = last[last.shape[0] - at[1] - 6 : last.shape[0] - at[1] + 6, at[0] - 2 : at[0] + 3]
    assert rim.min() < 160  # a dash of its zone is there
