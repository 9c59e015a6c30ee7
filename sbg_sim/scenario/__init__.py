"""Scenario files: TOML to tables and back, reporting all faults of a file at once."""

from sbg_sim.scenario.files import MAX_ENTRIES, examined, read, read_text, table_of
from sbg_sim.scenario.schema import json_schema
from sbg_sim.scenario.write import as_data, write

__all__ = ["MAX_ENTRIES", "as_data", "examined", "json_schema", "read", "read_text", "table_of", "write"]
