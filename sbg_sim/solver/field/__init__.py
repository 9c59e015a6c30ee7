"""Exact costs of many places at once, and the areas within a cost."""
