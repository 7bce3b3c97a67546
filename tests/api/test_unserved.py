"""Pods that name a scheduler which a scenario has not: told before and after its run, and never as placed."""

from typing import Any

import msgspec
import pytest

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace import trying
from tests.dashboard.rows import listing, node, pod

URL = "/api/v1/scenarios/"
CONFIG = {"actions": "enqueue, allocate", "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}]}]}
CONFIG_MAP = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"namespace": "volcano-system", "name": "volcano-scheduler-configmap"},
    "data": {"volcano-scheduler.conf": msgspec.json.encode(CONFIG).decode()},
}


@pytest.fixture
def snapshot(as_alice: Any) -> int:
    """The number of a snapshot with two pods that wait for Volcano, and its ConfigMap."""
    pods = [pod(f"train-{number}", schedulerName="volcano") for number in range(2)]
    cluster = listing(node("node-1"), *pods, CONFIG_MAP)
    post = as_alice.generic("POST", "/api/v1/snapshots/?name=v", cluster, content_type="application/json")
    assert "a new scenario takes it where waiting pods name this scheduler" in post.content.decode()
    return int(post.json()["id"])


def pending(answer: dict[str, Any]) -> tuple[int, int]:
    [row] = [row for row in answer["figures"] if row["what"] == "pending pods"]
    return row["before"], row["after"]


def test_a_new_scenario_takes_the_clusters_scheduler_and_tries_it(as_alice: Any, snapshot: int) -> None:
    made = as_alice.post(URL, {"snapshot": snapshot}, format="json").json()
    assert made["scheduler"] == {"profile": "volcano-1.16", "config": CONFIG}
    tried = as_alice.post(f"{URL}validate/", {"snapshot": snapshot}, format="json").json()
    assert tried["left_alone"] == []
    assert pending(tried) == (2, 2)


def test_what_is_suggested_is_read_and_can_be_sent(as_alice: Any, snapshot: int) -> None:
    found = as_alice.get(f"/api/v1/snapshots/{snapshot}/schedulers/").json()
    assert found.pop("sentence").startswith(
        "volcano: named by 2 waiting pods; its configuration from ConfigMap "
    )
    assert found.pop("unserved") == []
    made = as_alice.post(URL, {"snapshot": snapshot, **found}, format="json")
    assert made.status_code == 201, made.content
    assert {name: made.json()[name] for name in found} == found


def test_unserved_pods_still_wait_before_the_run_and_lead_its_outcome(as_alice: Any, snapshot: int) -> None:
    body = {"snapshot": snapshot, "scheduler": {"profile": "kube-1.36"}}
    made = as_alice.post(URL, body, format="json").json()
    tried = as_alice.post(f"{URL}{made['id']}/validate/", {}, format="json").json()
    alone = [{"scheduler": "volcano", "pods": 2}]
    assert (tried["left_alone"], pending(tried)) == (alone, (2, 2))
    number = as_alice.post("/api/v1/runs/", {"scenario": made["id"]}, format="json").json()["id"]
    execute_run(number)
    outcome = as_alice.get(f"/api/v1/runs/{number}/").json()["outcome"]
    assert list(outcome)[:2] == ["left_alone", "unserved"]
    assert (outcome["left_alone"], outcome["unserved"], outcome["pending"]) == (alone, 2, 0)


def test_they_are_told_of_a_scenario_that_is_too_large_to_be_tried(
    as_alice: Any, snapshot: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trying, "too_large_to_try", lambda scenario: "Too large.")
    for profile, alone in (("kube-1.36", [{"scheduler": "volcano", "pods": 2}]), ("volcano-1.16", [])):
        body = {"snapshot": snapshot, "scheduler": {"profile": profile}}
        tried = as_alice.post(f"{URL}validate/", body, format="json").json()
        assert (tried["untried"], tried["left_alone"]) == ("Too large.", alone)


def test_pods_that_a_scheduler_never_sees_are_counted_apart(as_alice: Any) -> None:
    claiming = pod("claiming", resourceClaims=[{"name": "gpu", "resourceClaimName": "one"}])
    cluster = listing(node("node-1"), claiming, pod("plain"))
    post = as_alice.generic("POST", "/api/v1/snapshots/?name=v", cluster, content_type="application/json")
    made = as_alice.post(URL, {"snapshot": post.json()["id"]}, format="json").json()
    assert pending(as_alice.post(f"{URL}{made['id']}/validate/", {}, format="json").json()) == (2, 2)
    number = as_alice.post("/api/v1/runs/", {"scenario": made["id"]}, format="json").json()["id"]
    execute_run(number)
    outcome = Run.objects.get(pk=number).outcome
    assert (outcome["placed"], outcome["pending"], outcome["unserved"], outcome["left_out"]) == (1, 0, 0, 1)
    assert "Nothing is left pending" not in as_alice.get(f"/runs/{number}/outcome/").content.decode()
