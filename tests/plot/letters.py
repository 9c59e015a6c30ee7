"""How large the letters of a picture are as a page shows it."""

import re

WIDE, LEAST = 830, 9.0  # pixels: of a picture on a page, and of the smallest letters on it


def smallest(svg):
    """The size of the smallest letters of a picture on a page, pixels."""
    sizes = re.findall(r"font(?:-size: |: (?:[a-z]+ )*)([\d.]+)px", svg)
    return min(map(float, sizes)) * WIDE / float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
