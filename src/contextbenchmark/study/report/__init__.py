"""A study's analysis for people: one content, shown in the terminal, as Markdown and as a page."""
