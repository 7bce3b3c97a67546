"""Small clusters with cards of every vendor, and pods that ask for them."""

import json

from scheduler_core.hami.configuration.settings import read_configuration
from scheduler_core.hami.extender.api_client import StoredObjects
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.state.journal import Journal

NOW = 1_787_293_240 * 10**9
SECOND = 10**9


class Cluster:
    """A HAMi scheduler over nodes in memory; `clock` can be set."""

    def __init__(self, *nodes, config=None, pods=()):
        self.clock = NOW
        self.journal = Journal()
        self.journal.tells = True
        self.objects = StoredObjects(self.journal, [*nodes, *pods])
        base = {"enableAscend": True, "enableIluvatar": True}
        configuration = read_configuration(base | (config or {}))
        self.hami = Hami(self.journal, configuration, self.objects, lambda: self.clock)
        self.hami.register()

    @property
    def names(self):
        return [node["metadata"]["name"] for node in self.objects.nodes()]

    def create(self, pod):
        """Let the webhook see a pod, and create it. The pod must be let in."""
        answer = self.hami.webhook(pod)
        assert answer.allowed, answer.message
        self.objects.put_pod(answer.pod)
        self.hami.pod_added(answer.pod)
        return answer.pod

    def place(self, pod, nodes=None):
        """Create a pod and filter it; return the filter's answer."""
        return self.hami.filter(self.create(pod), nodes or self.names)

    def bind(self, pod, node):
        return self.hami.bind(f"default/{pod['metadata']['name']}", pod["metadata"]["uid"], node)

    def change(self, pod):
        """Replace a pod, and let HAMi hear of it."""
        self.objects.put_pod(pod)
        self.hami.pod_updated(pod)

    def stored(self, name, namespace="default"):
        return self.objects.pod(f"{namespace}/{name}")

    def used(self, node="n"):
        """What is used of a node's cards: slots, MiB, cores by the card's id."""
        return {
            usage.card.id: (usage.used, usage.memory, usage.cores)
            for usage in self.hami.inventory.usage(node).cards
            if usage.used
        }


def node(name="n", annotations=None, capacity=None, labels=None):
    amounts = {key: str(value) for key, value in (capacity or {}).items()}
    return {
        "kind": "Node",
        "metadata": {"name": name, "annotations": annotations or {}, "labels": labels or {}},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def pod(name="p", limits=None, annotations=None, *, containers=None, init=(), namespace="default", **spec):
    """A pod of one container with limits, or of several, each given by its limits."""
    others = containers if containers is not None else [limits or {}]
    metadata = {"name": name, "namespace": namespace, "uid": f"uid-{namespace}-{name}"}
    if annotations:
        metadata["annotations"] = annotations
    made = {"containers": [_container(f"c{i}", one) for i, one in enumerate(others)]}
    if init:
        made["initContainers"] = [_container(f"init{i}", one) for i, one in enumerate(init)]
    return {"kind": "Pod", "metadata": metadata, "spec": {**made, **spec}, "status": {"phase": "Pending"}}


def _container(name, limits):
    return {
        "name": name,
        "image": "task",
        "resources": {"limits": {key: str(value) for key, value in limits.items()}},
    }


def quota(hard, namespace="default", name="quota"):
    return {
        "kind": "ResourceQuota",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"hard": {f"limits.{key}": str(value) for key, value in hard.items()}},
    }


# -- nodes of a vendor -------------------------------------------------------------------------------


def registered(key, cards):
    return {key: json.dumps(cards)}


def json_cards(count, prefix, kind, *, slots=10, memory=10_000, cores=100, **more):
    """Cards as device plugins register them in JSON: `more` may hold functions of the index."""
    return [
        {
            "id": f"{prefix}-{index}",
            "index": index,
            "count": slots,
            "devmem": memory,
            "devcore": cores,
            "type": kind,
            "health": True,
            **{key: value(index) if callable(value) else value for key, value in more.items()},
        }
        for index in range(count)
    ]


def line_cards(count, prefix, kind, *, slots=10, memory=10_000, cores=100):
    return "".join(
        f"{prefix}-{index},{slots},{memory},{cores},{kind},0,true,{index},hami-core:"
        for index in range(count)
    )


