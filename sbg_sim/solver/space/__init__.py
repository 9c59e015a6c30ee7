"""Where a centre may be on each level, what bounds that, and what leads over solids and between levels."""
