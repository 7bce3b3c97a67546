"""Job flows, job templates and CronJobs of a snapshot: pages, and why a flow waits."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.text import text
from dashboard.kinds.volcano.answers.flows import answer_of
from dashboard.kinds.volcano.services.flows import flows_of
from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node

pytestmark = pytest.mark.django_db
TASKS = [{"name": "t", "replicas": 2, "template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}}]


def made(api: str, kind: str, name: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "etl"}, **parts}


def job(name: str, phase: str) -> dict[str, Any]:
    spec = {"minAvailable": 2, "tasks": TASKS, "queue": "default"}
    status = {"state": {"phase": phase}}
    return made("batch.volcano.sh/v1alpha1", "Job", name, spec=spec, status=status)


def template(name: str, *jobs: str) -> dict[str, Any]:
    spec = {"minAvailable": 2, "tasks": TASKS}
    status = {"jobDependsOnList": list(jobs)}
    return made("flow.volcano.sh/v1alpha1", "JobTemplate", name, spec=spec, status=status)


def flow(name: str, phase: str, targets: dict[str, list[str]], **status: Any) -> dict[str, Any]:
    flows = [
        {"name": part, **({"dependsOn": {"targets": names}} if names else {})}
        for part, names in targets.items()
    ]
    return made(
        "flow.volcano.sh/v1alpha1",
        "JobFlow",
        name,
        spec={"jobRetainPolicy": "retain", "flows": flows},
        status={"state": {"phase": phase}, **status},
    )


def imported(alice: Any, *objects: dict[str, Any]) -> Snapshot:
    return import_snapshot(alice, "prod", [("cluster.json", listing(node("n"), *objects))])


def nightly(alice: Any) -> Snapshot:
    """Of five parts one is done, one runs, one waits for it, one lacks its template, one waits for that."""
    targets = {"a": [], "b": ["a"], "c": ["a", "b"], "d": ["a"], "e": ["d"]}
    said = {
        "name": "nightly-a",
        "state": "Completed",
        "startTimestamp": "2026-03-01T02:00:00Z",
        "restartCount": 1,
    }
    had = {
        "state": "Pending",
        "startTimestamp": "2026-03-01T02:00:00Z",
        "endTimestamp": "2026-03-01T02:00:09Z",
    }
    said["runningHistories"] = [had, {"state": "Running", "startTimestamp": "2026-03-01T02:00:09Z"}]
    one = flow("nightly", "Running", targets, runningJobs=["nightly-b"], jobStatusList=[said])
    schedule = {"schedule": "0 2 * * *", "suspend": True, "jobTemplate": {"spec": {"tasks": TASKS}}}
    schedule |= {"successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 0}
    status = {"lastScheduleTime": "2026-03-02T02:00:00Z", "active": [{"name": "each-night-7"}]}
    cron = made("batch.volcano.sh/v1alpha1", "CronJob", "each-night", spec=schedule, status=status)
    ended = job("each-night-6", "Completed")
    controller = {"apiVersion": cron["apiVersion"], "kind": "CronJob", "name": "each-night", "uid": "u"}
    ended["metadata"]["ownerReferences"] = [{**controller, "controller": True}]
    return imported(
        alice,
        one,
        job("nightly-a", "Completed"),
        job("nightly-b", "Running"),
        template("a", "nightly-a", "gone"),
        *map(template, "bce"),
        cron,
        ended,
    )


def words(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())


def test_each_part_says_what_it_waits_for(alice: Any) -> None:
    [found] = flows_of(nightly(alice))
    assert {part.name: part.state for part in found.parts} == {
        "a": "done", "b": "made", "c": "waits", "d": "no_template", "e": "never",
    }  # fmt: skip
    told = text(answer_of([found]))
    assert "etl/nightly: 1 of 5 Jobs done. d can’t be made: the JobTemplate etl/d is missing." in told
    assert "c waits for b (Running)." in told
    assert "e never comes: it waits for d (not made yet)." in told


@pytest.mark.parametrize(
    ("phase", "lists", "jobs", "says"),
    [
        ("Succeed", {}, {"a": "Completed", "b": "Completed"}, "is done: 2 Jobs are Completed."),
        (
            "Failed",
            {"failedJobs": ["nightly-a"]},
            {"a": "Failed"},
            "goes on no more: it is Failed, because of nightly-a.",
        ),
        ("Pending", {}, {}, ": 0 of 2 Jobs done. a comes next."),
        ("Running", {}, {"a": "Aborted"}, ": 0 of 2 Jobs done. b never comes: it waits for a (Aborted)."),
    ],
)
def test_a_flow_says_how_far_it_has_come(
    alice: Any, phase: str, lists: Any, jobs: dict[str, str], says: str
) -> None:
    objects = [job(f"nightly-{part}", state) for part, state in jobs.items()]
    one = flow("nightly", phase, {"a": [], "b": ["a"]}, **lists)
    assert says in text(answer_of(flows_of(imported(alice, one, template("a"), template("b"), *objects))))


def test_parts_that_wait_for_each_other_never_come(alice: Any) -> None:
    one = flow("round", "Pending", {"a": ["b"], "b": ["a"]})
    told = answer_of(flows_of(imported(alice, one, template("a"), template("b"))))
    assert told.verdict == "not"
    assert "a never comes: it waits for b (not made yet)." in text(told)


def test_the_pages_list_flows_templates_and_cron_jobs(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = nightly(alice)
    address = f"/snapshots/{snapshot.pk}/volcano"
    assert "1 of 5 Jobs done. d can’t be made" in words(client, f"{address}/jobflows/")
    assert "nightly-a, gone" in words(client, f"{address}/jobtemplates/")
    assert "0 2 * * * – suspended" in words(client, f"{address}/cronjobs/")
    inside = words(client, f"{address}/jobflows/etl/nightly/")
    assert "c a, b – – waits for b (Running)." in inside
    assert "nightly-a Completed 2026-03-01T02:00:00Z – 1 Pending since 2026-03-01T02:00:00Z" in inside
    assert "gone, which isn’t in the snapshot" in words(client, f"{address}/jobtemplates/etl/a/")
    cron = words(client, f"{address}/cronjobs/etl/each-night/")
    starts = "Last start Completed Jobs that stay Failed Jobs that stay 2026-03-02T02:00:00Z 3 0"
    assert f"{starts} Jobs made of it 2 each-night-6 : Completed each-night-7" in cron
    assert "each-night-7, which isn’t in the snapshot: active Tasks 1" in cron


def test_rest_says_the_same(client: Client, alice: Any) -> None:
    client.force_login(alice)
    address = f"/api/v1/snapshots/{nightly(alice).pk}/flows/"
    found = client.get(address, {"flow": "etl/nightly"}).json()
    assert [part["state"] for part in found["flows"][0]["parts"]] == [
        "done", "made", "waits", "no_template", "never",
    ]  # fmt: skip
    assert found["flows"][0]["lists"] == {"runningJobs": ["nightly-b"]}
    [history] = found["flows"][0]["histories"]
    pending = {"phase": "Pending", "since": "2026-03-01T02:00:00Z", "until": "2026-03-01T02:00:09Z"}
    assert (history["restarts"], history["phases"][0]) == (1, pending)
    printed = client.get(address, headers={"accept": "text/markdown"}).content.decode()
    assert "the JobTemplate etl/d is missing" in printed
    refused = client.get(address, {"flow": "etl/other"})
    assert (refused.status_code, refused.json()["errors"][0]["object"]) == (400, "flow")
