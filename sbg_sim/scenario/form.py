"""The form of a scenario file: its keys and their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from sbg_sim.table.rulings import RULINGS
from sbg_sim.units import inches


class Form(BaseModel):
    """Strict: no unknown keys, no strings or booleans for numbers, nothing infinite."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=True)


def _length(value: Any) -> Any:
    found = inches(value) if isinstance(value, str) else value
    return 0.0 if isinstance(found, float) and found == 0 else found  # else messages would say "-0 in"


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
    if several or (isinstance(value, str) and value):
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


class PictureForm(Form):
    """A photograph of the table that lies under pictures."""

    file: Id = Field(description="a PNG or JPEG file; its path starts where the scenario file is")
    corners: Annotated[list[Place], Field(min_length=4, max_length=4)] = Field(
        description="where its lower left, lower right, upper right and upper left corner are on the table, inches"
    )


class TableForm(Form):
    """The board."""

    width: Length = Field(description="inches along x")
    depth: Length = Field(description="inches along y")
    tolerance: Length = Field(0.0, description="how far a placed model may be off, inches")
    picture: PictureForm | None = Field(None, description="a photograph that lies under pictures; no answer needs it")
    horizon: Length | None = Field(
        None, description="costs up to this are told exactly, inches; else the larger of 2 x Move and Move + 6"
    )


class ModelForm(Form):
    """A model, or a profile shared by many: every key is optional here; missing ones are found later."""

    profile: str | None = Field(None, description="whose fields this model shares")
    at: Place | None = Field(None, description="centre of the base, inches")
    base: Length | None = Field(None, description="diameter of the base")
    height: Length | None = Field(
        None, description="height of the model; needed for obstacles, climbing, falling and sight"
    )
    move: Length | None = Field(None, description="maximum Move")
    side: str | None = Field(
        None, description='whose it is, as "good" or "evil"; models of two named sides are enemies'
    )
    keywords: Ids | None = Field(None, description='such as "cavalry"')
    prone: bool | None = Field(None, description="lies on the ground")
    engaged: Ids | None = Field(None, description="models it is in contact with")
    moved: bool | None = Field(None, description="has moved in this phase")
    may_move: bool | None = Field(None, description="false: held by an effect")
    on: str | None = Field(None, description="the platform it stands on; the ground when absent")
    climbed: Length | None = Field(None, description="inches already climbed on a tall structure")
    near: Place | None = Field(None, description="about where a model placed by readings stands, inches")
    doubt: Length | None = Field(None, description="how far it may stand from `at`; the table's tolerance when absent")
    off_table: bool | None = Field(None, description="not on the table yet: a reinforcement")
    waited: int | None = Field(
        None, ge=0, le=1000, description="turns in which it could not be placed: added to the roll of a reinforcement"
    )


class ModelsForm(Form):
    """Models alone, as a change in Python gives them."""

    models: dict[Id, ModelForm]


class CircleForm(Form):
    """A round piece."""

    center: Place = Field(description="centre, inches")
    radius: Length = Field(gt=0, description="radius")


class TerrainForm(Form):
    """A piece of terrain."""

    tags: list[Literal["difficult", "obstacle", "unscalable", "gap", "platform", "ladder"]] = Field(
        default_factory=list, description="what kind of terrain it is, any of these together"
    )
    polygon: list[Place] | None = Field(None, description="corners, inches")
    holes: list[list[Place]] | None = Field(None, description="rings cut out of the polygon")
    circle: CircleForm | None = Field(None, description="a round piece: { center = [x, y], radius = r }")
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
    """The keys of every question."""

    expect: WordOrNumber | None = Field(
        None, description='the answer expected: a word, a chance such as "5/6", or inches or square inches'
    )
    needed: WordOrNumber | None = Field(None, description='the cost expected: inches, or "2 + 2*sqrt(3)"')
    note: str = Field("", description="free text: why this is the answer")


class MeasureForm(QuestionForm):
    """How far apart are two things?"""

    ask: Literal["measure"] = Field(description="measures between the nearest edges of two things")
    from_: str = Field(alias="from", description="a model or a piece of terrain")
    to: str = Field(description="another model or piece of terrain")


class GapForm(QuestionForm):
    """Does a base fit between two things?"""

    ask: Literal["gap"] = Field(description="whether a base fits between two things")
    between: Annotated[Ids, Field(min_length=2, max_length=2)] = Field(description="two models or pieces of terrain")
    model: str = Field(description="whose base")


