"""Write the positions anew: ``python conformance/build.py``. Every expected number is a formula worked out by hand.

Nothing of ``sbg_sim`` is asked: a position says what the rules and geometry say, and the runner holds programs to it.
"""

from __future__ import annotations

import json
from pathlib import Path

from chapters import agreed, battle, dice, foes, ground, lengths, meeting, played, storeys
from chapters.form import CHAPTERS

HERE = Path(__file__).parent / "positions"


def main() -> None:
    """Write a file per chapter."""
    CHAPTERS.clear()
    for chapter in (
        *(ground.open_ground, ground.corners, ground.rocks, ground.gaps, ground.difficult),
        *(foes.zones, foes.charging, foes.sight),
        *(dice.jumping, dice.leaping, dice.climbing, dice.prone),
        *(battle.ranks, battle.overlaps, battle.lying, battle.ends, battle.riders),
        *(lengths.measuring, lengths.reaching, lengths.doubtful),
        *(agreed.readings, agreed.barriers),
        *(played.falls, played.pairing, played.reinforcements),
        *(meeting.zones, meeting.contacts, meeting.crossings, meeting.looks, meeting.leaps_that_fail),
        *(storeys.looks_under, storeys.faces, storeys.stuck, storeys.rows),
    ):
        chapter()
    HERE.mkdir(exist_ok=True)
    for name, entries in CHAPTERS.items():
        lines = ",\n".join(json.dumps(entry) for entry in entries)
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(sum(map(len, CHAPTERS.values())), "positions")


if __name__ == "__main__":
    main()
