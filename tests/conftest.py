"""The same examples in every usual run; ``SBG_SIM_RANDOM=1`` draws new ones, as ``pytest -m heavy`` does.

Of the cases of one test those that take long are left to ``pytest -m heavy``: ``long_cases.txt`` names them.
"""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

LONG = Path(__file__).with_name("long_cases.txt")


def pytest_configure(config):
    random = os.environ.get("SBG_SIM_RANDOM") or config.getoption("markexpr") == "heavy"
    settings.register_profile("same", derandomize=True, deadline=None, database=None)
    settings.register_profile("random", deadline=None, print_blob=True)
    settings.load_profile("random" if random else "same")


@pytest.hookimpl(tryfirst=True)  # before those are left out that a call does not choose
def pytest_collection_modifyitems(config, items):
    """Mark the cases that take long; a name in the list of a test that is no more is an error.

    What a browser shows on a busy machine may come late: such a test that fails is run once more, and counted.
    """
    named = set(LONG.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid in named:
            item.add_marker(pytest.mark.heavy)
    files, there = {item.nodeid.partition("::")[0] for item in items}, {item.nodeid for item in items}
    gone = sorted(one for one in named - there if one.partition("::")[0] in files)
    if gone and not any("::" in arg for arg in config.args):
        raise pytest.UsageError(f"{LONG.name} names what is no test: {', '.join(gone)}")
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if "browser" in item.fixturenames:
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no cycles among thousands of tests, which stay: neither while they are collected nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each process long runs of tests in their order, stolen only at the end: what a file shares is made once."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
