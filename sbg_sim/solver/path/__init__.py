"""From types of path that the graph suggests to the best path, exact and with its certificate."""
