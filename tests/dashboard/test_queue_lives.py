"""The life of a queue and of one of Volcano's Jobs in a run of sessions, and their pages."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.kinds.volcano.queries.queue_lanes import Held, Lanes, lanes_of
from dashboard.kinds.volcano.queries.queue_lives import queue_history
from dashboard.kinds.volcano.queue_words import lead
from dashboard.kinds.volcano.views.queue_lanes import picture_of
from dashboard.kinds.volcano.views.queue_lives import own_limits
from dashboard.kinds.volcano.views.session_axis import PIECES
from dashboard.models import Run
from dashboard.services.results.run_sums import settled_sums
from dashboard.services.workspace.snapshots import import_snapshot
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


def test_the_lanes_have_what_all_queues_held_and_where_pods_were_taken(run: Run) -> None:
    lanes = lanes_of(run)
    [taken] = lanes.taken
    assert (taken.session, taken.took, taken.gave, taken.pods) == (1, "prod", "research", 6)
    assert (taken.job, taken.whom, taken.asked[GPU]) == ("ml/rank", "ml/sweep", 6)
    parents = {"research": "root", "prod": "root", "default": "root", "root": ""}
    picture = picture_of(lanes, "prod", parents, 2, GPU)
    assert picture is not None
    assert [(lane.name, lane.held, lane.stands) for lane in picture.lanes] == [
        ("prod", "6 of 8", "2 under"), ("research", "10 of 8", "2 over"),
    ]  # fmt: skip
    first, second = picture.lanes[1].pieces
    assert (first.says, second.says) == ("from the start: holds 16 of 8", "from session 1: holds 10 of 8")
    assert first.over == first.within
    assert round(second.within / second.over) == 4, "eight within its share, two over it"
    [arrow] = picture.arrows
    assert arrow.says == f"session 1: prod takes 6 {GPU}, 6 pods from research"
    assert arrow.y1 > arrow.y2, "it leads up to the queue that takes"
    assert [(one.says, one.y) for one in picture.starts] == [
        ("session 2: ml/rank starts, 6 pods in prod", picture.lanes[0].bottom)
    ], "sweep ran before"
    assert picture_of(lanes, "prod", parents, 2, "example.com/none") is None


@pytest.mark.parametrize(
    ("asks", "phase", "says", "more"),
    [
        (
            9_000,
            "Pending",
            "It is owed 4 cpu: it deserves 6 and holds 2 at the end.",
            "stand outside. More than",
        ),
        (
            5_000,
            "Inqueue",
            "It is owed 3 cpu: it deserves 6 and holds 2 at the end.",
            "let in. More than they",
        ),
        (
            2_000,
            "Pending",
            "It holds 2 cpu at the end, 4 less than it deserves.",
            "1 of its 1 job waits, outside.",
        ),
        (9_000, "Running", "It holds 2 cpu at the end, 4 less than it deserves.", "None of its jobs waits."),
    ],
)
def test_a_queue_is_owed_what_its_waiting_jobs_ask_for(asks: int, phase: str, says: str, more: str) -> None:
    row = {"deserved": {"cpu": 6_000}, "allocated": {"cpu": 2_000}, "request": {"cpu": asks}}
    others = {
        "lab": {"deserved": {"cpu": 1_000}, "allocated": {"cpu": 3_000}},
        "free": {"deserved": {}, "allocated": {"cpu": 9_000}},
    }
    told = lead(row, [{"phase": phase}], [], "cpu", others)
    assert told[0] == says
    assert more in told[1]
    assert ("More than they deserve hold: lab 2." in told[1]) == says.startswith("It is owed")


def test_points_that_lie_together_are_one_and_the_last_counts() -> None:
    points = [Held(number, number, number, {GPU: 1000.0 * (number % 7)}, {}) for number in range(5_000)]
    picture = picture_of(Lanes({"q": points}, []), "q", {}, 1, GPU)
    assert picture is not None
    [lane] = picture.lanes
    assert len(lane.pieces) <= PIECES + 1
    assert (lane.held, lane.stands) == ("1", "no set share")


def test_a_capability_limits_only_what_it_names() -> None:
    assert own_limits({"cpu": 0, "memory": 0, "pods": 0, GPU: 8000}) == {"pods": 0, GPU: 8000}


def test_gangs_that_completed_are_not_said_to_lack_pods(alice: Any, client: Client) -> None:
    [hours] = runs_of(alice, "hours")
    assert hours.outcome["below_replicas"] == []
    client.force_login(alice)
    page = client.get(f"/runs/{hours.pk}/outcome/").text
    gangs = page[page.index('class="by-group"') : page.index('id="over-time"')]
    assert "0 of 0" not in gangs
    assert "is-unsched" not in gangs
    assert "Completed" in gangs
    assert 'data-chart="utilisation-data"' not in page
    assert "Waiting for a session" in page
    assert "It deserves, holds and asks for nothing." in client.get(f"/runs/{hours.pk}/queues/prod/").text
    assert "Back-off" not in page


def test_a_run_that_was_summed_up_before_completed_pods_counted_is_summed_up_anew(alice: Any) -> None:
    [hours] = runs_of(alice, "hours")
    for row in hours.outcome["by_group"]:
        del row["completed"]
    hours.outcome["below_replicas"] = [{"workload": "PodGroup/ml/sweep", "running": 0, "replicas": 4}]
    hours.save()
    sums = settled_sums(hours)
    assert sums is not None
    assert sums.outcome["below_replicas"] == []
    assert sums.outcome["ended_by"] == "quiet"


def test_a_queues_page_shows_the_figures_that_it_has(run: Run, alice: Any, client: Client) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/queues/prod/").text
    assert "Deserved" in page
    assert "Capability" not in page
    assert "Guarantee" not in page


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
    assert f'<a class="quiet" href="/runs/{run.pk}/groups/ml/rank/"' in page
    assert f'aria-label="session 1: prod takes 6 {GPU}, 6 pods from research"' in page
    assert f'aria-label="prod holds 6 of 8 deserved of {GPU}"' in page
    sweep = f'<a class="quiet" href="/runs/{run.pk}/groups/ml/sweep/" title="ml/sweep">ml/sweep</a>'
    assert f"6 pods of {sweep}" in page
    assert "&amp;card=queue/prod" in page
    said = " ".join(re.sub("<[^>]*>", "", page.split('<p class="say">')[1].split("</p>")[0]).split())
    assert said == (
        f"It holds 6 {GPU} at the end, 2 less than it deserves. "
        "None of its jobs waits. 6 pods evicted for it over the run."
    )
    assert f"<b>{GPU}</b>" in page
    assert "<b>cpu</b>" in client.get(f"/runs/{run.pk}/queues/prod/?resource=cpu").text
    told = json.loads(client.get(f"/runs/{run.pk}/queues/prod/?format=json").text)
    assert json.loads(told[0]["took"]) == {"ml/sweep": 6}


def test_the_outcome_leads_to_queues_and_pod_groups(client: Client, alice: Any, run: Run) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert f'href="/runs/{run.pk}/queues/prod/"' in page
    assert f'href="/runs/{run.pk}/groups/ml/rank/"' in page


def test_pages_call_a_job_by_its_name_and_not_by_its_pod_groups(client: Client, alice: Any) -> None:
    [made] = runs_of(alice, "restart")
    [gang] = made.outcome["by_group"]
    assert gang["group"].startswith("ml/finetune-"), "REST keeps the name that the cluster has"
    client.force_login(alice)
    for address in ("outcome/", "queues/default/", f"groups/{gang['group']}/"):
        page = client.get(f"/runs/{made.pk}/{address}").text
        assert ">ml/finetune<" in page or "queues" in address
        assert f">{gang['group']}<" not in page


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


def test_a_jobs_page_adds_up_what_keeps_it_out_and_asks_what_would_let_it_start(
    client: Client, alice: Any
) -> None:
    owner = {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "train", "uid": "uid-train",
        "controller": True,
    }  # fmt: skip
    one = pod("train-0", cpu="6", schedulerName="volcano")
    one["metadata"] |= {
        "ownerReferences": [owner],
        "annotations": {"scheduling.k8s.io/group-name": "train-uid"},
    }
    kind = {"apiVersion": "scheduling.volcano.sh/v1beta1"}
    group = {
        **kind, "kind": "PodGroup",
        "metadata": {"name": "train-uid", "namespace": "shop", "ownerReferences": [owner]},
        "spec": {"minMember": 1, "queue": "small", "minResources": {"cpu": "6"}},
        "status": {"phase": "Pending"},
    }  # fmt: skip
    queue = {
        **kind, "kind": "Queue", "metadata": {"name": "small"},
        "spec": {"capability": {"cpu": "4", "memory": "100Gi"}}, "status": {"state": "Open"},
    }  # fmt: skip
    files = [("cluster.json", listing(node("node-1", "16"), group, queue, one))]
    run = finished(import_snapshot(alice, "one", files), profile="volcano-1.16", controllers="none")
    client.force_login(alice)
    asked_of = {
        "groups/shop/train-uid": ("job", "shop/train-uid"),
        "jobs/shop/train": ("workload", "Job.batch.volcano.sh/shop/train"),
    }
    for address, (kind_of_name, name) in asked_of.items():
        page = client.get(f"/runs/{run.pk}/{address}/").text
        assert "1 pod: <b>its job may not enter its queue</b>" in page
        assert 'aria-label="cpu: 0 held, 0 promised, 6 asked, of 4 allowed"' in page
        assert f'name="{kind_of_name}" value="{name}"' in page
    assert "<title>train-0: no node</title>" in page


def test_a_job_whose_queue_is_missing_ends_and_nothing_leads_to_that_queue(
    client: Client, alice: Any
) -> None:
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "lost", "namespace": "shop", "uid": "uid-lost"},
        "spec": {
            "minAvailable": 1,
            "queue": "nobody",
            "schedulerName": "volcano",
            "tasks": [{"name": "main", "replicas": 1, "template": {"spec": pod("x")["spec"]}}],
        },
        "status": {"state": {"phase": "Pending"}},
    }
    owner = {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "lost", "uid": "uid-lost",
        "controller": True,
    }  # fmt: skip
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "lost-uid", "namespace": "shop", "ownerReferences": [owner]},
        "spec": {"minMember": 1, "queue": "nobody"},
        "status": {"phase": "Pending"},
    }
    snapshot = import_snapshot(alice, "lost", [("cluster.json", listing(node("node-1"), group, job))])
    run = finished(snapshot, profile="volcano-1.16")
    client.force_login(alice)
    life = client.get(f"/runs/{run.pk}/jobs/shop/lost/").text
    assert "It ends <b>Terminated</b>: none of its pods waits or runs." in life
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert f"/runs/{run.pk}/queues/nobody/" not in page
    assert 'nobody <span class="is-unsched">does not exist</span>' in page


def test_the_pages_of_a_job_and_its_group_name_a_missing_queue_without_a_link(
    client: Client, alice: Any
) -> None:
    owner = {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "lost", "uid": "uid-lost",
        "controller": True,
    }  # fmt: skip
    one = pod("lost-main-0", schedulerName="volcano")
    one["metadata"] |= {
        "ownerReferences": [owner],
        "annotations": {"scheduling.k8s.io/group-name": "lost-uid"},
    }
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "lost-uid", "namespace": "shop", "ownerReferences": [owner]},
        "spec": {"minMember": 1, "queue": "nobody"},
        "status": {"phase": "Pending"},
    }
    snapshot = import_snapshot(alice, "lost", [("cluster.json", listing(node("node-1"), group, one))])
    run = finished(snapshot, profile="volcano-1.16", controllers="none")
    client.force_login(alice)
    for page in ("jobs/shop/lost", "groups/shop/lost-uid"):
        text = client.get(f"/runs/{run.pk}/{page}/").text
        assert 'queue nobody, <span class="is-unsched">which does not exist</span>' in text
        assert f"/runs/{run.pk}/queues/nobody/" not in text
