"""The words of the screen reader Orca for a board; `python -m tests.browser.orca` prints them."""
