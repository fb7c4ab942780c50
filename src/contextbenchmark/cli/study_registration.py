"""``contextbenchmark study init | check | register | reveal | publish``: what comes before and after measuring."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextbenchmark.errors import EXIT_FAIL, EXIT_PASS, StudyError

if TYPE_CHECKING:
    from contextbenchmark.study.check import Checked

StudyFile = Annotated[
    Path, typer.Argument(metavar="STUDY", help="A study.toml, or the folder that it is in.")
]
LedgerOption = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="The ledger [default: ledger.jsonl beside the study]."),
]


def study_file(place: Path) -> Path:
    """Return the study file that ``place`` is or holds."""
    from contextbenchmark.study.design_file import STUDY_FILE

    return place / STUDY_FILE if place.is_dir() else place


def init_command(
    server: Annotated[
        str, typer.Option(metavar="COMMAND", help="The command that starts your context server.")
    ],
    repo: Annotated[Path, typer.Option(metavar="PATH", help="A clone of the repository to work on.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write the study.")] = Path("study"),
    no_task: Annotated[bool, typer.Option("--no-task", help="Propose no task from a merged change.")] = False,
) -> int:
    """Write a commented study.toml, its task proposed from a merged change: its tests hidden, the source before it.

    Example: contextbenchmark study init --server "npx -y vlm-code-context-mcp" --repo ~/code/app
    """
    from contextbenchmark.core.names import printable
    from contextbenchmark.study.initiate import initiate

    made = initiate(out, server=server, clone=repo, task=not no_task)
    typer.echo(f"wrote {made.study_file} and {len(made.files)} files beside it")
    if made.change is not None:
        change = made.change
        typer.echo(printable(f"T1 is proposed from {change.commit[:12]}: {change.subject}"))
        typer.echo(f"  {len(change.sources)} files in the solution, {len(change.tests)} hidden test files")
    typer.echo(f"Edit it, then: contextbenchmark study check {made.study_file}")
    return EXIT_PASS


def check_command(
    study: StudyFile = Path(),
    repo: Annotated[
        Path | None, typer.Option(metavar="PATH", help="A clone that holds the registered commit.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check a study and the files that it names, and say what it costs at most. No agent runs. Exit 1: an error.

    Example: contextbenchmark study check study --repo ~/code/app
    """
    from contextbenchmark.study.check import check

    checked = check(study_file(study), repo)
    if as_json:
        typer.echo(_as_json(checked))
    else:
        _print(checked)
    return EXIT_FAIL if checked.errors else EXIT_PASS


def _as_json(checked: Checked) -> str:
    import json
    from dataclasses import asdict

    value = {
        "study": checked.design.name,
        "ok": not checked.errors,
        "findings": [asdict(finding) for finding in checked.findings],
        "not_checked": list(checked.not_checked),
        "estimate": asdict(checked.estimate),
    }
    return json.dumps(value, indent=1)


def _print(checked: Checked) -> None:
    from contextbenchmark.core.names import printable

    for severity in ("error", "warning", "note"):
        for finding in checked.findings:
            if finding.severity == severity:
                typer.echo(printable(f"{severity:<8} {finding.place}: {finding.problem}"))
    for sentence in checked.not_checked:
        typer.echo(f"not checked: {sentence}")
    cost = checked.estimate
    money = "no limit of cost is registered" if cost.cost_usd is None else f"{cost.cost_usd:,.2f} USD"
    typer.echo(
        f"at most: {cost.sessions} sessions, {cost.wall_s / 3600:,.1f} h, {money}, {cost.judge_calls} calls of judges "
        "(retries left out)"
    )
    if not checked.errors:
        typer.echo(f"{checked.design.name} can be registered.")


def register_command(
    study: StudyFile = Path(),
    reason: Annotated[
        str, typer.Option(help="What changed and why; needed from the second version on.")
    ] = "",
    ledger: LedgerOption = None,
) -> int:
    """Freeze the study: its SHA-256 and every file's enter the ledger, PREREGISTRATION.md is written.

    Example: contextbenchmark study register study
    """
    from contextbenchmark.core.names import printable
    from contextbenchmark.study.register import register

    made = register(study_file(study), reason=reason, ledger=ledger)
    found = made.version.registration
    typer.echo(printable(f"{found.study} version {found.version} of {found.date}: {made.version.sha256}"))
    seen = [f"{item.rows} x {item.event}" for item in made.before if item.event != "registered"]
    if seen:
        typer.echo(
            printable(f"What was measured or looked at before it stays and is shown: {', '.join(seen)}.")
        )
    typer.echo(f"{made.text}\nKeep this head elsewhere: {made.head}")
    return EXIT_PASS


def reveal_command(
    disclosed: Annotated[Path, typer.Argument(metavar="FILE", help="The file that is disclosed.")],
    study: Annotated[Path, typer.Option(metavar="STUDY", help="The study.toml, or its folder.")] = Path(),
    registered_as: Annotated[
        str | None, typer.Option("--as", metavar="PATH", help="The path that it was registered under.")
    ] = None,
    ledger: LedgerOption = None,
) -> int:
    """Prove that a disclosed file is the registered one, byte for byte. Exit 1: it is not.

    Example: contextbenchmark study reveal answers.toml --study study
    """
    from contextbenchmark.core.names import printable
    from contextbenchmark.study.register import reveal

    found = reveal(study_file(study), disclosed, registered_as=registered_as, ledger=ledger)
    if found.path is None:
        expected = f" Registered is {found.registered}." if found.registered else ""
        typer.echo(printable(f"{disclosed} is no registered file. Its SHA-256 is {found.sha256}.{expected}"))
        return EXIT_FAIL
    versions = ", ".join(map(str, found.versions))
    typer.echo(printable(f"{disclosed} is {found.path} as registered in version {versions}: {found.sha256}"))
    return EXIT_PASS


def publish_command(
    repo: Annotated[Path, typer.Option(metavar="PATH", help="A git repository to publish in.")],
    study: StudyFile = Path(),
    ledger: LedgerOption = None,
    branch: Annotated[str, typer.Option(help="The branch.")] = "bench-results",
    push: Annotated[str | None, typer.Option(metavar="REMOTE", help="Push the branch there too.")] = None,
) -> int:
    """Commit the ledger to the bench-results branch; the working tree stays as it is. Prints the head to keep.

    Example: contextbenchmark study publish study --repo . --push origin
    """
    from contextbenchmark.study.design_file import read_study_name
    from contextbenchmark.study.frozen import default_ledger
    from contextbenchmark.study.publish import publish

    file = study_file(study)
    name = read_study_name(file)
    if name is None:
        raise StudyError(
            f"{file} gives no name to publish under.", "Name a study.toml, or the folder that it is in."
        )
    from contextbenchmark.core.names import safe_name

    path = f"studies/{safe_name(name)}/ledger.jsonl"
    done = publish(ledger or default_ledger(file), repo, path, branch=branch, remote=push)
    what = "committed" if done.new else "was there already"
    typer.echo(f"{path} {what}: {branch} is at {done.commit}\nKeep this head elsewhere: {done.head}")
    return EXIT_PASS


def add_commands(app: typer.Typer) -> None:
    """Give ``app`` (the verb ``study``) the commands of this file."""
    app.command("init")(init_command)
    app.command("check")(check_command)
    app.command("register")(register_command)
    app.command("reveal")(reveal_command)
    app.command("publish")(publish_command)
