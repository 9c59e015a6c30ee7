"""Contested measurements: by how much, what flips it, how sure it is, and which ruling decides."""
