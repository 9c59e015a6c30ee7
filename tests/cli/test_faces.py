"""The other commands: what they refuse, and what they hand on."""

from __future__ import annotations

import json
import re
import sys
import types
from fractions import Fraction

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.cli.group import _COMMANDS, _MEANT


def test_help_and_version(run):
    listed = run("--help").stdout
    assert all(
        name in listed for name in ("check", "reach", "charges", "denies", "plot", "section", "simulate", "schema")
    )
    assert run("--version").exit_code == 0


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["chek"],
        ["check"],
        ["check", "x.toml", "--jsno"],
        ["reach", "FILE"],
        ["reach", "FILE", "lurzt"],
        ["charges", "FILE", "lurzt"],
        ["denies", "FILE", "lurzt"],
        ["reach", "FILE", "lurtz", "--plot", "x.bmp"],
        ["plot", "FILE"],
        ["plot", "FILE", "--out", "x"],
        ["plot", "FILE", "nope", "--out", "x.png"],
        ["section", "FILE", "nope", "--out", "x.png"],
        ["simulate", "FILE", "nope", "--trials", "9", "--seed", "1"],
        ["simulate", "FILE", "can-he", "--trials", "0"],
        ["simulate", "FILE", "can-he", "--seed", "-1"],
        ["simulate", "FILE", "can-he", "--seed", "x"],
        ["schema", "--game", "chess"],
    ],
)
def test_wrong_calls_end_with_exit_2_and_a_message(run, solver, file, args):
    result = run(*(file if arg == "FILE" else arg for arg in args))
    assert result.exit_code == 2
    assert result.output.strip()
    assert "Traceback" not in result.output


def test_names_are_guessed(run, file):
    assert "did you mean `lurtz`" in run("reach", file, "lurzt").stderr
    assert "no question is called 'x' in this file; there are `can-he`, `how-far`" in run("check", file, "x").stderr


def test_a_file_that_asks_nothing_says_so(run, tmp_path):
    for text, quoted in (("[table]\nwidth = 24\ndepth = 24\n", "'x'"), ('game = "metw"\n', "`x`")):
        file = tmp_path / "silent.toml"
        file.write_text(text, encoding="utf-8")
        assert f"no question is called {quoted} in this file; there are none" in run("check", file, "x").stderr


def test_plot_writes_a_picture(run, solver, file, tmp_path):
    out = tmp_path / "table.svg"
    assert run("plot", file, "--out", out).exit_code == 0
    assert "<svg" in out.read_text(encoding="utf-8")
    result = run("plot", file, "--out", tmp_path / "no" / "x.png")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("check", "FILE", "can-he", "--certificate", "no/x.json"),
        ("check", "FILE", "can-he", "--report", "no/x.html"),
        ("reach", "FILE", "lurtz", "--plot", "no/x.svg"),
        ("replay", "FILE", "--out", "no/x.toml"),
        ("next", "FILE", "--out", "no/x.toml"),
    ],
)
def test_a_folder_that_is_missing_is_told_before_anything_is_asked(run, solver, file, args):
    result = run(*(file if arg == "FILE" else arg for arg in args))
    assert result.exit_code == 2
    assert "cannot be written: there is no folder no" in result.stderr
    assert result.stdout == ""


ODD = """\
[table]
width = 24
depth = 24
[models."Éowyn of Rohan"]
base = 1
height = 1
move = 0
side = "good"
at = [5, 5]
[models."a.b"]
base = 1
move = 3
side = "evil"
at = [9, 5]
[questions."can she"]
ask = "charge"
model = "a.b"
target = "Éowyn of Rohan"
"""


def test_ids_with_blanks_and_dots_are_told_and_read_whole(run, tmp_path):
    file = tmp_path / "odd.toml"
    file.write_text(ODD.replace("move = 0\n", ""), encoding="utf-8")
    lacking = run("reach", file, "Éowyn of Rohan").stderr
    assert lacking == f"{file}:4:2: models.Éowyn of Rohan.move: is missing, and this question needs it\n"
    file.write_text(ODD, encoding="utf-8")
    swept = run("sweep", file, "can she", "--vary", 'models."a.b".move=2:3:1', "--csv")
    assert [row.split(",")[1] for row in swept.stdout.splitlines()[1:]] == ["no", "yes"]
    stood = run("sweep", file, "can she", "--vary", 'models."a.b".prone=true,false').stdout.splitlines()
    assert [line.split()[0] for line in stood[1:]] == ["true", "false"]
    bare = run("sweep", file, "can she", "--vary", "models.a.b.move=2:3:1")
    assert "it is models.ID.move, with an ID that holds dots in quotes" in bare.stderr
    text = ODD.replace('model = "a.b"\ntarget = "Éowyn of Rohan"', 'target = "a.b"\nmodel = "Éowyn of Rohan"')
    file.write_text(text, encoding="utf-8")
    stuck = run("campaign", file, "can she")
    assert stuck.stderr == f"{file}:7:8: models.Éowyn of Rohan.move: is 0.0: it gets nowhere in any number of turns\n"


