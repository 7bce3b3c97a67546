"""Volcano's samples as runs, and a gang of which only a part finds nodes."""

from typing import Any

import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack


def volcano_run(stack: Stack, sample: str) -> int:
    """The first scenario of a sample, run to its end; the run's number."""
    (_, content), *_ = volcano_files(sample)
    return _run(
        stack, import_by_rest(stack, sample, content, "application/yaml"), volcano_scenarios(sample)[0]
    )


def half_gang_run(stack: Stack) -> int:
    """Three nodes, and a gang of six of which four are needed: three are placed and taken back."""
    snapshot = import_by_rest(stack, "half-gang", _half_gang())
    return _run(stack, snapshot, {"name": "half a gang", "profile": "volcano-1.16"})


def _run(stack: Stack, snapshot: int, scenario: dict[str, Any]) -> int:
    scheduler = {"profile": scenario["profile"], "config": scenario.get("config")}
    body = {"name": scenario["name"], "snapshot": snapshot, "edits": [], "scheduler": scheduler}
    if "controllers" in scenario:
        body["controllers"] = scenario["controllers"]
    status, answer = stack.request("POST", "/api/v1/scenarios/", body, who="alice")
    assert status == 201, answer
    return run_by_rest(stack, int(answer["id"]))


def _half_gang() -> bytes:
    workers = []
    for number in range(6):
        worker = pod(f"bert-worker-{number}", cpu="3", schedulerName="volcano")
        worker["metadata"]["annotations"] = {
            "scheduling.k8s.io/group-name": "bert",
            "volcano.sh/task-spec": "worker",
        }
        workers.append(worker)
    made = """
    - apiVersion: scheduling.volcano.sh/v1beta1
      kind: Queue
      metadata: {name: default, creationTimestamp: "2026-05-01T08:00:00Z"}
      spec: {weight: 1, reclaimable: true}
      status: {state: Open}
    - apiVersion: scheduling.volcano.sh/v1beta1
      kind: PodGroup
      metadata: {name: bert, namespace: shop, creationTimestamp: "2026-05-02T09:00:00Z"}
      spec: {minMember: 4, queue: default}
      status: {phase: Pending}
    """
    return listing(
        *(node(f"node-{number}", cpu="4") for number in range(1, 4)), *yaml.safe_load(made), *workers
    )
