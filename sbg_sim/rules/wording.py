"""The wording of every rule, in this package's own words: its id, its title, its text and a scenario that shows it."""

from typing import Final

WORDING: Final[tuple[tuple[str, ...], ...]] = (
    (
        "MOV.1",
        "Who moves when",
        "The side with Priority moves first: all of its models, some, or none. Then the other side does.",
        "phase/charging-2-sequence.toml",
    ),
    (
        "MOV.2",
        "One at a time",
        (
            "A model finishes its move before another begins. Within a side the order is free, and it matters: who "
            "has moved no longer stands where it stood."
        ),
        "charging-2-open.toml",
    ),
    (
        "MOV.3",
        "What a move costs",
        (
            "A model goes any way it likes, with as many bends as it likes, as long as the way costs no more than its "
            "Move. The cost is the length of the path that the centre of its base takes; a base does not turn. "
            "Difficult ground doubles it, climbing adds to it, standing up takes half of the Move."
        ),
        "movement-1.toml",
    ),
    (
        "MOV.4",
        "Bases never overlap",
        (
            "At no instant of a move may the base overlap another base, of a friend or of an enemy. Touching is "
            "allowed. So a gap just as wide as the base lets it through, and one narrower by any amount does not."
        ),
        "movement-3.toml",
    ),
    (
        "MOV.5",
        "Stay on the table",
        "No part of a base leaves the table during a move or at its end.",
    ),
    (
        "MOV.6",
        "Who may not move",
        (
            "An engaged model, one that has moved already, and one that is held by some effect do not move. In a "
            "file: `engaged`, `moved`, `may_move = false`."
        ),
    ),
    ("MOV.7", "Facing", "Which way a model looks has no effect on anything."),
    (
        "MOV.8",
        "Agreed passages",
        (
            "The players may agree that a model passes an opening for which its base is too wide, as a rider does a "
            "gate. In a file the piece names who: `lets_through`."
        ),
    ),
    (
        "MOV.9",
        "The end of the Move phase",
        "What is said to happen at the end of the Move phase happens right after the last model of the second side.",
    ),
    (
        "CZ.1",
        "What a Control Zone is",
        (
            "Round every model lies a zone one inch wide, measured from the edge of its base. The base of an enemy "
            "may not reach into it, unless that enemy charges this very model. To touch the rim of a zone is not to "
            "enter it."
        ),
        "control-zones.toml",
    ),
    ("CZ.2", "Who has no zone", "A model that lies down and a model that is engaged have no zone."),
    (
        "CZ.3",
        "Pushed into a zone",
        (
            "A model that is moved without its will (beaten back, or set down by a test that failed) may come to "
            "stand in a zone, but never in contact."
        ),
    ),
    (
        "CZ.4",
        "Beginning inside a zone",
        (
            "A model whose base reaches into an enemy's zone as its move begins may stay, may charge an enemy whose "
            "zone it is in, or may move away: inside that zone it never comes nearer to the enemy. Zones in which it "
            "did not begin stay shut, and one it has left shuts behind it."
        ),
        "control-zones.toml",
    ),
    (
        "CHG.1",
        "What a charge needs",
        (
            "The charger must see its target before it moves, and must have a way that ends in contact with the "
            "target's base and costs no more than its Move."
        ),
        "charging-1.toml",
    ),
    (
        "CHG.2",
        "Engaged",
        (
            "Models in contact with an enemy are engaged, both of them, and neither moves again in this phase. A "
            "model that is freed before its own turn to move comes may still move."
        ),
    ),
    (
        "CHG.3",
        "The first zone binds",
        (
            "The enemy whose zone a charger enters first is one it must charge. When its base reaches two zones at "
            "the same instant, the player chooses which of the two."
        ),
        "charging-2.toml",
    ),
    (
        "CHG.4",
        "Round the target",
        "Within the zone of the enemy it is bound to, the charger may go round to another part of that enemy's base.",
        "charging-1.toml",
    ),
    (
        "CHG.5",
        "Other zones no longer matter",
        "Once bound, the charger goes through the zones of other enemies as if they were not there. Their bases are.",
        "charging-3.toml",
    ),
    (
        "CHG.6",
        "Several at once",
        (
            "One model may charge several enemies when its base can touch all of them at one place within its Move. "
            "The first zone it enters must belong to one of them; the zones after that one do not matter."
        ),
        "charging-3.toml",
    ),
    (
        "CHG.7",
        "A charge opens the way",
        "A model that has been charged has lost its zone, so the models that move later have ways that were shut.",
        "charging-2-open.toml",
    ),
    (
        "CHG.8",
        "Across a barrier",
        (
            "Who charges a model that stands behind a wall, and touches that wall, ends touching the wall on its own "
            "side, opposite to the target. That counts as contact."
        ),
    ),
    ("PAIR.1", "Who fights", "At the end of the phase every model in contact with an enemy is in a fight."),
    (
        "PAIR.2",
        "One against one first",
        (
            "Models pair off one against one as far as they can; those that are left over join a fight of which they "
            "touch an enemy."
        ),
        "pairing-off-fights.toml",
    ),
    (
        "PAIR.3",
        "Who chooses",
        (
            "Where a model could be in more than one fight, the player with Priority says which. All choices that the "
            "rules leave are listed."
        ),
        "pairing-off-fights.toml",
    ),
    (
        "PAIR.4",
        "Pairing off early",
        "When something asks for the fights before the phase ends, the player with Priority may pair off then.",
    ),
    (
        "PAIR.5",
        "Nudged apart",
        "Models that were in contact and were moved apart a little to show the fights still count as in contact.",
    ),
    ("TER.1", "Open ground", "Open ground changes nothing."),
    (
        "TER.2",
        "Difficult ground",
        (
            "Every inch counts twice while any part of the base is on difficult ground. For the centre of a base of "
            "radius r that is the piece and everything within r of it."
        ),
        "difficult-terrain-1.toml",
    ),
    (
        "TER.3",
        "Low obstacles",
        "An obstacle lower than half of the model's height is stepped over: no test, no cost beyond the length.",
        "obstacles.toml",
    ),
    (
        "TER.4",
        "Higher obstacles",
        (
            "From half of the model's height up to the whole of it an obstacle takes a Jump test. A higher one takes "
            "a Climb test, when it can be climbed at all."
        ),
        "obstacles.toml",
    ),
    (
        "TER.5",
        "Unscalable",
        "Nobody climbs what is unscalable. When it is no higher than the model it may still be jumped.",
        "unscalable.toml",
    ),
    (
        "JMP.1",
        "The Jump test",
        (
            "The model moves into contact with the obstacle and rolls a die. 1: it stays there, and its move is over. "
            "2 to 5: it stands on the far side with its base touching the obstacle, and its move is over. 6: the "
            "same, and it may go on with what is left of its Move."
        ),
        "jumping.toml",
    ),
    (
        "JMP.2",
        "What a jump costs",
        "A jump costs the distance over the ground from where it begins to where it lands; up and down cost nothing.",
        "jumping.toml",
    ),
    ("JMP.3", "How high", "An obstacle just as high as the model can still be jumped.", "jumping.toml"),
    (
        "LEAP.1",
        "How far",
        (
            "A gap may be leapt when it is no wider than twice the model's height, and when the model has Move enough "
            "to stand wholly on the far side."
        ),
        "leaping.toml",
    ),
    (
        "LEAP.2",
        "The Leap test",
        (
            "A die: 1: the model falls to the bottom of the gap, takes the hits of the fall, and lies there. 2 to 5: "
            "it stands on the far side with its base touching the gap, and its move is over. 6: the same, and it may "
            "go on."
        ),
        "leaping.toml",
    ),
    (
        "CLB.1",
        "What a climb is and costs",
        "Going up by more than the model's height is climbing. Every inch of height counts twice.",
        "climbing.toml",
    ),
    (
        "CLB.2",
        "The Climb test",
        (
            "A die: 1: the model falls and lies at the foot, with the hits of a fall from the height it had reached. "
            "2 to 5: it goes up until its Move is used or it is on top, and its move is over. 6: the same, and from "
            "the top it may go on with what is left."
        ),
        "climbing.toml",
    ),
    (
        "CLB.3",
        "What cannot be climbed",
        'Riders do not climb (`keywords = ["cavalry"]`), and nobody climbs what is unscalable.',
        "unscalable.toml",
    ),
    (
        "CLB.4",
        "High structures",
        "What is too high for one turn is climbed in several; how far up a model hangs is kept in `climbed`.",
        "half-way-up-tested-again.toml",
    ),
    (
        "CLB.5",
        "Ladders and stairs",
        "Up or down a ladder, a rope or stairs there is no test, and the cost is the height, once.",
        "ladder.toml",
    ),
    (
        "FALL.1",
        "Going down",
        (
            "Down by no more than its height a model goes without a test, and only the distance over the ground "
            "counts. Further down takes a Climb test."
        ),
        "descending.toml",
    ),
    (
        "FALL.2",
        "Falling",
        (
            "A model that falls lies at the foot of what it fell from. From more than its own height it takes a hit "
            "of Strength 3, and one more for every inch beyond its height."
        ),
        "falling.toml",
    ),
    (
        "PRN.1",
        "Lying down",
        "A model that lies has no zone, and for lines of sight it is half as high.",
        "sight-prone.toml",
    ),
    (
        "PRN.2",
        "Crawling",
        (
            "A model that lies may crawl up to one inch, whatever its Move and whatever the ground, and may then do "
            "nothing else but stand up. Who crawls does not jump, leap or climb."
        ),
        "prone-and-movement.toml",
    ),
    (
        "PRN.3",
        "Standing up, lying down",
        (
            "Standing up takes half of the Move, and with the other half the model may go on and charge. Lying down "
            "takes half of the Move too. Nobody does both in one phase, and nobody charges while lying."
        ),
        "prone-and-movement.toml",
    ),
    (
        "PRN.4",
        "Charging who lies",
        (
            "A model that lies may be charged like any other, and enemies may come as near to it as they like without "
            "contact."
        ),
        "prone-and-movement.toml",
    ),
    (
        "PRN.5",
        "Jumping over who lies",
        (
            "A model that lies may be jumped: the jumper comes as near as can be without contact and rolls. 2 to 5: "
            "it is beyond, and its move is over. 6: it may go on. 1: over a friend the jump fails; an enemy must be "
            "charged instead."
        ),
        "jumping-over-prone.toml",
    ),
    (
        "REINF.1",
        "Coming onto the table",
        (
            "When a side has moved all its models on the table, a point of an edge is chosen, and those that come "
            "move on from it and may then move as usual; they do not charge in this phase."
        ),
        "phase/reinforcements-faramir.toml",
    ),
    (
        "REINF.2",
        "A whole warband",
        (
            "A warband comes on at one point, where all of it must find room. When there is none it may try in the "
            "next turn, with 1 more on its die. In a file: models with the same keyword, such as `warband-1`."
        ),
        "phase/reinforcements-faramir.toml",
    ),
    (
        "LOS",
        "Line of sight",
        (
            "A model sees another when a straight line from its eye meets some part of the other (its base as high as "
            "the model) and passes through no terrain and through no other model."
        ),
        "sight-over-a-wall.toml",
    ),
)
"""Chapter after chapter: id, title, text, and under ``scenarios/`` a file that shows it where there is one."""
