"""A match: a game on a board, played turn by turn. Knows no browser."""
