"""What students and instructors get back: pages and tables made from what the records know."""
