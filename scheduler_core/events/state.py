"""The state of a run: its tables and lists, and the rows that every run has.

| table | id | row |
| --- | --- | --- |
| `nodes` | name | NodeRow |
| `pods` | uid | PodRow: bound and pending ones; no Succeeded or Failed ones |
| `actors` | name | ActorRow: who acts in this run |
| `waiting/<actor>` | uid | WaitingRow, where a clock moves: why a pod waits and until when |
| `slices` | name | SliceRow: the ResourceSlices, where claims are played |
| `claims` | namespace/name | ClaimRow: the ResourceClaims, where they are played |

| list | of | members |
| --- | --- | --- |
| `node_pods` | a node's name | the uids of its pods, in the scheduler's own order |
| `queue/<actor>` | a part of its queue | the uids of the pods that wait there |

The parts are `active`, `backoff`, `unschedulable`, `gated` and `in_flight`. A scheduler may keep more tables
and lists. Members of a list are in the order of their numbers; in `active` a pod of higher priority comes
first.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from scheduler_core.events.changes import Event

NODES, PODS, ACTORS = "nodes", "pods", "actors"
NODE_PODS = "node_pods"
QUEUE = "queue/"
GROUPS, QUEUES, JOBS, TASKS = "groups", "queues", "jobs", "tasks/"
"""The tables of schedulers that work with pod groups and queues; TASKS begins one of each actor."""
HYPER_NODES, WHEREABOUTS = "hyper_nodes", "whereabouts"
"""Where nodes are near each other in the network, and where jobs are among them, if there are some."""
WAITING = "waiting/"
CLAIMS, SLICES = "claims", "slices"
GATED = "gated"
"""Where those wait whom PreEnqueue holds back."""
OPEN = "open"
"""Where those wait whose scheduler keeps no queue: they are asked about in every session."""
SESSION_ENGINES = "volcano-"

Tables = dict[str, dict[str, dict[str, Any]]]
"""Rows by table and id."""
Lists = dict[str, dict[str, dict[str, int]]]
"""Orders by list, what it is of, and id."""


class Taint(Event, frozen=True):
    """A node's taint."""

    key: str
    value: str
    effect: str


class NodeRow(Event, frozen=True):
    """What the screens know of a node. `allocatable` excludes `pods`, which is `pod_limit`.

    A node is not `ready` that says so itself, or that the node controller says so of by a taint.
    """

    name: str
    labels: dict[str, str]
    allocatable: dict[str, int]
    pod_limit: int
    unschedulable: bool
    taints: list[Taint]
    ready: bool = True


