"""2048 in a terminal: the loop of a game, and its screens."""
