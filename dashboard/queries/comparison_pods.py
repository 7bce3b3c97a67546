"""Which pod of one run is which pod of another, and where each stands while a run's decisions go by.

A pod is known by its uid where both runs begin with it; pods that edits added and copies that controllers
made have uids of their own in each run and are known by namespace and name, in the order in which they came.
A copy belongs to the pod that it says it replaces: the two are one row, so that "evicted, and back on
another node" reads as one life.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from scheduler_core.events.changes import Appear, Change, Set, Vanish
from scheduler_core.events.decisions import PodRef
from scheduler_core.events.effects import (
    Arrived,
    Dequeued,
    Entered,
    Evicted,
    Left,
    Nominated,
    Placed,
    Unplaced,
    effects,
)
from scheduler_core.events.following import follow_rows
from scheduler_core.events.state import GROUPS, NODES, NodeRow, PodRow, RunState, waits_for_session

Key = tuple[str, ...]
"""("uid", uid), or ("name", namespace, name, number) for the number-th pod of that name."""

OnPod = Placed | Unplaced | Evicted | Left | Nominated | Entered | Dequeued

TRIED = ("scheduled", "nominated", "unschedulable", "error")
TRIED_IN_A_SESSION = ("allocated", "pipelined", "refused")


def shared_pods(a: Sequence[PodRow], b: Sequence[PodRow]) -> set[str]:
    """Return the uids of the pods with which both runs begin, under the same name."""
    names = {pod.uid: (pod.namespace, pod.name) for pod in a}
    return {pod.uid for pod in b if names.get(pod.uid) == (pod.namespace, pod.name)}


class Correspondence:
    """The key of each pod of one run, which begins with `pods`."""

    def __init__(self, pods: Iterable[PodRow], shared: set[str]) -> None:
        self._shared = shared
        self._seen: Counter[tuple[str, str]] = Counter()
        self._keys: dict[str, Key] = {}
        for pod in pods:
            self.meet(pod)

    def meet(self, pod: PodRow) -> Key:
        """Give a pod that comes into being its key."""
        if pod.uid in self._shared:
            key: Key = ("uid", pod.uid)
        else:
            name = (pod.namespace, pod.name)
            key = ("name", *name, str(self._seen[name]))
            self._seen[name] += 1
        self._keys[pod.uid] = key
        return key

    def key(self, uid: str) -> Key:
        """Return the key of a pod; one that the log never introduced is known by its uid."""
        return self._keys.get(uid, ("uid", uid))

    def key_of(self, pod: PodRef) -> Key:
        """Return the key of a decision's pod, which may come into being by that very decision."""
        if pod.uid in self._keys or pod.uid in self._shared:
            return self.key(pod.uid)
        name = (pod.namespace, pod.name)
        return ("name", *name, str(self._seen[name]))


@dataclass(slots=True)
class Life:
    """One pod and the copies of it: `first` is the pod itself, `last` the copy that came last.

    node, nominated, queued and terminating are those of `last`; left is the node that was left at the latest
    eviction. seq is the last decision that was about the pod or changed where it stands.
    """

    first: PodRow
    last: PodRow
    node: str = ""
    nominated: str = ""
    queued: bool = False
    terminating: bool = False
    evicted: bool = False
    present: bool = True
    tried: bool = False
    left: str = ""
    attempts: int = 0
    evictions: int = 0
    seq: int = 0

    @classmethod
    def of(cls, pod: PodRow) -> "Life":
        """Begin the life of a pod that is not the copy of another."""
        life = cls(pod, pod)
        life.go_on_as(pod)
        return life

    def go_on_as(self, pod: PodRow) -> None:
        """Let the pod be the one that the life is about from now on; it has not been tried yet."""
        self.left = self.node or self.left
        self.last, self.node, self.nominated = pod, pod.node, pod.nominated
        self.terminating, self.evicted, self.present = pod.terminating, pod.evicted, True
        self.queued = self.tried = False

    @property
    def place(self) -> str:
        """Where the pod ends: "node", "pending", "evicted", "gone", "not scheduled" by any of the profiles.

        Gone is who has finished or was deleted by an edit.
        """
        if not self.present:
            return "evicted" if self.evicted else "gone"
        if self.node:
            return "node"
        return "pending" if self.queued or self.tried else "not scheduled"


