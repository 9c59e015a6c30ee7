"""Every tolerance of the project, named once with its reason. Lengths are inches."""

from __future__ import annotations

from typing import Final

TOUCH: Final = 1e-6
"""Two edges this near count as touching, and this much overlap as none: coordinates in files are typed to
six decimals, so a base placed in contact can miss it by half a micro-inch on either side."""

ROUNDING: Final = 1e-9
"""Rounding error of a closed-form length summed over a path on a table of a few hundred inches."""

STEP_RIM: Final = 1.5e-6
"""How far outside a step's rim (inches) its lower side ends if models stand by their centres: beyond TOUCH, so that no
path slips over the rim unnoticed, and short enough to add nothing to a cost."""

CERTIFICATE: Final = 1e-6
"""The widest gap allowed between the proven lower and upper bound of a cost."""

FITS: Final = 1e-9
"""A cost this little above the allowance still fits: 6.000000000000001 is six inches."""

PATH_STEP: Final = 0.01
"""Longest piece of an arc in a reported path, inches."""

SLIVER: Final = 1e-12
"""A polygon of at most this area (square inches) counts as empty."""

NO_LENGTH: Final = 1e-12
"""Two places at most this far apart (inches) are one: the segment between them has no direction."""

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
"""A part of the difference of two areas of at most this size (square inches) comes from the chords of their outlines,
and is no ground that was lost: a hundredth of an inch square."""

SHOWN: Final = 5e-5
"""Lengths below this (inches) are 0 with four decimals."""

PRINTED: Final = 9
"""Decimals of lengths, places, areas and angles in JSON: the last is ROUNDING, and further ones would be noise."""

TANGENT: Final = 1e-12
"""Two circles this near to touching (inches) touch in one place: by rounding their two common points could be apart by
the root of this, a micro-inch, and a cost could come out too low."""

LOOSE: Final = 0.05
"""Engaged models may be placed this far apart (inches) and still be meant to touch: the width of a pencil line, and the
error of rounding a base of 25 mm to an inch."""

RIM: Final = 1e-10
"""Depth (inches) in difficult ground up to which a place is on its rim, which weighs like open ground: the rounding of
coordinates of table size."""

ROUNDED: Final = 1e-13
"""Two parameters of one line, or two directions, this near are one: rounding of a number of size 1."""

TINY: Final = 1e-300
"""Avoids 0/0 where a length is 0; it never decides anything."""

SHARE: Final = 1e-9
"""Two places along a line this near (as a share of its length) are one; a place this little beyond its end is at it."""

WEIGHS_ALIKE: Final = 1e-5
"""Two shares of a line over difficult ground (of its length) are equal if they differ by less: the ground that weighs
it may be changed a little where the line does not run."""

ACROSS: Final = 1e-5
"""A direction whose component (cosine) along another is at most this is at right angles to it: a quotient by that
component would be rounding error."""

SPECK_SHARE: Final = 1e-4
"""A part of a cell that lacks at most this share of it is the whole cell: the rest lies between the chords of its
outline."""

HAIR: Final = 1e-7
"""A place this far beside another (inches or radians) is on that side of it for any rounding, with nothing between; a
link or arc as short as this has no direction of its own."""

BESIDE: Final = 1e-5
"""How far beside a rim (inches) the ground there is tested; a way nearer to a rim than this may touch it."""

ABOUT: Final = 1e-3
"""Two things farther apart than this (inches) do not meet, even if chords or rounding stand for one of them."""

SMOOTH: Final = 1e-4
"""Directions and slopes from samples, differences or arcs that have shrunk to nothing are equal if they differ by less
(radians, sines, or inches of cost per inch)."""

SMOOTH_COSINE: Final = 1e-6
"""By how much the cosine between the normals of two pieces of a rim may fall short of 1 if one continues the other
smoothly."""

NOTCH_COSINE: Final = 1e-9
"""By how much the cosine between the normals of two pieces of a rim must fall short of 1 for an inward corner: less may
be the rounding of coordinates."""

SHALLOW: Final = 1e-3
"""A chord that leaves a rim at less than this (sine of the angle) may count as lying along it."""

WALLED: Final = 4e-6
"""A straight this deep (inches) in a disc of the mover's size inside a wall is blocked for any rounding."""

ON_CIRCLE: Final = 1e-11
"""A point is on a circle if its squared distance exceeds the squared radius by at most this (square inches): the root
of the excess is no length."""

