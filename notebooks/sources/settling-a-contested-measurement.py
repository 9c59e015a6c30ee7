# %% [markdown]
# # Settling a contested measurement
#
# Lurtz wants Merry. The straight way is 4.82 inches and Lurtz has six, so his player reaches for the model; the other player
# points at Boromir, who stands close by. This notebook settles it, and shows what an answer is made of.

# %%
import dataclasses

import sbg_sim as sbg

table = sbg.load("../scenarios/amon-hen.toml")
table

# %% [markdown]
# ## The answer
#
# A question is asked by its name in the file, or as a value such as `sbg.Charge("lurtz", "merry")`. The verdict shows itself as a picture.

# %%
verdict = sbg.check(table, "lurtz-to-merry")
verdict

# %% [markdown]
# Both players were partly right. The straight way enters Boromir's Control Zone, and who enters a zone must charge its owner
# (CZ.1). But there is a way round the rim of the zone: two straight pieces and an arc, and it is short enough.

# %%
for leg in verdict.route.legs:
    print(f"{leg.kind:<9} {leg.cost:.4f} in")
print(verdict.reason)

# %% [markdown]
# ## How sure is that?
#
# Every cost comes with certified bounds. The referee, which shares no code with the solver, can be handed the way and judges it
# at every point: an empty list of violations means that it is legal.

# %%
from sbg_sim.referee import audit

print(f"{verdict.at_least:.9f} <= {verdict.needed:.9f} <= {verdict.at_most:.9f}")
audit(table, "lurtz", verdict.route, charging=("merry",)).violations

# %% [markdown]
# ## How far off may the models stand?
#
# Nobody places models to a hundredth of an inch. Here is what the answer becomes when Merry stands a little farther away.

# %%
for shift in (0, 0.5, 0.9, 1.0, 1.2):
    x, y = table.model("merry").at
    moved = table.having("merry", at=(x + shift, y))
    print(f"{shift:3.1f} in farther: {sbg.check(moved, 'lurtz-to-merry').answer}")

# %% [markdown]
# A table can say how far a placed model may be off. An answer that hangs on less is neither yes nor no: it is `too-close`, and
# the players roll for it instead of arguing.

# %%
loose = dataclasses.replace(table, tolerance=1.0)
sbg.check(loose, "lurtz-to-merry").answer

# %% [markdown]
# ## What if we read the rules in another way?
#
# Some rules can be read in two ways. Each reading is named and can be chosen in the file; a verdict lists the readings under which
# the answer would differ. Here there is none: no reading saves Merry.

# %%
print(verdict.rulings)
for name, ruling in list(sbg.RULINGS.items())[:4]:
    print(f"{name} ({ruling.rule}): {' or '.join(ruling.readings)}")
