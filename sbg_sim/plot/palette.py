"""Every colour, line style, hatch and layer of the pictures, by the word of the domain it stands for.

The hues are Okabe and Ito's, which people with any of the common colour-vision deficiencies tell apart.
Nothing relies on hue alone: sides differ in line style and lightness too, terrain in hatch, chances in
lightness and hatch.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

BLACK: Final = "#000000"
ORANGE: Final = "#E69F00"
SKY: Final = "#56B4E9"
GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"

PAPER: Final = "#FFFFFF"
INK: Final = "#1F1F1F"
FAINT: Final = "#767676"
GRID: Final = "#E9E9E6"
TABLE_EDGE: Final = "#3A3A3A"


@dataclass(frozen=True, slots=True)
class SideStyle:
    """The look of the bases of one side: rim colour, rim line style, fill."""

    rim: str
    style: Any
    fill: str


SIDES: Final = (
    SideStyle(BLUE, "solid", "#EAF3FA"),
    SideStyle("#A63D00", (0, (4, 1.2)), "#F2B48C"),
    SideStyle("#00694C", (0, (6, 1.2, 1.2, 1.2)), "#C9EBDF"),
    SideStyle("#8A3F6A", (0, (1.4, 1.0)), "#E7C3D7"),
)
NO_SIDE: Final = SideStyle("#555555", "solid", "#E4E4E4")
_KNOWN: Final = {"good": 0, "light": 0, "evil": 1, "dark": 1}


def side_styles(sides: Iterable[str]) -> dict[str, SideStyle]:
    """Return a style for each side, in the order given; Good and Evil always look the same, and grey means no side."""
    named = [side for side in dict.fromkeys(sides) if side]
    taken = {side: _KNOWN[side.casefold()] for side in named if side.casefold() in _KNOWN}
    free = [i for i in range(len(SIDES)) if i not in taken.values()]
    styles = {"": NO_SIDE}
    for side in named:
        index = taken[side] if side in taken else (free.pop(0) if free else len(SIDES) - 1)
        styles[side] = SIDES[index]
    return styles


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    """The look of one kind of terrain, and its words in the legend."""

    fill: str
    edge: str
    hatch: str
    hatch_colour: str
    width: float
    style: Any
    words: str


TERRAIN: Final = {
    "difficult": TerrainStyle(
        "#EEF1DC", "#8C9A58", "///", "#C3CC9C", 0.9, (0, (3, 2)), "difficult ground: costs double (TER.2)"
    ),
    "platform": TerrainStyle("#EFE6D6", "#6B5638", "", "#6B5638", 2.6, "solid", "platform: its top can be stood on"),
    "obstacle": TerrainStyle("#D2C6B7", "#4D4338", "", "#4D4338", 1.1, "solid", "obstacle (TER.3, TER.4)"),
    "unscalable": TerrainStyle("#6F6A66", "#191919", "xxxx", "#BDB8B2", 1.4, "solid", "unscalable (TER.5)"),
    "gap": TerrainStyle("#D5DCE4", "#2F3E4E", "\\\\\\", "#7F8FA0", 1.1, (0, (1, 1.2)), "gap (LEAP)"),
    "ladder": TerrainStyle("none", "#4A3000", "", "#4A3000", 1.4, "solid", "ladder (CLB.5)"),
    "": TerrainStyle("#F4F4F2", "#777777", "", "#777777", 0.8, "solid", "terrain without effect (TER.1)"),
}
"""The kinds of terrain; of several that a piece may have, the one that tells most comes last."""

ZONE: Final = "#7A7A7A"
ZONE_STYLE: Final = (0, (5, 3))
ZONE_CANCELLED: Final = "#979797"
ZONE_CANCELLED_STYLE: Final = (0, (1, 2.5))

PATH: Final = BLACK
BEYOND: Final = "#B03A00"
SWEPT: Final = "#DCEAF3"
SIGHT: Final = GREEN
HIDES: Final = VERMILION
FAULT: Final = "#B3001B"
CONTACT: Final = "#7A0055"
EXACT: Final = VERMILION
THREATS: Final = ("#FCE6D2", "#F9C79B", "#F2A263", "#DE7A36", "#B9551A")
"""Fills of ground that one, two, ... models can cover: darker with each step, in grey too."""
THREAT_EDGE: Final = "#8A3208"
SAFE: Final = "#BFE6CF"
SAFE_EDGE: Final = "#00694C"
DANGER: Final = "#F7DACB"
FLIP: Final = "#8E2A8B"

HATCHES: Final = ("////", "\\\\\\\\", "||||", "xxxx", "----", "++++", "//", "\\\\")
"""Lines only: a hatch of dots makes a vector file ten times as large."""
CATEGORIES: Final = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, "#5E5E5E", "#8C8200")
LINES: Final[tuple[Any, ...]] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")

_CHANCES: Final = (
    (0.0, (0xFF, 0xF7, 0xBC)),
    (0.5, (0xA1, 0xDA, 0xB4)),
    (5 / 6, (0x6B, 0xBF, 0xD6)),
    (1.0, (0x3D, 0x95, 0xC6)),
)
DANGER_HATCHES: Final = ("//", "||", "--", "\\\\\\\\", "++")
CHANCE_HATCHES: Final = ("", "\\\\\\", "---", "|||", "xxx", "+++", "////")


def category(rank: int) -> tuple[str, str]:
    """Return the colour and the hatch of one of many: their cycles are shifted, so that 64 pairs are different.

    Examples
    --------
    >>> len({category(rank) for rank in range(64)})
    64

    """
    return CATEGORIES[rank % 8], HATCHES[(rank + rank // 8) % 8]


def chance_colour(chance: Fraction | float) -> str:
    """Return the fill of a region by its chance: the higher, the darker, so that grey keeps the order.

    Examples
    --------
    >>> chance_colour(1)
    '#3d95c6'

    """
    value = min(1.0, max(0.0, float(chance)))
    (low, first), (high, last) = next(pair for pair in itertools.pairwise(_CHANCES) if value <= pair[1][0])
    part = (value - low) / (high - low)
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * part) for a, b in zip(first, last, strict=True)))


def danger_colour(chance: Fraction | float) -> str:
    """Return the fill of ground by the chance of being charged there: the higher, the nearer to `DANGER`.

    Examples
    --------
    >>> danger_colour(0.0), danger_colour(1.0)
    ('#fffbe8', '#f7dacb')

    """
    first, last = (0xFF, 0xFB, 0xE8), (0xF7, 0xDA, 0xCB)
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * float(chance)) for a, b in zip(first, last, strict=True)))


def cost_colour(share: float) -> str:
    """Return the fill of a cost, as a share of the Move (0 to 1): the higher, the darker.

    Examples
    --------
    >>> cost_colour(0.0), cost_colour(1.0)
    ('#f2f7fb', '#2f7fb3')

    """
    first, last = (0xF2, 0xF7, 0xFB), (0x2F, 0x7F, 0xB3)
    return "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share) for a, b in zip(first, last, strict=True)))


SPACES: Final = {
    "free-domains": "#FBF6C4", "border-lands": "#EFCF9C", "wilderness": "#CDE6CF", "shadow-lands": "#C9C4D6",
    "dark-domains": "#8D8398", "coastal-seas": "#86BFE6", "haven": "#E8F4FF",
    "open": "#F6F3E4", "road": "#EADFC8", "forest": "#7FB98A", "thicket": "#E0F0C4", "mountain": "#B3A596",
    "hill": "#DDD2C2", "river": "#A9D3EE", "ocean": "#7FB4DC", "lake": "#C2E2F4", "swamp": "#9DB7B4",
    "fellowship-site": "#E6F0DC", "tower-site": "#F1E2CC", "king-site": "#E9DDF0", "shadows-site": "#DDE3EA",
    "city": "#F1C9A5",
    "town": "#F6E7D2", "fortification": "#D9C8B4", "stronghold": "#B79F88",
    "free-peoples-stronghold": "#9FB8D3", "shadow-stronghold": "#A8837B",
}  # fmt: skip
"""Fills of board spaces by kind; kinds not listed take `SPACE`."""
SPACE: Final = "#F2F2EE"
ROUTE: Final = VERMILION

LAYER: Final = {
    "grid": 0.6,
    "terrain": 1.0,
    "swept": 1.3,
    "reach": 1.5,
    "terrain-rim": 2.0,
    "ground": 2.3,
    "zone": 2.5,
    "contact": 3.2,
    "base": 3.5,
    "ghost": 3.8,
    "path": 4.0,
    "mark": 4.6,
    "label": 6.0,
}
"""The drawing order of layers: a higher number lies over a lower one."""

FURTHER_FONTS: Final = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "MS Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
    "Segoe UI",
    "Segoe UI Symbol",
    "WenQuanYi Zen Hei",
    "IPAGothic",
    "Unifont",
)
"""Fonts for names in other scripts, tried in this order if they are installed."""

STYLE: Final[dict[str, Any]] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.0,
    "text.parse_math": False,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "axes.linewidth": 0.8,
    "axes.edgecolor": INK,
    "axes.facecolor": PAPER,
    "axes.unicode_minus": True,
    "axes.prop_cycle": "cycler('color', ['#0072B2'])",
    "figure.facecolor": PAPER,
    "figure.dpi": 100.0,
    "savefig.facecolor": PAPER,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.0,
    "legend.title_fontsize": 7.0,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "path.simplify": True,
    "text.usetex": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "sbg_sim",
    "pdf.fonttype": 42,
    "pdf.compression": 6,
}
"""The settings under which every picture is made and saved."""
