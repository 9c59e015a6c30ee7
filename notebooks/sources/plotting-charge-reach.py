# %% [markdown]
# # Plotting charge reach
#
# Which enemies can a model charge, over which part of their bases, and what keeps it from the others? The case is a famous one:
# three Uruk-hai, two Men in the front rank, and a Hobbit behind them.

# %%
import sbg_sim as sbg

table = sbg.load("../scenarios/charging-2.toml")
charges = sbg.charges(table, "uruk-3")
charges

# %% [markdown]
# The middle Uruk-hai can charge either Man. Pippin stands only 4.5 inches away and the gap is wide enough for the base, but the
# Control Zones close it. In numbers:

# %%
for entry in charges.entries:
    bound_first = ", ".join(entry.binds) or "nobody"
    print(
        f"{entry.target:<8} {entry.verdict.answer:<4} {entry.verdict.needed:.2f} in; straight on it meets {bound_first} first"
    )

# %% [markdown]
# ## The others go first
#
# An engaged model has no zone (CZ.2). When the two others have charged the Men, the gap is open.

# %%
after = sbg.load("../scenarios/charging-2-open.toml")
sbg.charges(after, "uruk-3")

# %% [markdown]
# ## The record of it
#
# A Move phase is a value; `push` gives a new one. The same solver judges every step, and `explain` says why a step is not allowed.

# %%
record = sbg.load("../scenarios/phase/charging-2-sequence.toml")
phase = sbg.Phase.begin(record)
first, second, third = record.record.moves
print("third, before the others:", phase.explain(third)[0].reason)
phase = phase.push(first).push(second)
print("third, after them:", phase.explain(third))
phase.push(third)

# %% [markdown]
# ## Where does each zone hurt?
#
# Without charging anybody: the area where the model could end its move, and what each enemy's zone takes away from it.

# %%
denied = sbg.denials(table, "uruk-3")
for entry in denied.entries:
    print(f"{entry.enemy:<8} takes away {entry.area:.2f} square inches")
denied

# %% [markdown]
# Results can be laid over each other on one Axes, and contact arcs are data: angles round the target's centre, in radians.

# %%
ax = sbg.plot(sbg.reach(table, "uruk-3"))
sbg.plot(sbg.check(table, "first-to-aragorn"), ax=ax)

# %%
for low, high in charges["aragorn"].arcs:
    print(f"from {low:.4f} to {high:.4f}")

# %% [markdown]
# ## What it costs to stand where
#
# The same reach by cost, with a line at every inch.

# %%
sbg.plot(sbg.reach(table, "uruk-3"), cost=True)

# %% [markdown]
# ## The whole side
#
# Where can the Uruk-hai be next turn, how many of them reach each place, and whom can they charge with how many at once?

# %%
threats = sbg.threats(table, "evil")
for row in threats.targets:
    print(f"{row.target:<8} {len(row.chargers)} can charge it, {row.at_once} surely at once")
threats

# %% [markdown]
# ## Where is Pippin safe?
#
# Every place where he can end his move so that none of them can charge him next turn, with the margin at the best of them. Each
# answer can be asked singly.

# %%
safe = sbg.safe(table, "pippin")
(x, y), margin = safe.best
print(f"safest at ({x:.2f}, {y:.2f}): the nearest charge is {margin:.2f} in short")
print([verdict.answer for verdict in safe.charges_at((x, y))])
safe
