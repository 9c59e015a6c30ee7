"""Every tolerance of the project, named once with its reason. Lengths are inches."""

from __future__ import annotations

from typing import Final

TOUCH: Final = 1e-6
"""Two edges this near count as touching, and this much overlap as none: coordinates in files are typed to
six decimals, so a base placed in contact can miss it by half a micro-inch on either side."""

ROUNDING: Final = 1e-9
"""Rounding error of a closed-form length summed over a path on a table of a few hundred inches."""

SEAM: Final = 1.5e-6
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
