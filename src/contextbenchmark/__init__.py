"""Whether the context layer that feeds an AI deserves trust. Importing this package imports nothing heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.measuring import measure
    from contextbenchmark.retrievers import OwnAdapter, from_haystack, from_langchain, from_llama_index

__version__ = "0.2.0"
__all__ = ["OwnAdapter", "__version__", "from_haystack", "from_langchain", "from_llama_index", "measure"]

_HOMES = {"measure": "measuring"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES.get(name, 'retrievers')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
