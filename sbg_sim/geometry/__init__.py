"""Plane geometry that knows no game: shapes and distances, arcs and tangents, clearance, lines of sight."""
