"""Groups of wrong programs that do the same: the traces that show this, and names for groups."""
