"""``contextbenchmark study``: is the context worth it?"""

from __future__ import annotations

import typer

from contextbenchmark.cli import study_analysis, study_registration

app = typer.Typer(
    no_args_is_help=True,
    help="Is the context worth it? A registered, paired comparison of an agent with and without one context server.",
)
study_registration.add_commands(app)
study_analysis.add_commands(app)