def test_who_screens_and_who_comes_through_is_printed(run, tmp_path):
    # Nobody is there to stand between them; nine inches away the foe does not come.
    text = "[table]\nwidth = 24\ndepth = 24\n"
    for name, side, x in (("merry", "good", 5), ("lurtz", "evil", 9)):
        text += f'[models.{name}]\nbase = 1\nheight = 1\nmove = 4\nside = "{side}"\nat = [{x}, 5]\n'
    file = tmp_path / "two.toml"
    file.write_text(text, encoding="utf-8")
    told = run("safe", file, "merry", "--screen").stdout.split()
    assert " ".join(told) == "merry screen none found; arrangements asked: 1 who charges lurtz"
    file.write_text(text.replace("[9, 5]", "[15, 5]"), encoding="utf-8")
    assert "none needed: no enemy can charge it where it stands" in run("safe", file, "merry", "--screen").stdout
    assert "--json prints it" in run("safe", file, "merry", "--screen", "--jsonl").stderr


def fake(monkeypatch, name, function):
    module = types.ModuleType(f"sbg_sim.solver.{name}")
    setattr(module, name, function)
    monkeypatch.setitem(sys.modules, f"sbg_sim.solver.{name}", module)


def test_reach(run, file, monkeypatch):
    def reach(table, model, **_):
        inner, outer = shapely.box(0, 0, 2, 2), shapely.box(0, 0, 3, 2)
        return types.SimpleNamespace(
            table=table,
            model=model,
            allowance=6.0,
            area=inner,
            area_error=0.001,
            regions=((Fraction(1), inner), (Fraction(5, 6), outer)),
            swept=shapely.box(0, 0, 4, 4),
            contacts={"merry": ((0.5, 1.0),)},
        )

    fake(monkeypatch, "reach", reach)
    data = json.loads(run("reach", file, "lurtz", "--json").stdout)
    assert (data["model"], data["area"], data["swept"]) == ("lurtz", 4.0, 16.0)
    assert data["areas"] == {"1/1": 4.0, "5/6": 6.0}
    assert data["contacts"] == {"merry": [[0.5, 1.0]]}
    assert "merry" in run("reach", file, "lurtz").stdout


CHARGING = "scenarios/charging-2.toml"


def test_charges(run):
    entries = json.loads(run("charges", CHARGING, "uruk-1", "--json").stdout)
    assert [(e["target"], e["answer"], e["binds"]) for e in entries] == [
        ("aragorn", "yes", []),
        ("boromir", "yes", ["aragorn"]),
        ("pippin", "no", ["aragorn"]),
    ]
    assert "CHG.1: uruk-1 does not see pippin: hidden by aragorn" in run("charges", CHARGING, "uruk-1").stdout


def test_lists_of_several_models_come_one_after_the_other(run):
    said = run("charges", CHARGING, "uruk-1", "uruk-3").stdout
    assert said.index("uruk-1:") < said.index("uruk-3:")
    alone = [json.loads(run(verb, CHARGING, m, "--json").stdout) for verb in ("reach",) for m in ("uruk-1", "uruk-3")]
    assert json.loads(run("reach", CHARGING, "uruk-1", "uruk-3", "--json").stdout) == alone
    lines = [json.loads(line) for line in run("charges", CHARGING, "uruk-1", "uruk-3", "--jsonl").stdout.splitlines()]
    assert [(one["model"], one["target"]) for one in lines] == [
        (m, t) for m in ("uruk-1", "uruk-3") for t in ("aragorn", "boromir", "pippin")
    ]
    assert run("charges", CHARGING, "uruk-1", "uruk-3", "--plot", "x.png").exit_code == 2
    assert run("charges", CHARGING, "uruk-1", "--json", "--jsonl").exit_code == 2


