"""Groups of wrong programs by what they do: the traces of tests, and names that people give."""
