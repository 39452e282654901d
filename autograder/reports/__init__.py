"""Pages and tables for students and instructors, made from what the records know."""
