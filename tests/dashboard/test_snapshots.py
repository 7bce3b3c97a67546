"""Snapshots: imported whole or not at all, searchable, summed up, exported, deleted with care."""

import json
import os
import re
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from django.db import IntegrityError
from django.test import Client

from dashboard.errors import HasDependents, NotPossibleNow
from dashboard.models import Node, Pod, Run, Scenario, Snapshot, Upload, Workload
from dashboard.services.background import importing
from dashboard.services.background.importing import import_uploads
from dashboard.services.background.reaping import reap
from dashboard.services.imports import paced_reports, upload_files
from dashboard.services.imports.snapshot_rows import Rows
from dashboard.services.workspace import snapshots
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.views.snapshots import IMPORT_COMMAND, main_resources
from scheduler_core.objects.problems import BadInput
from tests.dashboard.packing import tar_gz, tarred, zipped
from tests.dashboard.processes import START_SECONDS, Processes, wait_until
from tests.dashboard.rows import CREATED, controlled, listing, new_run, new_snapshot, node, pod, small_cluster

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[int]:
    """The numbers of what was sent to the workers, in place of a broker."""
    numbers: list[int] = []
    if "processes" not in request.fixturenames:
        monkeypatch.setattr(
            "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
        )
    return numbers


def owned(document: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    """The object with a controller."""
    reference = {
        "apiVersion": "batch/v1" if kind == "Job" else "apps/v1",
        "kind": kind,
        "name": name,
        "uid": f"uid-{name}",
        "controller": True,
    }
    document["metadata"]["ownerReferences"] = [reference]
    return document


def workload(kind: str, name: str, replicas: int, ready: int) -> dict[str, Any]:
    """A controller of pods in namespace `shop`."""
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop", "uid": f"uid-{name}"},
        "spec": {"replicas": replicas},
        "status": {"readyReplicas": ready},
    }


def test_an_import_fills_the_row_and_its_nodes_and_pods(alice: Any) -> None:
    snapshot = new_snapshot(alice)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.name, snapshot.created_by) == ("ready", "prod", alice)
    assert snapshot.counts == {"Node": 2, "Pod": 2}
    assert snapshot.pending == 1
    assert snapshot.resources["cpu"] == {"allocatable": 8000, "requested": 500, "unit": "milli-CPU"}
    assert snapshot.resources["memory"] == {"allocatable": 2**34, "requested": 2**30, "unit": "bytes"}
    assert snapshot.resources["pods"] == {"allocatable": 220, "requested": 1, "unit": ""}
    assert snapshot.taken_at.isoformat() == CREATED.replace("Z", "+00:00")
    assert list(Node.objects.values_list("name", "cpu_milli", "pods_limit", "pods_count")) == [
        ("node-1", 4000, 110, 1),
        ("node-2", 4000, 110, 0),
    ]
    assert list(Pod.objects.values_list("uid", "namespace", "name", "node_name", "cpu_milli", "phase")) == [
        ("uid-cart-1", "shop", "cart-1", "node-1", 500, "Running"),
        ("uid-cart-2", "shop", "cart-2", "", 500, "Pending"),
    ]


def test_pods_are_grouped_under_their_topmost_known_controller(alice: Any) -> None:
    content = listing(
        node("node-1", **{"topology.kubernetes.io/zone": "a", "eks.amazonaws.com/nodegroup": "blue"}),
        workload("Deployment", "cart", 3, 2),
        owned(workload("ReplicaSet", "cart-7f9", 3, 2), "Deployment", "cart"),
        owned(pod("cart-7f9-x", node="node-1"), "ReplicaSet", "cart-7f9"),
        owned(pod("batch-1"), "Job", "batch"),
    )
    snapshots.import_snapshot(alice, "x", [("", content)])
    assert list(Pod.objects.values_list("workload", flat=True)) == ["Deployment/shop/cart", "Job/shop/batch"]
    assert list(Workload.objects.values_list("kind", "replicas", "ready")) == [
        ("Deployment", 3, 2),
        ("ReplicaSet", 3, 2),
    ]
    assert list(Node.objects.values_list("zone", "pool")) == [("a", "blue")]


