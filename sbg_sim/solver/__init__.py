"""The solver: spaces, graph search, shortest paths and cost fields; and the answers that are read from them."""
