"""The site: every example of every page does what it says, and nothing on it leads nowhere."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from tests.plot.letters import LEAST, smallest

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


SHELL = re.compile(r"^```(toml|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OURS = re.compile(r"(?:cat \S+ \| )?sbg-sim (?!serve|play)(?!.*(?:--watch|FILE|\{)).*", re.MULTILINE)  # and that ends


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no shell to type into")
@pytest.mark.parametrize("path", [p for p in PAGES if OURS.search("".join(b for _, b in SHELL.findall(p.read_text())))])
def test_what_a_shell_is_told_runs_as_it_is_written(path, tmp_path):
    page = path.read_text(encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    for name in {"amon-hen.toml", *re.findall(r"scenarios/([\w-]+\.toml)", page)}:
        shutil.copy(ROOT / "scenarios" / name, tmp_path / "scenarios")
    shutil.copy(ROOT / "scenarios" / "amon-hen.toml", tmp_path / "table.toml")  # of the reader's own
    told = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    for kind, text in SHELL.findall(page):
        named = kind == "toml" and script("outputs").NAMED.match(text)
        if named:
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        for line in OURS.findall(text) if kind == "sh" else ():
            done = subprocess.run(
                ["bash", "-c", line], cwd=tmp_path, env=told, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, line
            assert all(said.startswith("wrote ") for said in done.stderr.splitlines()), line
            for made in re.findall(r"--(?:out|report|certificate) (\S+)", line):
                assert (tmp_path / made).stat().st_size > 0


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_somewhere(path):
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
        assert link.startswith(("made/", "../made/")) or (path.parent / link).exists(), link


def test_every_command_is_shown():
    from sbg_sim.cli.group import _sbg_sim

    pages = script("pages")
    shown = {name for name, examples in pages.EXAMPLES.items() if examples} | set(pages.ALSO)
    assert set(_sbg_sim.list_commands(None)) == shown


def test_every_help_has_an_example():
    """Those that the site runs are right, as its own test says; the other two are looked at here."""
    from sbg_sim.cli.examples import EXAMPLES
    from sbg_sim.cli.group import _sbg_sim

    pages = script("pages")
    assert set(EXAMPLES) == set(_sbg_sim.list_commands(None))
    for name, examples in EXAMPLES.items():
        text = CliRunner().invoke(_sbg_sim, [name, "--help"], prog_name="sbg-sim").output
        assert text.endswith("\n  Example:\n" + "".join(f"    sbg-sim {example}\n" for example in examples))
        assert name in pages.ALSO or set(examples) <= set(pages.EXAMPLES[name])
    (schema,), (serve,) = EXAMPLES["schema"], EXAMPLES["serve"]
    assert json.loads(CliRunner().invoke(_sbg_sim, shlex.split(schema)).output)["properties"]
    assert (ROOT / shlex.split(serve)[1]).exists()


def test_no_command_is_shown_with_a_wrong_call():
    pages = script("pages")
    with pages.room():
        page = pages.commands()
    assert "Try 'sbg-sim" not in page
    assert "Error" not in page
    assert page.count("$ sbg-sim") == sum(map(len, pages.EXAMPLES.values()))
    assert page.count("wrote ") >= 6


def test_the_gallery_shows_every_kind_of_picture(tmp_path, monkeypatch):
    from sbg_sim.plot import dispatch

    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    monkeypatch.chdir(tmp_path)
    drawn, usual = set(), dispatch._drawer
    monkeypatch.setattr(dispatch, "_drawer", lambda thing: drawn.add(usual(thing).__name__) or usual(thing))
    monkeypatch.setitem(sys.modules, "gallery", script("gallery"))
    page = script("pages").gallery(tmp_path)
    kinds = {place.partition(":")[2] for place in dispatch._DRAWERS.values()}
    assert kinds - drawn == {"plot_turns"}  # which draws what `plot_chain` counts
    names = re.findall(r"!\[.*?\]\(.*?/(\d\d\.svg)\)", page)
    assert len(names) == page.count("\n## ") == len(set(names))
    pictures = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    assert all("prefers-color-scheme: dark" in picture for picture in pictures.values())
    assert {name for name, picture in pictures.items() if smallest(picture) < LEAST} == set()
    assert sum((tmp_path / name).stat().st_size for name in names) < 3_000_000


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


JSON = {
    "check": "check scenarios/jumping.toml scenarios/disputes/the-sure-way-round.toml",
    "charges": "charges scenarios/charging-2.toml uruk-3",
    "reach": "reach scenarios/jumping.toml pippin",
    "denies": "denies scenarios/control-zones.toml uruk-2",
    "threats": "threats scenarios/jumping.toml good",
    "safe": "safe scenarios/charging-2.toml pippin",
    "safe --screen": "safe scenarios/amon-hen.toml merry --screen",
    "simulate": "simulate scenarios/jumping.toml pippin-goes-on --trials 50",
    "sweep": "sweep scenarios/jumping.toml pippin-goes-on --vary models.pippin.move=3,4 --trials 10",
    "campaign": "campaign scenarios/jumping.toml pippin-too-far",
    "flips": "flips scenarios/disputes/gap-too-narrow.toml a-thousandth-too-narrow",
    "doubt": "doubt scenarios/charging-2.toml third-to-pippin --trials 10",
    "rulings": "rulings scenarios/charging-2.toml third-to-pippin",
    "readings": "readings scenarios/disputes/placed-by-tape.toml",
    "replay": "replay scenarios/phase/three-turns.toml",
    "next": "next scenarios/phase/three-turns.toml --priority good",
    "order": "order scenarios/charging-2-open.toml --wishes uruk-3:pippin",
    "rules": "rules CZ.1",
}


def keys_in(data):
    """Return the keys of JSON that do not hang on what stands in the file."""
    if isinstance(data, list):
        return set().union(*map(keys_in, data)) if data else set()
    if not isinstance(data, dict):
        return set()
    own = {key for key in data if key.isidentifier()}
    named = {
        "areas",
        "platforms",
        "contacts",
        "arcs_by_chance",
        "answers",
        "rulings",
        "moves",
        "results",
        "ellipse",
        "doubts",
    }
    return own.union(*(keys_in(value) for key, value in data.items() if key not in named))


@pytest.mark.parametrize("name", JSON)
def test_every_key_of_the_json_is_told(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    from sbg_sim.cli.group import _sbg_sim

    done = CliRunner().invoke(_sbg_sim, [*shlex.split(JSON[name]), "--json"])
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8").partition("## What comes back")[2]
    (row,) = re.findall(rf"^\| `{name}` \| (.*) \|$", page, re.MULTILINE)
    told = set(re.findall(r"`(\w+)`", page if name in {"check", "charges", "safe --screen"} else row))
    assert keys_in(json.loads(done.stdout)) - told - {"varied"} == set()


def test_every_rule_id_is_listed_in_the_format():
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8").partition("## Rule ids")[2]
    assert set(re.findall(r"`([A-Z]+(?:\.\d+)?)`", page)) == set(sbg.RULES)


@pytest.mark.heavy
def test_the_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    args = [sys.executable, "-m", "sphinx", "-W", "-q", str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "searchindex.js").exists()
    fetched = re.compile(r"""(?:src|href)=["']https?://[^"']+\.(?:js|css|woff2?)""")
    assert [p.name for p in (tmp_path / "site").rglob("*.html") if fetched.search(p.read_text(encoding="utf-8"))] == []
