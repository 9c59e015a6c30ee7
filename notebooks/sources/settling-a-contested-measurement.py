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
straight = sbg.check(
    table.having("boromir", engaged={"ugluk"}), "lurtz-to-merry"
)  # the way there would be without his zone
ax = sbg.plot(verdict, label="legal", title="the straight way would enter Boromir's zone")
sbg.plot(straight, ax=ax, label="refused", color="#B3001B", title=False)

# %%
for leg in verdict.route.legs:
    print(f"{leg.kind:<9} {leg.cost:.4f} in")
print(verdict.reason)

# %% [markdown]
# ## How sure is that?
#
# Every cost comes with certified bounds. The referee, which shares no code with the solver, can be handed the way and judges it
# at every point; what it finds wrong it marks with a rule.

# %%
print(f"{verdict.at_least:.9f} <= {verdict.needed:.9f} <= {verdict.at_most:.9f}")
for way, name in ((verdict.route, "the way round"), (straight.route, "the straight way")):
    seen = sbg.audit(table, "lurtz", way, charging=("merry",))
    print(name, "is legal" if seen.legal else f"is not: {seen.violations[0].reason}")
sbg.plot(seen, ax=sbg.plot(table, view=(9, 14, 20, 22), title=False))

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
near = table.having("merry", at=(table.model("merry").at[0] + 0.95, 18))
loose = dataclasses.replace(near, tolerance=1 / 32)  # a thirty-second of an inch, as well as anybody places a model
print(sbg.check(near, "lurtz-to-merry").answer, "but", sbg.check(loose, "lurtz-to-merry").answer)

# %% [markdown]
# ## What if we read the rules in another way?
#
# Some rules can be read in two ways. Each reading is named and can be chosen in the file; a verdict lists the readings under which
# the answer would differ. Here there is none: no reading saves Merry.

# %%
print(verdict.rulings)
for name, ruling in list(sbg.RULINGS.items())[:4]:
    print(f"{name} ({ruling.rule}): {' or '.join(ruling.readings)}")

# %% [markdown]
# `sbg.rulings` (and `sbg-sim rulings FILE Q`) answers under every reading in play.

# %%
sbg.rulings(table, "lurtz-to-merry")

# %% [markdown]
# ## What would have to be off?
#
# The smallest shift of each base that turns the answer, found from the pull of the taut string, and confirmed by asking again just
# inside and just beyond it. The arrows are what the other player would have to show.

# %%
flips = sbg.flips(table, "lurtz-to-merry")
for shift in flips.shifts[:3]:
    print(f"{shift.model:<8} {shift.inches:.4f} in = {25.4 * shift.inches:.1f} mm, confirmed: {shift.verified}")
print(f"all at once: {flips.together.inches:.4f} in each")
flips

# %% [markdown]
# ## Sure, within the doubt
#
# With a sixteenth of an inch of doubt for every model the answer is still yes: there is one way that stays allowed wherever they
# stand, and it costs no more than `at_most`.

# %%
close = sbg.check(dataclasses.replace(table, tolerance=1 / 16), "lurtz-to-merry")
print(close.answer, f"{close.certainty.at_least:.4f} to {close.certainty.at_most:.4f} in")
for name, inches in close.certainty.matters:
    print(f"{name:<8} up to {inches:.4f} in")

# %% [markdown]
# And where it is not sure, how likely? Legolas has six inches between the trees and needs all of them; a millimetre decides.

# %%
sbg.doubt(table, "legolas-between-the-trees", sigma="1 mm", trials=100, seed=1)

# %% [markdown]
# ## Positions from a tape
#
# A file may give readings instead of places. Here five of them place Gimli and an Uruk-hai; what they leave in doubt flows into the
# answer.

# %%
read = sbg.load("../scenarios/disputes/placed-by-tape.toml")
print(read.model("gimli").at, read.fit.ellipse("gimli")[:2])
print(sbg.check(read, "can-he").reason)

# %% [markdown]
# ## Evidence to hand over
#
# A certificate holds the table, the claim and the way; `verify` judges it with the referee alone. Who changes a number is found out. On
# the command line: `check FILE Q --certificate OUT.json`, `verify OUT.json`, and `check FILE Q --report OUT.html` for a page to print.

# %%
from sbg_sim import certificate, report

paper = certificate.issue(table, "lurtz-to-merry", report.as_json(verdict))
print(sbg.verify(paper).confirmed)
forged = paper | {"claim": paper["claim"] | {"needed": paper["claim"]["needed"] + 1e-4}}
print(sbg.verify(forged).refuted)

# %% [markdown]
# Both go into files: the certificate for whoever doubts, the sheet for whoever wants to see.

# %%
import pathlib

from sbg_sim.sheet import sheet

folder = pathlib.Path("../out")
folder.mkdir(exist_ok=True)
(folder / "lurtz-to-merry.json").write_text(certificate.text_of(paper), encoding="utf-8")
(folder / "lurtz-to-merry.html").write_bytes(sheet(verdict, ".html", file="amon-hen.toml", version="sbg_sim"))
print(sbg.verify(folder / "lurtz-to-merry.json").sound)
print(*sorted(path.name for path in folder.glob("lurtz-to-merry.*")))
