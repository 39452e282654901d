"""The audit, which finds wrong programs to which the tests of an assignment give full marks."""