def test_several_files_in_json_and_yaml_make_one_snapshot(alice: Any) -> None:
    files = [
        ("nodes.json", listing(node("node-1"))),
        ("pods.yaml", yaml.safe_dump(json.loads(listing(pod("cart-1", node="node-1")))).encode()),
        ("again.json", listing(node("node-1"))),
    ]
    snapshot = snapshots.import_snapshot(alice, "", files)
    assert snapshot.counts == {"Node": 1, "Pod": 1}
    assert snapshot.name == "nodes.json and 2 more"


def test_a_faulty_file_stores_nothing_and_names_object_and_field(alice: Any) -> None:
    bad = pod("cart-2", cpu="lots")
    with pytest.raises(BadInput) as refused:
        snapshots.import_snapshot(alice, "x", [("a.json", listing(node("node-1"), bad))])
    problem = refused.value.problems[0]
    assert "cart-2" in problem.object
    assert "cpu" in problem.field
    assert not Snapshot.objects.exists()
    assert not Node.objects.exists()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"kind":"List","items":[]}', b"- 1", b"\xff\xfe"])
def test_a_text_without_objects_is_refused(alice: Any, text: bytes) -> None:
    with pytest.raises(BadInput):
        snapshots.import_snapshot(alice, "x", [("", text)])


def test_too_many_nodes_are_refused_with_the_number(alice: Any, settings: Any) -> None:
    settings.NODE_LIMIT = 1
    with pytest.raises(BadInput, match=r"2.*1"):
        new_snapshot(alice)


def test_what_is_private_is_left_out_and_said(alice: Any) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s"},
        "data": {"password": "cGFzcw=="},
    }
    hidden = pod("cart-1")
    hidden["spec"]["containers"][0]["env"] = [{"name": "TOKEN", "value": "hunter2"}]
    template = {"spec": {"containers": [{"name": "main", "command": ["login", "hunter2"]}]}}
    nightly = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "nightly", "namespace": "shop"},
        "spec": {"jobTemplate": {"spec": {"template": template}}},
    }
    files = [("", listing(node("node-1"), hidden, secret, nightly))]
    snapshot = snapshots.import_snapshot(alice, "x", files)
    assert snapshot.dropped == [
        "1 Secret",
        "pod spec.containers[]: command (1)",
        "pod spec.containers[].env[]: value (1)",
    ]
    stored = snapshot.list_json() + msgspec.json.encode(list(Pod.objects.values_list("object", flat=True)))
    stored += msgspec.json.encode(list(Workload.objects.values_list("object", flat=True)))
    assert b"hunter2" not in stored
    assert b"cGFzcw" not in stored


def test_an_export_is_what_was_stored_and_imports_as_the_same_content(alice: Any) -> None:
    first = new_snapshot(alice)
    for exported in (snapshots.export_json(first), snapshots.export_yaml(first)):
        again = snapshots.import_snapshot(alice, "again", [("", exported)])
        assert again.content_hash == first.content_hash
    assert snapshots.same_content(first) == [again.pk - 1, again.pk]


def test_a_cluster_without_budgets_is_warned_of_with_the_line_that_adds_them(alice: Any) -> None:
    warnings = " ".join(new_snapshot(alice).warnings)
    assert "PodDisruptionBudgets" in warnings
    assert "kubectl get poddisruptionbudgets" in warnings
    assert not any(warning.startswith("Add them") for warning in new_snapshot(alice).warnings)


def test_several_files_are_named_after_the_first_and_counted() -> None:
    assert (
        snapshots.name_of("", [("a/nodes.json", b""), ("pods.json", b""), ("rest.json", b"")])
        == "nodes.json and 2 more"
    )
    assert snapshots.name_of("", [("n" * 300, b""), ("pods.json", b"")]) == "n" * 189 + " and 1 more"
    assert snapshots.name_of(" prod ", [("nodes.json", b""), ("pods.json", b"")]) == "prod"


def test_the_line_of_the_import_page_names_all_that_volumes_need() -> None:
    assert {"csidrivers", "csistoragecapacities"} <= set(IMPORT_COMMAND.split()[2].split(","))


def test_a_failure_while_rows_are_stored_leaves_nothing(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rows, "batches", twice_the_first_node(Rows.batches))
    with pytest.raises(IntegrityError):
        new_snapshot(alice)
    assert not Snapshot.objects.exists()
    assert not Node.objects.exists()


