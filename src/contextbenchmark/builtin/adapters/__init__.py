"""The adapters that come with the package.

Each file here is complete in itself: it is run by path, in an interpreter where this package may be missing,
with this folder on its module path. At its top it imports the standard library only, and helpers beside it by
their plain name; the engine is imported inside the functions that use it. Type checkers see the helpers under
their full name (``TYPE_CHECKING``), which is the only name that they have when the package is checked.
"""
