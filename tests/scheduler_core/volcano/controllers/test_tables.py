"""The recorded tables of Volcano 1.16's controllers: states, policies, and the pod group of a job."""

import copy
import json
from pathlib import Path

import pytest

from scheduler_core.objects.types import convert
from scheduler_core.volcano.controllers.job import group, lifecycle_policies, states
from scheduler_core.volcano.controllers.job.job import Job, JobSpec, JobStatus
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.controllers.queue import states as queue_states
from tests.cases import for_each

VECTORS = Path(__file__).parents[3] / "vectors" / "volcano" / "controllers"


def read_table(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


def status_of(scenario, phase):
    counted = scenario["status"]
    return JobStatus(
        phase=phase,
        min_available=counted["minAvailable"],
        retry_count=counted["retryCount"],
        task_counts=copy.deepcopy(counted["taskStatusCount"]),
        **{
            name: counted[name]
            for name in ("pending", "running", "succeeded", "failed", "terminating", "unknown")
        },
    )


def outcome_of(status_function, scenario, phase):
    """Return the next phase, whether it is to be noted, and how often more the job was retried."""
    status = status_of(scenario, phase)
    changed = status_function is not None and status_function(convert(scenario["spec"], JobSpec), status)
    return status.phase, changed, status.retry_count - scenario["status"]["retryCount"]


def test_each_action_in_each_phase_does_what_the_table_of_jobs_says():
    table = read_table("job_state_machine")
    scenarios = table["scenarios"]
    for row in table["rows"]:
        where = f"{row['action']} in {row['phase'] or 'no phase'}"
        found = states.operation(row["phase"], row["action"])
        assert (found.name, found.status is not None) == (row["op"], row["status_function"]), where
        if row["op"] == "KillJob":
            assert found.keep == set(row["retain"]), where
        assert found.target == row.get("target", ""), where
        seen = 0
        for outcome in row["outcomes"]:
            every = outcome["scenarios"] == "all"
            for number in range(len(scenarios)) if every else outcome["scenarios"]:
                expected = (outcome["next"], outcome["changed"], outcome["retry_added"])
                scenario = scenarios[number]
                assert outcome_of(found.status, scenario, row["phase"]) == expected, (where, scenario["name"])
                seen += 1
        assert seen == len(scenarios), where


def test_each_action_in_each_state_does_what_the_table_of_queues_says():
    for row in read_table("queue_state_machine")["rows"]:
        found = queue_states.operation(row["state"], row["action"])
        assert (found.name, found.next_state(row["podgroups"])) == (row["op"], row["next"]), row


def test_a_queue_in_a_state_that_does_not_exist_is_refused():
    with pytest.raises(queue_states.InvalidState, match="Ajar"):
        queue_states.operation("Ajar", "SyncQueue")


@for_each(read_table("job_policies")["cases"], lambda case: case["name"])
def test_an_event_leads_to_the_recorded_action(case):
    asked = case["request"]
    request = JobRequest(
        "default",
        case["job"]["metadata"]["name"],
        asked["event"],
        task=asked["taskName"],
        exit_code=asked["exitCode"],
        action=asked["action"],
        version=asked["jobVersion"],
    )
    chosen = lifecycle_policies.choose(Job.read(case["job"]), request)
    expect = case["expect"]
    assert (chosen.action, chosen.delay) == (expect["action"], expect["delay_seconds"] * 10**9)


@pytest.mark.parametrize("case", read_table("job_podgroup")["cases"], ids=lambda case: case["name"])
def test_a_job_gets_the_recorded_pod_group(case):
    classes = read_table("job_podgroup")["priority_classes"]
    made = group.make_group(Job.read(case["job"]), lambda name: classes.get(name, 0))
    expect = case["expect"]
    metadata = made["metadata"]
    assert made["spec"] == expect["spec"]
    assert (metadata["name"], metadata.get("annotations"), metadata.get("labels")) == (
        expect["name"],
        expect["annotations"],
        expect["labels"],
    )
