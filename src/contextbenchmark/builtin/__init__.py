"""What comes with the package, reached only by entry point."""
