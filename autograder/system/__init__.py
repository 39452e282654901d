"""What the grader asks of the operating system: whole files, its own end, clear trouble."""
