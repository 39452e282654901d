"""Code that every kernel of `make lab` runs first, so that even the first cell gets messages."""

from course.widgets.below_cells.cell_messages import begin

begin()
del begin
