"""Code that every kernel of `make lab` runs first, so that the first cell is watched, too."""

from course.widgets.below_cells.hooks import begin

begin()
del begin
