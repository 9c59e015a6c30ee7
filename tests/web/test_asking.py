"""Questions of the page: several targets, links to them, and what a model's fields do to their answers."""

from __future__ import annotations

import tomllib

import pytest

from tests.web.conftest import DUEL
from tests.web.test_playing import begun

BESIDE = DUEL.replace("at = [20, 20]", "at = [10, 13.5]")
"""Sam stands half an inch from Merry: one base can touch both."""


def answer_of(page):
    return page.page.locator("#answer").inner_text()


def test_a_charge_has_several_targets(duel):
    page = duel(BESIDE)
    page.tab("ask")
    page.page.locator('[data-key="draft-target"]').select_option("merry")
    more = page.page.locator('[data-key="draft-also-0"]')
    assert more.locator("option").all_inner_texts() == ["none", "sam"]
    more.select_option("sam")
    page.page.locator("#ask-now").click()
    page.until("yes", "lurtz into merry and sam: yes")
    page.page.get_by_text("Add to the file").click()
    page.until("", "added as charge-1")
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('charge-1')")
    kept = tomllib.loads(page.page.locator("#text").input_value())
    assert kept["questions"]["charge-1"] == {"ask": "charge", "model": "lurtz", "target": ["merry", "sam"]}
    page.tab("ask")
    page.page.locator('[data-key="draft-also-0"]').select_option("")
    page.page.locator("#ask-now").click()
    page.until("yes", "lurtz into merry: yes")


def copied(page):
    page.page.get_by_text("Copy as link").click()
    page.until("", "copied")
    return page.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize("kind", ["charge", "gap", "move"])
def test_the_fields_hold_the_question_of_a_link(duel, sheet, kind):
    page = duel(BESIDE)
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.tab("ask")
    page.page.locator('[data-key="draft-ask"]').select_option(kind)
    fields = {
        "charge": {"model": "lurtz", "target": "sam", "also-0": "merry"},
        "gap": {"model": "sam", "one": "merry", "two": "wall"},
        "move": {"model": "merry", "place": "12, 14"},
    }[kind]
    for key, value in fields.items():
        field = page.page.locator(f'[data-key="draft-{key}"]')
        field.fill(value) if key == "place" else field.select_option(value)
    page.page.locator('[data-key="draft-model"]').focus()
    link = copied(page)
    other = sheet(link)
    other.page.wait_for_selector("#answer table")
    there = {key: other.page.locator(f'[data-key="draft-{key}"]').input_value() for key in fields}
    assert there == fields
    other.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert copied(other) == link


def test_a_link_from_a_phase_holds_the_table_as_it_stands(duel, sheet):
    page = duel()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begun(page)
    here = page.place("lurtz")
    page.tab("ask")
    page.page.locator('[data-key="draft-ask"]').select_option("measure")
    page.page.locator("#ask-now").click()
    page.page.wait_for_selector("#answer table")
    other = sheet(copied(page))
    other.page.wait_for_selector("#answer table")
    assert other.place("lurtz") == pytest.approx(here)
    assert answer_of(other) == answer_of(page)


def written(page, key, value, stands):
    field = page.page.locator(f'[data-key="model-{key}"]')
    field.fill(value)
    field.press("Enter")
    page.wait(
        f"document.querySelector('[data-key=model-{key}]').value === '{stands}' && !document.querySelector('.fault')"
    )


def test_a_doubt_of_a_model_turns_its_answer(duel):
    page = duel()
    page.base("sam").click()
    page.tab("build")
    written(page, "doubt", "0.5", "0.5")
    page.tab("ask")
    for key, value in (("ask", "move"), ("model", "sam")):
        page.page.locator(f'[data-key="draft-{key}"]').select_option(value)
    page.page.locator('[data-key="draft-place"]').fill("20, 14.2")
    page.page.locator("#ask-now").click()
    page.until("too-close", "sam to (20, 14.2)")


def test_inches_climbed_are_left_out_of_the_climb(duel):
    """Three inches high, of which one is climbed: two are left, each costs two."""
    page = duel(
        DUEL.replace("at = [6, 12]", "at = [6, 17]")
        + '[terrain.tower]\ntags = ["platform"]\nheight = 3.0\n'
        + f"polygon = [[{6 + 12.5 / 25.4}, 14], [12, 14], [12, 20], [{6 + 12.5 / 25.4}, 20]]\n"
    )
    page.base("lurtz").click()
    page.tab("build")
    written(page, "climbed", "1", "1")
    page.tab("ask")
    for key, value in (("ask", "move"), ("model", "lurtz"), ("on", "tower")):
        page.page.locator(f'[data-key="draft-{key}"]').select_option(value)
    page.page.locator('[data-key="draft-place"]').fill(f"{6 + 25 / 25.4}, 17")
    page.page.locator("#ask-now").click()
    page.page.wait_for_selector("#answer table")
    assert "needed\t4\n" in answer_of(page)
