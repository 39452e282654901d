"""What a real screen reader says: `python -m tests.browser.orca`."""
