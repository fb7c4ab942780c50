"""Freeze a study as a version of its own; prove that a disclosed file is the registered one.

``registrations/vN.json`` and ``PREREGISTRATION.md`` beside the study are copies for people: what counts is the
ledger's row, which holds both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.record import write_whole
from contextbenchmark.errors import StudyError
from contextbenchmark.study.check import check
from contextbenchmark.study.frozen import (
    Version,
    default_ledger,
    digest_files,
    file_sha256,
    in_force,
    version_of,
)
from contextbenchmark.study.ledger import Event, Ledger, utc_now
from contextbenchmark.study.ledger_reading import EMPTY, Head, read_rows
from contextbenchmark.study.preregistration import render
from contextbenchmark.study.registration import (
    REGISTERED_EVENT,
    REVEALED_EVENT,
    Before,
    RegisteredBody,
    Registration,
    RevealedBody,
    as_document,
    document_bytes,
    document_sha256,
)

PREREGISTRATION = "PREREGISTRATION.md"


@dataclass(frozen=True, kw_only=True)
class Registered:
    """What :func:`register` made: the version, the ledger's head, the text for people, rows that came before."""

    version: Version
    head: Head
    text: Path
    before: tuple[Before, ...]


@dataclass(frozen=True, kw_only=True)
class Revealed:
    """What :func:`reveal` found: the file's digest (hex), and where it was registered.

    ``versions`` are the versions whose file ``path`` has this digest; none means that it is no registered file.
    ``registered`` is the digest under the file's own path in the version in force, None where that names none.
    """

    sha256: str
    path: str | None
    versions: tuple[int, ...]
    registered: str | None


def register(study_file: Path, *, reason: str = "", ledger: Path | None = None) -> Registered:
    """Freeze the study as a new version: a document, a row in the ledger, a text for people.

    :raises StudyError: the study cannot be measured as it is (:mod:`~contextbenchmark.study.check`), nothing has
        changed since the last version, or a change comes without a reason.
    """
    checked = check(study_file)
    if checked.errors:
        first = checked.errors[0]
        more = f" (and {len(checked.errors) - 1} more)" if len(checked.errors) > 1 else ""
        raise StudyError(
            f"{study_file}: {first.place}: {first.problem}{more}.", "See all: contextbenchmark study check."
        )
    design = checked.design
    place = ledger or default_ledger(study_file)
    known, before, end = _history(place, design.name)
    files = digest_files(study_file, design)
    last = known[-1] if known else None
    if last is not None:
        number = last.registration.version
        if (last.registration.design, last.registration.files) == (design.as_json(), files):
            raise StudyError(
                f"Nothing has changed since version {number} of {design.name} was registered.",
                "Change the study first; one version is never registered twice.",
            )
        if not reason.strip():
            raise StudyError(
                f"Version {number + 1} of {design.name} needs a reason.",
                'Say what changed and why: contextbenchmark study register --reason "...".',
            )
    registration = Registration(
        study=design.name,
        version=last.registration.version + 1 if last else 1,
        date=utc_now()[:10],
        reason=reason.strip() or "First registration.",
        parent=last.sha256 if last else None,
        design=design.as_json(),
        files=files,
    )
    return _freeze(study_file.parent, place, end, registration, known, before)


def _history(ledger: Path, study: str) -> tuple[tuple[Version, ...], tuple[Before, ...], Head]:
    """Return the versions of a study until now, how many rows of each event it has, and where the ledger ends."""
    if not ledger.exists():
        return (), (), EMPTY
    with Ledger(ledger) as opened:
        end = opened.head
    versions, counted = [], Counter[str]()
    for row in read_rows(ledger, study=study):
        counted[row.event] += 1
        if row.event == REGISTERED_EVENT:
            versions.append(version_of(row))
    before = tuple(Before(event=event, rows=rows) for event, rows in sorted(counted.items()))
    return tuple(versions), before, end


def _freeze(
    folder: Path,
    ledger: Path,
    end: Head,
    registration: Registration,
    known: Sequence[Version],
    before: tuple[Before, ...],
) -> Registered:
    document = as_document(registration)
    version = Version(registration=registration, sha256=document_sha256(document))
    text = render(registration, version.sha256, known_digests(known), before)
    body = RegisteredBody(document=document, sha256=version.sha256, text=text, before=before)
    with Ledger(ledger) as opened:
        head = opened.append(
            Event(kind=REGISTERED_EVENT, provenance=version.provenance(), body=body), after=end
        )
    write_whole(folder / "registrations" / f"v{registration.version}.json", document_bytes(document))
    write_whole(folder / f"PREREGISTRATION-v{registration.version}.md", text)
    write_whole(folder / PREREGISTRATION, text)
    return Registered(version=version, head=head, text=folder / PREREGISTRATION, before=before)


def known_digests(versions: Sequence[Version]) -> tuple[tuple[Registration, str], ...]:
    """Return each version's document with its digest, as the text for people lists them."""
    return tuple((version.registration, version.sha256) for version in versions)


def reveal(
    study_file: Path, disclosed: Path, *, registered_as: str | None = None, ledger: Path | None = None
) -> Revealed:
    """Say whether ``disclosed`` is a registered file, byte for byte; where it is, a row in the ledger says so too.

    :param registered_as: the path it must have been registered under; any where left out.
    :raises StudyError: the study is not registered, ``registered_as`` is no registered path, or the file cannot be
        read.
    """
    place = ledger or default_ledger(study_file)
    versions = in_force(study_file, ledger)
    digest = file_sha256(disclosed)
    paths = {file.path: file.sha256 for file in versions[-1].registration.files}
    ever = {file.path for version in versions for file in version.registration.files}
    if registered_as is not None and registered_as not in ever:
        raise StudyError(
            f"{registered_as} is not a file of {versions[-1].registration.study}.",
            f"See the list of files in {PREREGISTRATION}.",
        )
    own = registered_as or next(
        (path for path in sorted(paths) if path.rpartition("/")[2] == disclosed.name), None
    )
    found: dict[str, list[int]] = {}
    for version in versions:
        for file in version.registration.files:
            if file.sha256 == digest and registered_as in (None, file.path):
                found.setdefault(file.path, []).append(version.registration.version)
    if not found:
        return Revealed(sha256=digest, path=None, versions=(), registered=paths.get(own) if own else None)
    path = own if own in found else min(found)
    body = RevealedBody(path=path, sha256=digest, bytes=disclosed.stat().st_size, versions=tuple(found[path]))
    with Ledger(place) as opened:
        opened.append(Event(kind=REVEALED_EVENT, provenance=versions[-1].provenance(), body=body))
    return Revealed(sha256=digest, path=path, versions=tuple(found[path]), registered=digest)
