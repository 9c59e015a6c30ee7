"""Configuration spaces: where the mover's centre may be on each level, and the ways over solids and between levels."""
