"""The decision events: the one schema that the log, REST, the WebSocket and the browser share.

A run starts from a `RunState` (`at=0`) and produces `Decision`s numbered from 1. A decision says what
was decided and why in figures, and carries the `changes` it made to the state, each with its old and its
new value, so that a reader can step forwards and backwards without asking the engine again.
`scheduler_core.events.fold` applies and reverts them; `static/js/fold.js` does the same in the browser, and
both are held to the vectors in `tests/vectors/fold/`.

Units everywhere: `cpu` in milli-CPU, `memory`, `ephemeral-storage` and `hugepages-*` in bytes, every
other resource in whole units. Nodes are named by name (unique in a cluster), pods by uid.
"""

from typing import Any, Literal

import msgspec

SCHEMA_VERSION = 1

Outcome = Literal["scheduled", "nominated", "unschedulable", "gated", "error"]
QueuePart = Literal["active", "backoff", "unschedulable", "gated"]
Code = Literal["Unschedulable", "UnschedulableAndUnresolvable", "Error"]
Criterion = Literal[
    "pdb_violations", "highest_priority", "priority_sum", "victim_count", "earliest_start", "name"
]


class Event(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Base of every struct in the log: immutable, and strict about fields it does not know."""


class PodRef(Event, frozen=True):
    """Who a decision is about. `priority` is the pod's effective priority."""

    uid: str
    namespace: str
    name: str
    priority: int


class QueuePlace(Event, frozen=True):
    """Where a pending pod waits. `order` grows with every entry: the place among equals.

    `active` is ordered by descending priority, then `order`; all other parts by `order`.
    """

    part: QueuePart
    order: int


class Status(Event, frozen=True):
    """A plugin's rejection, in kube-scheduler's words."""

    plugin: str
    code: Code
    reasons: list[str]


class Rejection(Event, frozen=True):
    """How many nodes a plugin rejected with exactly these reasons.

    A node counts for the first plugin that rejected it, so that the rejections of an attempt and its
    feasible nodes are a partition of the visited nodes.
    """

    plugin: str
    code: Code
    reasons: list[str]
    nodes: int


class Victim(Event, frozen=True):
    """A pod that a preemption would evict, with what the choice of a node looks at."""

    uid: str
    namespace: str
    name: str
    priority: int
    start_time: str | None
    violates_budget: bool


class Candidate(Event, frozen=True):
    """A node on which evicting `victims` makes room, with every criterion of the choice.

    `lost_at` is the criterion at which the node dropped out; null for the chosen node.
    `earliest_start` is the earliest start time among the victims of the highest priority.
    """

    node: str
    victims: list[Victim]
    pdb_violations: int
    highest_priority: int
    priority_sum: int
    victim_count: int
    earliest_start: str | None
    lost_at: Criterion | None


class Preemption(Event, frozen=True):
    """What DefaultPreemption looked at and chose.

    `eligible` is null when DefaultPreemption was never asked. `potential` counts the nodes on which
    evicting could help; `not_candidates` are the potential nodes on which the dry run found nothing.
    `candidates` holds at most a hundred of the `candidate_count` candidates, the chosen one first, then those
    that came farthest; `eliminated` counts how many dropped out at each criterion.
    """

    eligible: bool | None
    reason: str
    potential: int
    candidates: list[Candidate]
    candidate_count: int
    eliminated: dict[Criterion, int]
    not_candidates: list[Rejection]
    best: list[str]
    nominated: str
    victims: list[PodRef]
    cleared: list[PodRef]
    status: str


class Bind(Event, frozen=True, tag_field="type", tag="bind"):
    """The pod joins the end of the node's pod list."""

    pod: str
    node: str
    start_time: str


class Evict(Event, frozen=True, tag_field="type", tag="evict"):
    """The pod leaves its node and the cluster.

    Its place `position` in the node's pod list is taken by the list's last pod.
    """

    pod: str
    node: str
    position: int
    start_time: str | None


class Terminate(Event, frozen=True, tag_field="type", tag="terminate"):
    """The pod gets a deletion timestamp and stays on its node, at the end of the node's pod list.

    Its place `position` is taken by the list's last pod. `was` says whether it had a timestamp before.
    """

    pod: str
    node: str
    position: int
    was: bool


class Delete(Event, frozen=True, tag_field="type", tag="delete"):
    """A terminated pod is gone: as `Evict`, but it was evicted by an earlier decision."""

    pod: str
    node: str
    position: int
    start_time: str | None


class Nominate(Event, frozen=True, tag_field="type", tag="nominate"):
    """`status.nominatedNodeName` changes; the empty string is none."""

    pod: str
    old: str
    new: str


class Move(Event, frozen=True, tag_field="type", tag="move"):
    """The pod moves between the parts of the queue; null is outside of it."""

    pod: str
    old: QueuePlace | None
    new: QueuePlace | None


class PodCard(Event, frozen=True):
    """What the screens know of a pod.

    `node` is empty while pending. `workload` is `Kind/namespace/name` of its topmost known controller.
    A pending pod has no `start_time`. `comes_back` marks mirror, static and DaemonSet pods, whose eviction
    brings them back on the same node.
    """

    uid: str
    namespace: str
    name: str
    priority: int
    labels: dict[str, str]
    workload: str
    requests: dict[str, int]
    scheduler: str
    node: str = ""
    nominated: str = ""
    queue: QueuePlace | None = None
    start_time: str | None = None
    terminating: bool = False
    comes_back: bool = False


class Create(Event, frozen=True, tag_field="type", tag="create"):
    """A pod comes into being during the run: the copy that a controller makes of an evicted one."""

    pod: PodCard


Change = Bind | Evict | Terminate | Delete | Nominate | Move | Create


class Attempt(Event, frozen=True, tag_field="kind", tag="attempt"):
    """One scheduling attempt at one pod (or its rejection by PreEnqueue: outcome `gated`, attempt 0).

    nodes: all nodes of the cluster. visited: nodes that were filtered. feasible: nodes that passed.
    best: every node with the highest total (or the only feasible one), by name; chosen: the one taken.
    total: the highest total score, null when nothing was scored. message: the FailedScheduling event.
    """

    seq: int
    pod: PodRef
    attempt: int
    profile: str
    outcome: Outcome
    nominated_before: str
    nominated_after: str
    nodes: int
    visited: int
    feasible: int
    preenqueue: Status | None
    prefilter: Status | None
    rejections: list[Rejection]
    best: list[str]
    chosen: str | None
    total: int | None
    message: str | None
    preemption: Preemption | None
    changes: list[Change]


class Eviction(Event, frozen=True, tag_field="kind", tag="eviction"):
    """An edit (drain, evict) asks the eviction API for a pod; `refused` names the budget in `message`."""

    seq: int
    pod: PodRef
    outcome: Literal["evicted", "refused", "skipped"]
    node: str
    message: str | None
    changes: list[Change]


Decision = Attempt | Eviction


class Taint(Event, frozen=True):
    """A node's taint."""

    key: str
    value: str
    effect: str


class NodeCard(Event, frozen=True):
    """What the screens know of a node. `allocatable` excludes `pods`, which is `pod_limit`."""

    name: str
    labels: dict[str, str]
    allocatable: dict[str, int]
    pod_limit: int
    unschedulable: bool
    taints: list[Taint]


class RunState(Event, frozen=True):
    """The state after decision `at`: what REST's `state/` answers and what a fold of the log yields.

    `pods` holds every pod that is present (Succeeded and Failed ones are not), in the order in which
    they came; `node_pods` the uids on each node in the scheduler's own order.
    """

    at: int
    nodes: list[NodeCard]
    pods: list[PodCard]
    node_pods: dict[str, list[str]]


class Trust(Event, frozen=True):
    """What an answer rests on: shown under every answer.

    `not_modelled`, `missing` and `unknown` are whole phrases; `remedies` are kubectl lines that add what is
    missing; `unknown` is what this version of the scheduler does not know and leaves unread.
    """

    nodes_scored: Literal["all", "sampled"]
    not_modelled: list[str]
    missing: list[str]
    remedies: list[str]
    unknown: list[str] = []


encoder = msgspec.json.Encoder()
decision_decoder = msgspec.json.Decoder(Decision)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a decision, a run's state and their parts."""
    schemas, components = msgspec.json.schema_components(
        [Decision, RunState, Trust], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sandtable decision events",
        "version": SCHEMA_VERSION,
        "oneOf": schemas,
        "$defs": components,
    }
