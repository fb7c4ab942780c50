"""The one place where errors become messages and exit codes."""

from __future__ import annotations

import errno
import io
import os
import sys

from contextbenchmark.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_MISTAKE, ContextBenchmarkError

# What the system says about a person's paths and disks, wherever it comes up; anything else is our bug.
REFUSALS = frozenset(
    (
        errno.EACCES,
        errno.EPERM,
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        errno.ENOTDIR,
    )
)


def main() -> None:
    """Run the command line. Exit codes: docs/standard.md."""
    for stream in (sys.stdout, sys.stderr):
        # Names and queries come from data: what the terminal's encoding cannot hold is spelled out.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line on ``arguments`` and return its exit code."""
    from contextbenchmark.cli.app import app

    try:
        return _code(app(arguments, standalone_mode=False, prog_name="contextbenchmark"))
    except ContextBenchmarkError as error:
        _say(f"Error: {error.problem}", error.remedy)
        return error.exit_code
    except KeyboardInterrupt:
        _say("Interrupted.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_INTERRUPTED
    except Exception as error:
        return _other(error)


def _code(returned: object) -> int:
    return returned if isinstance(returned, int) else 0


def _other(error: Exception) -> int:
    """Tell a usage error, which the command-line library raises as an exception of its own, from our bug."""
    import typer

    if isinstance(error, typer.Exit):
        return int(error.exit_code)
    if isinstance(error, typer.Abort):
        _say("Interrupted.")
        return EXIT_INTERRUPTED
    message = getattr(error, "format_message", None)
    if callable(message):
        context = getattr(error, "ctx", None)
        verb = context.command_path if context is not None else "contextbenchmark"
        text = str(message()).rstrip()
        if type(error).__name__ == "NoArgsIsHelpError":
            print(text)  # no verb was given: the help is the answer
            return EXIT_MISTAKE
        _say(f"Error: {text}{'' if text.endswith(('.', '?', '!')) else '.'}", f"See {verb} --help.")
        return EXIT_MISTAKE
    if isinstance(error, OSError) and error.errno in REFUSALS:
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "a file"
        _say(f"Error: Cannot use {where}: {error.strerror}.", "Check the path, its permissions and the disk.")
        return EXIT_MISTAKE
    import traceback

    _say(
        f"This is a bug in contextbenchmark, not a mistake of yours: {type(error).__name__}: {error}",
        "Please report it with the lines below. What was measured until now is kept.",
        traceback.format_exc(),
    )
    return EXIT_BUG


def _say(*lines: str) -> None:
    from contextbenchmark.core.names import printable

    for line in lines:
        if line:
            print("\n".join(printable(part) for part in line.splitlines()), file=sys.stderr)


if __name__ == "__main__":
    main()
