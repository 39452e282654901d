"""Calls to the operating system: write whole files, end cleanly, name trouble in a sentence."""
