"""The programs in the jail: a process that loads modules once, and a fork of it for each run."""
