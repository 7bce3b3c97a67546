"""Nodes as kubelets report them, and the room that is left on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.operators.making import DAY, HOUR, Amounts, Maker, Object, stamp

_RESERVED_MILLI = ((1000, 60), (2000, 10), (4000, 5))
"""Milli-CPU that is kept back of each core, up to so many milli-CPU; 2.5 of each core beyond."""
_CONDITIONS = (
    ("MemoryPressure", "False", "KubeletHasSufficientMemory"),
    ("DiskPressure", "False", "KubeletHasNoDiskPressure"),
    ("PIDPressure", "False", "KubeletHasSufficientPID"),
    ("Ready", "True", "KubeletReady"),
)


@dataclass(frozen=True)
class Machine:
    """A size of nodes: cores, GiB, pods, and what else it offers by name."""

    type: str
    cores: int
    memory: int
    pods: int = 110
    extras: Mapping[str, int] = field(default_factory=dict)

    @property
    def free(self) -> dict[str, int]:
        """What pods may take of it: milli-CPU, MiB, numbers."""
        kept = 11 * self.pods + 355
        room = {"cpu": self.cores * 1000 - _reserved(self.cores), "memory": self.memory * 1000 - kept}
        return {**room, "pods": self.pods, "ephemeral-storage": 72_000, **self.extras}


def _reserved(cores: int) -> int:
    kept, before = 0.0, 0
    for until, share in _RESERVED_MILLI:
        kept += max(0, min(cores * 1000, until) - before) * share / 1000
        before = until
    return round(kept + max(0, cores * 1000 - before) * 2.5 / 1000)


@dataclass(frozen=True)
class Place:
    """A node with what a pod of it takes over: address, zone, pool."""

    name: str
    address: str
    zone: str = ""
    pool: str = ""
    is_open: bool = True


class Room:
    """What is free on nodes: milli-CPU, MiB, numbers."""

    def __init__(self, maker: Maker) -> None:
        self._random = maker.random
        self._free: dict[str, dict[str, int]] = {}

    def add(self, name: str, free: Amounts) -> None:
        """Take in a node."""
        self._free[name] = dict(free)

    def take(self, requests: Amounts, among: Sequence[Place]) -> Place | None:
        """Take room for a pod on one of the nodes that have it, beginning anywhere; None if none has."""
        start = self._random.randrange(len(among)) if among else 0
        for place in (*among[start:], *among[:start]):
            free = self._free[place.name]
            if place.is_open and all(free.get(name, 0) >= amount for name, amount in requests.items()):
                for name, amount in requests.items():
                    free[name] -= amount
                return place
        return None


def add_node(
    maker: Maker,
    name: str,
    machine: Machine,
    kubelet: str,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str] | None = None,
    taints: Sequence[Object] = (),
    provider: str = "",
    ready: bool = True,
    cordoned: bool = False,
) -> str:
    """Add a node and return its address. `cordoned` and nodes that are not `ready` get their taints."""
    age, address = maker.random.randrange(2 * HOUR, 90 * DAY), maker.address()
    known = {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
    }
    own = [*taints, *_taints(ready, cordoned)]
    spec: Object = {"providerID": provider} if provider else {}
    spec |= ({"taints": own} if own else {}) | ({"unschedulable": True} if cordoned else {})
    notes = {"node.alpha.kubernetes.io/ttl": "0", **(annotations or {})}
    status = _status(name, machine, kubelet, address, age, ready)
    maker.new("Node", name, age=age, labels=known | dict(labels), annotations=notes, spec=spec, status=status)
    return address


def _taints(ready: bool, cordoned: bool) -> list[Object]:
    found = []
    if cordoned:
        found.append(
            {"effect": "NoSchedule", "key": "node.kubernetes.io/unschedulable", "timeAdded": stamp(HOUR)}
        )
    if not ready:
        found += [
            {"effect": effect, "key": "node.kubernetes.io/unreachable", "timeAdded": stamp(120)}
            for effect in ("NoSchedule", "NoExecute")
        ]
    return found


def _status(name: str, machine: Machine, kubelet: str, address: str, age: int, ready: bool) -> Object:
    free = machine.free
    extras = {key: str(number) for key, number in machine.extras.items()}
    capacity = {
        "cpu": str(machine.cores),
        "ephemeral-storage": "83873772Ki",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "memory": f"{machine.memory * 1000 * 1024}Ki",
        "pods": str(machine.pods),
        **extras,
    }
    allocatable = {
        **capacity,
        "cpu": f"{free['cpu']}m",
        "ephemeral-storage": "76224326324",
        "memory": f"{free['memory'] * 1024}Ki",
    }
    lost = {
        "status": "Unknown",
        "reason": "NodeStatusUnknown",
        "message": "Kubelet stopped posting node status.",
    }
    conditions = [
        {
            "lastHeartbeatTime": stamp(30 if ready else 160),
            "lastTransitionTime": stamp(age - 60 if ready else 120),
            "message": f"kubelet has {reason}",
            "reason": reason,
            "status": status,
            "type": kind,
            **({} if ready else lost),
        }
        for kind, status, reason in _CONDITIONS
    ]
    return {
        "addresses": [{"address": address, "type": "InternalIP"}, {"address": name, "type": "Hostname"}],
        "allocatable": allocatable,
        "capacity": capacity,
        "conditions": conditions,
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "nodeInfo": {
            "architecture": "amd64",
            "containerRuntimeVersion": "containerd://2.1.4",
            "kernelVersion": "6.12.46-66.121.amzn2023.x86_64" if "eks" in kubelet else "6.6.97+",
            "kubeProxyVersion": "",
            "kubeletVersion": kubelet,
            "operatingSystem": "linux",
            "osImage": "Amazon Linux 2023.9" if "eks" in kubelet else "Ubuntu 24.04.2 LTS",
        },
    }
