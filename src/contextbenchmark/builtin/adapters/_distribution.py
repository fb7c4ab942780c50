"""What the adapters of installed engines share: whether the engine is there, and in which version.

An engine is looked up by its distribution, never by importing it: that is quick, and a file here that is
called after its engine cannot be taken for it. No version is asserted: ``tantivy@0.26.0`` is this same
adapter in an environment with another version. Standard library only.
"""

from __future__ import annotations


def installed(*distributions: str) -> bool | str:
    """Return True, or which of ``distributions`` are missing from this interpreter."""
    from importlib.metadata import PackageNotFoundError, version

    missing = []
    for distribution in distributions:
        try:
            version(distribution)
        except PackageNotFoundError:
            missing.append(distribution)
    return f"{' and '.join(missing)} not installed in this environment" if missing else True


def versions(*distributions: str) -> dict[str, str]:
    """Return the declared identity made of ``distributions``: ``name version``, joined by commas.

    A local version label (``2.13.0+cpu``) tells how a wheel was built for a machine, not what the system
    is: it stands in the note, so that the same release on two machines stays comparable.
    """
    from importlib.metadata import version

    found = {distribution: version(distribution) for distribution in distributions}
    public = {distribution: text.partition("+")[0] for distribution, text in found.items()}
    identity = {"id": ", ".join(f"{name} {text}" for name, text in public.items()), "source": "declared"}
    if public != found:
        identity["note"] = ", ".join(f"{name} {text}" for name, text in found.items())
    return identity
