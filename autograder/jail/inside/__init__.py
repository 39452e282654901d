"""What runs in the jail: one warm process, and a child of it for each submission."""
