"""Messages below the cells of a lesson: the checks of an answer, successes, hints and advice."""
