"""Sample submissions to try the grader with: damaged files, attacks, agents and real programs."""
