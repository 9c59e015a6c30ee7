# %% [markdown]
# # Four games of spaces
#
# Four games move over regions, spaces, regions again, and sites on a path. Their files look like those of the Move phase, with the name of
# the game on top, and are asked in the same way.

# %%
from IPython.display import SVG

import sbg_sim as sbg
from sbg_sim.document import read
from sbg_sim.plot import svg
from sbg_sim.scenario import games


def ask(name, question):
    """Return the board of a file, and the answer to one of its questions."""
    source = read(f"../scenarios/boards/{name}.toml")
    (answer,) = games.answers(source, [question])
    return games.load(source)[1], answer


# %% [markdown]
# ## Middle-earth: The Wizards
#
# From any site to any other by site paths: home to the Haven, from Haven to Haven, out to the site.

# %%
board, answer = ask("metw/any-site-to-any-other", "three-steps")
print(answer["reason"], answer["rules"])
SVG(svg(board, answer=answer, around=1))

# %% [markdown]
# The options name readings of the rules under which the answer would be another one.

# %%
answer["options"]

# %% [markdown]
# ## The Riddle of the Ring
#
# Roads, rivers, forests that stop a move. The map is invented, so that it has every kind of space; the printed board can be
# copied into a form.

# %%
board, answer = ask("riddle/09-journey", "by-road")
print(answer["reason"])
print(" - ".join(answer["route"]))

# %%
_, answer = ask("riddle/09-journey", "over-the-sirannon")
answer["answer"], answer["rules"], answer["reason"]

# %% [markdown]
# ## War of the Ring
#
# Companions move as far as the highest Level among them. Merry alone does not come to Bree; with Strider he does.

# %%
for question in ("alone", "together"):
    board, answer = ask("war-of-the-ring/levels-and-groups", question)
    print(question, answer["answer"], answer["rules"], answer["reason"])
SVG(svg(board, answer=answer, around=1))

# %% [markdown]
# ## The Lord of the Rings TCG
#
# The arrow on the site that is left says which neighbour plays the next site.

# %%
board, answer = ask("lotr-tcg/01-who-plays-the-next-site", "right-of-bert")
print(answer["players"], answer["reachable"])
SVG(svg(board))

# %% [markdown]
# ## One shape for all
#
# A frozen state, `legal_moves`, `explain`, `apply` and `reachable`: the same four functions in every game. With them sequences
# of moves can be counted, which is how each game is held against an enumeration written apart.

# %%
from sbg_sim.boards import lotr_tcg, metw, riddle, war_of_the_ring

for game in (metw, riddle, war_of_the_ring, lotr_tcg):
    print(game.__name__, all(hasattr(game, name) for name in ("legal_moves", "explain", "apply", "reachable")))
