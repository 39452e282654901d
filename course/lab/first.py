"""What every kernel of `make lab` runs first: cells are watched from the very first on."""

from course.widgets.success import watch_the_cells

watch_the_cells()
del watch_the_cells
