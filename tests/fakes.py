"""A stand-in for the engine whose length and speed a test can choose; its log is as real as the engine's.

The run's `config` is its script: `pods` and `nodes` (how many), `seconds` (each step's duration), `fail_at`
(a step that raises), `differ_after` (steps that come out otherwise when replayed from a checkpoint).
Every 11th pod evicts the first pod of its node, every 7th fits nowhere, all others are placed in turn.
"""

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from scheduler_core.events.decisions import (
    Attempt,
    Bind,
    Candidate,
    Change,
    Decision,
    Evict,
    Move,
    NodeCard,
    Nominate,
    PodCard,
    PodRef,
    Preemption,
    QueuePlace,
    Rejection,
    RunState,
    Trust,
    Victim,
    encoder,
)
from scheduler_core.events.fold import Fold
from scheduler_core.world import RunInput
from scheduler_core.world.schedulers import check

START = "2026-06-01T00:00:00Z"


class FakeSimulation:
    """Plays its script; interface and schedulers are those of `scheduler_core.world.Simulation`."""

    ENGINE_VERSION = "fake-1"

    def __init__(self, run_input: Any, checkpoint: bytes | None = None) -> None:
        if isinstance(run_input, RunInput):
            check(run_input)
        script = {"pods": 100, "nodes": 5, "seconds": 0.0, **(run_input.config or {})}
        self.pods, self.nodes = int(script["pods"]), int(script["nodes"])
        self.seconds, self.fail_at = script["seconds"], script.get("fail_at")
        self.may_differ = bool(script.get("differs"))
        self.differs = checkpoint is not None and self.may_differ
        self.base = self._base()
        self.trust = Trust(nodes_scored="all", not_modelled=[], missing=[], remedies=[])
        self.edit_results: list[Any] = []
        self.limit_reached = False
        self._fold = Fold(msgspec.json.decode(checkpoint, type=RunState) if checkpoint else self.base)

    @property
    def seq(self) -> int:
        return self._fold.at

    def step(self) -> Decision | None:
        if self.seq >= self.pods:
            return None
        if self.seconds:
            time.sleep(self.seconds)
        if self.fail_at == self.seq + 1:
            raise RuntimeError("the script says so")
        decision = self._decide(self.seq + 1)
        self._fold.apply(decision)
        return decision

    def __iter__(self) -> Iterator[Decision]:
        while (decision := self.step()) is not None:
            yield decision

    def restore(self, checkpoint: bytes | None) -> None:
        state = msgspec.json.decode(checkpoint, type=RunState) if checkpoint else self.base
        self.differs = checkpoint is not None and self.may_differ
        self._fold = Fold(state)

    def checkpoint(self) -> bytes:
        return encoder.encode(self._fold.state())

    def state(self) -> RunState:
        return self._fold.state()

    def explain(self) -> "FakeExplanation":
        return FakeExplanation(self.step(), [f"node-{number}" for number in range(self.nodes)])

    def _base(self) -> RunState:
        nodes = [
            NodeCard(
                name=f"node-{number}", labels={}, allocatable={"cpu": 1_000_000, "memory": 2**40},
                pod_limit=1000, unschedulable=False, taints=[],
            )
            for number in range(self.nodes)
        ]  # fmt: skip
        pods = [
            PodCard(
                uid=f"uid-{number}", namespace="shop", name=f"cart-{number}", priority=number % 3, labels={},
                workload="Deployment/shop/cart", requests={"cpu": 100, "memory": 1024},
                scheduler="default-scheduler", queue=QueuePlace("active", number),
            )
            for number in range(1, self.pods + 1)
        ]  # fmt: skip
        return RunState(at=0, nodes=nodes, pods=pods, node_pods={node.name: [] for node in nodes})

    def _decide(self, seq: int) -> Attempt:
        pod = PodRef(f"uid-{seq}", "shop", f"cart-{seq}", seq % 3)
        node = f"node-{seq % self.nodes}"
        queued = QueuePlace("active", seq)
        victims = self._fold.state().node_pods[node] if seq % 11 == 0 else []
        if victims:
            return _nomination(seq, pod, node, self.nodes, victims[0], queued)
        if seq % 7 == 0 or self.differs:
            return _failure(seq, pod, self.nodes, queued)
        changes: list[Change] = [Move(pod.uid, queued, None), Bind(pod.uid, node, START)]
        return _attempt(seq, pod, self.nodes, "scheduled", changes, feasible=1, best=[node], chosen=node)


class FakeExplanation:
    """Says of every node that it was looked at."""

    def __init__(self, decision: Decision | None, nodes: list[str]) -> None:
        self.decision = decision
        self._nodes = nodes

    @property
    def cycle(self) -> dict[str, Any]:
        return {"pod": self.decision.pod.name if self.decision else None}

    def node(self, name: str) -> dict[str, Any]:
        if name not in self._nodes:
            raise KeyError(name)
        return {"node": name, "filters": []}

    def nodes(
        self, offset: int, limit: int, reason: str | None = None, **chosen: Any
    ) -> list[dict[str, Any]]:
        return [{"node": name} for name in self._nodes[offset : offset + limit]]


def _failure(seq: int, pod: PodRef, nodes: int, queued: QueuePlace) -> Attempt:
    message = f"0/{nodes} nodes are available: {nodes} Insufficient cpu."
    rejections = [Rejection("NodeResourcesFit", "Unschedulable", ["Insufficient cpu"], nodes)]
    changes: list[Change] = [Move(pod.uid, queued, QueuePlace("unschedulable", seq))]
    return _attempt(seq, pod, nodes, "unschedulable", changes, message=message, rejections=rejections)


def _nomination(seq: int, pod: PodRef, node: str, nodes: int, victim: str, queued: QueuePlace) -> Attempt:
    name = victim.replace("uid", "cart")
    evicted = Victim(victim, "shop", name, 0, START, violates_budget=seq % 2 == 0)
    candidate = Candidate(node, [evicted], seq % 2, 0, 0, 1, START, None)
    preemption = Preemption(
        True,
        "",
        nodes,
        [candidate],
        1,
        {},
        [],
        [node],
        node,
        [PodRef(victim, "shop", name, 0)],
        [],
        "Success",
    )
    changes = [
        Evict(victim, node, 0, START),
        Nominate(pod.uid, "", node),
        Move(pod.uid, queued, QueuePlace("unschedulable", seq)),
    ]
    return _attempt(
        seq, pod, nodes, "nominated", changes, nominated_after=node, preemption=preemption, message="preempts"
    )


def _attempt(seq: int, pod: PodRef, nodes: int, outcome: Any, changes: list[Change], **known: Any) -> Attempt:
    fields: dict[str, Any] = {
        "attempt": 1, "profile": "default-scheduler", "nominated_before": "", "nominated_after": "",
        "nodes": nodes, "visited": nodes, "feasible": 0, "preenqueue": None, "prefilter": None,
        "rejections": [], "best": [], "chosen": None, "total": None, "message": None, "preemption": None,
    }  # fmt: skip
    return Attempt(seq=seq, pod=pod, outcome=outcome, changes=changes, **{**fields, **known})
