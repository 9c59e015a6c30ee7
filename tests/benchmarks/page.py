"""How quick the page is in a real browser: first paint, dragging on a full table, panning and zooming a crowd.

Run from the top folder: ``python -m tests.benchmarks.page [--seed S] [--steps N]``. It needs playwright and chromium.
A drag is timed from the pointer's event to the frame that shows what was answered to it; moves whose answer was
overtaken by a newer one are not counted, since nothing is shown for them. Nothing is asserted about the figures.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from sbg_sim import document, scenario
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.scatter import Recipe, scatter
from tests.web.conftest import FLAGS, Served, Sheet, installed

FULL = Recipe(bases=60, pieces=20, size=48.0, enemies=0.5)
CROWD = Recipe(bases=500, pieces=100, size=96.0, enemies=0.5)
FRAMES = """seconds => new Promise((done) => {
  const times = [];
  const tick = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(tick); else done(times);
  };
  requestAnimationFrame(tick);
})"""


def table_file(folder, recipe, seed):
    """Write a seeded table as a file, without pieces that are at fault: of a table with faults nothing is asked."""
    table = scatter(seed, recipe)
    models = {k: m if m.move else replace(m, move=6.0) for k, m in table.models.items()}
    table = replace(table, models=FrozenMap(models))
    _, faults = scenario.examined(document.parse(scenario.write(table), "table"))
    wrong = {fault.key.split(".")[1] for fault in faults}
    table = replace(table, terrain=FrozenMap({k: t for k, t in table.terrain.items() if k not in wrong}))
    path = Path(folder) / f"{recipe.bases}.toml"
    path.write_text(scenario.write(table), encoding="utf-8")
    return path, table.model("me").at


@contextmanager
def served(path):
    """Serve a file, and leave no process behind whatever happens."""
    server = Served(path)
    try:
        yield server
    finally:
        server.stop()


def spread(values):
    """Median and 95th percentile, whole milliseconds."""
    return f"median {np.median(values):.0f} ms, 95 % {np.percentile(values, 95):.0f} ms, {len(values)} shown"


def dragged(page, at, mode, steps):
    """Drag the mover about its place and return the milliseconds of every answer that was shown."""
    page.page.locator(f'[data-mode="{mode}"]').click()
    page.base("me").click()
    page.page.wait_for_selector('path[data-reach="me"]', state="attached")
    page.page.wait_for_timeout(1500)  # what is slow is asked in another process; let it end
    page.page.evaluate("globalThis.sbgLatencies.length = 0")
    page.page.mouse.move(*page.at(*at))
    page.page.mouse.down()
    for k in range(steps):
        far = 0.3 + 1.2 * k / steps
        page.page.mouse.move(*page.at(at[0] + far * math.cos(k / 9), at[1] + far * math.sin(k / 9)))
        page.page.wait_for_timeout(25)
    page.page.wait_for_timeout(800)
    found = page.page.evaluate("[...globalThis.sbgLatencies]")
    page.page.keyboard.press("Escape")
    page.page.mouse.up()
    return found


def moving(page, seconds=3.0):
    """Pan and zoom for some seconds and return the time between frames, milliseconds."""
    box = page.page.locator("#stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.evaluate(f"globalThis.sbgFrames = ({FRAMES})({seconds})")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        page.page.mouse.wheel(0, 60 if int(time.monotonic() * 2) % 2 else -60)
        page.page.wait_for_timeout(8)
    return np.diff(page.page.evaluate("globalThis.sbgFrames"))


def main(argv=None):
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=120)
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play, ExitStack() as running:
        chromium = play.chromium.launch(executable_path=installed(), args=list(FLAGS))
        running.callback(chromium.close)
        path, at = table_file(folder, FULL, given.seed)
        server = running.enter_context(served(path))
        page = Sheet(chromium.new_page(viewport={"width": 1200, "height": 800}), server.url)
        paints = page.page.evaluate("performance.getEntriesByType('paint').map((p) => [p.name, p.startTime])")
        size = page.page.evaluate("performance.getEntriesByType('resource').reduce((n, r) => n + r.transferSize, 0)")
        print("first paint:", ", ".join(f"{name} {ms:.0f} ms" for name, ms in paints), f"- {size / 1000:.0f} kB")
        for mode, what in (("place", "the outline"), ("move", "the way and the verdict")):
            print(f"drag on 60 + 20, {what}: {spread(dragged(page, at, mode, given.steps))}")
        path, at = table_file(folder, CROWD, given.seed)
        server = running.enter_context(served(path))
        page = Sheet(chromium.new_page(viewport={"width": 1200, "height": 800}), server.url)
        frames = moving(page)
        rate, late = 1000 / np.median(frames), np.percentile(frames, 95)
        print(f"pan and zoom, 500 models: {rate:.0f} frames a second, 95 % of frames within {late:.0f} ms")


if __name__ == "__main__":
    main()
