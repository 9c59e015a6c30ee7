"""Films as files: a still picture, drawn once, and what moves over it, drawn for every moment."""

from __future__ import annotations

import html
import io
import json
import pathlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import Affine2D

from sbg_sim.document.whole import write_whole
from sbg_sim.errors import SbgError
from sbg_sim.plot.beneath import lay
from sbg_sim.plot.files import svg
from sbg_sim.plot.fonts import warn_of_boxes
from sbg_sim.plot.themes import darkened, is_dark
from sbg_sim.plot.words import left_to_right

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from sbg_sim.geometry.shapes import Point

KINDS: Final = (".gif", ".mp4", ".html")
_AIR: Final = 0.08  # inches about a picture
_DOTS: Final = 100  # per inch of paper


@dataclass(frozen=True)
class Moment:
    """One picture of a film.

    Parameters
    ----------
    places
        Where each moving base is, inches; a base without a place is not there yet.
    note
        What is said under the picture.
    zones
        Who has a Control Zone.
    prone
        Who lies.

    """

    places: dict[str, Point]
    note: str = ""
    zones: frozenset[str] = frozenset()
    prone: frozenset[str] = frozenset()


@dataclass
class Reel:
    """A film: the picture that stays, what moves over it, and the moments.

    Parameters
    ----------
    ax
        What stays.
    parts
        By name, what travels: the base, then its name and what else goes with it.
    home
        Where the base of each is in the picture, inches.
    note
        The text under the picture that says how far the move has come.
    moments
        In order.
    caption
        A title for readers who do not see.
    zones
        By name, the rings that come and go; those of bases that do not move stay where they are.
    bars
        By name, what shows that it lies; it comes and goes, and travels with its base.

    """

    ax: Axes
    parts: dict[str, list[Artist]]
    home: dict[str, Point]
    note: Text
    moments: list[Moment]
    caption: str
    zones: dict[str, Circle] = field(default_factory=dict)
    bars: dict[str, Line2D] = field(default_factory=dict)

    def moving(self) -> list[Artist]:
        """Return what is drawn anew for every moment, words over all bases; zones where they come, go or travel."""
        bases = [some[0] for some in self.parts.values()]
        names = [part for some in self.parts.values() for part in some[1:]]
        words = (text for text in self.ax.texts if text is not self.note and text not in names)
        zones = (ring for name, ring in self.zones.items() if name in self.parts or self._comes_or_goes(name))
        return [*zones, *bases, *self.bars.values(), *words, *names, self.note]

    def _comes_or_goes(self, zone: str) -> bool:
        return len({zone in moment.zones for moment in self.moments}) > 1

    def show(self, moment: Moment) -> None:
        """Put everything where it is at a moment."""
        for name, parts in self.parts.items():
            at, (x, y) = moment.places.get(name), self.home[name]
            shift = self.ax.transData if at is None else Affine2D().translate(at[0] - x, at[1] - y) + self.ax.transData
            bar = self.bars.get(name)
            for part in parts if bar is None else [*parts, bar]:
                part.set_visible(at is not None)
                part.set_transform(shift)
        for name, bar in self.bars.items():
            bar.set_visible(name in moment.prone and (name in moment.places or name not in self.parts))
        for name, ring in self.zones.items():
            ring.center = moment.places.get(name, ring.center)
            ring.set_visible(name in moment.zones)
        self.note.set_text(left_to_right(moment.note))

    def _grow(self) -> None:
        """Let the figure grow to hold a legend under the picture and the longest line that is said there."""
        figure, room = self.ax.get_figure(root=True), self.ax.get_position(original=True)
        assert figure is not None
        self.note.set_text(max((moment.note for moment in self.moments), key=len))
        wide, deep = figure.get_size_inches().tolist()
        box = figure.get_tightbbox()
        left, low = max(0.0, _AIR - box.x0), max(0.0, _AIR - box.y0)
        right, high = max(0.0, box.x1 + _AIR - wide), max(0.0, box.y1 + _AIR - deep)
        across, along = wide + left + right, deep + low + high
        figure.set_size_inches(across, along)
        place = (left + room.x0 * wide) / across, (low + room.y0 * deep) / along
        self.ax.set_position((*place, room.width * wide / across, room.height * deep / along))

    def frames(self) -> Iterator[NDArray[np.uint8]]:
        """Yield a picture for every moment; what stays is drawn once."""
        figure = self.ax.get_figure(root=True)
        assert figure is not None
        figure.set_dpi(_DOTS)
        canvas: Any = FigureCanvasAgg(figure)
        self._grow()
        moving = self.moving()
        for artist in moving:
            artist.set_animated(True)
        self.show(self.moments[0])
        canvas.draw()
        ground = canvas.copy_from_bbox(figure.bbox)
        for moment in self.moments:
            self.show(moment)
            canvas.restore_region(ground)
            for artist in moving:
                if artist.get_visible():
                    self.ax.draw_artist(artist)
            yield np.array(canvas.buffer_rgba())[..., :3]


