"""The form of a certificate, and its JSON Schema; see ``docs/certificates.md``."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from sbg_sim.errors import SbgError

FORMAT: Final = "sbg-sim certificate"
VERSION: Final = 1
MOST_LEGS: Final = 10_000
"""More legs than this are no way that a model walks in one phase."""


class CertificateError(SbgError):
    """A certificate that cannot be understood: cut short, of another version, or not of the form."""


class Form(BaseModel):
    """Strict: no unknown keys, no strings for numbers, nothing infinite, no NaN."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


Place: TypeAlias = Annotated[list[float], Field(min_length=2, max_length=2, description="[x, y], inches")]
Spot: TypeAlias = Annotated[list[float], Field(min_length=3, max_length=3, description="[x, y, z], inches")]
Line: TypeAlias = Annotated[list[Spot], Field(min_length=2, max_length=2, description="from the eye to the target")]


class TestForm(Form):
    """A die on the way."""

    __test__ = False

    kind: str
    terrain: str = Field(description="what asks for it")
    at: Place
    landing: Place
    results: dict[str, str]
    rule: str
    landing_on: str | None
    drop: float
    prone_on_fail: bool
    fail_at: Place | None
    fail_on: str | None = Field(description="the level it is on after a 1; null is the ground")
    fail_hits: int


class LegForm(Form):
    """A piece of the way, exactly."""

    kind: str = Field(description="segment, arc, jump, leap, up, down, climb, descend, ladder, stand, lie or crawl")
    start: Place
    end: Place
    cost: float = Field(description="movement it uses, inches")
    level: str | None = Field(description="the platform; null is the ground")
    center: Place | None
    radius: float | None
    sweep: float | None = Field(description="radians, counter-clockwise positive")
    rise: float
    test: TestForm | None


class SightlineForm(Form):
    """A line of sight to a target."""

    target: str
    line: Line


class ClaimForm(Form):
    """What is claimed."""

    answer: Literal["yes", "no", "chance", "too-close"] | None
    needed: float | None = Field(description="cost of the best way, inches")
    at_least: float | None
    at_most: float | None
    allowance: float | None
    margin: float | None
    chance: str | None = Field(description='a fraction, such as "5/36"')
    chance_value: float | None
    inches: float | None
    rules: list[str]
    rulings: list[str]
    reason: str


class BoundForm(Form):
    """What no way can cost less than, without any search: the straight line to where the move must end."""

    kind: Literal["straight"]
    value: float = Field(description="inches")


class CertificateForm(Form):
    """A whole certificate."""

    format: Literal["sbg-sim certificate"]
    version: Literal[1]
    made_by: str
    table: dict[str, Any] = Field(description="the table in the form of a scenario file, with the one question")
    question: str = Field(description="the id of the question in the table")
    claim: ClaimForm
    legs: Annotated[list[LegForm], Field(max_length=MOST_LEGS)] | None = Field(description="the way that is offered")
    sightlines: list[SightlineForm]
    bound: BoundForm | None
    seal: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(
        description="SHA-256 of the rest as JSON: keys sorted, no blanks, ASCII"
    )


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a certificate."""
    schema = CertificateForm.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": FORMAT}