def twice_the_first_node(batches: Any) -> Any:
    def make(rows: Rows) -> Any:
        for batch in batches(rows):
            if batch.model is Node:
                position, _, *others = batch.rows[1]
                batch.rows[1] = (position, batch.rows[0][1], *others)
            yield batch

    return make


def test_only_small_json_is_quick() -> None:
    assert snapshots.is_quick([("", small_cluster())])
    assert not snapshots.is_quick([("", b"kind: List")])
    assert not snapshots.is_quick([("", b"{" + b" " * snapshots.QUICK_BYTES)])


def test_a_worker_fills_a_snapshot_from_its_uploads(alice: Any, sent: list[int]) -> None:
    snapshot = snapshots.begin_import(alice, "later", [("a.json", small_cluster())])
    assert (snapshot.status, sent) == ("importing", [snapshot.pk])
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.pending, snapshot.owner) == ("ready", 1, "")
    assert snapshot.content_hash == new_snapshot(alice).content_hash
    assert not Upload.objects.exists()
    import_uploads(snapshot.pk)
    assert Pod.objects.filter(snapshot=snapshot).count() == 2


def test_a_failed_import_keeps_its_problems_and_no_files(alice: Any) -> None:
    snapshot = snapshots.begin_import(alice, "x", [("a.yaml", b"kind: {")])
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.status == "failed"
    assert snapshot.problems[0]["message"]
    assert not Upload.objects.exists()


def test_an_import_that_waits_is_cancelled_at_once(alice: Any) -> None:
    snapshot = snapshots.begin_import(alice, "x", [("a.json", small_cluster())])
    snapshots.cancel_import(snapshot)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, Upload.objects.count()) == ("failed", 0)
    with pytest.raises(NotPossibleNow):
        snapshots.cancel_import(snapshot)


def test_an_import_is_cancelled_on_the_way_with_progress_until_then(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = snapshots.begin_import(alice, "x", [("a.json", small_cluster()), ("b.json", small_cluster())])
    monkeypatch.setattr(paced_reports, "REPORT_SECONDS", float("inf"))
    read = importing.read_picture

    def cancel_after_reading(payloads: Any, report: Any, **how: Any) -> Any:
        picture = read(payloads, report, **how)
        snapshot.refresh_from_db()
        assert snapshot.progress == {"stage": "checking", "done": 2, "total": 2}
        snapshots.cancel_import(snapshot)
        return picture

    monkeypatch.setattr(importing, "read_picture", cancel_after_reading)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.problems[0]["message"]) == ("failed", "The import was cancelled.")
    assert not Node.objects.exists()


def test_an_import_whose_worker_died_is_begun_again(alice: Any, sent: list[int]) -> None:
    snapshot = snapshots.begin_import(alice, "x", [("a.json", small_cluster())])
    Snapshot.objects.update(owner="elsewhere:1:a", heartbeat_at="2020-01-01T00:00:00Z")
    sent.clear()
    assert reap() == 1
    assert sent == [snapshot.pk]
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.status == "ready"


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_values_lost_to_another_of_the_same_key_are_told(alice: Any, form: str) -> None:
    text = listing(node("node-1"), pod("cart-1", nodeName="node-1")).decode()
    text = text.replace('"nodeName"', '"nodeName": "node-0", "nodeName"')
    if form == "yaml":
        text = f"---\n{text}"
    snapshot = snapshots.import_snapshot(alice, "prod", [("cluster.txt", text.encode())])
    line = "" if form == "json" else " (line 2)"
    assert snapshot.warnings[-1] == (
        f"cluster.txt: Pod shop/cart-1 spec.nodeName: the key stands twice{line}; the last one counts."
    )
    assert snapshot.pods.get().node_name == "node-1"


def test_keys_of_what_is_private_are_not_told(alice: Any) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"hunter": "x"}}
    text = listing(node("node-1"), secret).decode().replace('"hunter"', '"hunter": "y", "hunter"')
    snapshot = snapshots.import_snapshot(alice, "prod", [("cluster.json", text.encode())])
    assert "hunter" not in " ".join(snapshot.warnings)