def write(reel: Reel, target: pathlib.Path, frames_per_second: int, *, follow: bool = False) -> None:
    """Write a film in the format its suffix names; a page may follow its reader's theme."""
    if target.suffix.lower() != ".html":
        warn_of_boxes(reel.ax.figure.get_figure(root=True))
    try:
        if target.suffix.lower() == ".html":
            write_whole(target, _page(reel, frames_per_second, follow=follow))
        elif target.suffix.lower() == ".mp4":
            write_whole(target, _mp4(reel, target, frames_per_second))
        else:
            write_whole(target, _gif(reel, frames_per_second))
    except OSError as fault:
        raise SbgError(f"{target}: the film cannot be written: {fault.strerror or fault}") from fault


def checked(target: pathlib.Path) -> None:
    """Refuse a suffix, a folder that is not there, and MP4 without what writes it, before anything is drawn."""
    if target.suffix.lower() not in KINDS:
        raise SbgError(
            f"{target}: {target.suffix!r} is not a kind of film; write to a file ending in {', '.join(KINDS)}"
        )
    if not target.parent.is_dir():
        raise SbgError(f"{target}: there is no folder {target.parent}")
    if target.suffix.lower() == ".mp4":
        _ffmpeg(target)


def _ffmpeg(target: pathlib.Path) -> str:
    import shutil

    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        said = "MP4 needs the program ffmpeg, or `pip install sbg_sim[film]`; or write a .gif or .html"
        raise SbgError(f"{target}: {said}") from None


def _gif(reel: Reel, frames_per_second: int) -> bytes:
    """Return a GIF in one palette, taken from the first and the last picture."""
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in reel.frames()]
    wide, high = pictures[0].size
    both = Image.new("RGB", (wide, 2 * high))
    both.paste(pictures[0], (0, 0))
    both.paste(pictures[-1], (0, high))
    palette = both.quantize(255, dither=Image.Dither.NONE)
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    out = io.BytesIO()
    flat[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=flat[1:],
        duration=round(1000 / frames_per_second),
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _mp4(reel: Reel, target: pathlib.Path, frames_per_second: int) -> bytes:
    import subprocess
    import tempfile

    frames = [frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2] for frame in reel.frames()]
    high, wide = frames[0].shape[:2]
    film = b"".join(np.ascontiguousarray(frame).tobytes() for frame in frames)
    with tempfile.TemporaryDirectory() as folder:  # ffmpeg writes a piece at a time
        out = pathlib.Path(folder) / "film.mp4"
        call = [
            _ffmpeg(target), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{wide}x{high}",
            "-r", str(frames_per_second), "-i", "-", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(out),
        ]  # fmt: skip
        done = subprocess.run(call, input=film, check=False, capture_output=True)  # noqa: S603 - our own words only
        if not done.returncode:
            return out.read_bytes()
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    raise SbgError(f"{target}: ffmpeg could not write the film: {said[-1] if said else 'no reason given'}")


