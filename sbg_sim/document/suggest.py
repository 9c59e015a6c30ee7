"""What was probably meant by a name that does not exist."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def meant(name: object, known: Iterable[str]) -> str:
    """Return the end of a sentence that names the nearest known name, or lists the few there are.

    Parameters
    ----------
    name
        What was written.
    known
        What could have been written.

    Examples
    --------
    >>> meant("bse", ["base", "height"])
    '; did you mean `base`?'
    >>> meant("xyz", ["yes", "no"])
    '; there are `yes`, `no`'
    >>> meant("xyz", [])
    ''

    """
    names = list(dict.fromkeys(known))
    by_fold = {n.casefold(): n for n in names}
    near = difflib.get_close_matches(str(name).casefold(), list(by_fold), n=1)
    if near:
        return f"; did you mean `{by_fold[near[0]]}`?"
    if 0 < len(names) <= 20:
        return f"; there {'are' if len(names) > 1 else 'is'} {', '.join(f'`{n}`' for n in names)}"
    return ""
