"""The tangent graph over configuration spaces, and the label-correcting search on it."""
