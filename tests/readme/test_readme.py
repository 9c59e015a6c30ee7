"""Every example of the README does what it says: commands, outputs, code, files and pictures."""

from __future__ import annotations

import re
import shlex
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def gallery():
    rows = README.partition("<!-- gallery -->")[2].partition("\n## ")[0]
    return re.findall(r"^\| !\[\]\((\S+)\) .*<br>`sbg-sim (.+)` \|$", rows, re.MULTILINE)


def consoles():
    cases = []
    for block in blocks("console"):
        for case in re.split(r"^\$ sbg-sim ", block, flags=re.MULTILINE)[1:]:
            command, _, output = case.partition("\n")
            cases.append((command, output))
    return cases


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    (tmp_path / "docs" / "gallery").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command):
    return CliRunner().invoke(_sbg_sim, shlex.split(command), prog_name="sbg-sim", catch_exceptions=False)


def drawn(path):
    """Texts in their order, and how many outlines: what a picture shows, whatever the fonts' outlines are."""
    tags = [(part.tag.rpartition("}")[2], part.text) for part in ET.parse(path).iter()]
    return [text for tag, text in tags if tag == "text"], sum(tag == "path" for tag, _ in tags)


def test_the_readme_has_its_examples():
    assert len(gallery()) == 6
    assert len(consoles()) >= 2
    assert blocks("python")
    assert blocks("toml")


def test_python(monkeypatch):
    monkeypatch.chdir(ROOT)
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize(("command", "output"), consoles())
def test_output(command, output, here):
    assert run(command).stdout == output


def test_scenarios(here):
    for number, block in enumerate(blocks("toml")):
        path = here / f"{number}.toml"
        path.write_text(block, encoding="utf-8")
        result = run(f"check {path.name}")
        assert result.exit_code == 0, result.output
        assert sbg.load(path).title == tomllib.loads(block)["title"]


@pytest.mark.parametrize(("picture", "command"), gallery())
def test_gallery(picture, command, here):
    assert picture in command
    result = run(command)
    assert result.exit_code in {0, 1}, result.output
    made, kept = here / picture, ROOT / picture
    assert made.read_bytes() == kept.read_bytes() or drawn(made) == drawn(kept)


def test_first_command_is_sound(here):
    """What `.ci/run` types as a newcomer; here without a new environment."""
    line = README.partition("<!-- first command -->")[2].split("```")[1]
    commands = re.findall(r"sbg-sim ([^&\n]+)", line)
    assert [run(command).exit_code for command in commands] == [0] * len(commands)
    assert list(here.glob("*.svg"))


def test_commands_of_the_overview_exist():
    rows = re.findall(r"^\| `sbg-sim (\w+)", README, re.MULTILINE)
    assert set(rows) == set(_sbg_sim.list_commands(None))


def test_links_lead_somewhere():
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_turns_are_counted_from_one(here):
    lines = run("campaign scenarios/jumping.toml pippin-too-far").stdout
    assert "1: 0.0000  2: 0.8611" in lines
