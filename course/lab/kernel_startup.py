"""Code that every kernel of `make lab` runs first, so that the first cell is watched, too."""

from course.widgets.cell_messages import begin

begin()
del begin
