"""``python -m sbg_sim`` is ``sbg-sim``."""

from sbg_sim.cli import main

if __name__ == "__main__":
    main()
