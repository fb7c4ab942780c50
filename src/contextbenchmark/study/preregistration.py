"""``PREREGISTRATION.md``: a registration as people read it, rendered from the registered document."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from contextbenchmark.core.names import printable
from contextbenchmark.study.design import Design, Judge
from contextbenchmark.study.registration import Before, Registration

Known = tuple[Registration, str]

_MEASURED = {
    "T1": "building a feature: hidden tests, static quality, judges",
    "T2": "questions about the system: answer key",
    "T3": "an update for a stakeholder about T1: judges",
    "T4": "T1 again with a change after the first plan: hidden tests, cost of adapting",
    "S5": "five tasks in sequence on one index: cumulative tokens (never part of NV)",
}


def render(
    registration: Registration, sha256: str, earlier: Sequence[Known] = (), before: Iterable[Before] = ()
) -> str:
    """Return the text of a registration. ``earlier``: the versions before it; ``before``: rows the study had."""
    design = Design.model_validate(registration.design)
    parts = [
        _headline(registration, sha256),
        _versions(registration, sha256, earlier, before),
        _question(design),
        _arms(design),
        _tasks(design),
        _judging(design),
        _formula(design),
        _statistics(design),
        _files(registration),
        _texts(registration),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(registration: Registration, sha256: str) -> str:
    hidden = [file for file in registration.files if file.hidden]
    lines = [
        f"# Pre-registration of {registration.study}, version {registration.version}",
        "",
        f"Registered on {registration.date}. SHA-256 of the registered document as RFC 8785 JSON: `{sha256}`.",
    ]
    if hidden:
        lines += ["", "Hidden until they are disclosed; each can then be checked against its SHA-256:", ""]
        lines += [f"- `{_line(file.path)}`: `{file.sha256}`" for file in hidden]
    return "\n".join(lines)


def _versions(
    registration: Registration, sha256: str, earlier: Sequence[Known], before: Iterable[Before]
) -> str:
    rows = [(str(old.version), old.date, f"`{digest}`", old.reason) for old, digest in earlier]
    rows.append((str(registration.version), registration.date, f"`{sha256}`", registration.reason))
    lines = ["## Versions", "", _table(("Version", "Date", "SHA-256", "What changed and why"), rows)]
    seen = [f"{item.rows} x {item.event}" for item in before]
    if seen:
        told = _line(", ".join(seen))
        lines += ["", f"When this version was registered the ledger held of this study already: {told}."]
    return "\n".join(lines)


def _question(design: Design) -> str:
    alpha = design.analysis.alpha
    kinds = {
        "study": "",
        "a-a": "\n\nThis is an A/A study: neither arm has the server, so every difference is noise.",
        "placebo": "\n\nThe cc arm has a placebo: the same tools, whose answers are empty.",
    }
    return (
        f"## Question\n\n{_prose(design.question)}\n\nH0: NV <= 0. H1: NV > 0. One-sided, alpha = {alpha:g}."
        f"{kinds[design.kind]}"
    )


def _arms(design: Design) -> str:
    agent, cc, repository = design.agent, design.arms.cc, design.repository
    rule = "the same and the registered rule text" if cc.rule else "the same"
    rows = [
        ("Agent", f"{agent.driver} {agent.version}".strip(), "the same"),
        ("Model", f"{agent.model} ({agent.family})", "the same"),
        ("Options", _command(agent.options), "the same"),
        ("Allowed", _list(agent.allow), _list((*agent.allow, *cc.tools))),
        ("Denied", _list(agent.deny), "the same"),
        ("Prompt", "the task's", rule),
        ("Context server", "none", f"{cc.name}: {_command(cc.server)}" if cc.server else cc.name),
        ("Index", "none", "; ".join(_command(command) for command in cc.index) or "none"),
        ("Environment", _pairs(agent.environment), _pairs({**agent.environment, **cc.environment})),
        ("Workspace", f"`{repository.purl}` at `{repository.commit}`", "the same"),
    ]
    return f"## Arms\n\n{_table(('', 'vanilla', 'cc'), rows)}"


def _tasks(design: Design) -> str:
    weights = design.weights
    share = {
        "T1": weights.accuracy + weights.code_quality,
        "T2": weights.systems_knowledge,
        "T3": weights.communication,
        "T4": weights.control,
        "S5": 0.0,
    }
    rows = [
        (name, _MEASURED[name], str(getattr(design.repeats, name)), f"{share[name]:g}")
        for name in _MEASURED
        if getattr(design.tasks, name) is not None
    ]
    limits = design.limits
    money = f", {limits.session.cost_usd:g} USD" if limits.session.cost_usd else ""
    tokens = f", {limits.session.tokens:,.0f} weighted tokens" if limits.session.tokens else ""
    total = f" The whole run ends at {limits.run.cost_usd:g} USD." if limits.run.cost_usd else ""
    return (
        f"## Tasks\n\n{_table(('Task', 'What it measures', 'Repeats an arm', 'Weight'), rows)}\n\n"
        f"A session ends at {limits.session.wall_s:g} s{tokens}{money}.{total} A session that failed by no fault of "
        f"an arm is tried again up to {design.schedule.retries} times; the first valid attempt counts. "
        f"The order is drawn with seed {design.schedule.seed}."
    )


def _judging(design: Design) -> str:
    judges = design.judging.judges
    if not judges:
        return "## Judging\n\nNo judges: what only they could score is missing."
    rows = [_judge(judge) for judge in judges]
    return (
        f"## Judging\n\n{_table(('Judge', 'Family', 'Model', 'Endpoint'), rows)}\n\n"
        "Each sees both outputs unlabelled and in both orders. One that prefers different arms in its two orders "
        "contradicts itself: both verdicts are ties."
    )


def _judge(judge: Judge) -> tuple[str, ...]:
    return judge.name, judge.family, judge.model, judge.endpoint


def _formula(design: Design) -> str:
    weights, plan = design.weights, design.analysis
    rows = [
        ("accuracy", "T1: hidden pass rate", f"{weights.accuracy:g}"),
        ("code quality", "T1: half static score, half judges", f"{weights.code_quality:g}"),
        ("systems knowledge", "T2: score", f"{weights.systems_knowledge:g}"),
        ("stakeholder communication", "T3: judges", f"{weights.communication:g}"),
        ("control", "T4: half hidden pass rate, half cost of adapting", f"{weights.control:g}"),
        ("cost: wall time", "T1: (cc - van) / van", f"{weights.wall:g}"),
        ("cost: tokens", "T1: (cc - van) / van", f"{weights.tokens:g}"),
    ]
    return (
        "## Formula\n\nNV = Q - lambda C: Q is the weighted sum of the quality gains, C of the cost increases; "
        f"lambda = {plan.lambda_:g}.\n\n{_table(('Criterion', 'Taken from', 'Weight'), rows)}\n\n"
        f"Tokens: input + output + cache writes + {plan.cache_read_weight:g} x cache reads."
    )


def _statistics(design: Design) -> str:
    plan = design.analysis
    cap = f"capped at +-{plan.cap:g}" if plan.cap is not None else "not capped"
    means = {
        "pairwise": "the mean of each pair's relative difference",
        "ratio_of_means": "the relative difference of the means",
    }[plan.estimator]
    return (
        f"## Analysis, version {plan.version}\n\n"
        f"- Estimator: {plan.estimator}, {means}; differences are {cap}.\n"
        f"- Interval of NV: 95 %, bias-corrected bootstrap over pairs, {plan.resamples:,} times, seed {plan.seed}.\n"
        f"- Per criterion: Wilcoxon signed-rank test, Holm over the criteria.\n"
        f"- A run is INVALID when fewer than {100 * plan.validity_threshold:g} % of cc sessions called the server.\n"
        "- KEEP when the interval of NV lies above 0, DROP when it lies below 0, INCONCLUSIVE otherwise; never a "
        "verdict from the point estimate.\n"
        "- Failed and timed-out sessions count: scored 0, cost as measured."
    )


def _files(registration: Registration) -> str:
    rows = [
        (
            f"`{_line(file.path)}`",
            _line(file.role),
            "yes" if file.hidden else "",
            f"{file.bytes:,}",
            f"`{file.sha256}`",
        )
        for file in registration.files
    ]
    return f"## Files\n\n{_table(('File', 'Named as', 'Hidden', 'Bytes', 'SHA-256'), rows)}"


def _texts(registration: Registration) -> str:
    parts = []
    for file in registration.files:
        if file.text is not None and file.role.partition(".")[0] in ("arms", "tasks", "judging"):
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", file.text)), default=0))
            parts.append(f"### `{_line(file.path)}`\n\n{fence}text\n{file.text.rstrip(chr(10))}\n{fence}")
    return "## Texts, verbatim\n\n" + "\n\n".join(parts) if parts else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return (_line(text) if text.startswith("`") else _prose(text)).replace("|", "\\|")


def _prose(text: str) -> str:
    """Return ``text`` on one line that is neither a heading, a list, a quotation, a fence nor a tag."""
    line = _line(text).replace("<", "&lt;")
    return f"\\{line}" if line[:1] in tuple("#>-+*|`=~_") else line


def _line(text: str) -> str:
    return printable(" ".join(text.split()))


def _command(argv: Sequence[str]) -> str:
    return f"`{shlex.join(argv)}`" if argv else "none"


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "nothing"


def _pairs(environment: dict[str, str]) -> str:
    return ", ".join(f"`{name}={value}`" for name, value in sorted(environment.items())) or "none"
