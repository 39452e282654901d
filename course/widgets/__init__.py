"""The widgets of the course; their scripts and styles are in static/ under their names."""
