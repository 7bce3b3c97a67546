"""What only the whole product shows: a worker reads YAML, a rate slows a run, limits hold under ASGI."""

from collections import defaultdict
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack, wait_until
from tests.prometheus_queries import ADDED_LABELS, OF_PROMETHEUS, named_in, queries

API = "/api/v1"

YAML = b"""
apiVersion: v1
kind: Node
metadata: {name: node-1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: cart, namespace: shop}
spec: {containers: [{name: main, image: "main:1", resources: {requests: {cpu: 500m}}}]}
"""


def test_a_worker_imports_yaml_and_its_progress_is_told(live_stack: Stack) -> None:
    headers = {"Content-Type": "application/yaml"}
    status, sent = live_stack.request(
        "POST", f"{API}/snapshots/?name=yaml", YAML, who="alice", headers=headers
    )
    assert status == 202

    def progress() -> dict[str, Any]:
        return dict(live_stack.request("GET", sent["progress"], who="bob")[1])

    wait_until(lambda: progress()["status"] != "importing")
    assert progress()["status"] == "ready"
    found = live_stack.request("GET", f"{API}/snapshots/{sent['id']}/", who="bob")[1]
    assert found["counts"] == {"Node": 1, "Pod": 1}


def test_a_slowed_run_is_paused_resumed_and_cancelled(live_stack: Stack) -> None:
    content = listing(node("node-1"), *[pod(f"cart-{number}", cpu="1m") for number in range(50)])
    snapshot = live_stack.request("POST", f"{API}/snapshots/", content, who="alice")[1]
    scenario = live_stack.request("POST", f"{API}/scenarios/", {"snapshot": snapshot["id"]}, who="alice")[1]
    started = {"scenario": scenario["id"], "rate": 1}
    status, run = live_stack.request("POST", f"{API}/runs/", started, who="alice")
    assert status == 202
    url = f"{API}/runs/{run['id']}/"

    def now() -> dict[str, Any]:
        return dict(live_stack.request("GET", url, who="bob")[1])

    wait_until(lambda: now()["decisions"] >= 2)
    assert live_stack.request("POST", f"{url}pause/", who="alice")[0] == 202
    wait_until(lambda: now()["status"] == "paused")
    held = now()["decisions"]
    assert 2 <= held < 50
    assert live_stack.request("POST", f"{url}resume/", who="alice")[0] == 202
    wait_until(lambda: now()["decisions"] > held)
    assert live_stack.request("POST", f"{url}cancel/", who="alice")[0] == 202
    wait_until(lambda: now()["status"] == "cancelled")
    assert now()["decisions"] < 50


def test_an_unknown_address_is_a_problem_under_asgi_too(live_stack: Stack) -> None:
    status, answer = live_stack.request("POST", f"{API}/nothing/", {}, who="alice")
    assert (status, answer["status"]) == (404, 404)


def test_every_metric_and_label_of_the_dashboard_and_the_alerts_is_exported(live_stack: Stack) -> None:
    live_stack.request("GET", "/")  # any page, of whatever status: figures of pages begin with the first
    text = live_stack.request("GET", "/metrics")[1]
    exported = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = exported[sample.name]
            for label, value in sample.labels.items():
                labels[label].add(value)
    for query in queries():
        named = named_in(query)
        own = named.metrics.keys() - OF_PROMETHEUS
        assert own <= exported.keys(), query
        for name in own:
            assert named.metrics[name] - ADDED_LABELS <= exported[name].keys(), query
        assert named.grouped - ADDED_LABELS <= {label for name in own for label in exported[name]}, query
        assert [one for one in named.values if one[2] not in exported[one[0]][one[1]]] == [], query
