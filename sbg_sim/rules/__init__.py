"""The Move phase's rules, a file per chapter: what bars the way, what costs double, what asks for a die."""
