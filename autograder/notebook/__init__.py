"""A notebook file: found, read leniently, matched with the master, and repaired."""
