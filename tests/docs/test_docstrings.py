"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import sbg_sim as sbg

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def modules():
    found = [name for _, name, _ in pkgutil.walk_packages(sbg.__path__, "sbg_sim.") if not name.endswith("__main__")]
    return ["sbg_sim", *found]


@pytest.mark.parametrize("name", modules())
def test_examples(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


def test_every_public_name_has_an_example():
    kinds = {name: getattr(sbg, name) for name in sbg.__all__}
    told = {name: thing.__doc__ or "" for name, thing in kinds.items() if callable(thing)}
    assert [name for name, text in told.items() if ">>>" not in text] == []