class SightForm(QuestionForm):
    """Can a model see another?"""

    ask: Literal["sight"] = Field(description="whether a model can see another")
    model: str = Field(description="who looks")
    target: str = Field(description="whom it should see")


class MoveForm(QuestionForm):
    """Can a model end its move there?"""

    ask: Literal["move"] = Field(description="whether a model can end its move at a place")
    model: str = Field(description="who moves")
    to: Place = Field(description="where the centre of its base should end, inches")
    on: str | None = Field(None, description="the platform on which it should end; the ground when absent")


class ChargeForm(QuestionForm):
    """Can a model charge?"""

    ask: Literal["charge"] = Field(description="whether a model can charge another, or several at once")
    model: str = Field(description="who charges")
    target: Targets = Field(description="whom; an array for all of them at once")


class ReachForm(QuestionForm):
    """Where can a model end its move?"""

    ask: Literal["reach"] = Field(description="where a model can end its move")
    model: str = Field(description="who moves")


AnyQuestion: TypeAlias = Annotated[
    MeasureForm | GapForm | SightForm | MoveForm | ChargeForm | ReachForm, Field(discriminator="ask")
]


class QuestionsForm(Form):
    """Questions alone, as Python gives them."""

    questions: dict[Id, AnyQuestion] = Field(description="questions by id")


class PhaseForm(Form):
    """The head of a game record."""

    priority: str = Field(description="the side that moves first")
    fights: list[Ids] = Field(default_factory=list, description="the pairing off that was chosen")
    stage: str = Field("", description='how far the turn has come: "evil moves", "good reinforcements", "over"')


class RecordedMoveForm(Form):
    """One entry of a game record: a move, or an effect of other rules on a model."""

    model: str = Field(description="who moves")
    charge: Targets | None = Field(None, description="whom it charges; an array for several")
    to: Place | None = Field(None, description="where its centre ends, inches")
    path: list[Place] | None = Field(None, description="points that its centre goes through, inches")
    stand: bool = Field(default=False, description="it stands up")
    lie: bool = Field(default=False, description="it lies down")
    crawl: Place | None = Field(None, description="where it crawls to, inches")
    arrive: Place | None = Field(None, description="the point of the table's edge from which it comes on")
    on: str | None = Field(None, description="the platform on which the move ends; the ground when absent")
    rolls: list[int] = Field(default_factory=list, description="the dice, in the order in which they are needed")
    place: Place | None = Field(None, description="where an effect sets the model down; no move")
    slain: bool = Field(default=False, description="taken off the table")
    delayed: bool = Field(default=False, description="a reinforcement that could not be placed waits for the next turn")


class TurnForm(PhaseForm):
    """One turn of a game of several, with its moves."""

    moves: list[RecordedMoveForm] = Field(default_factory=list, description="the moves of this turn, in order")


RulingsForm: TypeAlias = Annotated[
    dict[str, Any],  # an unknown ruling is reported rather than the type of its value
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


class ReadingForm(Form):
    """A distance read off a tape, to place models that have no ``at``."""

    from_: str = Field(alias="from", description="a model")
    to: str = Field(
        description="a model, or an edge (left, right, lower, upper) or corner (lower-left, ...) of the table"
    )
    inches: Length = Field(description="what was read")
    doubt: Length = Field(1 / 32, description="its standard deviation")
    measured: Literal["edges", "centres"] = Field("edges", description="from edge to edge of the bases, or of centres")


class ScenarioForm(Form):
    """A whole scenario file."""

    title: str = Field("", description="what the file shows")
    source: str = Field("", description="where the case comes from")
    table: TableForm = Field(description="the board: width and depth are needed")
    rulings: RulingsForm = Field(
        default_factory=dict,
        description="readings of rules that can be read in two ways; the default is what is not said",
    )
    profiles: dict[Id, ModelForm] = Field(
        default_factory=dict,
        description="fields that several models share, by the name that a model gives as its profile",
    )
    models: dict[Id, ModelForm] = Field(default_factory=dict, description="what stands on the table, by id")
    terrain: dict[Id, TerrainForm] = Field(default_factory=dict, description="pieces of terrain, by id")
    questions: dict[Id, AnyQuestion] = Field(default_factory=dict, description="what is asked of the table, by id")
    readings: list[ReadingForm] = Field(
        default_factory=list, description="tape readings that place models without `at`"
    )
    phase: PhaseForm | None = Field(None, description="the head of a record of a Move phase")
    moves: list[RecordedMoveForm] = Field(
        default_factory=list, description="the record itself: a move per entry, in order"
    )
    turns: list[TurnForm] = Field(default_factory=list, description="a game of several turns, or those after [phase]")
