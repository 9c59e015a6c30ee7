"""The site: every example of every page does what it says, and nothing on it leads nowhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sbg_sim as sbg

ROOT = Path(__file__).parents[2]
PAGES = sorted(p for p in (ROOT / "docs").rglob("*.md") if "made" not in p.parts and "static" not in p.parts)
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rounded(page):
    """Numbers to four digits: another processor may differ in the last ones."""
    return re.sub(r" +", " ", NUMBER.sub(lambda m: f"{float(m[0]):.4g}", page))


@pytest.mark.parametrize("path", [p for p in PAGES if "$ sbg-sim" in p.read_text() or "```python" in p.read_text()])
def test_examples(path):
    page = path.read_text(encoding="utf-8")
    assert rounded(script("outputs").renewed(page)) == rounded(page)


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_somewhere(path):
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
        assert link.startswith(("made/", "../made/")) or (path.parent / link).exists(), link


def test_every_command_is_shown():
    from sbg_sim.cli.group import _sbg_sim

    waits = {"explore", "film", "phase", "play", "plot", "schema", "section", "serve", "verify"}
    assert set(_sbg_sim.list_commands(None)) <= set(script("pages").EXAMPLES) | waits


def test_every_public_name_has_a_page():
    told = set()
    for path in (ROOT / "docs" / "api").glob("*.md"):
        for names in re.findall(r"<!-- api: (.*?) -->", path.read_text(encoding="utf-8")):
            told |= set(names.split())
    assert set(sbg.__all__) - {"RULES", "RULINGS"} <= told


def test_every_key_and_rule_is_told():
    pages = script("pages")
    keys, rules = pages.keys(), pages.rules()
    for key in ("holes", "circle", "wkt", "lets_through", "rolls", "arrive", "climbed", "between", "tolerance"):
        assert f"| `{key}` |" in keys
    assert [name for name in sbg.RULES if f"### {name} " not in rules] == []


@pytest.mark.heavy
def test_the_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    args = [sys.executable, "-m", "sphinx", "-W", "-q", str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "searchindex.js").exists()
    fetched = re.compile(r"""(?:src|href)=["']https?://[^"']+\.(?:js|css|woff2?)""")
    assert [p.name for p in (tmp_path / "site").rglob("*.html") if fetched.search(p.read_text(encoding="utf-8"))] == []
