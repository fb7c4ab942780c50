"""The registration in force, and the refusal of whatever differs from it.

The ledger is what counts: a version is registered when its row is there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.digest import list_files, shown
from contextbenchmark.errors import LedgerError, StudyError
from contextbenchmark.study.design import Design
from contextbenchmark.study.design_file import STUDY_FILE, NamedFile, named_files, read_study_name
from contextbenchmark.study.ledger_reading import read_rows
from contextbenchmark.study.ledger_row import LedgerRow, Provenance
from contextbenchmark.study.registration import (
    REGISTERED_EVENT,
    RegisteredBody,
    RegisteredFile,
    Registration,
    document_sha256,
)

LEDGER_FILE = "ledger.jsonl"
# Text up to this size is put into the registration itself.
TEXT_BYTES = 32 * 1024
# Differences that are told one by one.
TOLD = 10


@dataclass(frozen=True, kw_only=True)
class Version:
    """A registered version and the digest (hex) that identifies it."""

    registration: Registration
    sha256: str

    @property
    def design(self) -> Design:
        """Return the registered design; raises :class:`StudyError` where this package cannot read it."""
        try:
            return Design.model_validate(self.registration.design)
        except ValueError as error:
            raise StudyError(
                f"This contextbenchmark cannot read version {self.registration.version} of "
                f"{self.registration.study}.",
                "Use the version of contextbenchmark that registered it.",
            ) from error

    def provenance(self, *, agent_version: str | None = None) -> Provenance:
        """Return what the rows that are measured under this version carry."""
        design = self.design
        return Provenance(
            study=self.registration.study,
            version=self.registration.version,
            sha256=self.sha256,
            agent=design.agent.driver,
            agent_version=agent_version or design.agent.version or None,
            model=design.agent.model,
            repository=design.repository.purl,
            commit=design.repository.commit,
        )


def default_ledger(study_file: Path) -> Path:
    """Return where the ledger of a study is unless it is said otherwise: beside the study file."""
    return study_file.parent / LEDGER_FILE


def version_of(row: LedgerRow) -> Version:
    """Return the version that a row registers; raises :class:`LedgerError` where its digest is not its document's."""
    body = row.body_as(RegisteredBody)
    digest = document_sha256(body.document)
    if digest != body.sha256:
        raise LedgerError(
            f"Row {row.index + 1} registers a document of digest {digest} as {body.sha256}.",
            "This row was not written by contextbenchmark; trust nothing that was measured under it.",
        )
    return Version(registration=Registration.model_validate(body.document), sha256=digest)


def registered_versions(ledger: Path, study: str | None) -> tuple[Version, ...]:
    """Return every registered version of ``study``, oldest first; of the ledger's only study where it is None.

    :raises LedgerError: the ledger was changed.
    :raises StudyError: ``study`` is None and the ledger holds several.
    """
    if not ledger.exists():
        return ()
    versions = tuple(version_of(row) for row in read_rows(ledger, event=REGISTERED_EVENT, study=study))
    names = {version.registration.study for version in versions}
    if len(names) > 1:
        raise StudyError(f"{ledger} holds several studies: {', '.join(sorted(names))}.", "Name one.")
    return versions


def in_force(study_file: Path, ledger: Path | None = None) -> tuple[Version, ...]:
    """Return the registered versions of a study; the last one is in force.

    :raises StudyError: it was never registered.
    :raises LedgerError: the ledger was changed.
    """
    place = ledger or default_ledger(study_file)
    name = read_study_name(study_file)
    versions = registered_versions(place, name)
    if not versions and ledger is None:
        # The name itself may be what was edited.
        versions = registered_versions(place, None)
    if not versions:
        raise StudyError(
            f"{name or study_file} is not registered in {place}.",
            "Register it: contextbenchmark study register.",
        )
    return versions


def require_unchanged(
    study_file: Path, ledger: Path | None = None, *, hidden_may_be_absent: bool = False
) -> tuple[Version, ...]:
    """Return what :func:`in_force` does once every file that the study names is found to be what was registered.

    ``run``, ``score`` and ``analyse`` begin with this. ``hidden_may_be_absent``: whoever analyses what others
    measured has no hidden file; one that is not there (rather than different) is no hindrance then.

    :raises StudyError: a file differs, is gone or was added: named, with the registered digest and its own.
    """
    versions = in_force(study_file, ledger)
    wrong = list(_differences(study_file, versions[-1], hidden_may_be_absent))
    if wrong:
        more = f"; and {len(wrong) - TOLD} more" if len(wrong) > TOLD else ""
        found = versions[-1].registration
        raise StudyError(
            f"{found.study} is not what was registered as version {found.version}: {'; '.join(wrong[:TOLD])}{more}.",
            "Put the registered files back, or register the change as a new version: "
            'contextbenchmark study register --reason "...".',
        )
    return versions


def _differences(study_file: Path, version: Version, hidden_may_be_absent: bool) -> Iterator[str]:
    folder = study_file.parent
    registered = {file.path: file for file in version.registration.files}
    for file in registered.values():
        place = study_file if file.path == STUDY_FILE else folder / file.path
        if place.is_file():
            digest = file_sha256(place)
            if digest != file.sha256:
                yield f"{file.path} was changed (registered {file.sha256}, now {digest})"
        elif not (file.hidden and hidden_may_be_absent):
            yield f"{file.path} is not there (registered {file.sha256})"
    for named in named_files(version.design):
        if (folder / named.path).is_dir():
            for path in _below(folder, named):
                if path not in registered:
                    yield f"{path} was added (registered: nothing, now {file_sha256(folder / path)})"


def digest_files(study_file: Path, design: Design) -> tuple[RegisteredFile, ...]:
    """Return the study file and every file that it names, folders file by file, with their digests.

    :raises StudyError: a file is not there or a folder without files.
    """
    folder = study_file.parent
    found = {STUDY_FILE: _registered(study_file, STUDY_FILE, STUDY_FILE, hidden=False)}
    for named in named_files(design):
        place = folder / named.path
        if place.is_dir():
            paths = _below(folder, named)
            if not paths:
                raise StudyError(f"{named.role}: the folder {named.path} is empty.", "Put its files there.")
        elif place.is_file():
            paths = [named.path]
        else:
            raise StudyError(
                f"{named.role}: there is no {named.path} beside {study_file}.", "Write it, or name another."
            )
        for path in paths:
            known = found.get(path)
            hidden = named.hidden or (known is not None and known.hidden)
            role = named.role if known is None else f"{known.role}, {named.role}"
            found[path] = _registered(folder / path, path, role, hidden=hidden)
    return tuple(found[path] for path in sorted(found))


def _below(folder: Path, named: NamedFile) -> list[str]:
    return [f"{named.path}/{path}" for path in list_files(folder / named.path)]


def _registered(place: Path, path: str, role: str, *, hidden: bool) -> RegisteredFile:
    size = place.stat().st_size
    text = None
    if not hidden and size <= TEXT_BYTES:
        try:
            text = place.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            text = None
    return RegisteredFile(
        path=path, role=role, hidden=hidden, bytes=size, sha256=file_sha256(place), text=text
    )


def file_sha256(path: Path) -> str:
    """Return the SHA-256 (hex) of a file's bytes; raises :class:`StudyError` when it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise StudyError(f"Cannot read {shown(path)}: {error.strerror}.", "Make it readable.") from error
