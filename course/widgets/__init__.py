"""The widgets of the course: one in each file, its script and style in static/ under its name."""
