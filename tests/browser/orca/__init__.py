"""The words of a real screen reader: `python -m tests.browser.orca`."""
