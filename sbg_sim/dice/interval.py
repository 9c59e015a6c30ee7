"""The Wilson score interval of a counted frequency."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from sbg_sim.errors import QuestionError

LEVEL: Final = 0.99
"""The default confidence of intervals."""


def wilson(successes: int, trials: int, *, level: float = LEVEL) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion.

    With p = successes / n and z the two-sided normal quantile of ``level``, the bounds are the two roots of
    (p - q)^2 = z^2 q (1 - q) / n. Without trials the interval is all of [0, 1].

    Parameters
    ----------
    successes, trials
        Counts, ``0 <= successes <= trials``.
    level
        Confidence, strictly between 0 and 1.

    Returns
    -------
    tuple
        Lower and upper bound; exactly 0 below no success, exactly 1 above no failure.

    Raises
    ------
    QuestionError
        If the counts or the level are impossible.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).

    Examples
    --------
    >>> wilson(0, 0)
    (0.0, 1.0)

    """
    if not 0 <= successes <= trials:
        raise QuestionError(f"{successes} successes out of {trials} trials is no count")
    if not 0 < level < 1:
        raise QuestionError(f"a confidence of {level} is not strictly between 0 and 1")
    if trials == 0:
        return (0.0, 1.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    p = successes / trials
    scale = 1 + z * z / trials
    middle = (p + z * z / (2 * trials)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    # At the ends one root is exactly 0 or 1, and subtraction would leave a rounding error there.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return (low, high)
