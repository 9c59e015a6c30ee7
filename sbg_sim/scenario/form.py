"""The form of a scenario file: which keys there are, what kind of value each has, and what it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from sbg_sim.document.form import EMPTY, NAMED, Entries, Form, MadeBy, key
from sbg_sim.table.rulings import RULINGS
from sbg_sim.units import inches


def _length(value: Any) -> Any:
    return inches(value) if isinstance(value, str) else value


Length: TypeAlias = Annotated[
    float,
    MadeBy(
        _length,
        {
            "anyOf": [{"type": "number"}, {"type": "string"}],
            "description": 'inches, or a string with a unit: "25 mm", "2.5 cm"',
        },
    ),
]
"""A number of inches, or a string with a unit."""

Place: TypeAlias = Annotated[list[float], Entries(2, 2)]
"""``[x, y]``, inches."""

Id: TypeAlias = Annotated[str, NAMED]
Ids: TypeAlias = list[str]


def _one_or_several(value: Any) -> Any:
    several = isinstance(value, list) and value and all(isinstance(v, str) for v in value)
    if several or isinstance(value, str):
        return value
    raise ValueError("must be the id of a model, or an array of at least one id")


Targets: TypeAlias = Annotated[
    Any,
    MadeBy(
        _one_or_several,
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]},
    ),
]
"""The id of a model, or an array of several."""


def _word_or_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be a string or a number")  # noqa: TRY004 - what refuses a value is a ValueError
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
    MadeBy(_word_or_number, {"anyOf": [{"type": "string"}, {"type": "number"}]}),
]


class PictureForm(Form):
    """A photograph of the table that lies under pictures."""

    file: Id = key("a PNG or JPEG file; its path starts where the scenario file is")
    corners: Annotated[list[Place], Entries(4, 4)] = key(
        "where its lower left, lower right, upper right and upper left corner are on the table, inches"
    )


class TableForm(Form):
    """The board."""

    width: Length = key("inches along x")
    depth: Length = key("inches along y")
    tolerance: Length = key("how far a placed model may be off, inches", 0.0)
    picture: PictureForm | None = key("a photograph that lies under pictures; no answer needs it", None)
    horizon: Length | None = key(
        "costs up to this are told exactly, inches; else the larger of 2 x Move and Move + 6", None
    )


class ModelForm(Form):
    """A model, or a profile shared by many: all is optional here, and what is needed is checked later."""

    profile: str | None = key("whose fields this model shares", None)
    at: Place | None = key("centre of the base, inches", None)
    base: Length | None = key("diameter of the base", None)
    height: Length | None = key("height of the model; needed for obstacles, climbing, falling and sight", None)
    move: Length | None = key("maximum Move", None)
    side: str | None = key('whose it is, as "good" or "evil"; models of two named sides are enemies', None)
    keywords: Ids | None = key('such as "cavalry"', None)
    prone: bool | None = key("lies on the ground", None)
    engaged: Ids | None = key("models it is in contact with", None)
    moved: bool | None = key("has moved in this phase", None)
    may_move: bool | None = key("false: held by an effect", None)
    on: str | None = key("the platform it stands on; the ground when absent", None)
    climbed: Length | None = key("inches already climbed on a tall structure", None)
    near: Place | None = key("about where a model placed by readings stands, inches", None)
    doubt: Length | None = key("how far it may stand from `at`; the table's tolerance when absent", None)
    off_table: bool | None = key("not on the table yet: a reinforcement", None)


class ModelsForm(Form):
    """Models alone, as a change in Python gives them."""

    models: dict[Id, ModelForm] = key("models by id")


class CircleForm(Form):
    """A round piece."""

    center: Place = key("centre, inches")
    radius: Length = key("radius", above=0)


class TerrainForm(Form):
    """A piece of terrain."""

    tags: list[Literal["difficult", "obstacle", "unscalable", "gap", "platform", "ladder"]] = key(
        "what kind of terrain it is, any of these together", ()
    )
    polygon: list[Place] | None = key("corners, inches", None)
    holes: list[list[Place]] | None = key("rings cut out of the polygon", None)
    circle: CircleForm | None = key("a round piece: { center = [x, y], radius = r }", None)
    line: list[Place] | None = key("points of a thick line with round ends", None)
    thickness: Length | None = key("of the line, from edge to edge", None, above=0)
    wkt: str | None = key('"POLYGON ((...), (hole))"', None)
    height: Length | None = key("above what it stands on", None)
    depth: Length | None = key("of a gap", None)
    at: Place | None = key("foot of a ladder", None)
    to: str | None = key("the platform a ladder leads to", None)
    on: str | None = key("the platform the piece stands on", None)
    lets_through: Ids = key("models that both players agree may pass", ())


class QuestionForm(Form):
    """What every question may have."""

    expect: WordOrNumber | None = key(
        'the answer expected: a word, a chance such as "5/6", or inches or square inches', None
    )
    needed: WordOrNumber | None = key('the cost expected: inches, or "2 + 2*sqrt(3)"', None)
    note: str = key("free text: why this is the answer", "")


class MeasureForm(QuestionForm):
    """How far apart are two things?"""

    ask: Literal["measure"] = key("measures between the nearest edges of two things")
    from_: str = key("a model or a piece of terrain", named="from")
    to: str = key("another model or piece of terrain")


class GapForm(QuestionForm):
    """Does a base fit between two things?"""

    ask: Literal["gap"] = key("whether a base fits between two things")
    between: Annotated[Ids, Entries(2, 2)] = key("two models or pieces of terrain")
    model: str = key("whose base")


class SightForm(QuestionForm):
    """Can a model see another?"""

    ask: Literal["sight"] = key("whether a model can see another")
    model: str = key("who looks")
    target: str = key("whom it should see")


class MoveForm(QuestionForm):
    """Can a model end its move there?"""

    ask: Literal["move"] = key("whether a model can end its move at a place")
    model: str = key("who moves")
    to: Place = key("where the centre of its base should end, inches")
    on: str | None = key("the platform on which it should end; the ground when absent", None)


class ChargeForm(QuestionForm):
    """Can a model charge?"""

    ask: Literal["charge"] = key("whether a model can charge another, or several at once")
    model: str = key("who charges")
    target: Targets = key("whom; an array for all of them at once")


class ReachForm(QuestionForm):
    """Where can a model end its move?"""

    ask: Literal["reach"] = key("where a model can end its move")
    model: str = key("who moves")


AnyQuestion: TypeAlias = Annotated[MeasureForm | GapForm | SightForm | MoveForm | ChargeForm | ReachForm, "ask"]


class QuestionsForm(Form):
    """Questions alone, as Python gives them."""

    questions: dict[Id, AnyQuestion] = key("questions by id")


class PhaseForm(Form):
    """The head of a game record."""

    priority: str = key("the side that moves first")
    fights: list[Ids] = key("the pairing off that was chosen", ())
    stage: str = key('how far the turn has come: "evil moves", "good reinforcements", "over"', "")


class RecordedMoveForm(Form):
    """One entry of a game record: a move, or what befell a model by other rules."""

    model: str = key("who moves")
    charge: Targets | None = key("whom it charges; an array for several", None)
    to: Place | None = key("where its centre ends, inches", None)
    path: list[Place] | None = key("points that its centre goes through, inches", None)
    stand: bool = key("it stands up", default=False)
    lie: bool = key("it lies down", default=False)
    crawl: Place | None = key("where it crawls to, inches", None)
    arrive: Place | None = key("the point of the table's edge from which it comes on", None)
    on: str | None = key("the platform on which the move ends; the ground when absent", None)
    rolls: list[int] = key("the dice, in the order in which they are needed", ())
    place: Place | None = key("where an effect sets the model down; no move", None)
    slain: bool = key("taken off the table", default=False)
    delayed: bool = key("a reinforcement that could not be placed waits for the next turn", default=False)


class TurnForm(PhaseForm):
    """One turn of a game of several, with its moves."""

    moves: list[RecordedMoveForm] = key("the moves of this turn, in order", ())


RulingsForm: TypeAlias = Annotated[
    dict[str, str],
    MadeBy(
        lambda value: value,
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
        },
    ),
]


class ReadingForm(Form):
    """A distance read off a tape, to place models that have no ``at``."""

    from_: str = key("a model", named="from")
    to: str = key("a model, or an edge (left, right, lower, upper) or corner (lower-left, ...) of the table")
    inches: Length = key("what was read")
    doubt: Length = key("its standard deviation", 1 / 32)
    measured: Literal["edges", "centres"] = key("from edge to edge of the bases, or of centres", "edges")


class ScenarioForm(Form):
    """A whole scenario file."""

    title: str = key("what the file shows", "")
    source: str = key("where the case comes from", "")
    table: TableForm = key("the board: width and depth are needed")
    rulings: RulingsForm = key("readings of rules that can be read in two ways; the default is what is not said", EMPTY)
    profiles: dict[Id, ModelForm] = key(
        "fields that several models share, by the name that a model gives as its profile", EMPTY
    )
    models: dict[Id, ModelForm] = key("what stands on the table, by id", EMPTY)
    terrain: dict[Id, TerrainForm] = key("pieces of terrain, by id", EMPTY)
    questions: dict[Id, AnyQuestion] = key("what is asked of the table, by id", EMPTY)
    readings: list[ReadingForm] = key("tape readings that place models without `at`", ())
    phase: PhaseForm | None = key("the head of a record of a Move phase", None)
    moves: list[RecordedMoveForm] = key("the record itself: a move per entry, in order", ())
    turns: list[TurnForm] = key("a game of several turns, or those after [phase]", ())
