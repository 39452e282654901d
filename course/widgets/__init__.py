"""The widgets of the course, and all else that it shows in a notebook: charts, cards, messages.

The scripts and styles of the widgets are in static/.
"""
