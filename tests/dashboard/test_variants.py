"""The same question under another version: everything but the scheduler is the same."""

from typing import Any

import pytest

from dashboard.models import Run, Scenario
from dashboard.queries.counterparts import counterparts
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario, update_scenario
from dashboard.services.workspace.variants import name_under, run_under
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import new_snapshot

pytestmark = pytest.mark.django_db

CORDON = {"op": "cordon", "node": "node-1"}
OFF = {"op": "cordon", "node": "node-2", "enabled": False}
CONFIGURATION = {"kind": "KubeSchedulerConfiguration", "percentageOfNodesToScore": 50}


@pytest.fixture
def scenario(alice: Any) -> Scenario:
    """A scenario in which everything is set."""
    fields = {"name": "drain", "edits": [CORDON, OFF], "seed": 7, "controllers": "none"}
    return create_scenario(alice, {"snapshot": new_snapshot(alice), "config": CONFIGURATION, **fields})


def test_a_scenario_is_run_under_another_version_as_one_of_its_own(alice: Any, scenario: Scenario) -> None:
    run = run_under(alice, scenario, "kube-1.8")
    made = run.scenario
    assert made.pk != scenario.pk
    assert (made.name, made.profile, made.driver) == ("drain · kube-1.8", "kube-1.8", "instant")
    assert (made.snapshot, made.edits, made.seed) == (scenario.snapshot, [CORDON, OFF], 7)
    assert (made.controllers, made.created_by) == ("none", alice)
    execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.edits, run.profile) == ("finished", [CORDON], "kube-1.8")


def test_a_configuration_goes_along_only_where_the_other_version_takes_it(
    alice: Any, scenario: Scenario
) -> None:
    old = run_under(alice, scenario, "kube-1.8").scenario
    assert old.config is None
    update_scenario(old, 1, {"config": {"podPriority": False}})
    assert run_under(alice, old, "kube-1.13").config == {"podPriority": False}
    assert run_under(alice, old, "kube-1.36").config is None


def test_a_run_is_asked_again_as_it_was_frozen(alice: Any, scenario: Scenario) -> None:
    run = start_run(alice, scenario, schedule=["shop/cart-2"])
    update_scenario(scenario, 1, {"edits": [], "seed": None})
    again = run_under(alice, run, "kube-1.11")
    assert (again.edits, again.seed, again.schedule) == ([CORDON], 7, ["shop/cart-2"])
    scenario.delete()
    run.refresh_from_db()
    assert run_under(alice, run, "kube-1.9").scenario.name == "prod · kube-1.9"


def test_an_unknown_version_is_refused_and_nothing_is_made(alice: Any, scenario: Scenario) -> None:
    with pytest.raises(BadInput, match=r"kube-1\.7"):
        run_under(alice, scenario, "kube-1.7")
    assert (Scenario.objects.count(), Run.objects.count()) == (1, 0)


def test_what_validation_refuses_is_not_run_under_another_version(alice: Any, scenario: Scenario) -> None:
    update_scenario(scenario, 1, {"edits": [{"op": "scale", "kind": "Job", "name": "gone", "replicas": 1}]})
    with pytest.raises(BadInput, match="gone"):
        run_under(alice, scenario, "kube-1.8")
    assert (Scenario.objects.count(), Run.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("drain", "drain · kube-1.8"),
        ("drain · kube-1.36", "drain · kube-1.8"),
        ("drain · kube-1.8", "drain · kube-1.8"),
        ("drain · kube-7", "drain · kube-7 · kube-1.8"),
        ("x" * 200, "x" * 189 + " · kube-1.8"),
    ],
)
def test_the_name_ends_with_the_version(name: str, named: str) -> None:
    assert name_under(name, "kube-1.8") == named


def test_runs_of_the_same_question_are_found_whichever_way_they_were_made(
    alice: Any, scenario: Scenario
) -> None:
    run = start_run(alice, scenario)
    start_run(alice, scenario)
    other = run_under(alice, run, "kube-1.8")
    newer = run_under(alice, scenario, "kube-1.8")
    create = {"snapshot": scenario.snapshot, "profile": "kube-1.9", "seed": 7, "controllers": "none"}
    start_run(alice, create_scenario(alice, create))
    everything = Run.objects.all()
    assert counterparts(run, everything) == [newer]
    assert [found.profile for found in counterparts(other, everything)] == ["kube-1.37"]
    Run.objects.filter(pk=newer.pk).update(status="failed", finished_at=newer.created_at)
    assert counterparts(run, everything) == [other]
