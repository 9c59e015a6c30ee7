"""Which keys of a file are wrong, of form or otherwise."""

import pytest
from pydantic import ValidationError

from sbg_sim.errors import FileFaultsError


@pytest.fixture
def wrong_keys():
    """Return the dotted keys of the faults that `make` raises; the kind of a question is no part of them."""

    def keys(make):
        with pytest.raises((FileFaultsError, ValidationError)) as caught:
            make()
        if isinstance(caught.value, FileFaultsError):
            return [fault.key for fault in caught.value.faults]
        locs = (error["loc"] for error in caught.value.errors())
        return [".".join(map(str, (*loc[:2], *loc[3:]) if loc[0] == "questions" else loc)) for loc in locs]

    return keys
