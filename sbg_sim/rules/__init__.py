"""The Move phase's rules, a file per chapter: obstacles, difficult ground, zones, tests, charges and fights."""