NO_GAIN: Final = 1e-12
"""A gain below this (inches) is rounding of a sum, and could make labels improve each other for ever."""

STILL: Final = 1e-11
"""A step of a path this small (inches) changes no cost, and a step that gains no more is not worth taking."""

LAST_DIGIT: Final = 1e-15
"""Rounding of one number of size 1: steps of Newton's method are made until costs change by no more."""

DIFFERENCE: Final = 1e-5
"""Step (inches) of differences that replace derivatives; the optimum is flat, so the error is the square of it."""

SLOPE_JUMPS: Final = 0.05
"""Half the change of a slope within the step of a difference (inches per inch) above which a cost has a kink."""

FLAT: Final = 1e-6
"""Where a cost or a distance changes by no more than this (inches per inch) going on gains nothing."""

STEEP: Final = 1e-4
"""Slope (inches per inch) above which a polished path rests against a kink of its cost."""

OFF_END: Final = 1e-6
"""How far off the end of a rim (inches) a path starts again that came to rest there though its cost falls; a longer
step is followed by another even if it gains nothing."""

OFF_CORNER: Final = 1e-3
"""How far off a corner of two rims (inches) a path starts again that came to rest there and violates a constraint: far
enough for differences to see the slopes beside the kink."""

CONDITION: Final = 1e-12
"""Least curvature for a step of Newton's method, as a share of the greatest: with a worse condition of the equations
the step would be rounding error."""

SOFT: Final = 1e-3
"""Least curvature (1/inch) that a step of Newton's method uses."""

CREEPS: Final = 1e-3
"""A path creeps into a kink if its step is longer than this (inches), can hardly be taken and gains less than this."""

MET: Final = 1e-4
"""Two places of a path nearer than this (inches) have met, as far as differences can tell."""

RESTS: Final = 0.02
"""Distance (inches) from a corner of its gap within which a leap of the greatest length can come to rest against it: it
is held to both sides of the corner, and goes on along one if that is shorter."""

AT_CORNER: Final = 1e-4
"""Greatest length (inches) over which a way that touches an inward corner lies within TOUCH of the outline there."""

CLEARED: Final = 1e-10
"""A constraint of a way over holds if it is violated by no more (inches or radians); a leap with no more to spare goes
straight across."""

SAGITTA: Final = 4e-4
"""How far a chord between two rays may deviate from an arc where areas are drawn, inches; a third place between them,
set so that the area is that of the arc, leaves a third of it."""

OUTLINE_ERROR: Final = 1e-4
"""Error of a reach area per inch of outline, square inches: two chords between rays deviate from their arc by a third
of SAGITTA to either side in equal parts, so that an error remains only where other fans cut them off half way. Outlines
traced by bisecting exact costs differ by a twentieth of this on open ground, by a third where difficult pieces
overlap."""

RIM_AREA: Final = 0.004
"""Square inches that sampled rims may add to the error of an area: a front behind a sampled rim errs on average by half
of its curvature (1/in) times the mean square distance to a sample."""

NARROW: Final = 2e-3
"""Between two rays or looks that meet things nearer together than this (inches) no further one is cast."""

FRONT_DEPTH: Final = 0.003
"""How far the chord of a front behind a rim may lie below its arc, inches; the two drawn are off by a third of it."""

KINK: Final = 1e-3
"""Between two types of path whose slopes (inches of cost per inch of rim) fall by more than this there is a kink."""

UNLIKE: Final = 0.02
"""Greatest difference (inches of cost per inch of rim) between the change of a cost from place to place and the slope
of the type of path that leads there, before further types are sought."""

CUBIC: Final = 1e-5
"""Greatest error (inches) of a cubic through costs and slopes at samples of a rim, before a cost is computed."""

LABEL_EXCESS: Final = 4e-5
"""By how much labels of places on rings may be too high (inches) where areas are drawn."""

STRIP: Final = 0.004
"""Width (inches) up to which a strip that depends on a way through a zone counts as nothing."""

CHORD: Final = 1e-4
"""How far the chords of a polygon may lie from their arcs, inches, where nothing exact depends on them."""

SIMPLIFIED: Final = 1e-3
"""By how much outlines are simplified (inches) before overlays of many areas."""

POINT: Final = 1e-4
"""A base counts as none if its doubt leaves less of it than this (diameter, inches): a hundred times TOUCH."""
