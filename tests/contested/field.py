"""Two enemies in the open: six inches of Move and a way of x - 5."""

FIELD = """
[table]
width = 30
depth = 24
tolerance = %s
[profiles.man]
base = 1.0
height = 2.0
move = 6
[models.lurtz]
profile = "man"
side = "evil"
at = [4, 12]
[models.merry]
profile = "man"
side = "good"
at = [%s, 12]
%s
[questions.can-he]
ask = "charge"
model = "lurtz"
target = "merry"
"""
