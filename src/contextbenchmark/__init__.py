"""Whether the context layer that feeds an AI deserves trust. Importing this package imports nothing heavy."""

from __future__ import annotations

__version__ = "0.2.0"
