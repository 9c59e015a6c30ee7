"""Draw the README's gallery anew, by its own commands: ``python docs/gallery.py`` from anywhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

if __name__ == "__main__":
    os.chdir(ROOT)
    for command in re.findall(r"<br>`sbg-sim ([^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8")):
        subprocess.run([sys.executable, "-m", "sbg_sim", *shlex.split(command)], check=True)
