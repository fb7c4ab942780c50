"""Run by path in an interpreter that has pip: save one source archive, without running anything in it.

``pip download`` would build the archive's metadata, which runs its code. pip's own finder and downloader do
not, and they honour the user's pip configuration (index, proxy, certificates, credentials). They are internal
to pip, so whatever fails here ends with status 3 and the caller falls back on ``pip download``.

Usage: ``python sdist_fetcher.py NAME VERSION FOLDER``; prints the path of what was saved.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any


def save(name: str, version: str, folder: str) -> str:
    """Save the source archive of ``name`` at exactly ``version`` in ``folder`` and return its path."""
    commands: Any = importlib.import_module("pip._internal.commands")
    specifiers: Any = importlib.import_module("pip._vendor.packaging.specifiers")
    download: Any = importlib.import_module("pip._internal.network.download")
    options_module: Any = importlib.import_module("pip._internal.cli.cmdoptions")
    command = commands.create_command("download")
    with command.main_context():
        options, _ = command.parse_args(
            ["--no-deps", "--no-binary", ":all:", "--quiet", "--dest", folder, name]
        )
        options_module.check_dist_restriction(options)
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session)
        found = finder.find_best_candidate(name, specifiers.SpecifierSet(f"=={version}"))
        if found.best_candidate is None:
            raise LookupError(f"no source archive of {name} {version}")
        link = found.best_candidate.link
        if link.is_file:
            return str(link.file_path)
        path, _ = download.Downloader(session, "off")(link, folder)
        return str(path)


if __name__ == "__main__":
    try:
        print(save(*sys.argv[1:4]))
    except Exception as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        sys.exit(3)
