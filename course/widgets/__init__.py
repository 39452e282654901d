"""The widgets of the course: each module here has a script and a style in static/."""
