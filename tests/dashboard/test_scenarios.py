"""Scenarios: drafts with a version, checked in shape when saved and in meaning by the engine."""

from typing import Any

import pytest

from dashboard.errors import HasDependents, VersionConflict
from dashboard.models import Run, Scenario
from dashboard.services.workspace import scenarios
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import new_run, new_scenario, new_snapshot

pytestmark = [pytest.mark.django_db]


def fields_of(error: pytest.ExceptionInfo[BadInput]) -> list[tuple[str, str]]:
    return [(problem.object, problem.field) for problem in error.value.problems]


def test_a_scenario_begins_at_version_1_with_the_defaults(alice: Any) -> None:
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice)})
    scenario.refresh_from_db()
    assert (scenario.version, scenario.driver, scenario.controllers) == (1, "instant", "recreate")
    assert (scenario.profile, scenario.edits, scenario.seed) == ("kube-1.37", [], None)
    assert scenario.name


def test_an_update_names_the_version_it_changes(alice: Any) -> None:
    scenario = new_scenario(alice)
    scenarios.update_scenario(scenario, 1, {"name": "drain", "edits": [{"op": "drain", "node": "node-1"}]})
    assert (scenario.version, scenario.name) == (2, "drain")
    stale = Scenario.objects.get(pk=scenario.pk)
    with pytest.raises(VersionConflict):
        scenarios.update_scenario(stale, 1, {"name": "mine"})
    stale.refresh_from_db()
    assert (stale.version, stale.name) == (2, "drain")


@pytest.mark.parametrize("name", ["", "   "])
def test_a_name_is_never_blank(alice: Any, name: str) -> None:
    scenario = scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), "name": name})
    assert scenario.name == "prod, kube-1.37"
    with pytest.raises(BadInput) as refused:
        scenarios.update_scenario(scenario, 1, {"name": name})
    assert fields_of(refused) == [("scenario", "name")]
    scenario.refresh_from_db()
    assert (scenario.version, scenario.name) == (1, "prod, kube-1.37")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", 3), ("name", "x" * 201), ("snapshot", 3), ("profile", ""), ("config", []),
        ("driver", "warp"), ("controllers", None), ("edits", {}), ("seed", 1.5), ("seed", True),
        ("seed", 2**63), ("colour", "red"), ("until", True), ("until", "5"), ("until", -1),
        ("until", float("nan")), ("attempt_seconds", None), ("attempt_seconds", "fast"),
        ("attempt_seconds", float("inf")), ("ready_seconds", None), ("ready_seconds", "soon"),
    ],
)  # fmt: skip
def test_a_field_of_the_wrong_kind_is_refused_by_name(alice: Any, field: str, value: Any) -> None:
    with pytest.raises(BadInput) as refused:
        scenarios.create_scenario(alice, {"snapshot": new_snapshot(alice), field: value})
    assert fields_of(refused) == [("scenario", field)]
    assert not Scenario.objects.exists()


def test_edits_of_the_wrong_shape_are_refused_by_place(alice: Any) -> None:
    edits = [{"op": "cordon", "node": "node-1"}, {"op": "explode"}, 7, {"op": "cordon", "node": "n", "at": 5}]
    draft = {"snapshot": new_snapshot(alice), "driver": "instant", "edits": edits}
    with pytest.raises(BadInput) as refused:
        scenarios.create_scenario(alice, draft)
    assert fields_of(refused) == [("edits[1]", "op"), ("edits[2]", ""), ("edits[3]", "at")]


def test_an_edit_that_is_switched_off_only_has_to_have_the_shape_of_one(alice: Any) -> None:
    scenario = new_scenario(alice)
    faulty = {"op": "cordon", "selector": "pool in"}
    scenarios.update_scenario(scenario, 1, {"edits": [{**faulty, "enabled": False}]})
    assert scenario.active_edits() == []
    for edit in (faulty, {**faulty, "enabled": False, "selector": 3}):
        with pytest.raises(BadInput) as refused:
            scenarios.update_scenario(scenario, 2, {"edits": [edit]})
        assert fields_of(refused) == [("edits[0]", "selector")]


def test_a_scenario_with_runs_is_deleted_only_with_cascade(alice: Any, fake_engine: None) -> None:
    run = new_run(alice)
    with pytest.raises(HasDependents, match="1 run"):
        scenarios.delete_scenario(run.scenario)
    scenarios.delete_scenario(run.scenario, cascade=True)
    assert not Run.objects.exists()
    assert not Scenario.objects.exists()
