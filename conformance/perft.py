"""Count the legal end states of ``perft.json`` with the engine: ``python conformance/perft.py [--write]``.

``--write`` makes the file anew, with counts by brute force; else both counts are compared, and differences end with exit code 1.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import brute

FILE = Path(__file__).parent / "perft.json"


def man(x: float, y: float, side: str = "good", base: float = 1.0, move: float = 3.3) -> dict[str, Any]:
    """A model of a position."""
    return {"side": side, "at": [x, y], "base": base, "move": move}


def rock(x: float, y: float, radius: float) -> dict[str, Any]:
    """A rock of a position."""
    return {"at": [x, y], "radius": radius}


def made() -> list[dict[str, Any]]:
    """A dozen positions, without counts."""
    m, e = man(6, 6), man(9, 6, "evil")
    ring = [rock(6 + 2.4 * math.cos(a), 6 + 2.4 * math.sin(a), 0.7) for a in (0.3, 1.5, 2.9, 4.4)]
    listed: list[tuple[str, dict[str, Any], list[dict[str, Any]], list[str]]] = [
        ("alone", {"m": m}, [], ["m"]),
        ("corner of the table", {"m": man(0.5, 0.5)}, [], ["m"]),
        ("a rock", {"m": m}, [rock(7.6, 6.2, 0.8)], ["m"]),
        ("two rocks, a narrow gap", {"m": m}, [rock(7.6, 7.1, 0.9), rock(7.6, 5.0, 0.9)], ["m"]),
        ("a ring of rocks", {"m": m}, ring, ["m"]),
        ("an enemy", {"m": m, "e": e}, [], ["m"]),
        ("an enemy, and he answers", {"m": man(6, 6, move=2.3), "e": man(9, 6, "evil", move=2.4)}, [], ["m", "e"]),
        ("a friend in the way", {"m": m, "f": man(7.3, 6.1)}, [], ["m"]),
        ("two friends, one after the other", {"m": man(6, 6, move=2.3), "f": man(7.3, 6.1, move=1.7)}, [], ["m", "f"]),
        ("between two enemies", {"m": m, "a": man(8.1, 8.2, "evil"), "b": man(8.4, 4.1, "evil")}, [], ["m"]),
        ("bases of several sizes", {"m": man(6, 6, base=1.6), "f": man(8, 6.4, base=0.8)}, [rock(6.3, 8, 0.6)], ["m"]),
        (
            "a crowd",
            {"m": m, "e": man(9.2, 7, "evil"), "f": man(4.6, 6.9), "g": man(6.1, 4.7)},
            [rock(4.4, 4.4, 0.5)],
            ["m"],
        ),
        ("a chain", {"m": m}, [rock(7.5, 4.5 + k * 0.9, 0.5) for k in range(4)], ["m"]),
    ]
    return [
        {"id": name, "size": 12.0, "shift": [0.13, 0.29], "models": models, "rocks": rocks, "order": order}
        for name, models, rocks, order in listed
    ]


def engine_counts(position: dict[str, Any]) -> list[int]:
    """The same counts by this package: every end asked of its map of reach."""
    import sbg_sim as sbg
    from sbg_sim.table.frozen import FrozenMap

    models = {
        n: sbg.Model(n, tuple(m["at"]), m["base"], height=2.0, move=m["move"], side=m["side"])
        for n, m in position["models"].items()
    }
    rocks = {
        f"rock-{i}": sbg.Terrain(f"rock-{i}", frozenset({"unscalable"}), sbg.circle(tuple(r["at"]), r["radius"]))
        for i, r in enumerate(position["rocks"])
    }
    table = sbg.Table(position["size"], position["size"], models=FrozenMap(models), terrain=FrozenMap(rocks))

    def ends(table: sbg.Table, name: str) -> list[tuple[float, float]]:
        me = table.model(name)
        spots = [p for p in brute.lattice(position, me.at, me.move, me.radius) if math.dist(p, me.at) > 1e-9]
        far = sbg.reach(table, name).distance(spots) if spots else []
        return [me.at, *(p for p, d in zip(spots, far, strict=True) if d <= me.move)]

    order = position["order"]
    first = ends(table, order[0])
    found = [len(first)]
    if len(order) > 1:
        found.append(sum(len(ends(table.having(order[0], at=p), order[1])) for p in first))
    return found


def main() -> int:
    """Write the file, or compare."""
    if "--write" in sys.argv:
        lines = ",\n".join(json.dumps(one | {"counts": brute.counts(one)}) for one in made())
        FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        return 0
    bad = 0
    for one in json.loads(FILE.read_text(encoding="utf-8")):
        by_force, by_engine = brute.counts(one), engine_counts(one)
        fine = one["counts"] == by_force == by_engine
        bad += not fine
        print(
            f"{'ok ' if fine else 'BAD'} {one['id']}: {one['counts']}, by force {by_force}, by the engine {by_engine}"
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
