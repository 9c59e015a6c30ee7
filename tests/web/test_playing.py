"""A Move phase played in a real browser, and its record."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from tests.web.conftest import DUEL, ROOT


def test_choose_the_fights_and_begin_the_next_turn(duel):
    page = duel((ROOT / "scenarios" / "pairing-off-fights.toml").read_text(encoding="utf-8"))
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    for _ in range(2):
        whose = json.dumps(page.page.locator("#turn-of").text_content())
        page.page.locator("#play-end").click()
        page.wait(f"document.querySelector('#turn-of').textContent !== {whose}")
    page.page.wait_for_selector('[data-way="2"]')
    assert page.page.locator("[data-way]").count() == 2
    page.page.locator('[data-way="2"]').click()
    page.page.wait_for_selector('[data-way="2"][aria-pressed="true"]')
    page.page.locator('[data-next="good"]').click()
    page.wait("document.querySelector('#turn-of').textContent.startsWith('Turn 2: good moves')")
    page.page.locator("#play-keep").click()
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('turns')")
    kept = tomllib.loads(page.page.locator("#text").input_value())
    assert kept["turns"][0]["priority"] == "good"
    assert len(kept["phase"]["fights"]) == 5


def test_play_a_phase_with_dice_and_undo(duel):
    long = DUEL.replace("[[5, 4], [9, 4], [9, 4.4], [5, 4.4]]", "[[1, 4], [13, 4], [13, 4.4], [1, 4.4]]")
    page = duel(long.replace("at = [6, 12]", "at = [7, 5.2]"))
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    page.until("", "evil moves")
    page.page.wait_for_selector('[data-movable="lurtz"]')
    page.base("lurtz").click()
    page.page.get_by_text("Lie down").wait_for()  # what the chosen model can do is offered as soon as it is chosen
    page.drag((20, 20), (20, 18))
    page.until("no", "MOV.1")
    page.page.keyboard.press("Escape")
    page.drag((7, 5.2), (7, 3.2), drop=False)
    page.until("chance", "jump over wall")
    page.page.mouse.up()
    page.page.locator('[data-roll="any"]').click()
    page.wait("document.querySelectorAll('#steps li').length === 1")
    assert re.search(r"rolled [1-6]\)", page.page.locator("#steps li").inner_text())
    page.page.locator("#undo").click()
    page.wait("document.querySelectorAll('#steps li').length === 0")
    page.drag((7, 5.2), (7, 3.2))
    page.page.locator('[data-roll="6"]').click()
    page.wait("document.querySelectorAll('#steps li').length === 1")
    assert "rolled 6" in page.page.locator("#steps li").inner_text()
    page.page.locator("#undo").click()
    page.wait("document.querySelectorAll('#steps li').length === 0")
    assert page.place("lurtz") == (7, 5.2)
    page.until("", "taken back")
    page.page.keyboard.press("Control+z")  # there is nothing more to take back, and nothing is done again but the jump
    page.page.locator("#redo").click()
    page.until("", "done again")
    page.wait("document.querySelectorAll('#steps li').length === 1")
    page.page.locator("#play-end").click()
    page.page.wait_for_selector('[data-movable="sam"]')
    page.page.locator("#play-keep").click()
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('[[moves]]')")
    page.page.locator("#save").click()
    page.wait("document.querySelector('#file-state').textContent.startsWith('All')")
    data = tomllib.loads(page.path.read_text(encoding="utf-8"))
    assert data["phase"]["priority"] == "evil"
    assert data["moves"][0]["rolls"] == [6]


def test_a_phase_that_is_left_is_one_undo_away(duel, tmp_path):
    """By another file, by a text that is edited, by a new table, or by its own button."""
    page = duel()
    begun(page)
    there = page.page.locator("[data-model=lurtz]").first.get_attribute("transform")
    other = tmp_path / "other.toml"
    other.write_text(DUEL.replace("at = [6, 12]", "at = [3, 12]"), encoding="utf-8")

    def goes_on(words):
        page.until("", words)
        page.tab("play")
        page.page.wait_for_selector("#play-begin")
        page.page.locator("#undo").click()
        page.wait("document.querySelectorAll('#steps li').length === 1")
        page.wait(f"document.querySelector('[data-model=lurtz]').getAttribute('transform') === '{there}'")

    page.tab("file")
    page.page.locator("#open-file").set_input_files(str(other))
    page.wait("document.querySelector('[data-model=lurtz]').getAttribute('transform') === 'translate(3 -12)'")
    goes_on("other.toml is open; Undo goes on with the Move phase")
    page.tab("file")
    page.page.locator("#new").click()
    goes_on("the Move phase is left; Undo goes on with it")
    page.tab("file")
    page.page.locator("#text").fill(other.read_text(encoding="utf-8"))
    page.page.locator("#text").blur()
    goes_on("the Move phase is left")
    page.page.locator("#play-leave").click()
    goes_on("the Move phase is left")
    page.page.locator("#play-end").click()
    page.page.wait_for_selector('[data-movable="sam"]')


def test_a_phase_by_keys_alone(duel):
    """Tab, arrows, Enter and Escape, a die too; the focus never falls back to the top of the page."""
    long = DUEL.replace("[[5, 4], [9, 4], [9, 4.4], [5, 4.4]]", "[[1, 4], [13, 4], [13, 4.4], [1, 4.4]]")
    page = duel(long.replace("at = [6, 12]", "at = [7, 5.2]").replace("at = [20, 20]", "at = [20, 20]\nprone = true"))
    press = page.page.keyboard.press

    def to(selector):
        for _ in range(60):
            if page.page.evaluate(f"document.activeElement.matches({selector!r})"):
                return
            press("Tab")
        raise AssertionError(f"{selector} cannot be reached")

    def kept():
        page.page.wait_for_timeout(100)
        assert page.page.evaluate("document.activeElement !== document.body")

    to('[data-tab="model"]')
    while not page.page.evaluate("document.activeElement.matches('[data-tab=play]')"):
        press("ArrowRight")
    to("#priority")
    press("e")
    to("#play-begin")
    press("Enter")
    page.until("", "evil moves")
    kept()
    to('[data-movable="lurtz"]')
    press("Enter")
    page.page.get_by_text("Lie down").wait_for()
    kept()
    to('[data-model="lurtz"]')
    for key in ["ArrowRight"] * 3 + ["Escape"]:
        press(key)
    page.until("", "put back")
    for key in ["ArrowDown"] * 20 + ["Enter"]:
        press(key)
    page.page.wait_for_selector('[data-roll="6"]')
    press("6")
    page.wait("document.querySelectorAll('#steps li').length === 1")
    assert page.place("lurtz") == pytest.approx((7, 3.2))
    assert page.page.get_by_text("Lie down").count() == 0  # it has moved
    to("#play-end")
    press("Enter")
    to('[data-movable="sam"]')
    press("Enter")
    page.page.get_by_text("Crawl…").wait_for()
    while page.page.evaluate("document.activeElement.textContent") != "Stand up":
        press("Tab")
    press("Enter")
    page.wait("document.querySelectorAll('#steps li').length === 2")
    kept()
    to("#play-end")
    press("Enter")
    page.until("", "The Move phase is over")
    kept()
    to('[data-next="good"]')
    press("Enter")
    page.until("", "good moves")
    kept()


def test_the_table_of_a_phase_is_not_changed_under_it(duel):
    """A ruling or a field changed in mid-phase set the models back on the picture, and was in no file."""
    page = duel()
    begun(page)
    at = page.place("lurtz")
    page.tab("rules")
    eye = page.page.locator('[data-ruling="eye"]')
    eye.select_option("volume")
    page.until("error", "leave it to change the table")
    page.wait("document.querySelector('[data-ruling=eye]').value === 'centre'")
    page.tab("build")
    move = page.page.locator('[data-key="model-move"]')
    move.fill("9")
    move.press("Enter")
    page.wait("document.querySelector('[data-key=model-move]').value !== '9'")
    assert page.place("lurtz") == at
    page.tab("play")
    page.page.locator("#play-leave").click()
    page.page.wait_for_selector("#play-begin")
    page.tab("rules")
    eye.select_option("volume")
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('volume')")


_LEAVES = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"


def begun(page):
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    page.page.wait_for_selector('[data-movable="lurtz"]')
    page.drag((6, 12), (6, 14))
    page.wait("document.querySelectorAll('#steps li').length === 1")


def test_a_game_in_progress_is_saved_as_it_stands_and_not_left_unasked(duel):
    page = duel()
    begun(page)
    assert page.page.evaluate(_LEAVES)  # the browser asks
    page.tab("file")
    page.wait("document.querySelector('#file-state')?.textContent.startsWith('There are changes')")
    page.page.keyboard.press("Control+s")
    page.wait("document.querySelector('#file-state').textContent.startsWith('All')")
    moves = tomllib.loads(page.path.read_text(encoding="utf-8"))["moves"]
    assert [move["to"] for move in moves] == [pytest.approx([6, 14], abs=1e-4)]
    assert not page.page.evaluate(_LEAVES)
    page.tab("play")
    page.wait("document.querySelectorAll('#steps li').length === 1")  # and the game goes on
    page.page.locator("#play-leave").click()
    page.tab("file")
    page.wait("document.querySelector('#file-state')?.textContent.startsWith('There are changes')")


def test_a_game_whose_page_is_lost_is_offered_again(duel):
    page = duel()
    begun(page)
    page.wait("JSON.stringify({ ...localStorage }).includes('moves')")
    page.page.on("dialog", lambda dialog: dialog.accept())
    page.page.reload()
    page.page.locator("#take-left").click()
    page.wait("!document.querySelector('#dialog').open")
    page.tab("play")
    page.page.locator("#play-resume").click()
    page.wait("document.querySelector('#turn-of')?.textContent.includes('evil moves')")
    assert page.place("lurtz") == pytest.approx((6, 14), abs=1e-4)
    page.page.keyboard.press("Control+s")
    page.until("", "is saved")
    assert "[[moves]]" in page.path.read_text(encoding="utf-8")
    page.page.reload()
    page.wait("document.documentElement.dataset.ready === 'yes'")
    assert not page.page.locator("#dialog").is_visible()


def test_a_game_that_the_file_keeps_goes_on(duel):
    page = duel(DUEL + """
