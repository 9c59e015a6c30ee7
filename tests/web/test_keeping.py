"""What is kept: files and two pages on one, links, pictures, sheets, and a server that dies."""

from __future__ import annotations

import signal
import tomllib

import pytest

from tests.web.conftest import DUEL


def test_of_another_file_it_is_said_where_saving_writes_it_and_that_its_faults_keep_it_from_answers(duel, tmp_path):
    page = duel()
    other = tmp_path / "other.toml"
    for written, answer, told in (
        (DUEL, "", "other.toml is open; saving writes it over duel.toml"),
        (DUEL.replace("base =", "bas ="), "error", "duel.toml; a fault keeps it from being asked anything"),
        (DUEL.replace("width = 24\ndepth = 24", 'width = 24\ndepth = "x"\ndeep = 2'), "error", "2 faults keep it"),
    ):
        other.write_text(written, encoding="utf-8")
        page.tab("file")
        page.page.locator("#open-file").set_input_files(str(other))
        page.until(answer, told)
    assert page.page.locator("#legend").inner_text() == "24 × ? in"


def test_save_and_read_back_and_two_pages(duel, sheet):
    page = duel()
    other = sheet(page.server.url)
    page.drag((6, 12), (6, 16))
    page.wait("document.querySelector('#undo').disabled === false")
    page.page.keyboard.press("Control+s")
    page.until("", "saved")
    assert tomllib.loads(page.path.read_text(encoding="utf-8"))["models"]["lurtz"]["at"][1] == pytest.approx(
        16, abs=0.1
    )
    other.drag((20, 20), (20, 16))
    other.wait("document.querySelector('#undo').disabled === false")
    other.page.keyboard.press("Control+s")
    other.page.wait_for_selector("#take-theirs")
    assert tomllib.loads(page.path.read_text(encoding="utf-8"))["models"]["sam"]["at"] == [20, 20]
    other.page.locator("#take-theirs").click()
    other.until("", "the other version is open; Undo goes back to yours")
    other.wait("document.querySelector('[data-model=sam]').getAttribute('transform') === 'translate(20 -20)'")
    other.page.locator("#undo").click()
    other.wait("document.querySelector('[data-model=sam]').getAttribute('transform') !== 'translate(20 -20)'")


def test_what_is_put_down_is_saved_though_it_is_still_being_judged(duel):
    page = duel()
    page.page.evaluate(
        "(() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) {"
        " setTimeout(() => send.call(this, text), text.startsWith('held') ? 1000 : 0); }; })()"
    )
    page.drag((6, 12), (6, 16))
    page.page.keyboard.press("Control+s")
    page.until("", "saved")
    at = tomllib.loads(page.path.read_text(encoding="utf-8"))["models"]["lurtz"]["at"]
    assert at == pytest.approx([6, 16], abs=0.1)


def test_a_server_killed_in_mid_drag(duel, serve, tmp_path):
    path = tmp_path / "duel.toml"
    path.write_text(DUEL, encoding="utf-8")
    page = duel(on=(serve(path), path))
    port = page.server.url.rpartition(":")[2].strip("/")
    page.drag((6, 12), (6, 15))
    page.wait("document.querySelector('#undo').disabled === false")
    here = page.place("lurtz")
    page.drag(here, (8, 15), drop=False)
    page.server.stop(signal.SIGKILL)
    page.page.wait_for_selector("#away", state="visible")
    page.page.mouse.up()
    assert page.place("lurtz") == here
    serve(page.path, "--port", port)
    page.page.wait_for_selector("#away", state="hidden", timeout=60000)
    page.drag(here, (here[0], 16), drop=False)
    page.until("yes", "lurtz to")
    page.page.mouse.up()


def test_a_question_as_a_link(duel, sheet):
    page = duel()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.tab("ask")
    page.page.locator('[data-key="draft-model"]').select_option("lurtz")
    page.page.locator('[data-key="draft-target"]').select_option("sam")
    page.page.get_by_text("Copy as link").click()
    page.until("", "copied")
    link = page.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(page.server.url + "#table=")
    other = sheet(link)
    other.until("no", "lurtz into sam")


def test_pictures_are_exported(duel):
    page = duel()
    page.tab("file")
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        with page.page.expect_download(timeout=60000) as waited:
            page.page.locator(f"#export-{kind}").click()
        assert waited.value.suggested_filename == f"table.{kind}"
        with open(waited.value.path(), "rb") as file:  # noqa: PTH123
            assert file.read(5).startswith(start)
    page.base("lurtz").click()
    page.page.get_by_text("SVG of where lurtz can go").wait_for()


def test_the_sheet_about_a_question(duel):
    page = duel()
    page.tab("ask")
    page.page.locator('[data-key="draft-model"]').select_option("lurtz")
    page.page.locator('[data-key="draft-target"]').select_option("sam")
    with page.page.expect_download(timeout=60000) as waited:
        page.page.locator("#sheet").click()
    with open(waited.value.path(), encoding="utf-8") as file:  # noqa: PTH123
        text = file.read()
    assert text.lstrip().lower().startswith("<!doctype html")
    assert "lurtz" in text
    assert f"sbg_sim {page.server.call('/api/health')[1]['version']}" in text
