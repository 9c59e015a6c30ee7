"""Films as files: an animated GIF, a video, or a page on which bases travel over one drawing."""

from __future__ import annotations

import html
import io
import json
import pathlib
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.document.whole import write_whole
from sbg_sim.errors import SbgError
from sbg_sim.plot.beneath import lay
from sbg_sim.plot.files import svg
from sbg_sim.plot.fonts import warn_of_boxes
from sbg_sim.plot.frames import frames
from sbg_sim.plot.themes import darkened, is_dark

if TYPE_CHECKING:
    from sbg_sim.plot.reels import Reel

KINDS: Final = (".gif", ".mp4", ".html")


def write(reel: Reel, target: pathlib.Path, frames_per_second: int, *, follow: bool = False) -> None:
    """Write a film in the format that its suffix names; with ``follow`` a page follows its reader's theme."""
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
    """Refuse an unknown suffix, a missing folder, and MP4 without ffmpeg, before anything is drawn."""
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
    """Return a GIF with one palette, taken from the first and the last picture."""
    from PIL import Image

    pictures = [Image.fromarray(frame).convert("RGB") for frame in frames(reel)]
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

    cut = [frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2, :3] for frame in frames(reel)]
    high, wide = cut[0].shape[:2]
    film = b"".join(np.ascontiguousarray(frame).tobytes() for frame in cut)
    with tempfile.TemporaryDirectory() as folder:  # ffmpeg writes in pieces
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
    """Return one self-contained page: the drawing once, as SVG, and a script that moves the bases."""
    reel.show(reel.moments[0])
    for artist in reel.moving():
        artist.set_visible(artist is not reel.note)  # the page writes the note itself
    for name, parts in reel.parts.items():
        for part in parts:
            part.set_transform(reel.ax.transData)
            part.set_clip_on(False)  # a clip would travel with its artist
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
        "labels": {name: [reel.parts[name].index(text) for text in texts] for name, texts in reel.labels.items()},
        "moments": [
            {
                "p": {n: [round(v, 4) for v in at] for n, at in m.places.items()},
                "t": m.note,
                "z": sorted(m.zones),
                "l": sorted(m.prone),
                "n": {n: reel.parts[n].index(reel.label_at(n, m)) for n in reel.labels},
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
    const labels = film.labels[name] || [];
    for (let i = 1; i <= film.with[name]; i++) {{
      move(`film-with-${{name}}-${{i}}`, dx, dy, !!place && (!labels.includes(i) || moment.n[name] === i));
    }}
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
