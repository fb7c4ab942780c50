"""The rows as they stand on disk: names, bounds, tokens by the registered weight."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from contextbenchmark.study.record import Judgement, Plan, Session
from tests.unit.study.studies import session


def test_cache_reads_are_neither_dropped_nor_priced_in_full() -> None:
    row = Session.model_validate(
        session("T1", 1, "cc", input=1000, output=500, cache_write=200, cache_read=3000)
    )
    assert row.tokens(0.1) == 2000
    assert (row.tokens(0), row.tokens(1)) == (1700, 4700)
    assert Session.model_validate(session("T1", 1, "cc", cache_read=None)).tokens(0.1) is None


def test_adaptation_tokens_by_kind_go_before_those_that_were_given() -> None:
    row = Session.model_validate(session("T4", 1, "cc", adapt_tokens=999.0))
    assert row.adaptation_tokens(0.1) == 200
    assert row.adaptation_tokens(1) == 470
    bare = Session.model_validate({**session("T1", 1, "cc"), "task": "T4", "adapt_tokens": 999.0})
    assert bare.adaptation_tokens(0.5) == 999


def test_columns_stand_on_disk_as_the_spec_names_them() -> None:
    row = json.loads(Session.model_validate(session("T1", 1, "cc")).to_json())
    assert {
        "study", "task", "step", "repeat", "arm", "class", "hidden_pass_rate", "static_score", "t2_score",
        "change_pass_rate", "wall_s", "input", "output", "cache_write", "cache_read", "adapt_tokens",
        "adapt_input", "adapt_wall_s", "index_tokens", "index_wall_s", "server_calls_called",
        "server_calls_successful",
    } <= set(row)  # fmt: skip
    plan = json.loads(Plan(study="x", planned_repeats={"T1": 1}).to_json())
    assert {
        "study", "planned_repeats", "lambda", "alpha", "estimator", "cap", "cache_read_weight",
        "validity_threshold", "resamples",
    } <= set(plan)  # fmt: skip
    assert set(Judgement.model_fields) == {"study", "task", "repeat", "judge", "order", "verdict"}


@pytest.mark.parametrize("blank", ["", " ", "NaN", "nan", "NA", "null", float("nan"), None])
def test_every_way_of_saying_not_measured_is_none(blank: object) -> None:
    assert Session.model_validate(session("T1", 1, "cc", wall_s=blank, step=blank)).wall_s is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"wall_s": -1},
        {"wall_s": "inf"},
        {"hidden_pass_rate": 1.01},
        {"hidden_pass_rate": -0.01},
        {"step": 1},
        {"repeat": -1},
        {"server_calls_called": 1.5},
        {"class": "done"},
        {"arm": "placebo"},
    ],
)
def test_a_number_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Session.model_validate({**session("T1", 1, "cc"), **wrong})


def test_a_step_belongs_to_s5_alone() -> None:
    with pytest.raises(ValidationError):
        Session.model_validate(session("S5", 1, "cc"))
    with pytest.raises(ValidationError):
        Session.model_validate(session("S5", 1, "cc", step=6))
    assert Session.model_validate(session("S5", 1, "cc", step="2.0")).step == 2
