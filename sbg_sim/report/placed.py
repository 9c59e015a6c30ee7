"""Places of models from tape readings, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sbg_sim.report.verdicts import number

if TYPE_CHECKING:
    from sbg_sim.tape import Fit


def fit_json(fit: Fit) -> dict[str, Any]:
    """Return places, ellipses of one standard deviation, residuals (read less computed) and mirror images, inches."""
    models = []
    for name, at in fit.places.items():
        major, minor, turn = fit.ellipse(name)
        ellipse = {"major": number(major), "minor": number(minor), "turn": number(turn)}
        models.append({"model": name, "at": [number(v) for v in at], "ellipse": ellipse})
    rows = [
        {
            "from": reading.start,
            "to": reading.end,
            "measured": "centres" if reading.centres else "edges",
            "inches": number(reading.inches),
            "doubt": number(reading.doubt),
            "residual": number(off),
            "sigmas": number(off / reading.doubt),
        }
        for reading, off in zip(fit.readings, fit.residuals, strict=True)
    ]
    return {
        "models": models,
        "readings": rows,
        "worst": fit.worst,
        "freedom": fit.freedom,
        "sum_of_squares": number(fit.sum_of_squares),
        "images": [{name: [number(v) for v in at] for name, at in image.items()} for image in fit.images],
    }
