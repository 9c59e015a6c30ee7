"""What Python accepts of plain data a type checker accepts too: mypy reads this file with the package."""

import sbg_sim as sbg

TABLE = sbg.Table(
    "24 in",
    24,
    models={"a": {"at": [6, 12], "base": "25 mm"}},
    terrain={"w": {"tags": ["obstacle"], "height": 1, "polygon": [[9, 8], [9, 9], [8, 9]]}},
)
MOVED: sbg.Table = TABLE.having("a", at=(3, 4))
