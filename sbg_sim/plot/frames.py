"""The pictures of a film: still artists are drawn once, those that rest during a shot once for that shot."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from sbg_sim.arrays import Floats
    from sbg_sim.plot.reels import Moment, Reel

_DOTS: Final = 100  # dots per inch of paper, at least,
_WIDE: Final = 830.5  # and enough for this width of a picture on a page; fractions of a dot are cut off
_FITS: Final = 4  # attempts to find enough dots per inch


class Shot(NamedTuple):
    """Consecutive moments, and the ids of the models whose base, label, zone or bar changes during them."""

    moments: tuple[Moment, ...]
    changing: frozenset[str]


class Overlay(NamedTuple):
    """A transparent layer: the pixels that it covers, their colours times opacity, and their transparency."""

    covered: NDArray[np.intp]
    colours: Floats
    through: Floats

    def over(self, pixels: NDArray[np.uint8]) -> None:
        """Draw the layer over pixels ``(height, width, 4)``, in place."""
        flat = pixels.reshape(-1, 4)
        flat[self.covered, :3] = self.colours + self.through * flat[self.covered, :3]


def shots(moments: Sequence[Moment]) -> list[Shot]:
    """Divide moments into shots: a new one begins where another model begins to change."""
    found: list[Shot] = []
    begun, changing = [moments[0]], frozenset[str]()
    for before, after in itertools.pairwise(moments):
        now = _changed(before, after)
        if not now <= changing and changing:
            found.append(Shot(tuple(begun), changing))
            begun, changing = [after], frozenset()
        else:
            begun.append(after)
            changing |= now
    return [*found, Shot(tuple(begun), changing)]


def _changed(before: Moment, after: Moment) -> frozenset[str]:
    """Return the ids of the models whose place, label, zone or bar differs between two moments."""
    old, new = before.places, after.places
    moved = {name for name in {**old, **new} if old.get(name) != new.get(name)}
    moved |= {name for name in new if before.states.get(name) != after.states.get(name)}
    return frozenset(moved) | (before.zones ^ after.zones) | (before.prone ^ after.prone)


def frames(reel: Reel) -> Iterator[NDArray[np.uint8]]:
    """Yield a picture ``(height, width, 4)`` for every moment of a film."""
    figure = reel.ax.get_figure(root=True)
    assert figure is not None
    figure.set_dpi(_DOTS)
    canvas: Any = FigureCanvasAgg(figure)
    reel.fit()
    for _ in range(_FITS):
        if (enough := _WIDE / figure.get_size_inches()[0]) <= figure.dpi:
            break
        # Letters are whole dots wide: one more dot per inch can make words wider by a tenth.
        figure.set_dpi(enough)
        reel.fit()
    for artist in reel.moving():
        artist.set_animated(True)
    reel.show(reel.moments[0])
    canvas.draw()
    paper = np.array(canvas.buffer_rgba())
    for shot in shots(reel.moments):
        yield from _of_shot(reel, canvas, paper, shot)


def _of_shot(reel: Reel, canvas: Any, paper: NDArray[np.uint8], shot: Shot) -> Iterator[NDArray[np.uint8]]:
    ax, (rings, bases, words) = reel.ax, _layers(reel, shot.changing)
    reel.show(shot.moments[0])
    overlays = [_overlay(ax, canvas, still) for still in (bases[0], words[0])]
    pixels = np.asarray(canvas.buffer_rgba())
    pixels[:] = paper
    _draw(ax, rings[0])
    ground = pixels.copy()
    for moment in shot.moments:
        reel.show(moment)
        pixels[:] = ground
        _draw(ax, rings[1])
        overlays[0].over(pixels)
        _draw(ax, bases[1])
        overlays[1].over(pixels)
        _draw(ax, [*words[1], reel.note])
        yield pixels.copy()


def _layers(reel: Reel, changing: frozenset[str]) -> list[tuple[list[Artist], list[Artist]]]:
    """Return the rings, the bases with bars, and the words, each divided into those that rest and those that change."""
    owners: dict[Artist, str] = {part: name for name, artists in reel.parts.items() for part in artists}
    owners |= {ring: name for name, ring in reel.zones.items()} | {bar: name for name, bar in reel.bars.items()}
    bodies = {artists[0] for artists in reel.parts.values()} | set(reel.bars.values())
    rings: set[Artist] = set(reel.zones.values())
    found: list[tuple[list[Artist], list[Artist]]] = [([], []), ([], []), ([], [])]
    for artist in reel.moving():
        if artist is not reel.note:
            layer = 0 if artist in rings else 1 if artist in bodies else 2
            found[layer][owners.get(artist) in changing].append(artist)
    return found


def _overlay(ax: Axes, canvas: Any, artists: Iterable[Artist]) -> Overlay:
    canvas.get_renderer().clear()
    _draw(ax, artists)
    pixels = np.array(canvas.buffer_rgba()).reshape(-1, 4)
    covered = np.flatnonzero(pixels[:, 3])
    dense = pixels[covered, 3:] / 255.0
    return Overlay(covered, pixels[covered, :3] * dense + 0.5, 1.0 - dense)  # plus one half, to round


def _draw(ax: Axes, artists: Iterable[Artist]) -> None:
    for artist in artists:
        if artist.get_visible():
            ax.draw_artist(artist)
