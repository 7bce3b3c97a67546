"""The life of a queue and of one of Volcano's Jobs in a run of sessions, and their pages."""

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.queries.queue_lives import queue_history
from dashboard.services.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod
from tests.dashboard.volcano import finished, runs_of

pytestmark = pytest.mark.django_db

GPU = "nvidia.com/gpu"


@pytest.fixture
def run(alice: Any) -> Run:
    """The sample in which queue prod reclaims room for `rank` from `sweep` of queue research."""
    [made] = runs_of(alice, "queues")
    return made


def test_a_queues_life_says_what_each_session_left_it_with(run: Run) -> None:
    first = queue_history(run, "research")[0]
    assert (first["session"], first["deserved"][GPU] / 1000) == (1, 8)
    assert (first["allocated"][GPU] / 1000, first["share"]) == (10, 1.25)


def test_who_reclaims_takes_what_the_other_gives(run: Run) -> None:
    gave = {entry["session"]: entry["gave"] for entry in queue_history(run, "research") if entry["gave"]}
    took = {entry["session"]: entry["took"] for entry in queue_history(run, "prod") if entry["took"]}
    assert gave == took == {1: {"ml/sweep": 6}}


def test_who_came_in_the_run_gives_and_takes_too(alice: Any) -> None:
    [hours] = runs_of(alice, "hours")
    gave = {entry["session"]: entry["gave"] for entry in queue_history(hours, "research") if entry["gave"]}
    took = {entry["session"]: entry["took"] for entry in queue_history(hours, "prod") if entry["took"]}
    assert gave == took == {1201: {"ml/sweep": 2}, 4861: {"ml/sweep": 2}}


def test_neighbours_in_which_nothing_happens_are_one(run: Run) -> None:
    entries = queue_history(run, "prod")
    sessions = [number for entry in entries for number in range(entry["session"], entry["until"] + 1)]
    assert sessions == sorted(set(sessions))
    assert sessions[0] == 1
    [quiet] = queue_history(run, "default")
    assert (quiet["session"], quiet["until"]) == (1, sessions[-1])


def test_a_queues_page_leads_to_its_decisions_its_groups_and_who_gave(
    client: Client, alice: Any, run: Run
) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/queues/prod/").text
    assert f'<a class="quiet" href="/runs/{run.pk}/groups/ml/rank/">' in page
    assert f'6 pods of <a class="quiet" href="/runs/{run.pk}/groups/ml/sweep/">ml/sweep</a>' in page
    assert "&amp;card=queue/prod" in page
    assert f"<b>{GPU}</b>" in page
    assert "<b>cpu</b>" in client.get(f"/runs/{run.pk}/queues/prod/?resource=cpu").text
    told = json.loads(client.get(f"/runs/{run.pk}/queues/prod/?format=json").text)
    assert json.loads(told[0]["took"]) == {"ml/sweep": 6}


def test_the_outcome_leads_to_queues_and_pod_groups(client: Client, alice: Any, run: Run) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert f'href="/runs/{run.pk}/queues/prod/"' in page
    assert f'href="/runs/{run.pk}/groups/ml/rank/"' in page


def test_what_is_no_part_of_the_run_has_no_page(client: Client, alice: Any, charlie: Any, run: Run) -> None:
    client.force_login(alice)
    assert client.get(f"/runs/{run.pk}/queues/nobody/").status_code == 404
    assert client.get(f"/runs/{run.pk}/jobs/ml/nobody/").status_code == 404
    client.force_login(charlie)
    assert client.get(f"/runs/{run.pk}/queues/prod/").status_code == 404


def test_a_jobs_page_has_the_lives_of_its_pod_groups(client: Client, alice: Any) -> None:
    owner = {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "train", "uid": "uid-train",
        "controller": True,
    }  # fmt: skip
    one = pod("train-worker-0", schedulerName="volcano")
    one["metadata"] |= {
        "ownerReferences": [owner],
        "annotations": {"scheduling.k8s.io/group-name": "train-uid"},
    }
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "train-uid", "namespace": "shop", "ownerReferences": [owner]},
        "spec": {"minMember": 1, "queue": "default"},
        "status": {"phase": "Pending"},
    }
    snapshot = import_snapshot(alice, "one", [("cluster.json", listing(node("node-1"), group, one))])
    run = finished(snapshot, profile="volcano-1.16", controllers="none")
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/jobs/shop/train/").text
    assert "It ends with <b>1 of 1 pod</b> on a node." in page
    assert f'href="/runs/{run.pk}/groups/shop/train-uid/"' in page
    assert f'href="/runs/{run.pk}/queues/default/"' in page
    assert "enters its queue" in page
    assert "train-worker-0" in page
