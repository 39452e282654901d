"""The widgets of the course, and all else that it shows in a notebook: charts, cards, messages."""
