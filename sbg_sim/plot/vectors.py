"""An SVG made small and described: true circles, hundredths of a point, one font, a title and a description."""

from __future__ import annotations

import hashlib
import html
import math
import re
from typing import Final

from sbg_sim.errors import plain

FONTS: Final = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # characters that XML forbids
_LONG: Final = re.compile(r"(-?\d+\.\d\d)\d+")
_ROUND: Final = re.compile(r'<path d="M (\S+ \S+) ?\n((?:C [^\n"]*\n){8})z\n" ')
_FAMILY: Final = re.compile(r"(font-family: |font: [^;\"]*?px )'DejaVu Sans'[^;\"]*?sans-serif(; )?")
_UPRIGHT: Final = re.compile(r' transform="rotate\(-?0(?:\.0+)? [^)]*\)"')
_USUAL: Final = re.compile(r"; stroke-linejoin: miter|stroke-dashoffset: 0; ")
_STEPS: Final = re.compile(r'(?<= d=")[^"]*(?=")')
_SPACES: Final = re.compile(r"\n\s*")
_MINUS: Final = re.compile(r"(?<![^\s\"(,])-(?=0(?:\.0+)?(?![^\s\"),]))")
_CLIP: Final = re.compile(r'<clipPath id="(\w+)">(.*?)</clipPath>', re.DOTALL)
_NAMED: Final = re.compile(r'( id="|url\(#)(\w+)')
_DRAWN: Final = re.compile(r' (?:d|x|y|points|transform|style|width|height|viewBox)="[^"]*"')


def told(text: str, head: str, said: str) -> str:
    """Return a smaller SVG with a title and a description for screen readers.

    Parameters
    ----------
    text
        The SVG as written by matplotlib.
    head, said
        The title and the description.

    """
    at = text.index("<svg")
    close = text.index(">", at)
    opening = f'{text[at:close]} role="img" aria-labelledby="picture-title picture-desc" font-family="{FONTS}">'
    titles = f'<title id="picture-title">{html.escape(head)}</title><desc id="picture-desc">{html.escape(said)}</desc>'
    whole = text[:at] + opening + titles + _small(text[close + 1 :])
    return _UNWRITABLE.sub(lambda found: plain(found[0]), whole)


def _small(text: str) -> str:
    # Numbers in texts keep their digits.
    text = _DRAWN.sub(lambda found: _MINUS.sub("", _LONG.sub(r"\1", found[0])), text)
    text = _clips_named(text)
    text = _ROUND.sub(_circle, text)
    text = _FAMILY.sub(_font, text)
    text = _UPRIGHT.sub("", text)
    text = _USUAL.sub("", text)
    text = _STEPS.sub(lambda found: " ".join(found[0].split()), text)
    return _SPACES.sub("\n", text)


def _clips_named(text: str) -> str:
    """Name clips by their written content: matplotlib's names depend on last bits, which differ between processors."""
    names = {found[1]: f"p{hashlib.sha256(found[2].encode()).hexdigest()[:10]}" for found in _CLIP.finditer(text)}
    return _NAMED.sub(lambda found: found[1] + names.get(found[2], found[2]), text)


def _font(found: re.Match[str]) -> str:
    """Replace a font shorthand by its size; the family is set at the root."""
    if found[1].startswith("font-family"):
        return ""
    words = found[1].removeprefix("font: ").split()
    style = "".join(
        f"font-style: {w}; " if w == "italic" else f"font-weight: {w}; " for w in words[:-1] if w != "normal"
    )
    return f"{style}font-size: {words[-1]}{found[2] or ''}"


def _circle(found: re.Match[str]) -> str:
    """Write a path of eight equal arcs as a circle."""
    ends = [tuple(map(float, line.split()[-2:])) for line in found[2].splitlines()]
    x, y = (sum(end[i] for end in ends) / 8 for i in (0, 1))
    far = [math.dist((x, y), end) for end in ends]
    if max(far) - min(far) > 0.03:
        return found[0]
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{sum(far) / 8:.3f}" '
