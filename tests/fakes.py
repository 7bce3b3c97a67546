"""A stand-in for the engine whose length and speed a test can choose; its log is as real as the engine's.

The run's `config` is its script: `pods` and `nodes` (how many), `seconds` (each step's duration), `fail_at`
(a step that raises), `differ_after` (steps that come out otherwise when replayed from a checkpoint).
Every 11th pod evicts the first pod of its node, every 7th fits nowhere, all others are placed in turn.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scheduler_core.events.changes import Appear, Change, Filler, Join, Leave, Set, Vanish
from scheduler_core.events.decisions import (
    Attempt,
    Candidate,
    Decision,
    PodRef,
    Preemption,
    Rejection,
    Trust,
    Victim,
    encoder,
)
from scheduler_core.events.explanation import AttemptInFull, NodeInFull, VisitedNode
from scheduler_core.events.fold import Fold
from scheduler_core.events.session_explanation import Compared, OrderInFull
from scheduler_core.events.state import (
    ACTORS,
    NODE_PODS,
    NODES,
    PODS,
    QUEUE,
    ActorRow,
    NodeRow,
    PodRow,
    RunState,
)
from scheduler_core.world import RunInput
from scheduler_core.world.forecast import schedulers_of
from scheduler_core.world.setting_up.run_checks import check

START = "2026-06-01T00:00:00Z"
ACTOR = "kube-scheduler"


class FakeSimulation:
    """Plays its script; interface and schedulers are those of `scheduler_core.world.Simulation`."""

    ENGINE_VERSION = "fake-1"

    def __init__(self, run_input: Any, checkpoint: bytes | None = None, *, foretells: bool = False) -> None:
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
        self.ended_by, self.until = "quiet", None
        self._rows = {pod.uid: pod for pod in self.base.pods()}
        self._stand_at(checkpoint)

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
        self.differs = checkpoint is not None and self.may_differ
        self._stand_at(checkpoint)

    def _stand_at(self, checkpoint: bytes | None) -> None:
        state = msgspec.json.decode(checkpoint, type=RunState) if checkpoint else self.base
        self._fold = Fold(state)
        self._held = {
            f"node-{number}": state.members(NODE_PODS, f"node-{number}") for number in range(self.nodes)
        }

    @property
    def profiles(self) -> dict[str, str]:
        return schedulers_of(self.base)

    def totals(self) -> dict[tuple[str, str], int]:
        sums = {("nodes", ""): self.nodes, ("cordoned", ""): 0, ("pods", ""): self.pods}
        return sums | {("pending", "default-scheduler"): self.pods}

    def pods_let_in(self) -> list[dict[str, Any]]:
        return []

    def knows(self, pod: str) -> bool:
        return False

    def whys(self, pods: Iterable[str]) -> Iterator[tuple[str, Any]]:
        return iter(())

    def lasting_refusals(self, pods: Iterable[str]) -> dict[str, Any]:
        return {}

    def checkpoint(self) -> bytes:
        return encoder.encode(self._fold.state())

    def state(self) -> RunState:
        return self._fold.state()

    def objects(self) -> list[dict[str, Any]]:
        """The pods of now alone."""
        return [
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"uid": pod.uid, "namespace": pod.namespace, "name": pod.name},
                "spec": {"nodeName": pod.node} if pod.node else {},
                "status": {},
            }
            for pod in self.state().pods()
        ]

    def explain(self) -> "FakeExplanation":
        return FakeExplanation(self.step(), [f"node-{number}" for number in range(self.nodes)])

    def order_of(self, of: Compared, first: str, second: str) -> OrderInFull:
        return OrderInFull(of, first, second, [], first, "name")

    def _base(self) -> RunState:
        nodes = [
            NodeRow(
                name=f"node-{number}", labels={}, allocatable={"cpu": 1_000_000, "memory": 2**40},
                pod_limit=1000, unschedulable=False, taints=[],
            )
            for number in range(self.nodes)
        ]  # fmt: skip
        pods = [
            PodRow(
                uid=f"uid-{number}", namespace="shop", name=f"cart-{number}", priority=number % 3, labels={},
                workload="Deployment/shop/cart", requests={"cpu": 100, "memory": 1024},
                scheduler="default-scheduler",
            )
            for number in range(1, self.pods + 1)
        ]  # fmt: skip
        return state_of(nodes, pods)

    def _decide(self, seq: int) -> Attempt:
        pod = PodRef(f"uid-{seq}", "shop", f"cart-{seq}", seq % 3)
        node = f"node-{seq % self.nodes}"
        held = self._held[node]
        if seq % 11 == 0 and held:
            victim = msgspec.structs.replace(self._rows[held[0]], node=node, start_time=START)
            filler = held.pop()
            if not held:
                return nomination(seq, pod, node, self.nodes, victim)
            held[0] = filler
            return nomination(seq, pod, node, self.nodes, victim, Filler(filler, len(held)))
        if seq % 7 == 0 or self.differs:
            return failure(seq, pod, self.nodes)
        held.append(pod.uid)
        return placement(seq, pod, node, self.nodes, len(held) - 1)

    def emptied(self) -> None:
        """Nobody can be asked whether a pod fits elsewhere."""


class FakeExplanation:
    """Says of every node that it was looked at."""

    step = None

    def __init__(self, decision: Decision | None, nodes: list[str]) -> None:
        self.decision = decision
        self._nodes = nodes

    @property
    def attempt(self) -> AttemptInFull | None:
        seen = self.decision
        if not isinstance(seen, Attempt):
            return None
        return AttemptInFull(seen.pod, seen.attempt, seen.profile, seen.outcome, seen.nominated_before)

    def node(self, name: str) -> NodeInFull:
        if name not in self._nodes:
            raise KeyError(name)
        return NodeInFull(name)

    def nodes(
        self, offset: int, limit: int, chosen: Any, *, sort: str, with_cards: bool
    ) -> list[VisitedNode]:
        return [VisitedNode(name, None, [], None, None) for name in self._nodes[offset : offset + limit]]


def state_of(nodes: list[NodeRow], pods: list[PodRow]) -> RunState:
    """The state before the first decision; who is on no node waits in the scheduler's queue."""
    on_nodes: dict[str, dict[str, int]] = {}
    for pod in pods:
        if pod.node:
            held = on_nodes.setdefault(pod.node, {})
            held[pod.uid] = len(held)
    active = {pod.uid: number for number, pod in enumerate(pods, 1) if not pod.node}
    actor = ActorRow(ACTOR, "kube-1.36", ["default-scheduler"])
    tables = {
        ACTORS: {ACTOR: msgspec.to_builtins(actor)},
        NODES: {node.name: msgspec.to_builtins(node) for node in nodes},
        PODS: {pod.uid: msgspec.to_builtins(pod) for pod in sorted(pods, key=lambda pod: pod.uid)},
    }
    lists = {
        NODE_PODS: dict(sorted(on_nodes.items())),
        f"{QUEUE}{ACTOR}": {"active": active} if active else {},
    }
    return RunState(at=0, time=None, tables=tables, lists=lists)


