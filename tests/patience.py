"""How long things take on a machine that is busy with others: limits in seconds hold for one that is not."""

import os
import time
from pathlib import Path


def slower():
    """How many times as long as alone this process now takes for what it works out, at least 1."""
    begun, worked = time.monotonic(), time.process_time()
    while time.process_time() - worked < 0.05:
        pass
    return max(1.0, (time.monotonic() - begun) / 0.05)


def at_work(process, seconds):
    """Wait until a process has worked for so many seconds of its processor, however long that takes; it goes on."""
    if not Path("/proc/self/stat").exists():
        time.sleep(seconds)
        return
    until, tick = time.monotonic() + 120, os.sysconf("SC_CLK_TCK")
    while process.poll() is None and time.monotonic() < until:
        told = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        if (int(told[11]) + int(told[12])) / tick >= seconds:
            return
        time.sleep(0.01)
