"""Exact costs of many places at once, and the areas that they bound."""
