"""For measuring coverage: processes that answer the page are asked to end, so that they write down what they ran."""

import asyncio.subprocess


def coverage_init(_registry, _options):
    """Called by coverage in every process it measures."""
    asyncio.subprocess.Process.kill = asyncio.subprocess.Process.terminate
