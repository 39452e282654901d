"""The widgets of the course: one widget a file, its script and style in static/ under its name."""
