"""Volcano's Jobs, PodGroups and Queues of a snapshot: their rows, their pages, and the ways between them."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.command_line.why import _is_meant
from dashboard.models import Snapshot, VolcanoObject
from dashboard.queries.waiting_pods import waiting_pods
from dashboard.services.questions.of_snapshot import fitting_asked
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod
from tests.dashboard.volcano import snapshot_of

pytestmark = pytest.mark.django_db

JOB = "Job.batch.volcano.sh"


def of_volcano(kind: str, name: str, spec: Any = None, status: Any = None, **metadata: Any) -> dict[str, Any]:
    group = "batch.volcano.sh/v1alpha1" if kind == "Job" else "scheduling.volcano.sh/v1beta1"
    place = {} if kind == "Queue" else {"namespace": "ml"}
    return {
        "apiVersion": group,
        "kind": kind,
        "metadata": {"name": name, "uid": f"{kind}-{name}", **place, **metadata},
        "spec": spec or {},
        "status": status or {},
    }


def made_by(kind: str, version: str, name: str) -> list[dict[str, Any]]:
    return [{"apiVersion": version, "kind": kind, "name": name, "uid": f"{kind}-{name}", "controller": True}]


@pytest.fixture
def snapshot(client: Client, alice: Any) -> Snapshot:
    """A Job of three pods, two of which run, its pod group, its queue, and batch's Job of the same name."""
    client.force_login(alice)
    owners = made_by("Job", "batch.volcano.sh/v1alpha1", "train")
    pods = []
    for number in range(3):
        one = pod(f"train-{number}", node="node-1" if number < 2 else None, schedulerName="volcano")
        one["metadata"] |= {
            "namespace": "ml",
            "ownerReferences": owners,
            "annotations": {"scheduling.k8s.io/group-name": "train-uid"},
        }
        pods.append(one)
    worker = pod("x")["spec"]
    worker["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "2"}
    task = {"name": "worker", "replicas": 3, "template": {"spec": worker}}
    objects = [
        node("node-1"),
        *pods,
        {
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": "train", "namespace": "ml", "uid": "batch"},
            "spec": {"parallelism": 1, "template": {"spec": {**pod("x")["spec"], "restartPolicy": "Never"}}},
        },
        of_volcano("Queue", "root", {"weight": 1}, {"state": "Open"}),
        of_volcano(
            "Queue", "research", {"weight": 3, "capability": {"cpu": "8"}, "deserved": {"cpu": "6"}},
            {"state": "Open", "allocated": {"cpu": "1500m"}},
        ),
        of_volcano(
            "Job", "train", {"minAvailable": 3, "queue": "research", "tasks": [task]},
            {"state": {"phase": "Pending"}, "minAvailable": 3, "running": 2},
        ),
        of_volcano(
            "PodGroup", "train-uid", {"minMember": 3, "queue": "research"},
            {"phase": "Inqueue", "running": 2}, ownerReferences=owners,
            creationTimestamp="2026-05-01T10:00:00Z",
        ),
        of_volcano("PodGroup", "alone", {"minMember": 1}, {"phase": "Pending"}),
    ]  # fmt: skip
    return import_snapshot(alice, "prod", [("cluster.json", listing(*objects))])


def rows(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(address).text)))


def test_lists_have_the_columns_that_kubectl_prints(client: Client, snapshot: Snapshot) -> None:
    base = f"/snapshots/{snapshot.pk}/volcano/"
    [job] = rows(client, f"{base}jobs/?format=csv")
    assert job == {
        "namespace": "ml", "name": "train", "status": "Pending", "minimum": "3", "running": "2",
        "pods": "3", "devices": "6 nvidia.com/gpu", "queue": "research", "created_at": "",
    }  # fmt: skip
    groups = rows(client, f"{base}podgroups/?format=csv&sort=-pods")
    assert [(row["name"], row["status"], row["pods"], row["queue"]) for row in groups] == [
        ("train-uid", "Inqueue", "3", "research"),
        ("alone", "Pending", "0", "default"),
    ]
    assert groups[0]["created_at"].startswith("2026-05-01T10:00:00")
    queues = rows(client, f"{base}queues/?format=csv&sort=name")
    assert [(row["name"], row["parent"], row["state"], row["weight"]) for row in queues] == [
        ("research", "root", "Open", "3"),
        ("root", "", "Open", "1"),
    ]
    assert (queues[0]["groups"], queues[0]["groups_inqueue"], queues[0]["groups_pending"]) == ("1", "1", "0")


