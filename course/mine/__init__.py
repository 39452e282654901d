"""The learner's own file: what is kept, where it goes, and how it comes back."""
