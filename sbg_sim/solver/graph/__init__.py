"""The tangent graph over configuration spaces, and the label-setting search on it."""
