"""The child's side of the line protocol. Nothing here is imported by the package: each file is run by path."""