def test_jobs_are_ticked_for_what_the_webhook_lets_through(
    client: Client, bob: Any, snapshot: Snapshot
) -> None:
    html = client.get(f"/snapshots/{snapshot.pk}/volcano/jobs/").text
    assert re.findall(r'data-tick="([^"]+)"', html) == [f"{JOB}/ml/train"]
    assert f'data-ticked="jobs" data-kind="{JOB}"' in html
    actions = re.findall(r'data-ticked-op="([^"]+)"[^>]* data-of="([^"]+)"', html)
    assert actions == [
        ("evict", "evict"), ("patch-priority", "patch"), ("patch-minimum", "patch"), ("delete", "delete"),
    ]  # fmt: skip
    assert "data-tick" not in client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/").text
    client.force_login(bob)
    assert "data-tick" not in client.get(f"/snapshots/{snapshot.pk}/volcano/jobs/").text


def test_a_group_that_waits_says_for_how_long(client: Client, snapshot: Snapshot) -> None:
    Snapshot.objects.filter(pk=snapshot.pk).update(taken_at="2026-05-01T12:05:00Z")
    page = client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/").text
    assert ">waits 2 h 5 min<" in page
    assert page.count(">waits ") == 1, "of a group that doesn't say when it was made nothing is said"


def test_a_group_that_runs_was_made_before_the_snapshot_by_the_same_clock(
    client: Client, snapshot: Snapshot
) -> None:
    Snapshot.objects.filter(pk=snapshot.pk).update(taken_at="2026-05-01T12:05:00Z")
    groups = VolcanoObject.objects.filter(snapshot=snapshot, created_at__isnull=False)
    groups.update(phase="Running")
    page = client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/").text
    assert ">2 h 5 min before<" in page
    assert " ago<" not in page[page.index("<tbody") :]


def test_lists_are_searched_filtered_and_counted_in_tabs(client: Client, snapshot: Snapshot) -> None:
    base = f"/snapshots/{snapshot.pk}/volcano/podgroups/"
    assert [row["name"] for row in rows(client, f"{base}?format=csv&q=default")] == ["alone"]
    assert [row["name"] for row in rows(client, f"{base}?format=csv&status=Inqueue")] == ["train-uid"]
    page = client.get(base).text
    assert '<option value="research">research</option>' in page
    assert 'Pod groups <span class="count">2</span>' in page
    assert "1 short" in page


def test_a_detail_leads_to_what_it_is_part_of_and_what_it_has(client: Client, snapshot: Snapshot) -> None:
    base = f"/snapshots/{snapshot.pk}/"
    group, job, queue = (
        f"{base}volcano/{one}/" for one in ("podgroups/ml/train-uid", "jobs/ml/train", "queues/research")
    )
    a_pod = f"{base}pods/uid-train-0/"
    ways = {
        group: [job, queue, a_pod],
        job: [group, queue, a_pod],
        queue: [group, job, f"{base}volcano/queues/root/"],
        a_pod: [group, job],
        f"{base}volcano/queues/root/": [queue],
    }
    for address, leads in ways.items():
        page = client.get(address)
        assert page.status_code == 200
        assert [lead for lead in leads if f'href="{lead}"' not in page.text] == [], address


def test_a_job_that_waits_says_why_and_asks_what_would_let_it_start(
    client: Client, snapshot: Snapshot
) -> None:
    for address in ("jobs/ml/train", "podgroups/ml/train-uid"):
        page = client.get(f"/snapshots/{snapshot.pk}/volcano/{address}/").text
        assert "Why does it wait, and what would let it start?" in page
        assert "<b>Would be placed now</b>" in page
        assert "<title>node-1: 2 on it</title>" in page
    assert (
        "what would let it start"
        not in client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/ml/alone/").text
    )


