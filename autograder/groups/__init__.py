"""Groups of wrong programs that give the same answers to the tests, and names for these groups."""
