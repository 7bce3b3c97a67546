"""Volcano's samples as runs, and small clusters made for what the samples do not show."""

from typing import Any

import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.stages import statements
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack


class VolcanoRuns:
    """Numbers of finished runs by name: a sample, or a sample's scenario of that number (`gang 1`), or
    `half` (half a gang finds nodes), `statement` (a statement is taken back, a queue has its share), or
    `job` (a Job with its pod group and its pod).
    """

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._runs: dict[str, int] = {}
        self._snapshots: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        if name not in self._runs:
            sample, _, number = name.partition(" ")
            scenario = self._scenario(sample, int(number or 0))
            self._runs[name] = _run(self._stack, self.snapshot(sample), scenario)
        return self._runs[name]

    def snapshot(self, sample: str) -> int:
        """The number of the snapshot of a sample or one of the other clusters."""
        if sample not in self._snapshots:
            made = _MADE.get(sample)
            content, kind = (made(), "application/json") if made else _file_of(sample)
            self._snapshots[sample] = import_by_rest(self._stack, sample, content, kind)
        return self._snapshots[sample]

    def _scenario(self, sample: str, number: int) -> dict[str, Any]:
        if sample in _MADE:
            return {"name": sample, "profile": "volcano-1.16", "controllers": "none"}
        return volcano_scenarios(sample)[number]


def _file_of(sample: str) -> tuple[bytes, str]:
    [(_, content)] = volcano_files(sample)
    return content, "application/yaml"


def _run(stack: Stack, snapshot: int, scenario: dict[str, Any]) -> int:
    scheduler = {"profile": scenario["profile"], "config": scenario.get("config")}
    wanted = ("name", "controllers", "driver", "edits", "until")
    fields = {name: scenario[name] for name in wanted if name in scenario}
    return run_by_rest(stack, scenario_by_rest(stack, snapshot, scheduler=scheduler, **fields))


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


def _job() -> bytes:
    owner = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "train", "uid": "j"}
    worker = pod("train-worker-0", schedulerName="volcano")
    worker["metadata"] |= {
        "ownerReferences": [owner | {"controller": True}],
        "annotations": {"scheduling.k8s.io/group-name": "train-j"},
    }
    made = """
    - apiVersion: batch.volcano.sh/v1alpha1
      kind: Job
      metadata: {name: train, namespace: shop, uid: j}
      spec: {minAvailable: 1, queue: default}
      status: {state: {phase: Pending}}
    - apiVersion: scheduling.volcano.sh/v1beta1
      kind: PodGroup
      metadata: {name: train-j, namespace: shop}
      spec: {minMember: 1, queue: default}
      status: {phase: Pending}
    """
    job, group = yaml.safe_load(made)
    job["spec"]["tasks"] = [{"name": "worker", "replicas": 1, "template": {"spec": pod("x")["spec"]}}]
    group["metadata"]["ownerReferences"] = worker["metadata"]["ownerReferences"]
    return listing(node("node-1"), job, group, worker)


_MADE = {"half": _half_gang, "statement": statements, "job": _job}