class PodRow(Event, frozen=True):
    """What the screens know of a pod.

    `node` is empty while pending. `workload` is `Kind/namespace/name` of its topmost known controller.
    A pending pod has no `start_time`. `comes_back` marks mirror, static and DaemonSet pods, whose eviction
    brings them back on the same node. `group` is the pod group (`namespace/name`) that it names, left out
    of the log where it names none. `evicted` says that a preemption or the eviction API has asked it to
    go; `replaces` is the uid of the evicted pod whose copy it is. `devices` is what its claims ask for, in
    words, left out of the log where it has none.
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
    start_time: str | None = None
    terminating: bool = False
    evicted: bool = False
    comes_back: bool = False
    replaces: str | None = None
    group: str = ""
    devices: list[str] = []


class ActorRow(Event, frozen=True):
    """Somebody who acts. `engine` is what plays it, as `kube-1.36`; a scheduler has `profiles`."""

    name: str
    engine: str
    profiles: list[str]

    @property
    def has_sessions(self) -> bool:
        """Whether it decides in sessions, and keeps no queue of pods."""
        return self.engine.startswith(SESSION_ENGINES)


class WaitingRow(Event, frozen=True):
    """Why a pod waits. Instants are milliseconds since the run's start.

    `since` is when it came into the queue or was put back last, `attempts` how often it was tried, `plugins`
    rejected it, `gate` keeps it out, for scheduling gates those of its spec (`gates`). A back-off lasts
    `until`; who is unschedulable is tried again at the `latest` then.
    """

    since: int
    attempts: int
    plugins: list[str]
    gate: str
    gates: list[str]
    until: int | None
    latest: int | None


class ClaimedDevice(Event, frozen=True):
    """A device that a claim was given, and for which of its requests.

    `admin`: the device stays free for others. `consumed` is what of its capacity is taken, as it was written.
    """

    request: str
    driver: str
    pool: str
    device: str
    admin: bool = False
    consumed: dict[str, str] = {}


class ClaimRow(Event, frozen=True):
    """A ResourceClaim. `owner` is the uid of the pod that it was made for, `pods` those it is reserved for.

    A claim may be `allocated` without devices: then it asks for none.
    """

    namespace: str
    name: str
    owner: str
    pods: list[str]
    allocated: bool
    devices: list[ClaimedDevice]


class OfferedDevice(Event, frozen=True):
    """A device of a slice: what it says of its model, its capacity as written, whether it is tainted.

    It `consumes` so much of the pool's shared counters, by `set/counter`, in whole units.
    """

    name: str
    model: str
    capacity: dict[str, str]
    tainted: bool
    consumes: dict[str, int] = {}


class SliceRow(Event, frozen=True):
    """A ResourceSlice: what a driver offers. `node` is empty where the devices are not those of one node.

    Of a pool only the slices of the highest generation count. `counters` are those that its devices share.
    """

    name: str
    node: str
    driver: str
    pool: str
    generation: int
    devices: list[OfferedDevice]
    counters: dict[str, int] = {}


class RunState(Event, frozen=True):
    """The state after decision `at`: what REST's `state/` answers and what a fold of the log yields.

    `time` is the world's clock in milliseconds since the run's start, null where no clock moves. Rows and
    members are sorted by id and by order; there are no empty tables and no empty lists.
    """

    at: int
    time: int | None
    tables: Tables
    lists: Lists

    @classmethod
    def of(cls, at: int, time: int | None, tables: Tables, lists: Lists) -> "RunState":
        """Return the state in its one form, with copies of all rows and lists."""
        return cls(
            at,
            time,
            {
                table: {key: dict(row) for key, row in sorted(rows.items())}
                for table, rows in sorted(tables.items())
                if rows
            },
            {
                name: {of: _in_order(members) for of, members in sorted(parts.items()) if members}
                for name, parts in sorted(lists.items())
                if any(parts.values())
            },
        )

    def nodes(self) -> list[NodeRow]:
        """Return the nodes."""
        return [msgspec.convert(row, NodeRow) for row in self.tables.get(NODES, {}).values()]

    def pods(self) -> list[PodRow]:
        """Return the pods."""
        return [msgspec.convert(row, PodRow) for row in self.tables.get(PODS, {}).values()]

    def members(self, name: str, of: str) -> list[str]:
        """Return the ids in a list, in their order."""
        members = self.lists.get(name, {}).get(of, {})
        return sorted(members, key=members.__getitem__)

    def of_sessions(self) -> frozenset[str]:
        """Return the `schedulerName`s whose scheduler decides in sessions."""
        actors = (msgspec.convert(row, ActorRow) for row in self.tables.get(ACTORS, {}).values())
        return frozenset(name for actor in actors if actor.has_sessions for name in actor.profiles)

    def waiting(self) -> Iterator[tuple[str, str]]:
        """Yield every pod that waits with the part of the queue where it does, `OPEN` where there is none."""
        asked = self.of_sessions()
        for pod in self.pods() if asked else ():
            if waits_for_session(pod, asked):
                yield pod.uid, OPEN
        for name, parts in self.lists.items():
            if name.startswith(QUEUE):
                yield from ((pod, part) for part, pods in parts.items() for pod in pods)


def gated_later(base: RunState) -> set[str]:
    """Return the pods among which are those that decisions will find gated, where no clock moves.

    A run without a clock tells of each gated pod by a decision, and puts it into the queue only then, though
    it waits from the start.
    """
    if base.time is not None:
        return set()
    known = {uid for uid, _ in base.waiting()}
    return {pod.uid for pod in base.pods() if not pod.node and pod.uid not in known}


def waits_for_session(pod: PodRow, asked: frozenset[str]) -> bool:
    """Return whether a pod waits for one of the schedulers `asked` that decide in sessions."""
    return pod.scheduler in asked and not pod.node and not pod.terminating


def _in_order(members: dict[str, int]) -> dict[str, int]:
    return dict(sorted(members.items(), key=lambda member: member[1]))
