"""Steps: what a function does, line by line, as plain data. Knows no browser."""
