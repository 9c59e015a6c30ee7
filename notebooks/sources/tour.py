# %% [markdown]
# # A tour
#
# One table, every kind of question. A scenario is a small text file; `sbg.load` reads it, and everything shows itself.

# %%
import sbg_sim as sbg

table = sbg.load("../scenarios/amon-hen.toml")
table

# %% [markdown]
# ## Moving
#
# Ugluk wants to the other side of the ruin. The way bends round the end of the wall on an arc of the radius of his base: bases
# are circles here, never polygons.

# %%
sbg.check(table, "ugluk-round-the-ruin")

# %% [markdown]
# Difficult ground counts double while any part of the base is over it.

# %%
print(sbg.check(table, "aragorn-into-the-bog").reason)
print(sbg.check(table, "aragorn-through-the-bog").reason)

# %% [markdown]
# ## Squeezing
#
# Two trees exactly one base apart: touching is allowed, so Legolas fits. A thousandth of an inch less and he does not.

# %%
fits = sbg.check(table, "does-he-fit")
print(fits.reason)
wider = table.having("legolas", base=table.model("legolas").base + 0.001)
print(sbg.check(wider, "does-he-fit").reason)

# %% [markdown]
# ## Reach
#
# Everything about where a model can end its move: regions by chance as shapely geometries, costs for arrays of places, ways.

# %%
reach = sbg.reach(table, "lurtz")
reach

# %%
print(f"{reach.area.area:.2f} square inches for the centre, {reach.swept.area:.2f} covered by the base")
reach.distance([(11.2, 20), (14, 16), (20, 18)]).round(4)

# %% [markdown]
# ## Dice
#
# The low wall is a Jump test for Mauhur. The chance is exact, and the best over all plays.

# %%
over, on = sbg.check(table, "mauhur-over-the-wall"), sbg.check(table, "mauhur-and-on")
print(over.chance, on.chance)
on

# %% [markdown]
# Heights do not show from above, so a route has a side view as well.

# %%
sbg.plot(sbg.check(table, "gimli-up-to-the-seat"), section=True)

# %% [markdown]
# ## Seeing
#
# From the eye to any part of the target, exact at the edges. What hides it is named.

# %%
sbg.check(table, "aragorn-sees-lurtz")

# %% [markdown]
# ## When something is not allowed
#
# A wrong move is an answer, with rule ids and places; a wrong file or question is one clear message.

# %%
refused = sbg.check(table, sbg.Move("lurtz", (14, 18)))
for violation in refused.violations:
    print(violation.rule, "-", violation.reason)

# %%
try:
    sbg.check(table, sbg.Move("lurz", (14, 18)))
except sbg.SbgError as error:
    print(error)
