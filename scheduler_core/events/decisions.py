"""The decision events: the one schema that the log, REST, the WebSocket and the browser share.

A run starts from a `RunState` (`at=0`) and produces `Decision`s numbered from 1. A decision says who decided
what, when and why in figures, and carries the `changes` it made to the state, each with its old and its new
value, so that a reader can step forwards and backwards without asking the engine again. `fold.py` applies
and reverts them; `static/js/fold.js` does the same in the browser, and both are held to the vectors in
`tests/vectors/fold/`. Kinds are open: a reader shows those that it doesn't know by what all have in common.

Units everywhere: `cpu` in milli-CPU, `memory`, `ephemeral-storage` and `hugepages-*` in bytes, every
other resource in whole units. Nodes are named by name (unique in a cluster), pods by uid.
"""

from typing import Any, Literal

import msgspec

from scheduler_core.events.changes import Event
from scheduler_core.events.decided import Decided as Decided
from scheduler_core.events.decided import PodRef as PodRef
from scheduler_core.events.decided import Victim as Victim
from scheduler_core.events.exchanges import Exchange
from scheduler_core.events.queue_news import Heard as Heard
from scheduler_core.events.queue_news import Wake as Wake
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.events.sessions import SessionDecision
from scheduler_core.events.state import ActorRow, ClaimedDevice, ClaimRow, NodeRow, PodRow, RunState, SliceRow
from scheduler_core.events.workloads import WorkloadStep

SCHEMA_VERSION = 3
IN_THE_LOG = 100
"""At most so many equally good nodes, or candidates, are named by a decision; all of them by a replay."""

Outcome = Literal["scheduled", "nominated", "unschedulable", "gated", "error"]
Code = Literal["Unschedulable", "UnschedulableAndUnresolvable", "Error"]
Criterion = Literal[
    "pdb_violations", "highest_priority", "priority_sum", "victim_count", "earliest_start", "name"
]


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
    `candidates` holds the first of the `candidate_count` candidates, the chosen one before all, then those
    that came farthest; `eliminated` counts how many dropped out at each criterion; `best` names the first of
    the `best_count` that were equal at the end.
    """

    eligible: bool | None
    reason: str
    potential: int
    candidates: list[Candidate]
    candidate_count: int
    eliminated: dict[Criterion, int]
    not_candidates: list[Rejection]
    best: list[str]
    best_count: int
    nominated: str
    victims: list[PodRef]
    cleared: list[PodRef]
    status: str


class GivenClaim(Event, frozen=True):
    """A ResourceClaim of an attempt's pod, and the devices that it has on the chosen node.

    `new`: it is given them by this attempt. For extended resources that a DeviceClass stands behind the
    scheduler makes a claim; it is called `<extended-resources>` where it is made at the attempt's end.
    """

    claim: str
    new: bool
    devices: list[ClaimedDevice]


class TriedPlacement(Event, frozen=True):
    """The nodes with one value of a topology label, on which a pod group was tried; empty name: all nodes.

    found: how many members found a node there. total: its score, null where there was no choice.
    """

    name: str
    nodes: int
    found: int
    fits: bool
    total: int | None


class TriedGroup(Event, frozen=True):
    """The pod group with which an attempt's pod was tried: all its members are tried in one cycle.

    name: `namespace/name`. place: which of the `members` decisions of the cycle this is, from 1.
    min_count: how many must have a node, null for a group that is no gang. placed: those that had one before
    the cycle; found: members that found one in it, also where the group didn't fit. placement: the one that
    counts, by name. status, reason and message are those of the condition PodGroupScheduled afterwards.
    preemption: what the preemption for the whole group said, null where there was none; victims: whom it
    evicts.
    """

    name: str
    place: int
    members: int
    min_count: int | None
    placed: int
    found: int
    fits: bool
    placement: str
    placements: list[TriedPlacement]
    status: str
    reason: str
    message: str
    preemption: str | None
    victims: list[Victim]


class ClusterSaid(Event, frozen=True):
    """What the cluster's own scheduler said last of a pod that waits in the import, and since when."""

    message: str
    time: str | None


