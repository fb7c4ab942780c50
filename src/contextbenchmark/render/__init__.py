"""Text, plots and pages: how things look, and nothing about what they mean."""
