"""The form of a scenario file as JSON Schema, for editors that complete and check files."""

from __future__ import annotations

from typing import Any

from sbg_sim.scenario.form import ScenarioForm


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a scenario file."""
    schema = ScenarioForm.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "sbg_sim scenario"}