def placement(seq: int, pod: PodRef, node: str, nodes: int, held: int) -> Attempt:
    """The pod goes to the node, which holds so many pods; its turn in the queue is its decision's number."""
    changes: list[Change] = [
        leaves_queue(pod.uid, seq),
        Set(PODS, pod.uid, {"node": "", "start_time": None}, {"node": node, "start_time": START}),
        Join(NODE_PODS, node, pod.uid, held),
    ]
    return attempt(seq, pod, nodes, "scheduled", changes, feasible=1, best=[node], best_count=1, chosen=node)


def failure(seq: int, pod: PodRef, nodes: int) -> Attempt:
    """No node has room for the pod."""
    message = f"0/{nodes} nodes are available: {nodes} Insufficient cpu."
    rejections = [Rejection("NodeResourcesFit", "Unschedulable", ["Insufficient cpu"], nodes)]
    changes = waits(pod.uid, seq)
    return attempt(seq, pod, nodes, "unschedulable", changes, message=message, rejections=rejections)


def nomination(
    seq: int, pod: PodRef, node: str, nodes: int, victim: PodRow, filler: Filler | None = None
) -> Attempt:
    """The pod evicts the first pod of the node, whose place the `filler` takes."""
    named = PodRef(victim.uid, victim.namespace, victim.name, victim.priority)
    least = Victim(*msgspec.structs.astuple(named), START, violates_budget=seq % 2 == 0)
    candidate = Candidate(node, [least], seq % 2, 0, 0, 1, START, None)
    preemption = Preemption(
        eligible=True,
        reason="",
        potential=nodes,
        candidates=[candidate],
        candidate_count=1,
        eliminated={},
        not_candidates=[],
        best=[node],
        best_count=1,
        nominated=node,
        victims=[named],
        cleared=[],
        status="Success",
    )
    changes = [
        *vanishes(victim, filler),
        Set(PODS, pod.uid, {"nominated": ""}, {"nominated": node}),
        *waits(pod.uid, seq),
    ]
    return attempt(
        seq, pod, nodes, "nominated", changes, nominated_after=node, preemption=preemption, message="preempts"
    )


def evicted(row: PodRow) -> Set:
    """The pod is asked to go."""
    return Set(PODS, row.uid, {"evicted": False}, {"evicted": True})


def vanishes(row: PodRow, filler: Filler | None = None) -> list[Change]:
    """The pod, the first one of its node, is asked to go and is gone at once."""
    gone = msgspec.structs.replace(row, evicted=True)
    return [
        evicted(row),
        Leave(NODE_PODS, row.node, row.uid, 0, filler),
        Vanish(PODS, row.uid, msgspec.to_builtins(gone)),
    ]


def appears(row: PodRow) -> list[Change]:
    """A pod comes into being and enters the queue."""
    return [
        Appear(PODS, row.uid, msgspec.to_builtins(row)),
        Join(f"{QUEUE}{ACTOR}", "active", row.uid, 1000),
    ]


def leaves_queue(pod: str, order: int) -> Leave:
    """It is the pod's turn."""
    return Leave(f"{QUEUE}{ACTOR}", "active", pod, order)


def waits(pod: str, seq: int) -> list[Change]:
    """The pod's turn is over, and it waits."""
    return [leaves_queue(pod, seq), Join(f"{QUEUE}{ACTOR}", "unschedulable", pod, seq)]


def attempt(seq: int, pod: PodRef, nodes: int, outcome: Any, changes: list[Change], **known: Any) -> Attempt:
    """An attempt with these changes of which nothing is told but what is `known`."""
    fields: dict[str, Any] = {
        "attempt": 1, "profile": "default-scheduler", "nominated_before": "", "nominated_after": "",
        "nodes": nodes, "visited": nodes, "feasible": 0, "preenqueue": None, "prefilter": None,
        "rejections": [], "best": [], "best_count": 0, "chosen": None, "total": None, "message": None,
        "preemption": None, "time": None, "actor": ACTOR, "cause": None,
    }  # fmt: skip
    return Attempt(seq=seq, pod=pod, outcome=outcome, changes=changes, **{**fields, **known})
