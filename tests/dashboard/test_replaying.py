"""Scenarios of what happened: from the page and over REST."""

from typing import Any

import msgspec
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.models import Scenario
from dashboard.services.workspace.replaying import play_history
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, new_snapshot, node, pod

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "late", "namespace": "default"},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}


def trace(*applied: Any) -> bytes:
    events = [{"ts": 100, "applied_objs": [], "deleted_objs": []}]
    events += [{"ts": 160, "applied_objs": list(applied), "deleted_objs": []}]
    return msgspec.msgpack.encode({"version": 2, "events": events, "pod_lifecycles": {}})


def test_a_history_is_a_scenario_of_what_was_there_before(client: Any, alice: Any) -> None:
    found = new_snapshot(alice)
    client.force_login(alice)
    answer = client.post(f"/api/v1/snapshots/{found.pk}/history/")
    assert answer.status_code == 201
    scenario = Scenario.objects.get(pk=answer.json()["scenario"])
    assert scenario.driver == "timed"
    assert scenario.snapshot.name == f"{found.name}, before its pods"
    assert scenario.snapshot.counts["Node"] == found.counts["Node"]
    assert scenario.snapshot.warnings[: len(answer.json()["left_out"])] == answer.json()["left_out"]
    assert [edit["op"] for edit in scenario.edits] == ["add"] * len(scenario.edits)
    page = client.post(f"/snapshots/{found.pk}/replay/history/")
    assert page["Location"].startswith("/scenarios/")


def test_pods_that_run_come_anew_in_a_history_under_the_schedulers_that_they_name(alice: Any) -> None:
    waits = pod("waits", schedulerName="volcano")
    snapshot = import_snapshot(alice, "prod", [("c.json", listing(node("a"), waits, pod("runs", node="a")))])
    scenario = play_history(alice, snapshot).scenario
    assert scenario.profile.startswith("volcano-")
    assert [one["scheduler"] for one in scenario.beside] == ["kube-scheduler"]


def test_a_trace_is_played_on_a_snapshot_and_what_is_left_out_is_told(client: Any, alice: Any) -> None:
    found = new_snapshot(alice)
    client.force_login(alice)
    widget = {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "w"}}
    file = SimpleUploadedFile("lab.sktrace", trace(POD, widget))
    page = client.post(f"/snapshots/{found.pk}/replay/simkube/", {"trace": file}, follow=True)
    assert "objects of kinds that nothing reads (1)" in page.content.decode()
    scenario = Scenario.objects.get(name="lab.sktrace", snapshot=found)
    assert [(edit["op"], edit["at"]) for edit in scenario.edits] == [("add", 60)]
    answer = client.post(
        f"/api/v1/snapshots/{found.pk}/simkube/?name=lab", trace(POD), content_type="application/msgpack"
    )
    assert answer.json() == {"scenario": scenario.pk + 1, "snapshot": found.pk, "left_out": []}


def test_what_is_no_trace_is_refused_with_the_reason(client: Any, alice: Any) -> None:
    found = new_snapshot(alice)
    client.force_login(alice)
    file = SimpleUploadedFile("lab.sktrace", b"nonsense")
    page = client.post(f"/snapshots/{found.pk}/replay/simkube/", {"trace": file}, follow=True)
    assert "is no trace of SimKube" in page.content.decode()
    answer = client.post(
        f"/api/v1/snapshots/{found.pk}/simkube/", b"nonsense", content_type="application/msgpack"
    )
    assert answer.status_code == 400
    assert not Scenario.objects.exists()