def test_a_queues_detail_says_its_figures_by_resource(client: Client, snapshot: Snapshot) -> None:
    page = client.get(f"/snapshots/{snapshot.pk}/volcano/queues/research/").text
    cells = [f'<td class="num">{text}</td>' for text in ("–", "6", "8", "1.5")]
    assert 'Pod groups <span class="count">1</span></h3>' in page
    assert "<td>cpu</td>" + "".join(cells) in page


def test_volcanos_job_and_batchs_are_two_kinds(client: Client, snapshot: Snapshot) -> None:
    ours = client.get(f"/snapshots/{snapshot.pk}/volcano/jobs/ml/train/").text
    batchs = client.get(f"/snapshots/{snapshot.pk}/workloads/Job/ml/train/").text
    assert "train-0" in ours
    assert "minAvailable: 3" in ours
    assert "train-0" not in batchs
    assert "parallelism: 1" in batchs


def test_pods_are_filtered_by_their_group(client: Client, snapshot: Snapshot) -> None:
    address = f"/snapshots/{snapshot.pk}/pods/?group=ml/train-uid"
    assert len(rows(client, f"{address}&format=csv")) == 3
    assert "of pod group <b>ml/train-uid</b>" in client.get(address).text


def test_what_the_snapshot_lacks_is_named_and_not_linked(client: Client, snapshot: Snapshot) -> None:
    page = client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/ml/alone/").text
    assert "queues/default/" not in page
    assert "None of its pods is in the snapshot." in page
    assert client.get(f"/snapshots/{snapshot.pk}/volcano/podgroups/ml/nobody/").status_code == 404
    assert client.get(f"/snapshots/{snapshot.pk}/volcano/jobs/ml/train-uid/").status_code == 404


def test_a_snapshot_without_volcano_has_no_tabs_of_it(client: Client, alice: Any) -> None:
    client.force_login(alice)
    plain = import_snapshot(alice, "plain", [("cluster.json", listing(node("node-1")))])
    page = client.get(f"/snapshots/{plain.pk}/nodes/").text
    assert "Pod groups" not in page


def test_outsiders_get_404_and_nobody_looks_without_signing_in(
    client: Client, snapshot: Snapshot, charlie: Any
) -> None:
    addresses = [
        f"/snapshots/{snapshot.pk}/volcano/{one}/" for one in ("jobs", "queues", "podgroups/ml/alone")
    ]
    client.force_login(charlie)
    assert {client.get(address).status_code for address in addresses} == {404}
    client.logout()
    assert all(client.get(address).url.startswith("/accounts/sign-in/") for address in addresses)


def test_rest_lists_them_by_kind_and_by_what_they_are_part_of(client: Client, snapshot: Snapshot) -> None:
    url = f"/api/v1/snapshots/{snapshot.pk}/volcano/"
    everything = client.get(url).json()["results"]
    assert [row["name"] for row in everything] == ["root", "research", "train", "train-uid", "alone"]
    [job] = client.get(url, {"kind": JOB}).json()["results"]
    assert (job["phase"], job["minimum"], job["running"], job["queue"]) == ("Pending", 3, 2, "research")
    of_job = client.get(url, {"owner": f"{JOB}/ml/train"}).json()["results"]
    assert [row["name"] for row in of_job] == ["train-uid"]
    whole = client.get(url, {"name": "research", "object": "true"}).json()["results"]
    assert whole[0]["object"]["spec"]["deserved"] == {"cpu": "6"}
    pods = client.get(f"/api/v1/snapshots/{snapshot.pk}/pods/", {"group": "ml/train-uid"}).json()["results"]
    assert {row["group"] for row in pods} == {"ml/train-uid"}


def test_a_pod_group_is_asked_about_by_the_name_that_headroom_takes(alice: Any) -> None:
    snapshot = snapshot_of(alice, "gang")
    asked = fitting_asked(snapshot, job="ml/bert")
    assert asked.name == "ml/bert", "the sentence is about all its pods"
    for kind in ("PodGroup", "PodGroup.scheduling.volcano.sh"):
        assert fitting_asked(snapshot, workload=f"{kind}/ml/bert") == asked
        meant = [one for one in waiting_pods(snapshot) if _is_meant(one, f"{kind}/ml/bert")]
        assert {one.group for one in meant} == {"ml/bert"}