def nvidia(name="n", count=2, annotations=None, *, kind="NVIDIA A100", mode="hami-core", **more):
    cards = json_cards(count, f"{name}-gpu", kind, mode=mode, **more)
    slots = sum(card["count"] for card in cards)
    known = {"hami.io/node-handshake": "Reported", **registered("hami.io/node-nvidia-register", cards)}
    return node(name, known | (annotations or {}), {"nvidia.com/gpu": slots})


def ascend(name="n", word="Ascend910B3", count=2, annotations=None, **more):
    size = {"slots": 4, "memory": 65_536, "cores": 20} | more
    cards = json_cards(count, f"{name}-npu", word, **size)
    known = registered(f"hami.io/node-register-{word}", cards)
    return node(name, known | (annotations or {}), {f"huawei.com/{word}": count})


def mlu(name="n", count=2, units=40):
    return node(
        name, {}, {"cambricon.com/mlu.smlu.vcore": 100 * count, "cambricon.com/mlu.smlu.vmemory": units}
    )


def dcu(name="n", count=2, kind="DCU-Z100", **more):
    return node(name, {"hami.io/node-dcu-register": line_cards(count, f"{name}-dcu", kind, **more)})


def iluvatar(name="n", count=2, kind="Iluvatar MR-V100"):
    return node(name, {"hami.io/node-MR-V100-register": line_cards(count, f"{name}-ilu", kind)})


def mthreads(name="n", count=2, units=192):
    return node(name, {}, {"mthreads.com/sgpu-core": 16 * count, "mthreads.com/sgpu-memory": units})


def metax_gpu(name="n", count=4, annotations=None):
    return node(name, annotations, {"metax-tech.com/gpu": count})


def metax_sgpu(name="n", count=2, qos="", zones=()):
    cards = [
        {
            "uuid": f"{name}-mx-{index}",
            "totalDevCount": 16,
            "totalCompute": 100,
            "totalVRam": 65_536,
            "healthy": True,
            "qosPolicy": qos,
            "linkZone": zones[index] if zones else 0,
        }
        for index in range(count)
    ]
    return node(name, registered("metax-tech.com/node-gpu-devices", cards))


def kunlun(name="n", count=8):
    return node(name, {}, {"kunlunxin.com/xpu": count})


def xpu(name="n", count=8, **more):
    cards = json_cards(count, f"{name}-xpu", "XPU", **({"slots": 4, "memory": 98_304} | more))
    return node(name, registered("hami.io/node-register-xpu", cards))


def gcu(name="n", count=2):
    return node(name, {}, {"enflame.com/gcu": count})


def enflame(name="n", count=1, profiles=("1g.6gb", "2g.12gb", "4g.24gb")):
    spec = {
        "devices": [{"index": str(index), "minor": str(index), "capacity": 4} for index in range(count)],
        "profiles": {profile: str(number) for number, profile in enumerate(profiles)},
    }
    return node(name, {"enflame.com/gcu-drs-capacity": json.dumps(spec)})


def amd(name="n", count=2, kind="AMD Instinct MI300X", **more):
    cards = json_cards(count, f"{name}-amd", kind, **({"cores": 304, "memory": 196_608} | more))
    return node(name, registered("hami.io/node-amd-register", cards), {"amd.com/gpu": count})


def neuron(name="n", count=4, cores=2, kind="trn1.32xlarge"):
    capacity = {"aws.amazon.com/neuron": count, "aws.amazon.com/neuroncore": count * cores}
    return node(name, {}, capacity, {"node.kubernetes.io/instance-type": kind})


def vastai(name="n", count=4, cards_of=None):
    """Cards, or with `cards_of` dies of these cards."""
    more = {} if cards_of is None else {"custominfo": lambda i: {"DeviceStrategy": "die", "AIC": cards_of[i]}}
    cards = json_cards(count, f"{name}-va", "Vastai", slots=1, **more)
    return node(name, registered("hami.io/node-va-register", cards))


def biren(name="n", count=2):
    return node(
        name, registered("hami.io/node-biren-register", json_cards(count, f"{name}-br", "Biren-BR104"))
    )