@dataclass
class Ledger:
    """The pods of one run as its decisions go by; `pods` are those of its `base`.

    Evicted pods may linger on their nodes, for a grace period, while the life goes on as their copy.
    """

    base: RunState
    pods: Sequence[PodRow]
    shared: set[str]
    lives: dict[Key, Life] = field(default_factory=dict)
    _lives_of: dict[str, Life] = field(default_factory=dict)
    _lingering: dict[str, tuple[PodRow, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keys = Correspondence(self.pods, self.shared)
        for pod in self.pods:
            self._lives_of[pod.uid] = self.lives[self.keys.key(pod.uid)] = Life.of(pod)
        for uid, _ in self.base.waiting():
            self._lives_of[uid].queued = True
        self._of_sessions = self.base.of_sessions()
        self.nodes = {node.name: node for node in self.base.nodes()}
        self.groups = {key: dict(row) for key, row in self.base.tables.get(GROUPS, {}).items()}
        """Every pod group that there ever was, with what it needed last."""

    def life(self, uid: str) -> Life | None:
        """Return the life that the pod belongs to."""
        return self._lives_of.get(uid)

    def take(self, seq: int, uid: str, is_try: bool, changes: list[Change]) -> None:
        """Carry out a decision about a pod; `is_try` says that a node was looked for."""
        own = self._lives_of.get(uid)
        if own is not None:
            own.seq = seq
            if is_try:
                own.attempts += 1
                own.tried = True
        self._follow_nodes(changes)
        follow_rows(self.groups, GROUPS, changes)
        for effect in effects(changes):
            if isinstance(effect, Arrived):
                self._arrive(effect.row).seq = seq
            else:
                self._carry_out(seq, effect)

    def _follow_nodes(self, changes: Iterable[Change]) -> None:
        """Keep the nodes as they are now: where a clock moves they come, change and go."""
        for change in changes:
            match change:
                case Appear(table=table, row=row) if table == NODES:
                    self.nodes[change.id] = msgspec.convert(row, NodeRow)
                case Vanish(table=table) if table == NODES:
                    del self.nodes[change.id]
                case Set(table=table, new=new) if table == NODES:
                    row = {**msgspec.to_builtins(self.nodes[change.id]), **new}
                    self.nodes[change.id] = msgspec.convert(row, NodeRow)

    def _carry_out(self, seq: int, effect: OnPod) -> None:
        life = self._lives_of[effect.pod]
        match effect:
            case Left() if effect.pod in self._lingering:
                del self._lingering[effect.pod]
            case Placed(_, node):
                life.node = node
            case Unplaced():
                life.node = ""
            case Nominated(_, _, node):
                life.nominated = node
            case Evicted():
                life.terminating = life.evicted = True
                life.evictions += 1
            case Left():
                life.present, life.node, life.left = False, "", life.node
            case Entered() | Dequeued():
                life.queued = isinstance(effect, Entered)
                return
        life.seq = seq

    def _arrive(self, pod: PodRow) -> Life:
        """Let a copy go on with the life of the pod that it replaces; others begin one of their own."""
        key = self.keys.meet(pod)
        life = self._lives_of.get(pod.replaces) if pod.replaces is not None else None
        if life is None:
            life = self.lives[key] = Life.of(pod)
        else:
            if life.present and life.node:
                self._lingering[life.last.uid] = life.last, life.node
            life.go_on_as(pod)
        life.queued = waits_for_session(pod, self._of_sessions)
        self._lives_of[pod.uid] = life
        return life

    def at_node(self) -> Iterator[tuple[Key, PodRow, str]]:
        """Yield (key, pod, node) of the pods that are on a node now; who lingers has a key of its own."""
        for key, life in self.lives.items():
            if life.present and life.node:
                yield key, life.last, life.node
        for uid, (pod, node) in self._lingering.items():
            yield ("lingering", *self.keys.key(uid)), pod, node
