"""Distances and gaps measured, reaches, and answers in doubt."""

from __future__ import annotations

from chapters.form import HAIR, box, model, num, position, table


def measuring() -> None:
    """MOV.3: distances are measured between nearest edges."""
    for dx, dy, b1, b2 in ((5, 0, 1.0, 1.0), (3, 4, 1.0, 2.0), (6, 2.5, 0.984251968504, 1.5)):
        formula = f"hypot({dx}, {dy}) - ({b1} + {b2})/2"
        on = table({"m": model((8, 8), base=b1), "e": model((8 + dx, 8 + dy), "evil", base=b2)})
        told = {
            "change": {"models": {"m": {"base": num(b1 + 2 * HAIR)}}},
            "mirror": {"inches": f"{formula} - {HAIR}"},
        }
        why = "From base to base: the distance of the centres less both radii."
        position(
            "measuring", f"bases-{dx}-{dy}", why, on, {"ask": "measure", "from": "m", "to": "e"}, inches=formula, **told
        )
    for dx, dy in ((3, 4), (2, 0), (0, 2.5), (1, 1)):
        formula = f"hypot({dx}, {dy}) - 0.5"
        house = {"house": {"tags": ["obstacle"], "height": 3.0, "polygon": box(12, 12, 16, 16)}}
        on = table({"m": model((12 - dx, 12 - dy))}, house)
        told = {"change": {"models": {"m": {"base": 1 + 2 * HAIR}}}, "mirror": {"inches": f"{formula} - {HAIR}"}}
        why = "From a base to a corner: the distance of the centre from it less the radius."
        position(
            "measuring",
            f"corner-{dx}-{dy}",
            why,
            on,
            {"ask": "measure", "from": "m", "to": "house"},
            inches=formula,
            **told,
        )


def reaching() -> None:
    """MOV.3: where a move can end."""
    for move, x in ((6.0, 12), (3.0, 12), (4.5, 12)):
        on = table({"m": model((x, 12), move=move)})
        told = {
            "change": {"models": {"m": {"move": num(move + 0.01)}}},
            "mirror": {"area": f"pi*({move} + 0.01)**2"},
        }
        why = "On open ground the centre can end anywhere in a disc of the Move's radius."
        position("reaching", f"open-{move}", why, on, {"ask": "reach", "model": "m"}, area=f"pi*{move}**2", **told)
    on = table({"m": model((12, 0.5), move=4.0)})
    told = {"change": {"models": {"m": {"move": 4.01}}}, "mirror": {"area": "pi*4.01**2/2"}}
    why = "Along the table's edge half of the disc is left."
    position("reaching", "edge", why, on, {"ask": "reach", "model": "m"}, area="pi*4**2/2", **told)


def doubtful() -> None:
    """Contested measuring: what is within the table's tolerance is too close to call."""
    for d, tolerance in ((4, 0.03125), (3, 0.05), (5, 0.02)):
        on = table({"m": model((8, 12), move=num(d + tolerance - HAIR))}, tolerance=tolerance)
        ask = {"ask": "move", "model": "m", "to": [8 + d, 12]}
        why = "A margin within the tolerance settles nothing; a hair beyond it does."
        told = {"change": {"models": {"m": {"move": num(d + tolerance + HAIR)}}}, "mirror": {"answer": "yes"}}
        position("doubtful", f"just-enough-{d}", why, on, ask, answer="too-close", needed=f"{d}", **told)
        on = table({"m": model((8, 12), move=num(d - tolerance + HAIR))}, tolerance=tolerance)
        told = {"change": {"models": {"m": {"move": num(d - tolerance - HAIR)}}}, "mirror": {"answer": "no"}}
        position("doubtful", f"just-short-{d}", why, on, ask, answer="too-close", needed=f"{d}", **told)
