"""Run a command to its end: a time limit, its output, its whole family ended when it does not keep the limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contextbenchmark.core.process import TOKEN_VARIABLE, end_family, new_token


@dataclass(frozen=True, kw_only=True)
class Completed:
    """How a command ended: ``status`` is its exit status, negative for a signal."""

    status: int
    output: bytes
    errors: bytes

    @property
    def said(self) -> str:
        """Return the last lines that it wrote to standard error, or else to standard output."""
        text = (self.errors.strip() or self.output.strip()).decode("utf-8", "replace")
        return "\n".join(text.splitlines()[-5:])


def run_command(
    argv: Sequence[str], *, folder: Path, environment: Mapping[str, str], seconds: float, stdin: bytes = b""
) -> Completed:
    """Run ``argv``, without a shell, and return how it ended; all of its output is kept.

    :param environment: the whole environment of the command; a token is added to it.
    :raises OSError: the command cannot be started.
    :raises TimeoutError: it took longer than ``seconds``; it and what it started are ended.
    """
    token = new_token()
    process = subprocess.Popen(
        list(argv),
        cwd=folder,
        env={**environment, TOKEN_VARIABLE: token},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(stdin, timeout=seconds)
    except BaseException as error:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        end_family(token)
        process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise TimeoutError(f"{argv[0]} took longer than {seconds:g} s") from None
        raise
    return Completed(status=process.returncode, output=output, errors=errors)
