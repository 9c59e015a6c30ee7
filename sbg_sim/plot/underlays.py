"""A photograph of the table, rectified and laid under a picture."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.image import imread

from sbg_sim.errors import QuestionError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from sbg_sim.table.underlay import Underlay

_DOTS: Final = 900  # along the longer side of the rectified photograph


def draw_underlay(ax: Axes, underlay: Underlay) -> list[Artist]:
    """Draw a photograph under everything else.

    Raises
    ------
    QuestionError
        When its file cannot be read; the message names the key of the file.

    """
    try:
        photo = np.atleast_3d(imread(underlay.file))
    except (OSError, SyntaxError, ValueError) as fault:
        reason = "there is no such file" if isinstance(fault, FileNotFoundError) else "it is no PNG or JPEG"
        if isinstance(fault, OSError) and fault.errno not in (None, errno.ENOENT):
            reason = str(fault.strerror).lower()
        told = f"table.picture.file names {underlay.file}, which cannot be read: {reason}"
        raise QuestionError(told) from None
    flat, extent = straightened(photo, underlay)
    view = (ax.get_xlim(), ax.get_ylim(), ax.get_aspect())
    image = ax.imshow(flat, extent=extent, origin="lower", zorder=-1, alpha=0.6)
    ax.set_aspect(view[2])
    ax.set_xlim(view[0])
    ax.set_ylim(view[1])
    image.set_gid("underlay")
    return [image]


def straightened(photo: NDArray[Any], underlay: Underlay) -> tuple[NDArray[Any], tuple[float, float, float, float]]:
    """Return a photograph rectified to the view from above, transparent outside, and its box on the table, inches.

    Parameters
    ----------
    photo
        Pixels ``(rows, columns, colours)``, rows from the top down.
    underlay
        The places of its corners.

    """
    corners = np.array(underlay.corners)
    (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
    scale = _DOTS / max(right - left, high - low)
    xs = np.linspace(left, right, max(2, round((right - left) * scale)))
    ys = np.linspace(low, high, max(2, round((high - low) * scale)))
    x, y = np.meshgrid(xs, ys)
    u, v, w = np.einsum("ij,jkl->ikl", _to_unit_square(corners), np.stack([x, y, np.ones_like(x)]))
    u, v = u / w, v / w
    seen = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
    rows = np.clip(np.round((1 - v) * (photo.shape[0] - 1)), 0, photo.shape[0] - 1).astype(int)
    columns = np.clip(np.round(u * (photo.shape[1] - 1)), 0, photo.shape[1] - 1).astype(int)
    colours = photo[rows, columns, :3] if photo.shape[2] >= 3 else np.repeat(photo[rows, columns, :1], 3, axis=2)
    full = 1.0 if np.issubdtype(photo.dtype, np.floating) else 255
    veil = np.where(seen, full, 0).astype(photo.dtype)[..., None]
    return np.concatenate([colours, veil], axis=2), (float(left), float(right), float(low), float(high))


def _to_unit_square(corners: NDArray[Any]) -> NDArray[Any]:
    """Return the projective map from four corners to those of the unit square, ``(3, 3)``."""
    rows, values = [], []
    for (x, y), (u, v) in zip(corners, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(np.array(rows, dtype=float), np.array(values, dtype=float)), 1.0).reshape(3, 3)