def test_lists_in_other_units(run):
    said = run("charges", CHARGING, "uruk-3", "--units", "mm").stdout
    assert "58.05 of 152.4 mm, 94.35 mm to spare" in said  # 2.2853 of 6 in
    assert "cm" in run("reach", CHARGING, "uruk-3", "--units", "cm").stdout
    assert "sq cm" in run("denies", CHARGING, "uruk-3", "--units", "cm").stdout


def test_a_list_that_is_cut_off_shows_what_it_has(run, monkeypatch):
    from sbg_sim.contested import charges as lists

    whole = lists.charges

    def cut(table, model, *, told):
        def once(entry, total):
            told(entry, total)
            raise KeyboardInterrupt

        return whole(table, model, told=once)

    monkeypatch.setattr(lists, "charges", cut)
    result = run("charges", CHARGING, "uruk-1")
    assert result.exit_code == 130
    assert "aragorn" in result.stdout
    assert "pippin" not in result.stdout
    assert "uruk-1: 1 enemies decided when it ended" in result.stderr


def test_denies(run, file, monkeypatch):
    entry = types.SimpleNamespace(enemy="merry", area=1.5, area_without=9.0)
    fake(monkeypatch, "denials", lambda table, model, progress: types.SimpleNamespace(entries=(entry,)))
    assert json.loads(run("denies", file, "lurtz", "--json").stdout) == [
        {"enemy": "merry", "denied": 1.5, "area_without": 9.0}
    ]


def test_zones_that_take_nothing_away_are_not_listed(run, file, monkeypatch):
    told = [types.SimpleNamespace(enemy=e, area=a, area_without=9.0 + a) for e, a in (("merry", 1.5), ("pippin", 0.0))]
    found = types.SimpleNamespace(entries=told, table=sbg.load(file))
    fake(monkeypatch, "denials", lambda table, model, progress: found)
    lines = run("denies", file, "lurtz").stdout.splitlines()
    assert [line.split() for line in lines[1:2]] == [["merry", "1.50", "10.50"]]
    assert "pippin" not in "".join(lines)
    found.entries = told[1:]
    assert "no zone  0" in run("denies", file, "lurtz").stdout


def test_schema(run):
    assert json.loads(run("schema").stdout)["properties"]["table"]
    assert json.loads(run("schema", "--game", "metw").stdout)["properties"]["companies"]


def test_importing_the_command_line_loads_no_matplotlib_and_no_rich():
    import subprocess

    code = "import sys, sbg_sim.cli; print([m for m in ('matplotlib', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_words_that_mean_a_command_are_no_command_and_name_one():
    for word, said in _MEANT.items():
        assert word not in _COMMANDS
        assert re.findall(r"`(\w+)", said)[0] in _COMMANDS


def test_the_list_of_commands_says_each_in_full(run):
    told = run("--help").stdout.split("Commands:")[1]
    assert "..." not in told
    assert "record in FILE up to its first illegal move." in told


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chek"], "did you mean `check`?"),
        (["why", "FILE", "lurtz-to-merry"], "no command is called 'why'; `check FILE QUESTION` answers, and says why"),
        (["Draw", "FILE"], "`plot FILE [QUESTION] --out OUT` draws"),
        (["FILE"], "answers its questions"),
        (["reach", "FILE", "lurtz", "--plot", ".png"], "has no name before its suffix"),
        (["reach", "FILE", "lurtz", "--plot", "png"], "must end in"),
        (["reach", "FILE", "lurtz", "--plot", ""], "the name of a file is empty"),
        (["doubt", "FILE", "lurtz-to-merry", "--sigma", "1.2.3"], "'1.2.3' is not a length"),
        (["doubt", "FILE", "lurtz-to-merry", "--sigma", "-1 mm"], "'-1 mm' is not greater than 0"),
        (["film", "FILE", "lurtz-to-merry", "--out", "x.gif", "--seconds", "nan"], "'nan' is not a number"),
        (["schema", "--certificate", "--game", "metw"], "choose one"),
        (["sweep", "FILE", "q", "--vary", "models.lurtz.move=4,5", "--vary", "models.lurtz.base=1,2"], "once"),
    ],
)
def test_what_may_have_been_meant(run, args, said):
    result = run(*["scenarios/amon-hen.toml" if a == "FILE" else a for a in args])
    assert result.exit_code == 2
    assert said in result.output
