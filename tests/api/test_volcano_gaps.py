"""Jobs whose queue is missing or closed, pod groups without pods: told or refused, played as Volcano does."""

from typing import Any

import msgspec
import pytest

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from samples.volcano.sample import volcano_files
from scheduler_core.objects.reading.object_lists import read_yaml

pytestmark = pytest.mark.django_db
SCENARIOS = "/api/v1/scenarios/"
SCHEDULING = "scheduling.volcano.sh/v1beta1"
Object = dict[str, Any]


def group(name: str, **spec: Any) -> Object:
    metadata = {"name": name, "namespace": "ml", "creationTimestamp": "2026-05-02T10:00:00Z"}
    return {
        "apiVersion": SCHEDULING,
        "kind": "PodGroup",
        "metadata": metadata,
        "spec": {"minMember": 1, **spec},
    }


def queue(name: str, state: str) -> Object:
    metadata = {"name": name, "creationTimestamp": "2026-05-01T08:00:00Z"}
    return {
        "apiVersion": SCHEDULING,
        "kind": "Queue",
        "metadata": metadata,
        "spec": {"weight": 1},
        "status": {"state": state},
    }


def gangs(of_bert: str) -> list[Object]:
    """The sample's two gangs, of which `bert` is of another queue."""
    items = read_yaml(volcano_files("gang")[0][1])
    for item in items:
        if item["kind"] == "PodGroup" and item["metadata"]["name"] == "bert":
            item["spec"]["queue"] = of_bert
    return items


def imported(client: Any, items: list[Object]) -> Any:
    body = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items})
    answer = client.generic("POST", "/api/v1/snapshots/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return answer.json()


def played(client: Any, snapshot: int, *edits: Object) -> Run:
    body = {"snapshot": snapshot, "scheduler": {"profile": "volcano-1.16"}, "edits": list(edits)}
    made = client.post(SCENARIOS, body, format="json")
    assert made.status_code == 201, made.content
    number = client.post("/api/v1/runs/", {"scenario": made.json()["id"]}, format="json").json()["id"]
    execute_run(number)
    run = Run.objects.get(pk=number)
    assert run.status == "finished", run.error
    return run


def rows(run: Run) -> dict[str, tuple[str, int, int]]:
    return {row["group"]: (row["phase"], row["running"], row["pending"]) for row in run.outcome["by_group"]}


def problems(client: Any, snapshot: int, *manifests: Object) -> list[tuple[str, str, str]]:
    edits = [{"op": "add", "manifest": manifest} for manifest in manifests]
    body = {"snapshot": snapshot, "scheduler": {"profile": "volcano-1.16"}, "edits": edits}
    found = client.post(f"{SCENARIOS}validate/", body, format="json").json()["problems"]
    return [(one["object"], one["field"], one["message"]) for one in found]


def test_a_gang_of_a_missing_queue_takes_no_part_and_that_is_told(
    as_alice: Any, client: Any, alice: Any
) -> None:
    client.force_login(alice)
    snapshot = imported(as_alice, gangs("nowhere"))
    assert any("ml/bert in nowhere" in warning for warning in snapshot["warnings"])
    run = played(as_alice, snapshot["id"])
    assert rows(run)["ml/gpt"] == ("Running", 4, 0)
    assert rows(run)["ml/bert"] == ("Pending", 0, 4)
    assert any("ml/bert in nowhere" in one for one in run.trust["missing"])
    [failure] = run.outcome["failures"]
    ignored = "ueue nowhere does not exist, and every session ignores pod groups that name it."
    assert (failure["message"], failure["count"], failure["seq"]) == (f"Q{ignored}", 4, None)
    pages = {
        "outcome": client.get(f"/runs/{run.pk}/outcome/"),
        "pod": client.get(f"/runs/{run.pk}/pods/{failure['pods'][0]['uid']}/"),
        "group": client.get(f"/runs/{run.pk}/groups/ml/bert/"),
    }
    for name, page in pages.items():
        assert ignored in page.content.decode(), name
    assert "never tried" not in pages["outcome"].content.decode()
    assert "and stayed" not in pages["pod"].content.decode()


def test_a_gang_of_a_closed_queue_stays_outside(as_alice: Any) -> None:
    run = played(as_alice, imported(as_alice, [*gangs("night"), queue("night", "Closed")])["id"])
    steps = as_alice.get(f"/api/v1/runs/{run.pk}/decisions/?kind=enqueue").json()["results"]
    assert {step["job"]: step["outcome"] for step in steps} == {"ml/bert": "rejected", "ml/gpt": "entered"}
    assert rows(run)["ml/bert"] == ("Pending", 0, 4)


def test_what_an_edit_puts_into_a_missing_or_closed_queue_is_refused_at_its_field(as_alice: Any) -> None:
    snapshot = imported(as_alice, [*gangs("default"), queue("night", "Closed")])["id"]
    [missing] = problems(as_alice, snapshot, group("new", queue="nowhere"))
    assert missing[:2] == ("edits[0]", "manifest.spec.queue")
    assert 'queue.scheduling.volcano.sh "nowhere" not found' in missing[2]
    [closed] = problems(as_alice, snapshot, group("new", queue="night"))
    assert closed[:2] == ("edits[0]", "manifest.spec.queue")
    assert "Open" in closed[2]


def test_a_pod_group_without_pods_is_played_and_holds_nothing_up(as_alice: Any) -> None:
    run = played(as_alice, imported(as_alice, [*gangs("default"), group("empty", minMember=3)])["id"])
    assert rows(run)["ml/bert"] == ("Running", 4, 0)
    assert rows(run)["ml/empty"][1:] == (0, 0)
    assert run.outcome["ended_by"] == "quiet"
