"""What a queueing hint is, and how a plugin says what it listens to.

Source: kube-scheduler v0.36 framework QueueingHintFn, ClusterEventWithHint, EnqueueExtensions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from scheduler_core.kube.queueing.cluster_event import ClusterEvent
from scheduler_core.objects.imports.pods_with_devices import Devices
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import Groups
from scheduler_core.state.device_claims import DeviceClaims


class HintFailed(Exception):
    """The hint cannot say; the queue takes it for a yes."""


class ClusterView(Protocol):
    """What a hint may ask about the cluster beside the object that changed. A ClusterState is one."""

    @property
    def namespaces(self) -> Mapping[str, Mapping[str, str]]:
        """The labels of each namespace."""

    def pods_on(self, node: str) -> Iterable[Pod]:
        """Return the pods that take room on a node."""

    @property
    def groups(self) -> Groups:
        """Which pods belong together."""

    @property
    def devices(self) -> Devices:
        """What DeviceClasses stand for."""

    @property
    def device_claims(self) -> DeviceClaims | None:
        """Claims for devices, None where they are not played."""


Hint = Callable[[Pod, Any, Any, ClusterView], bool]
"""Whether an event may make the pod schedulable that the plugin rejected.

Takes the waiting pod, the object before and after the event (None: it came, it went), and the cluster.
Raises HintFailed.
"""


class Interest(NamedTuple):
    """Events that a plugin listens to. Without a hint, each of them is worth another attempt.

    `yes` and `no` say what the hint's answer means, for people.
    """

    event: ClusterEvent
    hint: Hint | None = None
    yes: str = "any such event may help"
    no: str = ""


@runtime_checkable
class Listener(Protocol):
    """A plugin that listens to cluster events."""

    name: ClassVar[str]

    def listens_to(self) -> Sequence[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