def _page(reel: Reel, frames_per_second: int, *, follow: bool) -> str:
    """Return one page without anything else: the drawing once, as SVG, and a script that moves the bases."""
    reel.show(reel.moments[0])
    for artist in reel.moving():
        artist.set_visible(artist is not reel.note)  # the page writes that itself
    for name, parts in reel.parts.items():
        for part in parts:
            part.set_transform(reel.ax.transData)
            part.set_clip_on(False)  # a clip would travel with what it clips
            part.set_gid(f"film-with-{name}-{parts.index(part)}")
        parts[0].set_gid(f"film-base-{name}")
    for name, bar in reel.bars.items():
        bar.set_gid(f"film-bar-{name}")
        bar.set_transform(reel.ax.transData)
        bar.set_clip_on(False)
    for name, ring in reel.zones.items():
        ring.set_gid(f"film-zone-{name}")
        ring.set_clip_on(name not in reel.parts)
    picture = svg(reel.ax, follow=follow)
    lay(reel.ax)
    box, (x0, x1), (y0, y1) = reel.ax.get_window_extent(), reel.ax.get_xlim(), reel.ax.get_ylim()
    dots = 72 / reel.ax.figure.dpi
    data = {
        "fps": frames_per_second,
        "scale": [box.width * dots / (x1 - x0), -box.height * dots / (y1 - y0)],
        "home": reel.home,
        "with": {name: len(parts) - 1 for name, parts in reel.parts.items()},
        "zones": {name: list(ring.center) for name, ring in reel.zones.items()},
        "bars": list(reel.bars),
        "moments": [
            {
                "p": {n: [round(v, 4) for v in at] for n, at in m.places.items()},
                "t": m.note,
                "z": sorted(m.zones),
                "l": sorted(m.prone),
            }
            for m in reel.moments
        ],
    }
    said = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    scheme = "light dark" if follow else "dark" if is_dark(reel.ax) else "light"
    paper = darkened("#ffffff")
    return _PAGE.format(title=html.escape(reel.caption), picture=picture, data=said, scheme=scheme, paper=paper)


_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 1rem auto; padding: 0 .75rem; max-width: 75rem; font: 1rem/1.4 system-ui, sans-serif;
  color-scheme: {scheme}; background: Canvas; background: light-dark(#fff, {paper}); color: CanvasText }}
figure {{ margin: 0; overflow-x: auto }} svg {{ width: 100%; min-width: 36rem; height: auto; max-height: 85vh }}
.film {{ display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center }}
.film input {{ flex: 1 }} .film button {{ min-width: 4.5em }} .film output {{ flex: 0 0 min(100%, 20rem) }}
</style></head><body>
<figure aria-label="{title}">{picture}</figure>
<div class="film"><button id="play" type="button" title="Space">Pause</button>
<input id="at" type="range" min="0" value="0" aria-label="moment" title="arrow keys: a moment on or back">
<output id="said" aria-live="off"></output></div>
<script>
const film = {data};
const [at, play, said] = ["at", "play", "said"].map((id) => document.getElementById(id));
at.max = film.moments.length - 1;
const move = (id, dx, dy, there) => {{
  const part = document.getElementById(id);
  if (!part) return;
  part.style.display = there ? "" : "none";
  part.setAttribute("transform", `translate(${{dx * film.scale[0]}} ${{dy * film.scale[1]}})`);
}};
const show = (i) => {{
  const moment = film.moments[i];
  for (const [name, home] of Object.entries(film.home)) {{
    const place = moment.p[name];
    const [dx, dy] = place ? [place[0] - home[0], place[1] - home[1]] : [0, 0];
    move(`film-base-${{name}}`, dx, dy, !!place);
    for (let i = 1; i <= film.with[name]; i++) move(`film-with-${{name}}-${{i}}`, dx, dy, !!place);
  }}
  for (const name of film.bars) {{
    const home = film.home[name], place = home ? moment.p[name] : [0, 0];
    const [dx, dy] = home && place ? [place[0] - home[0], place[1] - home[1]] : [0, 0];
    move(`film-bar-${{name}}`, dx, dy, !!place && moment.l.includes(name));
  }}
  for (const [name, home] of Object.entries(film.zones)) {{
    const place = moment.p[name] || home;
    move(`film-zone-${{name}}`, place[0] - home[0], place[1] - home[1], moment.z.includes(name));
  }}
  said.textContent = moment.t;
  at.value = i;
  at.setAttribute("aria-valuetext", moment.t);
}};
let running;
const run = (on) => {{ running = on; play.textContent = on ? "Pause" : "Play"; }};
const go = (i) => {{ run(false); show(Math.max(0, Math.min(+at.max, i))); }};
run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
play.onclick = () => run(!running);
at.oninput = () => go(+at.value);
const keys = {{ " ": () => run(!running), ArrowLeft: () => go(+at.value - 1), ArrowRight: () => go(+at.value + 1),
  Home: () => go(0), End: () => go(+at.max) }};
document.onkeydown = (e) => {{
  if ((e.target === play && e.key === " ") || !keys[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
  e.preventDefault();
  keys[e.key]();
}};
setInterval(() => {{ if (running) show((+at.value + 1) % film.moments.length); }}, 1000 / film.fps);
show(0);
</script></body></html>
"""
