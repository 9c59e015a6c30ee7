"""The tests. A package of their own name, since some libraries install one that is called so too."""
