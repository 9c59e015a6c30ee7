"""The form of a scenario file: which keys there are and what type each has. Pydantic stays in this room."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from sbg_sim.table.rulings import RULINGS
from sbg_sim.units import inches


class Form(BaseModel):
    """Strict: no unknown keys, no strings or booleans for numbers, nothing infinite."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=True)


def _length(value: Any) -> Any:
    return inches(value) if isinstance(value, str) else value


Length: TypeAlias = Annotated[
    float,
    BeforeValidator(_length),
    WithJsonSchema(
        {
            "anyOf": [{"type": "number"}, {"type": "string"}],
            "description": 'inches, or a string with a unit: "25 mm", "2.5 cm"',
        }
    ),
]
"""A number of inches, or a string with a unit."""

Place: TypeAlias = Annotated[list[float], Field(min_length=2, max_length=2)]
"""``[x, y]``, inches."""

Id: TypeAlias = Annotated[str, StringConstraints(min_length=1)]
Ids: TypeAlias = list[str]


def _one_or_several(value: Any) -> Any:
    several = isinstance(value, list) and value and all(isinstance(v, str) for v in value)
    if several or isinstance(value, str):
        return value
    raise ValueError("must be the id of a model, or an array of at least one id")


Targets: TypeAlias = Annotated[
    Any,
    BeforeValidator(_one_or_several),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
]
"""The id of a model, or an array of several."""


def _word_or_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be a string or a number")  # noqa: TRY004 - pydantic collects ValueErrors
    return value if isinstance(value, str) else _finite(value)


def _finite(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number - number != 0:
        raise ValueError("must be a finite number")
    return number


WordOrNumber: TypeAlias = Annotated[
    Any,
    BeforeValidator(_word_or_number),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}]}),
]


class TableForm(Form):
    """The board."""

    width: Length = Field(description="inches along x")
    depth: Length = Field(description="inches along y")
    tolerance: Length = Field(0.0, description="how far a placed model may be off, inches")


class ModelForm(Form):
    """A model, or a profile shared by many: all is optional here, and what is needed is checked later."""

    profile: str | None = Field(None, description="whose fields this model shares")
    at: Place | None = Field(None, description="centre of the base, inches")
    base: Length | None = Field(None, description="diameter of the base")
    height: Length | None = None
    move: Length | None = Field(None, description="maximum Move")
    side: str | None = None
    keywords: Ids | None = Field(None, description='such as "cavalry"')
    prone: bool | None = None
    engaged: Ids | None = Field(None, description="models it is in contact with")
    moved: bool | None = None
    may_move: bool | None = None
    on: str | None = Field(None, description="the platform it stands on; the ground when absent")
    climbed: Length | None = Field(None, description="inches already climbed on a tall structure")
    off_table: bool | None = Field(None, description="not on the table yet: a reinforcement")


class ModelsForm(Form):
    """Models alone, as a change in Python gives them."""

    models: dict[Id, ModelForm]


class CircleForm(Form):
    """A round piece."""

    center: Place
    radius: Length = Field(gt=0)


class TerrainForm(Form):
    """A piece of terrain."""

    tags: list[Literal["difficult", "obstacle", "unscalable", "gap", "platform", "ladder"]] = Field(
        default_factory=list
    )
    polygon: list[Place] | None = Field(None, description="corners, inches")
    holes: list[list[Place]] | None = Field(None, description="rings cut out of the polygon")
    circle: CircleForm | None = None
    line: list[Place] | None = Field(None, description="points of a thick line with round ends")
    thickness: Length | None = Field(None, gt=0, description="of the line, from edge to edge")
    wkt: str | None = Field(None, description='"POLYGON ((...), (hole))"')
    height: Length | None = Field(None, description="above what it stands on")
    depth: Length | None = Field(None, description="of a gap")
    at: Place | None = Field(None, description="foot of a ladder")
    to: str | None = Field(None, description="the platform a ladder leads to")
    on: str | None = Field(None, description="the platform the piece stands on")
    lets_through: Ids = Field(default_factory=list, description="models that both players agree may pass")


class QuestionForm(Form):
    """What every question may have."""

    expect: WordOrNumber | None = Field(
        None, description='the answer expected: a word, a chance such as "5/6", or inches or square inches'
    )
    needed: WordOrNumber | None = Field(None, description='the cost expected: inches, or "2 + 2*sqrt(3)"')
    note: str = ""


class MeasureForm(QuestionForm):
    """How far apart are two things?"""

    ask: Literal["measure"]
    from_: str = Field(alias="from")
    to: str


class GapForm(QuestionForm):
    """Does a base fit between two things?"""

    ask: Literal["gap"]
    between: Annotated[Ids, Field(min_length=2, max_length=2)]
    model: str


class SightForm(QuestionForm):
    """Can a model see another?"""

    ask: Literal["sight"]
    model: str
    target: str


class MoveForm(QuestionForm):
    """Can a model end its move there?"""

    ask: Literal["move"]
    model: str
    to: Place
    on: str | None = None


class ChargeForm(QuestionForm):
    """Can a model charge?"""

    ask: Literal["charge"]
    model: str
    target: Targets


class ReachForm(QuestionForm):
    """Where can a model end its move?"""

    ask: Literal["reach"]
    model: str


AnyQuestion: TypeAlias = Annotated[
    MeasureForm | GapForm | SightForm | MoveForm | ChargeForm | ReachForm, Field(discriminator="ask")
]


class PhaseForm(Form):
    """The head of a game record."""

    priority: str = Field(description="the side that moves first")
    fights: list[Ids] = Field(default_factory=list, description="the pairing off that was chosen")
    stage: str = Field("", description='how far the turn has come: "evil moves", "good reinforcements", "over"')


class RecordedMoveForm(Form):
    """One entry of a game record: a move, or what befell a model by other rules."""

    model: str
    charge: Targets | None = None
    to: Place | None = None
    path: list[Place] | None = None
    stand: bool = False
    lie: bool = False
    crawl: Place | None = None
    arrive: Place | None = None
    on: str | None = None
    rolls: list[int] = Field(default_factory=list)
    place: Place | None = Field(None, description="where an effect sets the model down; no move")
    slain: bool = Field(default=False, description="taken off the table")
    delayed: bool = Field(default=False, description="a reinforcement that could not be placed waits for the next turn")


class TurnForm(PhaseForm):
    """One turn of a game of several, with its moves."""

    moves: list[RecordedMoveForm] = Field(default_factory=list)


RulingsForm: TypeAlias = Annotated[
    dict[str, str],
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                name: {
                    "enum": list(ruling.readings),
                    "default": ruling.readings[0],
                    "description": ruling.about,
                }
                for name, ruling in RULINGS.items()
            },
        }
    ),
]


class ScenarioForm(Form):
    """A whole scenario file."""

    title: str = ""
    source: str = ""
    table: TableForm
    rulings: RulingsForm = Field(default_factory=dict)
    profiles: dict[Id, ModelForm] = Field(default_factory=dict)
    models: dict[Id, ModelForm] = Field(default_factory=dict)
    terrain: dict[Id, TerrainForm] = Field(default_factory=dict)
    questions: dict[Id, AnyQuestion] = Field(default_factory=dict)
    phase: PhaseForm | None = None
    moves: list[RecordedMoveForm] = Field(default_factory=list)
    turns: list[TurnForm] = Field(default_factory=list, description="a game of several turns, or those after [phase]")
