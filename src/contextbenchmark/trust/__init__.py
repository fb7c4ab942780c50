"""Part A: is the context the same twice? Start reading in ``pipeline.py``."""
