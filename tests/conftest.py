"""The same examples in every usual run; ``SBG_SIM_RANDOM=1`` draws new ones, as ``pytest -m heavy`` does."""

import gc
import os

import pytest
from hypothesis import settings


def pytest_configure(config):
    random = os.environ.get("SBG_SIM_RANDOM") or config.getoption("markexpr") == "heavy"
    settings.register_profile("same", derandomize=True, deadline=None, database=None)
    settings.register_profile("random", deadline=None, print_blob=True)
    settings.load_profile("random" if random else "same")


def pytest_collection_modifyitems(config, items):
    """What a browser shows on a busy machine may come late: such a test that fails is run once more, and counted."""
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
