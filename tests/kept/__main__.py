"""Ask the corpus of kept answers anew: ``python -m tests.kept``; ``--write`` writes what is confirmed.

Every answer is asked again and held against what is kept, and against oracles and the referee (``holding.py``): what
something speaks against is told and left out. What has changed is told, and not written unless ``--explained`` says why
it is another. ``--add`` takes in small tables of the fuzz (KIND:SEED) and scenarios, with what is asked of each.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from sbg_sim.scenario.values import from_data
from tests.kept import holding, lines
from tests.kept.asking import answered, slim
from tests.kept.same import differences
from tests.kept.tables import taken_in


def asked_anew(line):
    """The line as it is answered and confirmed now, what changed, and what speaks against it."""
    table, rows, changed, against = from_data(line["table"]), [], [], []
    for row in line["asked"]:
        asked = {key: row[key] for key in row if key not in {"answer", "held"}}
        found = slim(answered(table, asked))
        behind, wrong = holding.held(table, asked)
        if "answer" in row:
            changed += [f"{asked['ask']}: {one}" for one in differences(row["answer"], found)]
        against += [f"{asked['ask']}: {one}" for one in wrong]
        if wrong:
            continue
        rows.append({**asked, "answer": found, "held": behind})
    return {**line, "asked": rows}, changed, against


def main():
    """Read the call, ask, tell and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write what is confirmed")
    parser.add_argument("--explained", metavar="WHY", help="write answers that have changed too, for this reason")
    parser.add_argument("--add", nargs="+", default=[], metavar="TABLE", help="KIND:SEED or scenarios to take in")
    parser.add_argument("--only", help="files whose name is this alone")
    given = parser.parse_args()
    files, count, bad = lines.read(), Counter(), 0
    for name, line in map(taken_in, given.add):
        files.setdefault(name, []).append(line)
    for name, held in files.items():
        if given.only not in {None, name}:
            continue
        kept = []
        for line in held:
            now, changed, against = asked_anew(line)
            for said in (*changed, *against):
                print(f"{line['name']}: {said}", flush=True)
            bad += bool(changed or against)
            kept += [now if given.explained or not changed else line]
            for row in now["asked"]:
                count.update([row["ask"], *(f"{row['ask']} {word}" for word in row["held"] or ["by nothing else"])])
        if given.write:
            lines.write(name, kept)
    for what, many in sorted(count.items()):
        print(f"{many:5} {what}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
