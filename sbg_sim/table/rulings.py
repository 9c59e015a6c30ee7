"""Rulings: the readings of each ambiguous rule by name, the default first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from sbg_sim.errors import UnknownNameError
from sbg_sim.table.frozen import FrozenMap


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ambiguity of the rules.

    Parameters
    ----------
    rule
        The id of its rule.
    readings
        The readings by name, the default first.
    about
        The question and its readings, one sentence.

    """

    rule: str
    readings: tuple[str, ...]
    about: str


RULINGS: Final[FrozenMap[str, Ruling]] = FrozenMap(
    {
        "obstacle_exactly_half": Ruling(
            "TER.3", ("test", "free"), "an obstacle exactly half as high as the model: a Jump test, or free"
        ),
        "zones_across_surfaces": Ruling(
            "CZ.1",
            ("no", "yes"),
            "a Control Zone binds on the enemy's own surface only, or above and below it too, as seen from above",
        ),
        "stuck_no_closer": Ruling(
            "CZ.4",
            ("start", "monotone"),
            "moving away inside a zone: never closer than at the start, or the distance may never shrink at all",
        ),
        "stuck_then_charge": Ruling(
            "CZ.4", ("yes", "no"), "a model stuck in one zone may move away and then charge another enemy"
        ),
        "zone_once_left": Ruling(
            "CZ.4",
            ("closed", "nearer"),
            "a zone that a model stuck in it has left: closed again, or only nearer than where the model started",
        ),
        "charge_stays_in_zone": Ruling(
            "CHG.4", ("yes", "no"), "a charging model stays in the bound target's zone until contact"
        ),
        "eye": Ruling(
            "LOS", ("centre", "volume"), "the eye is at the centre at full height, or anywhere at full height"
        ),
        "models_block_sight": Ruling("LOS", ("yes", "no"), "other models block a line of sight, or terrain only"),
        "sight_grazing": Ruling(
            "LOS",
            ("passes", "blocks"),
            "a look that only touches an edge, a side or a top: it passes, or not",
        ),
        "sight_within": Ruling(
            "LOS", ("blocks", "ignored"), "terrain in which looker or target stands: in the way, or not"
        ),
        "defended_opposite": Ruling(
            "CHG.8",
            ("overlap", "anywhere"),
            "opposite to a defender across its barrier: bases overlap along it, or any place on the far side",
        ),
        "defended_behind": Ruling(
            "CHG.8",
            ("any", "test"),
            "what defends who leans on it: any obstacle, or only one that the charger would need a test to cross",
        ),
        "pairing_one_on_one": Ruling(
            "PAIR.2",
            ("fights", "duels"),
            "one on one where possible: as many fights as can be, or of those as many duels as can be",
        ),
        "back_away": Ruling(
            "CZ.3",
            ("any", "straight"),
            "a loser backs away an inch in any direction that leads no nearer to whom it fights, or straight away only",
        ),
        "jump_landing": Ruling(
            "JMP.1", ("any", "across"), "a jump lands along any straight line, or straight across only"
        ),
        "jump_without_movement": Ruling(
            "JMP.1",
            ("no", "yes"),
            "a jump may start with too little movement left to get over, however long it is",
        ),
        "leap_needs": Ruling(
            "LEAP.1", ("maximum", "remaining"), "a leap must be within the maximum Move, or within what is left of it"
        ),
        "leap_landing": Ruling(
            "LEAP.1",
            ("lower", "both", "neither"),
            "a leap to a level that is lower or higher by up to the model's height: to lower ones, both, neither",
        ),
        "jump_into_contact": Ruling(
            "JMP.1",
            ("charge", "apart"),
            "a jump's or leap's 2 to 5 that sets a model down touching an enemy without a zone: a charge, or apart",
        ),
        "charge_on_a_six": Ruling(
            "CZ.1",
            ("yes", "no"),
            "a charge may be tried though a 2 to 5 leaves the charger in its target's zone, short of contact; or not",
        ),
        "jump_prone_height": Ruling(
            "PRN.5",
            ("any", "half"),
            "who lies is jumped however tall it is, or only where half its height is no more than the jumper's",
        ),
        "leap_fall": Ruling(
            "LEAP.2",
            ("foot", "middle"),
            "who fails a leap lies at the foot of what it leapt from, or amid the leap",
        ),
        "fall_inches": Ruling("FALL.2", ("whole", "begun"), "further hits of a fall per whole inch, or per inch begun"),
        "edge_entry": Ruling(
            "REINF.1",
            ("outside", "centre"),
            "who enters starts touching the edge from outside, or centred on the edge",
        ),
        "end_on_low_obstacle": Ruling("TER.3", ("no", "yes"), "a move may end on top of an obstacle it can step over"),
        "climb_over": Ruling(
            "CLB.1",
            ("down", "over"),
            "over a climbable wall: a second test (or a free descent) brings the model down, or one test does all",
        ),
        "climb_test_each_turn": Ruling(
            "CLB.4",
            ("yes", "no"),
            "a model that hangs on a face: a new Climb test in every turn it goes on up, or only to begin with",
        ),
        "charge_a_climber": Ruling(
            "CHG.1",
            ("yes", "no"),
            "who hangs on a face by more than half the charger's height is charged from its foot, or from nowhere",
        ),
        "stand_on": Ruling(
            "FALL.1",
            ("whole", "centre"),
            "a model stands on a level with its whole base, or wherever its centre is (narrow treads, steep stairs)",
        ),
        "contact_across_heights": Ruling(
            "CHG.1",
            ("yes", "no"),
            "bases that meet seen from above are in contact when levels differ by up to half the mover's height",
        ),
        "leap_width": Ruling(
            "LEAP.1", ("line", "narrowest"), "a gap's width is taken along the leap, or at its narrowest"
        ),
    }
)


@dataclass(frozen=True)
class Rulings:
    """The readings by which a table is played.

    Parameters
    ----------
    chosen
        Name of a ruling to the name of a reading, for those that differ from the default.

    Raises
    ------
    UnknownNameError
        For a ruling or a reading that does not exist.

    Examples
    --------
    >>> rulings = Rulings().having("eye", "volume")
    >>> rulings["eye"], rulings["models_block_sight"]
    ('volume', 'yes')

    """

    chosen: FrozenMap[str, str] = field(default_factory=FrozenMap)

    def __post_init__(self) -> None:
        for name, reading in self.chosen.items():
            if name not in RULINGS:
                from sbg_sim.document.suggest import meant  # the modules that read files are loaded late

                known = meant(name, RULINGS) or f"; there are {', '.join(RULINGS)}"
                raise UnknownNameError(f"no ruling is called {name!r}{known}")
            if reading not in RULINGS[name].readings:
                known = ", ".join(RULINGS[name].readings)
                raise UnknownNameError(f"ruling {name!r} has no reading {reading!r}; it has {known}")

    def __getitem__(self, name: str) -> str:
        return self.chosen.get(name, RULINGS[name].readings[0])

    def having(self, name: str, reading: str) -> Rulings:
        """Return rulings in which one reading is another.

        Examples
        --------
        >>> Rulings().having("obstacle_exactly_half", "free") == Rulings()
        False

        """
        return replace(self, chosen=self.chosen.with_item(name, reading))

    def alternatives(self, name: str) -> tuple[str, ...]:
        """Return the readings of a ruling that are not in force.

        Examples
        --------
        >>> Rulings().alternatives("obstacle_exactly_half")
        ('free',)

        """
        return tuple(r for r in RULINGS[name].readings if r != self[name])