class Attempt(Decided, frozen=True, tag_field="kind", tag="attempt"):
    """One scheduling attempt at one pod (or its rejection by PreEnqueue: outcome `gated`, attempt 0).

    nodes: all nodes of the cluster. visited: nodes that were filtered. feasible: nodes that passed.
    best: the first by name of the best_count nodes with the highest total; chosen: the one taken.
    total: the highest total score, null when nothing was scored. message: the FailedScheduling event.
    exchanges: what extenders were asked, in order; absent where none was. A node that they left out counts
    among the rejections, under the extender's urlPrefix. cluster_said: only where a pod's first attempt
    contradicts it. claims: only of a pod that found its node, and has ResourceClaims. group: only of a pod
    that was tried with its pod group. Where the group doesn't fit, a member that found a node is not
    `scheduled`, although nodes are feasible for it.
    """

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
    best_count: int
    chosen: str | None
    total: int | None
    message: str | None
    preemption: Preemption | None
    exchanges: list[Exchange] | msgspec.UnsetType = msgspec.UNSET
    cluster_said: ClusterSaid | msgspec.UnsetType = msgspec.UNSET
    claims: list[GivenClaim] | msgspec.UnsetType = msgspec.UNSET
    group: TriedGroup | msgspec.UnsetType = msgspec.UNSET


class Eviction(Decided, frozen=True, tag_field="kind", tag="eviction"):
    """An edit (drain, evict) asks the eviction API for a pod; `refused` names the budget in `message`.

    Where a clock moves, `wakes` and `heard` are what follows for the queues, and a pod may also be `tainted`:
    NoExecute taints evict it without asking any budget, for the reason in `message`.
    """

    pod: PodRef
    outcome: Literal["evicted", "refused", "skipped", "tainted"]
    node: str
    message: str | None
    wakes: list[Wake] = []
    heard: list[Heard] = []


class Completion(Decided, frozen=True, tag_field="kind", tag="completion"):
    """The end of an attempt, where a clock moves: its pod is bound, or put back with what that entails.

    A pod that was deleted meanwhile is forgotten. `exchanges` are those with an extender that was to bind it;
    if that failed, the pod is put back although its attempt chose a node.
    """

    pod: PodRef
    outcome: Literal["bound", "returned", "forgotten"]
    attempt: int
    node: str
    wakes: list[Wake]
    heard: list[Heard]
    exchanges: list[Exchange] | msgspec.UnsetType = msgspec.UNSET


class ClusterChange(Decided, frozen=True, tag_field="kind", tag="change"):
    """Something comes, changes or goes, by an edit's instant or as a grace period or a duration ends.

    `object` is `Kind namespace/name`; `nothing` happens about what isn't there any more; a quota of then has
    `refused` a workload's pod, as `message` says; `asked` is for evictions that follow; a pod that ends by
    itself is `gone`, or has `failed`; a node's kubelet is `stopped` or `started`. A controller of the cluster
    says in `message` why it does it.
    """

    pod: PodRef | None
    outcome: Literal[
        "added",
        "updated",
        "deleted",
        "finished",
        "failed",
        "gone",
        "asked",
        "nothing",
        "refused",
        "stopped",
        "started",
    ]
    object: str
    edit: int | None
    wakes: list[Wake]
    heard: list[Heard]
    message: str | msgspec.UnsetType = msgspec.UNSET


class Flush(Decided, frozen=True, tag_field="kind", tag="flush"):
    """The queue has those tried whose back-off is over, or that have waited for too long."""

    pod: None
    outcome: Literal["woken"]
    wakes: list[Wake]


Decision = (
    Attempt | Eviction | Completion | ClusterChange | Flush | SessionDecision | Reconciled | WorkloadStep
)


class Trust(Event, frozen=True):
    """What an answer rests on: shown under every answer.

    `not_modelled`, `missing` and `unknown` are whole phrases; `remedies` are kubectl lines that add what is
    missing; `unknown` is what this version of the scheduler does not know and leaves unread. `without_effect`
    names what is not played either, and why that changes nothing here. `release` is a phrase where another
    release than the cluster's is played, else empty.
    """

    nodes_scored: Literal["all", "sampled"]
    not_modelled: list[str]
    missing: list[str]
    remedies: list[str]
    unknown: list[str] = []
    without_effect: list[str] = []
    release: str = ""


encoder = msgspec.json.Encoder()
decision_decoder = msgspec.json.Decoder(Decision)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a decision, a run's state, its tables' rows and their parts."""
    schemas, components = msgspec.json.schema_components(
        [Decision, RunState, Trust, NodeRow, PodRow, ActorRow, ClaimRow, SliceRow],
        ref_template="#/$defs/{name}",
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sandtable decision events",
        "version": SCHEMA_VERSION,
        "oneOf": schemas,
        "$defs": components,
    }
