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
        The question that it settles with its readings, in one sentence.

    """

    rule: str
    readings: tuple[str, ...]
    about: str


RULINGS: Final[FrozenMap[str, Ruling]] = FrozenMap(
    {
        "obstacle_exactly_half": Ruling(
            "TER.3",
            ("test", "free"),
            "an obstacle exactly half as high as the model takes a Jump test, or is free to cross",
        ),
        "zones_across_surfaces": Ruling(
            "CZ.1",
            ("no", "yes"),
            "a Control Zone binds only on the enemy's own surface, or also above and below it, as seen from above",
        ),
        "stuck_no_closer": Ruling(
            "CZ.4",
            ("start", "monotone"),
            "a model that moves away inside a zone: never closer than at its start, or never any closer on the way",
        ),
        "stuck_then_charge": Ruling(
            "CZ.4", ("yes", "no"), "a model stuck in one zone may move away and then charge another enemy"
        ),
        "zone_once_left": Ruling(
            "CZ.4",
            ("closed", "nearer"),
            "a zone that a stuck model has left is closed to it, or only the part nearer to the enemy than its start",
        ),
        "charge_stays_in_zone": Ruling(
            "CHG.4", ("yes", "no"), "a charging model stays in the zone of the enemy it must charge until contact"
        ),
        "eye": Ruling(
            "LOS", ("centre", "volume"), "the eye is at the centre at full height, or anywhere at full height"
        ),
        "models_block_sight": Ruling("LOS", ("yes", "no"), "other models block a line of sight, or only terrain"),
        "sight_grazing": Ruling(
            "LOS",
            ("passes", "blocks"),
            "a line of sight that only touches an edge, a side or a top passes, or is blocked",
        ),
        "sight_within": Ruling(
            "LOS",
            ("blocks", "ignored"),
            "terrain in which the looker or the target stands blocks the line of sight, or is ignored",
        ),
        "defended_opposite": Ruling(
            "CHG.8",
            ("overlap", "anywhere"),
            "a charge across a barrier ends where the bases overlap along it, or anywhere on the far side",
        ),
        "defended_behind": Ruling(
            "CHG.8",
            ("any", "test"),
            "a model that touches an obstacle is defended by any, or only if the charger needs a test to cross it",
        ),
        "pairing_one_on_one": Ruling(
            "PAIR.2",
            ("fights", "duels"),
            "one on one where possible: as many fights as possible, or among those as many duels as possible",
        ),
        "back_away": Ruling(
            "CZ.3",
            ("any", "straight"),
            "a loser backs away an inch in any direction that leads no nearer to its opponents, or only straight away",
        ),
        "jump_landing": Ruling(
            "JMP.1", ("any", "across"), "a jump lands along any straight line, or only straight across"
        ),
        "jump_without_movement": Ruling(
            "JMP.1",
            ("no", "yes"),
            "a model may begin a jump, however long, with too little movement left to land",
        ),
        "leap_needs": Ruling(
            "LEAP.1", ("maximum", "remaining"), "a leap must be within the maximum Move, or within the movement left"
        ),
        "leap_landing": Ruling(
            "LEAP.1",
            ("lower", "both", "neither"),
            "a leap to a level lower or higher by up to the model's height: to lower ones, to both, or to neither",
        ),
        "jump_into_contact": Ruling(
            "JMP.1",
            ("charge", "apart"),
            "a 2 to 5 for a jump or leap sets a model down touching an enemy without a zone: a charge, or set apart",
        ),
        "charge_on_a_six": Ruling(
            "CZ.1",
            ("yes", "no"),
            "a charge may be tried even if a 2 to 5 puts the charger down in its target's zone, short of contact",
        ),
        "jump_prone_height": Ruling(
            "PRN.5",
            ("any", "half"),
            "a prone model can be jumped however tall it is, or only if half its height is no more than the jumper's",
        ),
        "leap_fall": Ruling(
            "LEAP.2",
            ("foot", "middle"),
            "a model that fails a leap lies at the foot of the level that it left, or under the middle of the leap",
        ),
        "fall_inches": Ruling(
            "FALL.2", ("whole", "begun"), "a fall causes a further hit for each whole inch, or for each inch begun"
        ),
        "edge_entry": Ruling(
            "REINF.1",
            ("outside", "centre"),
            "a reinforcement starts touching the edge from outside, or centred on the edge",
        ),
        "reinforcement_must_charge": Ruling(
            "REINF.1",
            ("yes", "no"),
            "a reinforcement that fails to jump a prone enemy must charge it, or stops before it",
        ),
        "end_on_low_obstacle": Ruling(
            "TER.3", ("no", "yes"), "a move may end on top of an obstacle that the model can step over"
        ),
        "climb_over": Ruling(
            "CLB.1",
            ("down", "over"),
            "a climb over a wall takes a second test (or a free descent) to come down, or one test for all of it",
        ),
        "climb_test_each_turn": Ruling(
            "CLB.4",
            ("yes", "no"),
            "a model that climbs over several turns takes a Climb test in every turn, or only in the first",
        ),
        "charge_a_climber": Ruling(
            "CHG.1",
            ("yes", "no"),
            "a model higher up a face than half the charger's height can be charged from the foot, or not at all",
        ),
        "stand_on": Ruling(
            "FALL.1",
            ("whole", "centre"),
            "a model needs its whole base on a level to stand there, or only its centre (narrow treads, steep stairs)",
        ),
        "contact_across_heights": Ruling(
            "CHG.1",
            ("yes", "no"),
            "bases that touch as seen from above are in contact if levels differ by up to half the mover's height",
        ),
        "leap_width": Ruling(
            "LEAP.1", ("line", "narrowest"), "a gap's width is measured along the leap, or at its narrowest"
        ),
    }
)


@dataclass(frozen=True)
class Rulings:
    """The readings in force on a table.

    Parameters
    ----------
    chosen
        The names of readings by the names of rulings, where they differ from the default.

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
        """Return rulings with another reading of one of them.

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
