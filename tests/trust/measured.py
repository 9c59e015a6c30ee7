"""For measuring coverage: processes that answer the page are asked to end, so that they write down what they ran."""

import asyncio.subprocess
import os
import signal
import sys


def coverage_init(_registry, _options):
    """Called by coverage in every process it measures."""
    asyncio.subprocess.Process.kill = asyncio.subprocess.Process.terminate
    if "sbg_sim.web.worker" in sys.orig_argv:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
