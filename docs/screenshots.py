"""Take the pictures of the page anew: ``python docs/screenshots.py`` (needs chromium and playwright)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "page"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]


def crowded(path):
    """Write a table of 60 models and 20 pieces."""
    sys.path.insert(0, str(ROOT))
    import sbg_sim as sbg
    from tests.benchmarks.reach_maps import benchmark_table

    table = benchmark_table(60, 20, 1)
    for name in list(table.models)[1::2]:
        table = table.having(name, side="evil")
    path.write_text(sbg.dump(table), encoding="utf-8")
    return path


def at(page, x, y):
    """Return the place on the screen of a place of the table, inches."""
    k, e, f = page.evaluate(
        "(() => { const m = document.getElementById('world').getScreenCTM(); return [m.a, m.e, m.f]; })()"
    )
    return e + x * k, f - y * k


def choose(page, name):
    """Choose a model and wait for all that is drawn about it."""
    page.locator(f'[data-model="{name}"]').click()
    page.wait_for_selector("path[data-reach]", state="attached")
    page.wait_for_selector("[data-charge]", timeout=120000)  # the last that is looked at
    page.wait_for_timeout(300)


def dragged(page, name, end):
    """Choose a model and hold it over a place."""
    choose(page, name)
    words = page.locator(f'[data-model="{name}"]').get_attribute("transform")
    x, y = (float(n) for n in re.findall(r"-?[\d.]+", words)[:2])
    page.mouse.move(*at(page, x, -y))
    page.mouse.down()
    page.mouse.move(*at(page, *end), steps=6)
    page.wait_for_timeout(1500)


def main():
    """Serve some tables and photograph them."""
    browser = os.environ.get("SBG_SIM_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=FLAGS)
        wide, narrow = {"width": 1200, "height": 760}, {"width": 360, "height": 680}
        scenarios = ROOT / "scenarios"
        shots = (
            ("drag", scenarios / "charging-2.toml", {"viewport": wide}, lambda p: dragged(p, "uruk-3", (10.6, 15.6))),
            ("refused", scenarios / "charging-2.toml", {"viewport": wide}, refused),
            ("charges", scenarios / "amon-hen.toml", {"viewport": wide}, lambda p: choose(p, "lurtz")),
            ("sides", scenarios / "amon-hen.toml", {"viewport": wide}, sides),
            (
                "dark",
                scenarios / "amon-hen.toml",
                {"viewport": wide, "color_scheme": "dark"},
                lambda p: choose(p, "lurtz"),
            ),
            ("narrow", scenarios / "charging-2.toml", {"viewport": narrow}, lambda p: choose(p, "uruk-3")),
            ("crowded", crowded(Path(folder) / "crowded.toml"), {"viewport": wide}, lambda p: choose(p, "me")),
        )
        for name, file, context, act in shots:
            if len(sys.argv) > 1 and name not in sys.argv[1:]:
                continue
            command = [sys.executable, "-m", "sbg_sim", "serve", str(file), "--no-open"]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
            page = chromium.new_context(**context).new_page()
            page.goto(server.stdout.readline().split()[4])
            page.wait_for_selector("html[data-ready]")
            act(page)
            page.screenshot(path=OUT / f"{name}.png")
            page.context.close()
            server.terminate()
            server.wait()
            print(OUT / f"{name}.png")


def refused(page):
    """Drop a model where it may not go."""
    dragged(page, "uruk-3", (18, 13))
    page.mouse.up()
    page.wait_for_selector("[data-ghost]", state="attached")
    page.wait_for_timeout(600)


def sides(page):
    """Show what a side threatens."""
    page.locator('[data-tab="sides"]').click()
    page.locator("#threats").click()
    page.wait_for_selector("[data-threat]", state="attached", timeout=120000)
    page.wait_for_timeout(600)


if __name__ == "__main__":
    main()
