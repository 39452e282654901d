"""Pages and tables for students and instructors, made from the grades in the gradebook."""
