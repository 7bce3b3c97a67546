"""Which pod of one run is which pod of another, and where each stands while a run's decisions go by.

A pod is known by its uid where both runs begin with it; pods that edits added and copies that controllers
made have uids of their own in each run and are known by namespace and name, in the order in which they came.
A copy belongs to the pod that it replaces: the two are one row, so that "evicted, and back on another node"
reads as one life.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scheduler_core.events.decisions import (
    Bind,
    Change,
    Create,
    Delete,
    Evict,
    Move,
    Nominate,
    PodCard,
    RunState,
    Terminate,
)

Key = tuple[str, ...]
"""("uid", uid), or ("name", namespace, name, number) for the number-th pod of that name."""

OnPod = Bind | Evict | Terminate | Delete | Nominate | Move

TRIED = ("scheduled", "nominated", "unschedulable", "error")


def shared_pods(a: RunState, b: RunState) -> set[str]:
    """Return the uids of the pods with which both runs begin, under the same name."""
    names = {pod.uid: (pod.namespace, pod.name) for pod in a.pods}
    return {pod.uid for pod in b.pods if names.get(pod.uid) == (pod.namespace, pod.name)}


class Correspondence:
    """The key of each pod of one run."""

    def __init__(self, base: RunState, shared: set[str]) -> None:
        self._shared = shared
        self._seen: Counter[tuple[str, str]] = Counter()
        self._keys: dict[str, Key] = {}
        for pod in base.pods:
            self.meet(pod)

    def meet(self, pod: PodCard) -> Key:
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


@dataclass(slots=True)
class Life:
    """One pod and the copies of it: `card` is the first of them, `last` the one that came last.

    node, nominated, queued and terminating are those of `last`; left is the node that it was evicted from.
    seq is the last decision that was about the pod or changed where it stands.
    """

    card: PodCard
    last: PodCard
    node: str
    nominated: str
    queued: bool
    terminating: bool
    present: bool = True
    tried: bool = False
    left: str = ""
    attempts: int = 0
    evictions: int = 0
    seq: int = 0

    @property
    def place(self) -> str:
        """Where the pod ends: "node", "pending", "evicted", or "not scheduled" by any of the profiles."""
        if not self.present:
            return "evicted"
        if self.node:
            return "node"
        return "pending" if self.queued or self.tried else "not scheduled"


@dataclass
class Ledger:
    """The pods of one run as its decisions go by."""

    base: RunState
    shared: set[str]
    lives: dict[Key, Life] = field(default_factory=dict)
    _lives_of: dict[str, Life] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keys = Correspondence(self.base, self.shared)
        for pod in self.base.pods:
            life = Life(pod, pod, pod.node, pod.nominated, pod.queue is not None, pod.terminating)
            self.lives[self.keys.key(pod.uid)] = life
            self._lives_of[pod.uid] = life

    def life(self, uid: str) -> Life | None:
        """Return the life that the pod belongs to."""
        return self._lives_of.get(uid)

    def take(self, seq: int, uid: str, outcome: str, changes: Iterable[Change]) -> None:
        """Carry out a decision about a pod."""
        own = self._lives_of.get(uid)
        if own is not None:
            own.seq = seq
            if outcome in TRIED:
                own.attempts += 1
                own.tried = True
        evicted: list[Life] = []
        for change in changes:
            if isinstance(change, Create):
                self._replace(seq, change.pod, evicted)
            else:
                self._carry_out(seq, change, evicted)

    def _carry_out(self, seq: int, change: OnPod, evicted: list[Life]) -> None:
        life = self._lives_of[change.pod]
        match change:
            case Bind():
                life.node, life.nominated, life.queued = change.node, "", False
            case Evict():
                life.present, life.node, life.left = False, "", change.node
                life.evictions += 1
                evicted.append(life)
            case Terminate():
                life.terminating = True
                life.evictions += 0 if change.was else 1
            case Delete():
                life.present, life.node, life.left = False, "", change.node
                evicted.append(life)
            case Nominate():
                life.nominated = change.new
            case Move():
                life.queued = change.new is not None
        if not isinstance(change, Move):
            life.seq = seq

    def _replace(self, seq: int, copy: PodCard, evicted: list[Life]) -> None:
        """Let the copy go on with the life of the pod it replaces: copies come in their originals' order."""
        key = self.keys.meet(copy)
        life = next((one for one in evicted if _is_line(one.card, copy)), None)
        if life is None:
            life = Life(copy, copy, copy.node, copy.nominated, copy.queue is not None, copy.terminating)
            self.lives[key] = life
        else:
            evicted.remove(life)
            life.last, life.present, life.node = copy, True, copy.node
            life.nominated, life.queued = copy.nominated, copy.queue is not None
            life.terminating = life.tried = False
        life.seq = seq
        self._lives_of[copy.uid] = life

    def at_node(self) -> Iterator[tuple[Key, Life]]:
        """Yield the lives that are on a node now."""
        return ((key, life) for key, life in self.lives.items() if life.present and life.node)


def _is_line(original: PodCard, copy: PodCard) -> bool:
    return (original.namespace, original.workload) == (copy.namespace, copy.workload)
