"""Films: a still picture, the artists that move over it, and the moments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox

from sbg_sim.plot.names import model_text
from sbg_sim.plot.words import left_to_right
from sbg_sim.table.frozen import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.models import Model

_AIR: Final = 0.08  # inches round a picture


@dataclass(frozen=True)
class Moment:
    """One picture of a film.

    Parameters
    ----------
    places
        The places of the moving bases, inches; a base without a place is not on the table.
    note
        The note under the picture.
    zones
        The ids of the models with a Control Zone.
    prone
        The ids of the prone models.
    states
        By model id, the moving models on the levels, and as far up a face, as their labels tell.

    """

    places: dict[str, Point]
    note: str = ""
    zones: frozenset[str] = frozenset()
    prone: frozenset[str] = frozenset()
    states: FrozenMap[str, Model] = field(default_factory=FrozenMap)


@dataclass
class Reel:
    """A film: the still picture, the artists that move over it, and the moments.

    Parameters
    ----------
    ax
        The Axes of the still picture.
    parts
        By model id, the artists that travel: the base, then its name and its leader line.
    home
        By model id, the place of the base in the still picture, inches.
    note
        The text under the picture that tells the progress of the move.
    moments
        The moments in order.
    caption
        A title for screen readers.
    zones
        By model id, the ring of its Control Zone, which comes and goes, and travels with a moving base.
    bars
        By model id, the bar that marks a prone model; it comes and goes, and travels with the base.
    labels
        By model id, the parts that are its labels in different states: the one of the moment is shown.

    """

    ax: Axes
    parts: dict[str, list[Artist]]
    home: dict[str, Point]
    note: Text
    moments: list[Moment]
    caption: str
    zones: dict[str, Circle] = field(default_factory=dict)
    bars: dict[str, Line2D] = field(default_factory=dict)
    labels: dict[str, list[Text]] = field(default_factory=dict)

    def moving(self) -> list[Artist]:
        """Return the artists drawn anew for every moment, in order: zones that change, bases, bars, then all words."""
        bases = [artists[0] for artists in self.parts.values()]
        names = [part for artists in self.parts.values() for part in artists[1:]]
        words = (text for text in self.ax.texts if text is not self.note and text not in names)
        zones = (ring for name, ring in self.zones.items() if name in self.parts or self._comes_or_goes(name))
        return [*zones, *bases, *self.bars.values(), *words, *names, self.note]

    def _comes_or_goes(self, zone: str) -> bool:
        return len({zone in moment.zones for moment in self.moments}) > 1

    def show(self, moment: Moment) -> None:
        """Move and show or hide the artists as at a moment."""
        for name, parts in self.parts.items():
            at, (x, y) = moment.places.get(name), self.home[name]
            shift = self.ax.transData if at is None else Affine2D().translate(at[0] - x, at[1] - y) + self.ax.transData
            bar = self.bars.get(name)
            for part in parts if bar is None else [*parts, bar]:
                part.set_visible(at is not None)
                part.set_transform(shift)
            for text in self.labels.get(name, ()):
                text.set_visible(at is not None and text is self.label_at(name, moment))
        for name, bar in self.bars.items():
            bar.set_visible(name in moment.prone and (name in moment.places or name not in self.parts))
        for name, ring in self.zones.items():
            ring.center = moment.places.get(name, ring.center)
            ring.set_visible(name in moment.zones)
        self.note.set_text(left_to_right(moment.note))

    def label_at(self, name: str, moment: Moment) -> Text:
        """Return which of the labels of a model tells its state at a moment."""
        words = model_text(moment.states[name])
        return next(text for text in self.labels[name] if text.get_text() == words)

    def fit(self) -> None:
        """Make the figure just large enough for the picture, a legend under it and the longest note."""
        figure, room = self.ax.get_figure(root=True), self.ax.get_position(original=True)
        assert figure is not None
        self.note.set_text(max((moment.note for moment in self.moments), key=len))
        wide, deep = figure.get_size_inches().tolist()
        box = Bbox.union([figure.get_tightbbox(), *self._travelled(figure.dpi)]).padded(_AIR)
        figure.set_size_inches(box.width, box.height)
        place = (room.x0 * wide - box.x0) / box.width, (room.y0 * deep - box.y0) / box.height
        self.ax.set_position((*place, room.width * wide / box.width, room.height * deep / box.height))

    def _travelled(self, dots: float) -> list[Bbox]:
        """Return the boxes of names at the extremes of their ways, inches of paper; they may leave the Axes."""
        found: list[Bbox] = []
        for name, (_, *words) in self.parts.items():
            ways = self.ax.transData.transform(
                [self.home[name], *(moment.places[name] for moment in self.moments if name in moment.places)]
            )
            shifts = ways.min(axis=0) - ways[0], ways.max(axis=0) - ways[0]
            boxes = [part.get_window_extent().get_points() for part in words if isinstance(part, Text)]
            found += [Bbox((box + shift) / dots) for box in boxes for shift in shifts]
        return found


def longest_named(name: str, at: Point, moments: Sequence[Moment]) -> Model:
    """Return a model at its last place in the state of which its label says most: there is room for each of them."""
    return replace(max((m.states[name] for m in moments), key=lambda model: len(model_text(model))), at=at)


def labels_of(ax: Axes, name: str, artists: Sequence[Artist], moments: Sequence[Moment]) -> list[Text]:
    """Return the label of a model and copies of it for its other states; none if it is a number."""
    words = dict.fromkeys(model_text(moment.states[name]) for moment in moments)
    found = [part for part in artists if isinstance(part, Text) and part.get_text() in words]
    for other in [other for other in words if found and other != found[0].get_text()]:
        copied = ax.text(*found[0].get_position(), other)
        copied.update_from(found[0])
        copied.set_zorder(found[0].get_zorder())
        if (under := found[0].get_bbox_patch()) is not None:
            look = {"facecolor": under.get_facecolor(), "edgecolor": under.get_edgecolor()}
            copied.set_bbox({"boxstyle": under.get_boxstyle(), **look})
        found.append(copied)
    return found
