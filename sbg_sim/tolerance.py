"""Every tolerance of the project, named once with its reason. Lengths are inches."""

from __future__ import annotations

from typing import Final

TOUCH: Final = 1e-6
"""Two edges this near count as touching, and this much overlap as none: coordinates in files are typed to
six decimals, so a base placed in contact can miss it by half a micro-inch on either side."""

ROUNDING: Final = 1e-9
"""Rounding error of a closed-form length summed over a path on a table of a few hundred inches."""

STEP_RIM: Final = 1.5e-6
"""How far outside a step's rim (inches) its lower side ends where a model stands by its centre: beyond TOUCH, so that
no path slips over the rim unseen, and short enough to add nothing to a cost."""

CERTIFICATE: Final = 1e-6
"""The widest gap allowed between the proven lower and upper bound of a cost."""

FITS: Final = 1e-9
"""A cost this little above the allowance still fits: 6.000000000000001 is six inches."""

PATH_STEP: Final = 0.01
"""Longest piece of an arc in a reported path, inches."""

SLIVER: Final = 1e-12
"""A polygon of no more area than this (square inches) has none."""

NO_LENGTH: Final = 1e-12
"""Two places no farther apart than this (inches) are one: what leads from one to the other has no direction."""

ANGLE: Final = 1e-9
"""Two directions this near (radians) are one: an inch-sized arc between them is within ROUNDING."""

GRAZE: Final = 1e-9
"""A line of sight this near an outline (inches) grazes it and does not enter: rounding of coordinates on a table
of a few hundred inches stays far below, and a wall a micro-inch too high still hides."""

RIM_RUN: Final = 1e-3
"""A stretch of path this long within ROUNDING of a difficult rim runs along it; a shorter one may be a grazed
chord, which the claimed cost may count either way."""

DOUBLED_ROUNDING: Final = 1e-8
"""Rounding error of a cost on difficult ground: it sums roots where a path meets rims at shallow angles."""

APART: Final = 0.01
"""The small distance (inches) left between bases that a forced move must keep out of contact (CZ.3, PRN.5): wide
enough to be seen between two rims, and far above TOUCH."""

SNAP: Final = 6
"""Decimals to which computed places are rounded before they become part of a state: what a file is typed to, and
within TOUCH of the exact place, so that a record leads to one state on every machine."""

LARGEST: Final = 1e5
"""No coordinate or length of a table may be larger, inches: beyond, rounding would come near ROUNDING."""

SPECK: Final = 1e-4
"""A part of the difference of two areas that is no larger (square inches) is what lies between the chords of their
outlines, not ground that was lost: a hundredth of an inch square."""

SHOWN: Final = 5e-5
"""Lengths below this (inches) are nothing where four decimals are told."""

PRINTED: Final = 9
"""Decimals of lengths, places, areas and angles in JSON: the last is ROUNDING, and what follows it is noise."""

TANGENT: Final = 1e-12
"""Two circles this near to touching (inches) touch in one place: rounding would set the two places where they meet
apart by up to the root of it, a micro-inch, and a cost would come out below what is possible."""

LOOSE: Final = 0.05
"""Engaged models may be placed this far apart (inches) and still be meant to touch: a pencil line's width, and what
rounding a base of 25 mm to an inch leaves."""

RIM: Final = 1e-10
"""A rim of difficult ground weighs like open ground: depth (inches) that is rounding of coordinates of table size."""

ROUNDED: Final = 1e-13
"""Two parameters of one line, or two directions, this near are one: rounding of a number of size 1."""

TINY: Final = 1e-300
"""Keeps 0/0 out where something has no length; it never decides anything."""

SHARE: Final = 1e-9
"""Two places along a line this near (a share of its length) are one; what lies so little beyond its end is at it."""

WEIGHS_ALIKE: Final = 1e-5
"""Two shares of a line that lies over difficult ground (of its length) are one if they differ by less: what it is
weighed by may be drawn a little otherwise where it does not run."""

ACROSS: Final = 1e-5
"""A direction whose part (cosine) along another is no more than this runs across it: what is divided by that part would
be rounding alone."""

SPECK_SHARE: Final = 1e-4
"""A part of a cell that lacks no more than this share of it is the whole cell: what lacks lies between the chords of
its outline."""

HAIR: Final = 1e-7
"""So far beside a place (inches or radians) one is on that side of it whatever rounding does, and nothing else lies in
between; so short a link or arc has no direction of its own."""

BESIDE: Final = 1e-5
"""How far beside a rim (inches) it is looked what lies there; a way nearer a rim than that may touch it."""

ABOUT: Final = 1e-3
"""What lies farther than this (inches) from something does not meet it, whatever chords or rounding stand for it."""

SMOOTH: Final = 1e-4
"""Directions and slopes that differ by less go on as one where they come from samples, differences or arcs that have
shrunk to nothing (radians, sines, or inches of cost an inch)."""

SMOOTH_COSINE: Final = 1e-6
"""By how much the cosine between the normals of two pieces of a rim may fall short of 1 where one goes on as the
other."""

