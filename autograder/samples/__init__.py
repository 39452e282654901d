"""Submissions for trying the grader: what goes wrong with files, and what people try."""
