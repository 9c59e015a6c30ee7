"""The table in a browser: a server on this machine, its page, and the processes that answer its questions."""
