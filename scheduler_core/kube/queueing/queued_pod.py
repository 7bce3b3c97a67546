"""A pod as the scheduling queue holds it: a value that is replaced as a whole.

Source: kubernetes v1.36 pkg/scheduler/framework types.go QueuedPodInfo; plugins/queuesort.
"""

from dataclasses import dataclass
from typing import Any, Literal

from scheduler_core.kube.queueing.pod_facts import key_of, priority_of, uid_of
from scheduler_core.objects.types import ObjectMeta, Pod

Part = Literal["active", "backoff", "unschedulable", "gated", "in_flight"]
Rank = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class QueuedPod:
    """`since` is when it entered or was put back last, in nanoseconds; `order` tells equals apart.

    `attempts` are its pops; `rejections` how often plugins rejected it, in all; `errors` how often in a row
    an attempt failed otherwise. `plugins` rejected it, `pending` asked to wait, `gate` keeps it out.
    `expires` ends its back-off (None: it has none), `flight` is the number of its pop. `again` is when it
    came anew while in flight, where the release takes a changed pod for that. `first` is when it could first
    be popped; only of members of pod groups.
    """

    pod: Pod
    part: Part
    since: int
    order: int
    attempts: int = 0
    rejections: int = 0
    errors: int = 0
    plugins: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    gate: str = ""
    expires: int | None = None
    flight: int = 0
    again: int | None = None
    first: int | None = None

    @property
    def uid(self) -> str:
        """What identifies the pod."""
        return uid_of(self.pod)

    @property
    def key(self) -> str:
        """`namespace/name`."""
        return key_of(self.pod)

    @property
    def rejecters(self) -> frozenset[str]:
        """The plugins whose hints count. Without any, the attempt failed for another reason."""
        return self.plugins | self.pending

    @property
    def rank(self) -> Rank:
        """Sorts by priority, then by age."""
        return -priority_of(self.pod), self.since, self.order

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return the value as plain data; the pod by uid."""
        return {
            "uid": self.uid,
            "key": self.key,
            "part": self.part,
            "since": self.since,
            "order": self.order,
            "attempts": self.attempts,
            "rejections": self.rejections,
            "errors": self.errors,
            "gate": self.gate,
            "expires": self.expires,
            "flight": self.flight,
            "plugins": sorted(self.plugins),
            "pending": sorted(self.pending),
            **({} if self.again is None else {"again": self.again}),
            **({} if self.first is None else {"first": self.first}),
        }


def queued_pod(data: dict[str, Any], pod: Pod | None) -> QueuedPod:
    """Return what `dump` described. The pod may be gone; then only its name is left."""
    values = {name: value for name, value in data.items() if name not in ("uid", "key")}
    for name in ("plugins", "pending"):
        values[name] = frozenset(values[name])
    return QueuedPod(_stub(data) if pod is None else pod, **values)


def _stub(data: dict[str, Any]) -> Pod:
    namespace, _, name = data["key"].partition("/")
    return Pod(metadata=ObjectMeta(name=name, namespace=namespace, uid=data["uid"]))