[phase]
priority = "evil"
[[moves]]
model = "lurtz"
to = [6, 14]
[[moves]]
model = "merry"
to = [10, 13]
[[turns]]
priority = "evil"
""")  # fmt: skip
    page.tab("play")
    page.page.locator("#play-resume").click()
    page.wait("document.querySelector('#turn-of')?.textContent.startsWith('Turn 2: evil moves')")
    assert page.place("lurtz") == (6, 14)
    page.drag((6, 14), (6, 15))
    page.wait("document.querySelectorAll('#steps li').length === 1")
    page.page.locator("#play-keep").click()
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('turns.moves')")
    kept = tomllib.loads(page.page.locator("#text").input_value())
    assert [move["model"] for move in kept["moves"]] == ["lurtz", "merry"]
    assert [move["to"] for move in kept["turns"][0]["moves"]] == [pytest.approx([6, 15], abs=1e-4)]
    page.tab("play")
    assert page.page.locator("#play-begin").inner_text() == "Begin anew"


def test_a_warband_comes_on_where_its_first_model_has(duel):
    band = DUEL.partition("[models.merry]")[0]
    for name in ("merry", "sam"):
        band += f'[models.{name}]\nprofile = "man"\nside = "good"\noff_table = true\nkeywords = ["warband-1"]\n'
    page = duel(band)
    page.tab("play")
    page.page.locator("#priority").select_option("good")
    page.page.locator("#play-begin").click()
    page.until("", "good moves")
    page.page.locator("#play-end").click()
    for name, at in (("merry", (2, 12)), ("sam", (2, 14))):
        page.page.locator(f'[data-arrive="{name}"]').click()
        page.page.mouse.click(*page.at(*at))
        page.wait(f"document.querySelectorAll('#steps li').length === {1 if name == 'merry' else 2}")
    assert page.place("merry") == pytest.approx((2, 12), abs=1e-4)
    assert page.place("sam") == pytest.approx((2, 14), abs=1e-4)


def test_who_is_not_to_move_is_told_so_while_in_the_hand(duel):
    """A yes in green, and a refusal where it is put down, was too late."""
    page = duel()
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    page.page.wait_for_selector('[data-movable="lurtz"]')
    page.drag((20, 20), (20, 18), drop=False)
    words = page.until("no", "else sam to (20, 18): yes")  # places on the way may be answered before it
    assert words.startswith("sam does not move now: evil moves")
    page.page.mouse.up()
    page.until("no", "(MOV.1)")
    page.drag((6, 12), (6, 10), drop=False)
    assert page.until("yes", "lurtz to (6, 10): yes").startswith("lurtz to")
    page.page.mouse.up()
