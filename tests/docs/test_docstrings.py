"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import functools
import importlib
import inspect
import pkgutil
import re
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
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for cls in [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == name]:
        for key, value in vars(cls).items():
            if isinstance(value, functools.cached_property):  # which doctest itself finds from Python 3.13 on only
                told = doctest.DocTestParser().get_doctest(value.__doc__ or "", dict(vars(module)), key, None, None)
                assert runner.run(told).failed == 0


def test_every_public_name_has_an_example():
    kinds = {name: getattr(sbg, name) for name in sbg.__all__}
    told = {name: thing.__doc__ or "" for name, thing in kinds.items() if callable(thing)}
    assert [name for name, text in told.items() if ">>>" not in text] == []


def methods():
    """Methods and properties of the public classes, with their docstrings, but for inherited ones told in a line."""
    for name in sbg.__all__:
        public = getattr(sbg, name)
        kinds = public.__mro__ if isinstance(public, type) else ()
        for kind, (key, value) in ((c, item) for c in kinds for item in vars(c).items()):
            function = next((v for v in (getattr(value, a, None) for a in ("func", "fget", "__func__")) if v), value)
            own = kind is public or (kind.__module__.startswith("sbg_sim") and "\n" in (function.__doc__ or ""))
            if own and not key.startswith("_") and callable(function):
                yield f"{name}.{key}", function.__doc__ or ""


def test_every_public_method_has_an_example():
    told = dict(methods())
    assert len(told) > 90
    assert [name for name, text in told.items() if ">>>" not in text] == []


def parameters():
    """Public functions and classes with what they take, but for errors, which take what their message is made of."""
    for name in sbg.__all__:
        thing = getattr(sbg, name)
        error = isinstance(thing, type) and issubclass(thing, Exception)
        if callable(thing) and not error:
            yield name, thing


@pytest.mark.parametrize(("name", "thing"), parameters())
def test_every_parameter_of_a_public_name_is_told(name, thing):
    text = inspect.getdoc(thing) or ""
    told = re.split(r"\n(?:Returns|Raises|Examples)\n-+", text.partition("Parameters\n----------\n")[2])[0]
    heads = [line for line in told.splitlines() if line and not line.startswith(" ")]
    assert {word.strip() for line in heads for word in line.split(",")} == set(inspect.signature(thing).parameters)


@pytest.mark.parametrize(("name", "thing"), [pair for pair in parameters() if not isinstance(pair[1], type)])
def test_every_public_function_says_what_it_raises(name, thing):
    assert "\nRaises\n------\n" in (inspect.getdoc(thing) or "") or name == "certainty"  # as `check` does
