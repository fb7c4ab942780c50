"""Every error a person can meet. Each message says what was wrong, where, and the remedy."""

from __future__ import annotations

EXIT_PASS = 0
EXIT_FAIL = 1
EXIT_NOT_COMPARABLE = 2
EXIT_INCONCLUSIVE = 3
EXIT_MISTAKE = 4
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


class ContextBenchmarkError(Exception):
    """Base of all our errors; ``str(error)`` is one or two plain sentences that end in the remedy.

    ``exit_code`` is what the command line exits with (spec: Exit codes everywhere).
    """

    exit_code = EXIT_MISTAKE

    def __init__(self, problem: str, remedy: str) -> None:
        self.problem = problem.rstrip()
        self.remedy = remedy.strip()
        super().__init__(f"{self.problem} {self.remedy}".strip())


class CorpusError(ContextBenchmarkError):
    """A corpus or its queries cannot be used as they are."""


class AdapterReferenceError(ContextBenchmarkError):
    """A name on the command line leads to no adapter, or to one that cannot be read."""


class EngineError(ContextBenchmarkError):
    """An engine's environment cannot be made, or is not there."""


class FingerprintError(ContextBenchmarkError):
    """A file that should be a fingerprint is not one."""


class RunFolderError(ContextBenchmarkError):
    """A results folder cannot be written, read, or resumed."""


class FetchError(ContextBenchmarkError):
    """A pinned corpus could not be fetched, or is not what its pin says."""


class ConfigurationError(ContextBenchmarkError):
    """An option or a configuration file says something that cannot be done."""


class StudyError(ContextBenchmarkError):
    """A study file, its rows or its registration cannot be used as they are."""


class LedgerError(ContextBenchmarkError):
    """A ledger cannot be read, is not what it was, or cannot be appended to."""


class SignatureError(ContextBenchmarkError):
    """A key or a signature cannot be used, or does not match."""