def test_only_some_of_many_repeated_keys_are_listed(alice: Any) -> None:
    labels = ", ".join(['"a": "b"'] * 50)
    text = listing(node("node-1", a="b")).decode().replace('"a":"b"', labels)
    snapshot = snapshots.import_snapshot(alice, "prod", [("cluster.json", text.encode())])
    assert sum("stands twice" in warning for warning in snapshot.warnings) == 20
    assert snapshot.warnings[-1] == "At least 29 more keys stand twice."


def test_a_worker_unpacks_archives_and_says_what_it_left_out(alice: Any) -> None:
    dump = tar_gz([("prod/nodes.json", listing(node("node-1"))), ("prod/README.md", b"hello")])
    pods = ("pods.json", listing(pod("cart-1", node="node-1")))
    snapshot = snapshots.begin_import(alice, "", [("prod.tgz", dump), pods])
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.name) == ("ready", "prod.tgz and 1 more")
    assert snapshot.counts == {"Node": 1, "Pod": 1}
    assert snapshot.warnings[-1] == "1 file was left out of prod.tgz: prod/README.md."
    assert not Upload.objects.exists()


def test_a_refused_archive_fails_the_import_with_archive_and_entry(alice: Any) -> None:
    snapshot = snapshots.begin_import(alice, "x", [("prod.zip", zipped([("../nodes.json", b"{}")]))])
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.status == "failed"
    assert snapshot.problems == [
        {"object": "prod.zip", "field": "../nodes.json", "message": "leads out of the archive with .."}
    ]
    assert not Upload.objects.exists()


def test_a_name_that_is_no_utf_8_reaches_the_database(alice: Any) -> None:
    entry = tarred([(os.fsdecode(b"caf\xe9.json"), b"{")], tarfile.GNU_FORMAT)
    snapshot = snapshots.begin_import(alice, "x", [("prod.tar", entry)])
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.problems[0]["object"] == "prod.tar/caf\ufffd.json"


def test_progress_names_the_entry_and_the_import_is_cancelled_at_it(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paced_reports, "REPORT_SECONDS", 0)
    dump = zipped([(f"{number}.json", listing(node(f"node-{number}"))) for number in range(4)])
    snapshot = snapshots.begin_import(alice, "x", [("a.json", listing(pod("cart-1"))), ("prod.zip", dump)])
    parse = upload_files.take_text
    seen: list[dict[str, Any]] = []

    def note_and_cancel(*read: Any) -> Any:
        snapshot.refresh_from_db()
        seen.append(snapshot.progress)
        if len(seen) == 3:
            snapshots.cancel_import(snapshot)
        return parse(*read)

    monkeypatch.setattr(upload_files, "take_text", note_and_cancel)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert seen == [
        {"stage": "reading a.json", "done": 0, "total": 5},
        {"stage": "reading prod.zip/0.json", "done": 1, "total": 5},
        {"stage": "reading prod.zip/1.json", "done": 2, "total": 5},
    ]
    assert (snapshot.status, snapshot.problems[0]["message"]) == ("failed", "The import was cancelled.")


def test_an_archive_is_cancelled_while_it_is_looked_through(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paced_reports, "REPORT_SECONDS", 0)
    snapshot = snapshots.begin_import(alice, "x", [("prod.tgz", tar_gz([("a.json", small_cluster())]))])
    opened = upload_files.open_archive

    def cancel_first(*arguments: Any) -> Any:
        snapshots.cancel_import(Snapshot.objects.get(pk=snapshot.pk))
        return opened(*arguments)

    monkeypatch.setattr(upload_files, "open_archive", cancel_first)
    monkeypatch.setattr(upload_files, "take_text", None)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.problems[0]["message"]) == ("failed", "The import was cancelled.")


def test_a_packing_that_is_not_read_is_refused_before_anything_is_stored(alice: Any) -> None:
    with pytest.raises(BadInput, match=r"dump\.7z: is packed as 7z"):
        snapshots.begin_import(alice, "x", [("dump.7z", b"7z\xbc\xaf\x27\x1crest")])
    assert not Snapshot.objects.exists()


@pytest.mark.usefixtures("fake_engine")
def test_a_snapshot_in_use_is_deleted_only_with_cascade(alice: Any) -> None:
    run = new_run(alice)
    with pytest.raises(HasDependents, match=r"1 scenario, 1 run"):
        snapshots.delete_snapshot(run.snapshot)
    snapshots.delete_snapshot(run.snapshot, cascade=True)
    for model in (Snapshot, Scenario, Run, Node, Pod):
        assert not model.objects.exists()


