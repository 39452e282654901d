"""2048 in a terminal."""
