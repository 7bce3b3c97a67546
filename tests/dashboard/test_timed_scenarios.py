"""Scenarios with a clock: when their runs end and how long an attempt takes goes wherever they go."""

from typing import Any

import pytest
from django.urls import reverse

from dashboard.models import Run, Scenario
from dashboard.queries.comparison_settings import settings_of, settings_sentence
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario, update_scenario
from dashboard.services.workspace.variants import run_under
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import new_snapshot, whole_log

pytestmark = pytest.mark.django_db

CORDON = {"op": "cordon", "node": "node-1", "at": 5}
CLOCK = {"driver": "timed", "until": 60, "attempt_seconds": 0.5, "ready_seconds": 3}
USUAL = {"until": None, "attempt_seconds": 0.01, "ready_seconds": 20}


@pytest.fixture
def scenario(alice: Any) -> Scenario:
    """A scenario of a minute, with an edit after five seconds."""
    fields = {"snapshot": new_snapshot(alice), "name": "later", "edits": [CORDON], **CLOCK}
    return create_scenario(alice, fields)


def clock_of(row: Scenario | Run) -> tuple[str, float | None, float, float]:
    row.refresh_from_db()
    return row.driver, row.until, row.attempt_seconds, row.ready_seconds


def test_the_clock_s_settings_are_frozen_with_the_run_and_played(alice: Any, scenario: Scenario) -> None:
    run = start_run(alice, scenario)
    update_scenario(scenario, 1, USUAL)
    assert clock_of(scenario) == ("timed", None, 0.01, 20)
    execute_run(run.pk)
    assert clock_of(run) == ("timed", 60, 0.5, 3)
    assert run.status == "finished"
    log = whole_log(run)
    assert b'"time":500' in log
    assert b'"time":5000' in log


@pytest.mark.parametrize("field", ["until", "attempt_seconds", "ready_seconds"])
def test_without_a_clock_its_settings_are_refused_by_name(alice: Any, field: str) -> None:
    draft = {"snapshot": new_snapshot(alice), "driver": "instant", field: CLOCK[field]}
    with pytest.raises(
        BadInput, match="needs the driver timed: no clock moves with the driver instant"
    ) as error:
        create_scenario(alice, draft)
    assert [(one.object, one.field) for one in error.value.problems] == [("scenario", field)]


def test_a_scenario_that_loses_its_clock_must_let_go_of_its_instants(alice: Any, scenario: Scenario) -> None:
    with pytest.raises(BadInput) as error:
        update_scenario(scenario, 1, {"driver": "instant"})
    assert [(one.object, one.field) for one in error.value.problems] == [("edits[0]", "at")]
    scenario.refresh_from_db()
    with pytest.raises(BadInput) as error:
        update_scenario(scenario, 1, {"driver": "instant", "edits": []})
    assert [one.field for one in error.value.problems] == ["attempt_seconds", "ready_seconds", "until"]
    scenario.refresh_from_db()
    usual = {"driver": "instant", "edits": [], **USUAL}
    update_scenario(scenario, 1, usual)
    assert clock_of(scenario) == ("instant", None, 0.01, 20)


def test_a_copy_has_the_same_clock(client: Any, alice: Any, scenario: Scenario) -> None:
    client.force_login(alice)
    client.post(reverse("scenario-copy", args=[scenario.pk]))
    copy = Scenario.objects.exclude(pk=scenario.pk).get()
    assert (clock_of(copy), copy.edits) == (("timed", 60, 0.5, 3), [CORDON])


def test_another_version_takes_the_settings_with_the_clock_only(alice: Any, scenario: Scenario) -> None:
    again = run_under(alice, scenario, "kube-1.36")
    assert clock_of(again) == clock_of(again.scenario) == ("timed", 60, 0.5, 3)
    update_scenario(scenario, 1, {"edits": []})
    assert clock_of(run_under(alice, scenario, "kube-1.8")) == ("instant", None, 0.01, 20)


def test_a_comparison_says_that_the_clocks_differ(alice: Any, scenario: Scenario) -> None:
    minute = start_run(alice, scenario)
    update_scenario(scenario, 1, USUAL)
    open_end = start_run(alice, scenario)
    different = [one["what"] for one in settings_of(minute, open_end) if not one["same"]]
    assert different == ["until", "attempt_seconds", "ready_seconds"]
    assert settings_sentence(minute, open_end).endswith(
        "an end after 60 s against an end by itself; 0.5 s an attempt against 0.01 s; "
        "pods ready after 3 s against 20 s."
    )
