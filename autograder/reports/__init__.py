"""Pages and tables for students and instructors, made from what the gradebook knows."""