@pytest.mark.stack
def test_a_real_worker_imports_yaml(processes: Processes, alice: Any, tmp_path: Path) -> None:
    text = yaml.safe_dump(json.loads(small_cluster())).encode()
    snapshot = snapshots.begin_import(alice, "yaml", [("cluster.yaml", text)])
    processes.worker()
    wait_until(lambda: Snapshot.objects.get(pk=snapshot.pk).status == "ready", START_SECONDS)
    assert Pod.objects.filter(snapshot=snapshot).count() == 2


def test_a_card_has_room_for_devices_before_what_nobody_requests() -> None:
    def amounts(requested: int) -> dict[str, int]:
        return {"allocatable": 100, "requested": requested}

    resources = {"cpu": amounts(50), "memory": amounts(40), "pods": amounts(10)}
    disk, gpus = {"ephemeral-storage": amounts(0)}, {"nvidia.com/gpu": amounts(91)}

    def named(**more: Any) -> list[str]:
        return [name for name, _ in main_resources(Snapshot(resources={**resources, **more}))]

    assert named(**disk, **gpus) == ["cpu", "memory", "nvidia.com/gpu", "pods"]
    assert named(**disk) == ["cpu", "memory", "pods", "ephemeral-storage"], "where there is room"
    two = {"nvidia.com/gpu": amounts(0), "amd.com/gpu": amounts(1)}
    assert named(**two) == ["cpu", "memory", "amd.com/gpu", "pods"]


GATES = [{"name": "example.com/quota"}]


@pytest.mark.parametrize(
    ("free", "gated", "said"),
    [
        (3, 0, "3 pods wait for a node."),
        (1, 2, "1 pod waits for a node. 2 pods wait for their scheduling gates to be removed."),
        (0, 1, "No pod waits for a node. 1 pod waits for its scheduling gates to be removed."),
    ],
)
def test_who_waits_for_gates_does_not_wait_for_a_node(
    client: Client, alice: Any, free: int, gated: int, said: str
) -> None:
    pods = [pod(f"free-{number}") for number in range(free)]
    pods += [pod(f"gated-{number}", schedulingGates=GATES) for number in range(gated)]
    snapshot = snapshots.import_snapshot(alice, "gates", [("cluster.json", listing(node("node-1"), *pods))])
    assert (snapshot.pending, snapshot.gated) == (free + gated, gated)
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/summary/").text
    told = re.sub("<[^>]*>", "", page.split('<p class="say">')[1].split("</p>")[0])
    assert " ".join(told.split()).endswith(f"{'pod' if free + gated == 1 else 'pods'}. {said}")
    scenario = create_scenario(alice, {"snapshot": snapshot})
    editor = client.get(f"/scenarios/{scenario.pk}/").text
    assert ("data-gated" in editor) == bool(gated)


def test_pods_of_one_workload_are_gated_one_by_one(alice: Any) -> None:
    """Their rows are made from what they have in common."""
    pods = [controlled(f"web-{number}") for number in range(40)]
    for one in pods:
        del one["spec"]["nodeName"]
        one["status"] = {"phase": "Pending"}
    for one in pods[:10]:
        one["spec"]["schedulingGates"] = GATES
    snapshot = snapshots.import_snapshot(alice, "gates", [("cluster.json", listing(node("node-1"), *pods))])
    assert (snapshot.pending, snapshot.gated) == (40, 10)


def test_a_manifest_requests_its_limits_as_the_api_server_stores_it(alice: Any) -> None:
    """What a run begins with is no more than what the snapshot says."""
    pod = {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "card"},
        "spec": {"nodeName": "n", "containers": [
            {"name": "main", "image": "i", "resources": {"limits": {"cpu": "2", "nvidia.com/gpu": "1"}}},
        ]},
        "status": {"phase": "Running"},
    }  # fmt: skip
    snapshot = snapshots.import_snapshot(alice, "written", [("pods.json", listing(node("n"), pod))])
    assert {name: one["requested"] for name, one in snapshot.resources.items() if one["requested"]} == {
        "cpu": 2000, "pods": 1, "nvidia.com/gpu": 1,
    }  # fmt: skip
