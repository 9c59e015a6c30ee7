# %% [markdown]
# # Odds of jumps
#
# A wall higher than half a model and not higher than the model must be jumped: a 1 fails, on 2 to 5 the model lands beyond and stops,
# on a 6 it may go on. What does that make of a move? Exactly, and then with a million dice.

# %%
import sbg_sim as sbg

table = sbg.load("../scenarios/jumping.toml")
sbg.reach(table, "pippin")

# %% [markdown]
# Blue is certain; the hatched cap beyond the wall is reached on a 6 alone. A place that touches the wall on the far side needs a 2+.

# %%
for name in ("sam-at-the-wall", "merry-across", "pippin-goes-on", "pippin-too-far"):
    verdict = sbg.check(table, name)
    print(f"{name:<16} {verdict.chance}")

# %% [markdown]
# ## Everything that can happen
#
# A simulation plays the best play with dice. It holds the exact distribution over all the ways the move can end, beside the counts.

# %%
sim = sbg.simulate(table, "pippin-goes-on", trials=1_000_000, seed=7)
sim.distribution

# %%
low, high = sim.interval
print(f"{sim.successes} of {sim.trials}: {sim.frequency:.6f}, 99 % between {low:.6f} and {high:.6f}")
print(f"exactly {sim.chance} = {float(sim.chance):.6f}")
assert low <= sim.chance <= high
sim

# %% [markdown]
# The same seed gives the same counts, on one processor or on many. From the side the jump looks like this:

# %%
sbg.plot(sbg.check(table, "pippin-goes-on"), section=True)

# %% [markdown]
# ## What if the wall were lower?
#
# A sweep asks the same question again and again with another number in the file. Up to half a Hobbit the wall is stepped over;
# higher than a Hobbit it must be climbed.

# %%
from concurrent.futures import ThreadPoolExecutor

heights = [0.3, 0.49, 0.51, 0.8, 1.0, 1.01]
with ThreadPoolExecutor(1) as here:
    rows = sbg.sweep(table, "pippin-goes-on", "terrain.wall.height", heights, executor=here)
sbg.plot(rows)

# %% [markdown]
# Where it jumps is found by halving between two rows. And with the wall as it is, how much Move does he need?

# %%
with ThreadPoolExecutor(1) as here:
    moves = sbg.sweep(table, "pippin-goes-on", "models.pippin.move", [3, 3.5, 4.5, 5], executor=here)
print(moves.thresholds())
sbg.plot(moves)

# %% [markdown]
# ## On a cluster
#
# Anything that takes work as `concurrent.futures` does will do: processes here, or a dask cluster of any size (the extra `cluster`).

# %%
from dask.distributed import Client

with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster:
    far = sbg.simulate(table, "pippin-goes-on", trials=1_000_000, seed=7, executor=cluster.get_executor())
assert far.counts == sim.counts

# %% [markdown]
# ## And if it takes more than one turn?
#
# Behind the wall sooner or later: an absorbing Markov chain over turns, solved exactly.

# %%
journey = sbg.campaign(table, "pippin-too-far")
print(journey)
journey.within(5)
