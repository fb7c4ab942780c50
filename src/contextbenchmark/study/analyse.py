"""The story of an analysis: pairs, the registered estimate, what could turn it, the verdict."""

from __future__ import annotations

from contextbenchmark.study.analysis_record import Analysis, Imported
from contextbenchmark.study.calibrate import RESAMPLES, STUDIES, calibrate
from contextbenchmark.study.costs import costs
from contextbenchmark.study.criteria import criteria, reach
from contextbenchmark.study.estimate import estimate
from contextbenchmark.study.judging import Tally
from contextbenchmark.study.measured import Measured
from contextbenchmark.study.missing import missing, progress
from contextbenchmark.study.s5 import break_even
from contextbenchmark.study.sensitivity import RAISED, pair_table, sensitivities
from contextbenchmark.study.treatment import treatment
from contextbenchmark.study.verdict import by_rule, decide, qualifications, sentence


def analyse(
    measured: Measured,
    judged: Tally,
    *,
    imported: Imported | None = None,
    attempts: int | None = None,
    studies: int = STUDIES,
    resamples: int = RESAMPLES,
) -> Analysis:
    """Analyse what was measured as its plan says; the same rows give the same bytes.

    :param attempts: how many a session may have; what has no final class yet is still to come then, and there is no
        verdict. None: nothing more comes, what is not there is missing.
    :param imported: what was refused on the way in, to stand in the report.
    :param studies: simulated studies of the calibration, each with ``resamples`` resamples.
    """
    plan, shares = measured.plan, judged.shares()
    pairs = pair_table(measured, shares)
    found = estimate(plan, pairs)
    primary = by_rule(found)
    done = progress(measured, attempts or 1)
    received = treatment(measured)
    absent = missing(measured, pairs)
    others = sensitivities(measured, shares, primary.verdict)
    calibration = calibrate(plan, pairs, found, studies=studies, resamples=resamples)
    reading = decide(
        plan, primary, absent, received, open_sessions=0 if attempts is None else done.planned - done.final
    )
    checks = qualifications(plan, found, primary, received, others, calibration)
    raised = next((item for item in others if item.name == RAISED), None)
    tests = criteria(plan, pairs, found)
    return Analysis(
        study=plan.study,
        verdict=reading.verdict,
        sentence=sentence(plan, found, reading, received, checks, raised),
        reasons=reading.reasons,
        qualifications=checks,
        nv=found.nv,
        q=found.intervals["q"],
        c=found.intervals["c"],
        welch=found.welch,
        y={task: found.intervals[task].value for task in plan.tasks},
        y_intervals={task: found.intervals[task] for task in plan.tasks},
        criteria=tests,
        reach=reach(len(tests)),
        costs=costs(measured),
        treatment=received,
        sensitivities=others,
        missing=absent,
        judges=judged.summary(),
        s5=break_even(measured),
        calibration=calibration,
        plan=plan,
        estimator=plan.estimator,
        undefined_resamples=found.undefined_resamples,
        progress=done,
        imported=imported,
    )
