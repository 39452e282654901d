"""JupyterLab for learners: what `make lab` runs."""
