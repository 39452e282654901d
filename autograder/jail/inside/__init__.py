"""The programs in the jail: one warm process, and a fork of it for each run."""