NOTCH_COSINE: Final = 1e-9
"""By how much the cosine between the normals of two pieces of a rim must fall short of 1 for an inward corner between
them to be one, and not rounding of where they were drawn."""

SHALLOW: Final = 1e-3
"""A chord that leaves a rim at less than this (sine of the angle) may count as lying along it."""

WALLED: Final = 4e-6
"""A straight so deep in a disc of the mover's size within a wall is blocked, whatever rounding does, inches."""

ON_CIRCLE: Final = 1e-11
"""A point whose square lies no farther (square inches) beyond a circle's is on it: its root is no length."""

NO_GAIN: Final = 1e-12
"""A gain below this (inches) is rounding of a sum, and would let labels chase each other."""

STILL: Final = 1e-11
"""A step of a path this small (inches) changes no cost, and one that gains no more does not pay."""

LAST_DIGIT: Final = 1e-15
"""Rounding of one number of size 1: steps of Newton's method are made until costs change by no more than it."""

DIFFERENCE: Final = 1e-5
"""Step (inches) of the differences that stand for derivatives; the optimum is flat, so its square is the error."""

SLOPE_JUMPS: Final = 0.05
"""Half of what a slope changes by within a difference, inches an inch, from which on a cost counts as kinked."""

FLAT: Final = 1e-6
"""Where a cost or a distance changes by no more than this (inches an inch) nothing is gained by going on."""

STEEP: Final = 1e-4
"""Slope (inches an inch) above which a path that was made shortest rests against a kink of its cost."""

OFF_END: Final = 1e-6
"""How far off the end of a rim (inches) a path is begun anew that came to rest there though its cost falls; a step
longer than that is followed by another even where it gains nothing."""

OFF_CORNER: Final = 1e-3
"""How far off a corner of two rims (inches) a path is begun anew that came to rest there short of what it must clear:
far enough for differences to see the slopes beside the kink."""

CONDITION: Final = 1e-12
"""Least curvature of a step of Newton's method as a share of the greatest: beyond such a condition of its equations a
step would be rounding alone."""

SOFT: Final = 1e-3
"""Least curvature (1/inch) a step of Newton's method is taken with."""

CREEPS: Final = 1e-3
"""A path whose step is longer than this (inches), can hardly be gone and gains less than this creeps into a kink."""

MET: Final = 1e-4
"""Two places of a path nearer than this (inches) have run into each other, as far as differences can tell."""

RESTS: Final = 0.02
"""So near to a corner of its gap (inches) a leap as long as may be can come to rest against it: it is held to both of
its sides and goes on along one where that is shorter, so that more would only be looked at in vain."""

AT_CORNER: Final = 1e-4
"""Over no more than this (inches) a way that touches an inward corner lies within TOUCH of the outline there."""

CLEARED: Final = 1e-10
"""What a way over must clear (inches or radians) is just cleared; a leap with no more to spare goes straight across."""

SAGITTA: Final = 4e-4
"""How far a chord between two rays may stray from an arc where areas are drawn, inches; a third place between them, so
set that the area is that of the arc, then leaves a third of it."""

OUTLINE_ERROR: Final = 1e-4
"""What an inch of outline may add to or take from a reach area, square inches: two chords between rays stray from their
arc by a third of SAGITTA to either side in equal parts, so that only where other fans cut them off half way anything is
left of it. Outlines traced by bisecting exact costs differ by a twentieth of this on open ground, by a third where
difficult pieces overlap."""

RIM_AREA: Final = 0.004
"""Square inches that sampled rims may add to the error of an area: a front behind a sampled rim errs on average by half
of its curvature (1/in) times the mean square distance to a sample."""

NARROW: Final = 2e-3
"""Less than this (inches) between what two rays or looks meet is not looked at again."""

FRONT_DEPTH: Final = 0.003
"""How far the chord of a front behind a rim may lie below its arc, inches; the two drawn lie beside it by a third."""

KINK: Final = 1e-3
"""Slopes (inches of cost an inch of rim) that fall by more than this between two kinds of path cross at a kink."""

UNLIKE: Final = 0.02
"""By how much (inches of cost an inch of rim) a cost may change otherwise between two places than a type of path that
leads there says, before others are looked for."""

CUBIC: Final = 1e-5
"""By how much a cubic through costs and slopes at samples of a rim may err (inches) before a cost is worked out."""

LABEL_EXCESS: Final = 4e-5
"""By how much labels of places on rings may be too dear (inches) where areas are drawn."""

STRIP: Final = 0.004
"""Width (inches) up to which a strip that hangs on a hop through a zone counts as nothing."""

CHORD: Final = 1e-4
"""How far the chords of a polygon lie from the arcs they stand for, inches, where nothing exact hangs on them."""

SIMPLIFIED: Final = 1e-3
"""By how much outlines are simplified (inches) before many areas are laid over each other."""

POINT: Final = 1e-4
"""A base of which its doubt leaves less than this (inches across) is held to be none: a hundred times TOUCH."""
