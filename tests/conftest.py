"""The same examples in every usual run; ``SBG_SIM_RANDOM=1`` draws new ones, as ``pytest -m heavy`` does."""

import os

from hypothesis import settings


def pytest_configure(config):
    random = os.environ.get("SBG_SIM_RANDOM") or config.getoption("markexpr") == "heavy"
    settings.register_profile("same", derandomize=True, deadline=None, database=None)
    settings.register_profile("random", deadline=None, print_blob=True)
    settings.load_profile("random" if random else "same")
