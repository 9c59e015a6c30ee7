"""Search, reach, witness, bounds, verdict: one result from which every view is read."""
