"""A cluster whose cards HAMi shares: NVIDIA's, some of them cut by MIG, and Ascend 910B."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from benchmarks.operators.making import DAY, Maker, Object
from benchmarks.operators.nodes import Machine, Place, Room, add_node
from benchmarks.operators.pods import PENDING, RUNNING, container, pod_spec, requests_of
from benchmarks.operators.workloads import App, Controllers, agent_tolerations
from scheduler_core.hami.configuration.shipped import device_configuration

_KUBELET = "v1.32.9"
_NPU = "Ascend910B3"
_SCHEDULER = "hami-scheduler"
_MIG_PROFILES = [
    {"name": name, "memoryMB": memory, "core": 14 * size, "sliceCount": size, "placements": places}
    for name, size, memory, places in (
        ("1g.10gb", 1, 9728, [{"start": start, "size": 1} for start in range(7)]),
        ("2g.20gb", 2, 19968, [{"start": start, "size": 2} for start in (0, 2, 4)]),
        ("3g.40gb", 3, 40192, [{"start": start, "size": 4} for start in (0, 4)]),
        ("7g.80gb", 7, 81152, [{"start": 0, "size": 8}]),
    )
]


@dataclass
class _Card:
    """A card and what is left of it: slots, MiB, percent of the cores; slots of MIG that are taken."""

    id: str
    type: str
    slots: int
    memory: int
    cores: int
    taken: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Model:
    """Nodes of one kind of cards: MiB and units of cores of a card, how many tasks may share it."""

    pool: str
    nodes: int
    cards: int
    type: str
    memory: int
    cores: int = 100
    slots: int = 10
    mode: str = "hami-core"

    @property
    def resource(self) -> str:
        """What its nodes offer."""
        return f"huawei.com/{_NPU}" if self.type == _NPU else "nvidia.com/gpu"


_MODELS = (
    _Model("a100", 12, 8, "NVIDIA-NVIDIA A100-SXM4-80GB", 81_920),
    _Model("l40s", 9, 4, "NVIDIA-NVIDIA L40S", 46_068),
    _Model("mig", 3, 8, "NVIDIA-NVIDIA A100-SXM4-80GB", 81_920, slots=7, mode="mig"),
    _Model("npu", 12, 8, _NPU, 65_536, cores=20, slots=4),
    _Model("cpu", 4, 0, "", 0),
)


@dataclass(frozen=True)
class _Slice:
    """What each pod of a workload asks for: cards, MiB and percent of the cores of each."""

    model: str
    cards: int
    memory: int
    cores: int = 0


@dataclass(frozen=True)
class _Work:
    """A workload: how many of its pods run and how many wait, and what its scheduler said of these."""

    name: str
    namespace: str
    slice: _Slice
    running: int
    waiting: int = 0
    why: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)


_ONLY_L40S, _ONLY_H200 = ({"nvidia.com/use-gputype": name} for name in ("L40S", "H200"))
_SLICES = {"nvidia.com/vgpu-mode": "mig"}
_CARDS_LEFT = "0/40 nodes are available: 40 NodeUnfitPod."
_WORK = (
    _Work("chat-70b", "llm", _Slice("a100", 4, 73_728, 90), 8, 3, _CARDS_LEFT),
    _Work("chat-8b", "llm", _Slice("a100", 1, 20_480, 30), 60),
    _Work("embed", "llm", _Slice("l40s", 1, 8_192, 10), 48),
    _Work("rerank", "search", _Slice("l40s", 1, 16_384, 40), 20, 6, _CARDS_LEFT, _ONLY_L40S),
    _Work("ocr", "vision", _Slice("l40s", 1, 4_096), 30),
    _Work("train-large", "vision", _Slice("a100", 8, 81_920, 100), 0, 4, _CARDS_LEFT),
    _Work("notebook", "research", _Slice("mig", 1, 9_000), 24, 0, "", _SLICES),
    _Work("eval", "research", _Slice("mig", 1, 36_000), 8, 10, _CARDS_LEFT, _SLICES),
    _Work("asr", "speech", _Slice("npu", 1, 16_384), 60),
    _Work("translate", "speech", _Slice("npu", 1, 32_768), 40, 12, _CARDS_LEFT),
    _Work("tts-train", "speech", _Slice("npu", 8, 65_536), 2, 5, _CARDS_LEFT),
    _Work("pinned", "research", _Slice("a100", 1, 8_192, 10), 0, 2, _CARDS_LEFT, _ONLY_H200),
)  # fmt: skip
"""In the order in which they take cards, apart from those of whole cards, which go first."""


def hami_cluster(seed: str) -> Object:
    """Return the cluster as kubectl's List: 40 nodes, some 300 pods with slices of cards, 42 that wait."""
    maker = Maker(f"{seed}/hami")
    maker.namespaces(
        ("default", "kube-system", "monitoring", "llm", "search", "vision", "research", "speech")
    )
    maker.priority_classes({"online": 10_000, "offline": 100})
    maker.config_map("kube-system", "hami-scheduler-device", **{"device-config.yaml": _devices()})
    maker.config_map("kube-system", "hami-scheduler-newversion", **{"config.yaml": _kube_scheduler()})
    nodes = {
        "nodeconfig": [{"name": "l40s-09", "devicesplitcount": 5, "filterdevices": {"uuid": [], "index": []}}]
    }
    maker.config_map("kube-system", "hami-device-plugin", **{"config.json": json.dumps(nodes)})
    room = Room(maker)
    sharing = _Sharing(maker, room, [])
    places = [sharing.add_node(model, index) for model in _MODELS for index in range(model.nodes)]
    sharing.places = places
    _add_agents(sharing)
    for work in sorted(_WORK, key=lambda work: -work.slice.cards):
        sharing.add(work)
    return maker.listing()


def _devices() -> str:
    known = device_configuration()
    known["nvidia"] |= {"deviceSplitCount": 10, "deviceMemoryScaling": 1, "deviceCoreScaling": 1}
    return yaml.safe_dump(known, sort_keys=False)


def _kube_scheduler() -> str:
    names = ["nvidia.com/gpu", "nvidia.com/gpumem", "nvidia.com/gpucores", "nvidia.com/gpumem-percentage"]
    names += ["nvidia.com/priority", f"huawei.com/{_NPU}", f"huawei.com/{_NPU}-memory"]
    extender = {
        "urlPrefix": "https://127.0.0.1:443",
        "filterVerb": "filter",
        "bindVerb": "bind",
        "nodeCacheCapable": True,
        "weight": 1,
        "httpTimeout": "30s",
        "enableHTTPS": True,
        "tlsConfig": {"insecure": True},
        "managedResources": [{"name": name, "ignoredByScheduler": True} for name in names],
    }
    return yaml.safe_dump(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"leaderElect": False},
            "profiles": [{"schedulerName": _SCHEDULER}],
            "extenders": [extender],
        },
        sort_keys=False,
    )


def _add_agents(controllers: Controllers) -> None:
    def add(name: str, namespace: str, memory: int, pools: tuple[str, ...]) -> None:
        one = container(name, f"registry.example.com/{name}:2", {"cpu": 100, "memory": memory})
        critical: Object = {"priority_class": "system-node-critical", "tolerations": agent_tolerations()}
        app = App(name, namespace, pod_spec([one], **critical), 0, lambda place: place.pool in pools)
        controllers.daemon_set(app)

    pools = tuple(model.pool for model in _MODELS)
    add("calico-node", "kube-system", 256, pools)
    add("node-exporter", "monitoring", 64, pools)
    add("hami-device-plugin", "kube-system", 128, ("a100", "l40s", "mig"))
    add("hami-ascend-device-plugin", "kube-system", 128, ("npu",))
    one = container("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.32.9", {"cpu": 100, "memory": 512})
    two = container(
        "vgpu-scheduler-extender", "docker.io/projecthami/hami:v2.10.0", {"cpu": 500, "memory": 1024}
    )
    spec = pod_spec([one, two], priority_class="system-cluster-critical")
    app = App("hami-scheduler", "kube-system", spec, 1, lambda place: place.pool == "cpu")
    controllers.deployment(app)
    controllers.service(app)


class _Sharing(Controllers):
    """Workloads whose pods share cards."""

    def __init__(self, maker: Maker, room: Room, places: Sequence[Place]) -> None:
        super().__init__(maker, room, places)
        self._cards: dict[str, list[_Card]] = {}

    def add_node(self, model: _Model, index: int) -> Place:
        """Add a node that registers its cards."""
        name = f"{model.pool}-{index + 1:02d}"
        slots = 5 if name == "l40s-09" else model.slots
        prefix = "GPU-" if model.resource == "nvidia.com/gpu" else ""
        cards = [
            _Card(
                f"{prefix}{self.maker.random.getrandbits(64):016x}-{card}",
                model.type,
                slots,
                model.memory,
                model.cores,
            )
            for card in range(model.cards)
        ]
        offers = {model.resource: slots * len(cards)} if cards else {}
        machine = Machine(f"bare-{model.pool}", 96, 768, 110, offers)
        labels = {"pool": model.pool, "node.kubernetes.io/instance-type": machine.type}
        labels |= {"npu": "on"} if model.pool == "npu" else {"gpu": "on"} if cards else {}
        notes = _registered(model, cards) if cards else {}
        address = add_node(self.maker, name, machine, _KUBELET, labels=labels, annotations=notes)
        # What may be asked for of the cards is counted by card.
        self._room.add(name, machine.free)
        self._cards[name] = cards
        return Place(name, address, "", model.pool)

    def add(self, work: _Work) -> None:
        """Add a Deployment with pods that hold cards and pods that wait for some."""
        spec, asked = _spec_of(work), work.slice
        app = App(
            work.name, work.namespace, spec, work.running + work.waiting, lambda place: True, why=work.why
        )
        owner = self._new("Deployment", app, 20 * DAY, {}, {})
        selector = {"matchLabels": app.own_labels}
        owner["spec"] = {"replicas": app.replicas, "selector": selector, "template": self._template(app)}
        current = self._replica_set(app, owner, 20 * DAY, app.replicas, "1")
        labels = {"pod-template-hash": current["metadata"]["labels"]["pod-template-hash"]}
        for number in range(app.replicas):
            place, notes = None, dict(work.notes)
            if number < work.running:
                place, given = self._give(asked, spec)
                notes |= given
            name = f"{current['metadata']['name']}-{self.maker.token()}"
            phase = RUNNING if place else PENDING
            age = self.maker.random.randrange(600, 20 * DAY)
            self._add_pod(app, name, current, age, place, labels=labels, annotations=notes, phase=phase)
        self.service(app)
        self.budget(app, work.running, 1)
        for made in (owner, current):
            made["status"] = {
                "replicas": app.replicas,
                "readyReplicas": work.running,
                "observedGeneration": 1,
            }

    def _give(self, asked: _Slice, spec: Object) -> tuple[Place, dict[str, str]]:
        """Take room and cards for a pod, and return the annotations that say which."""
        for place in self.places:
            cards = _fitting(asked, self._cards[place.name]) if place.pool == asked.model else []
            if len(cards) >= asked.cards and self._room.take(_countable(spec), [place]):
                return place, _taken(asked, place, cards[: asked.cards])
        raise RuntimeError(f"There are no {asked.cards} cards left for a pod on {asked.model}.")


def _spec_of(work: _Work) -> Object:
    asked = work.slice
    if asked.model == "npu":
        cards = {f"huawei.com/{_NPU}": asked.cards, f"huawei.com/{_NPU}-memory": asked.memory}
    else:
        cards = {
            "nvidia.com/gpu": asked.cards,
            "nvidia.com/gpumem": asked.memory,
            "nvidia.com/gpucores": asked.cores,
        }
    image = f"registry.example.com/{work.namespace}/{work.name}:1"
    one = container("main", image, {"cpu": 2000, "memory": 8192}, {"memory": 8192, **cards})
    return pod_spec([one], schedulerName=_SCHEDULER, priority_class="online" if work.running else "offline")


def _countable(spec: Object) -> dict[str, int]:
    """Return what a pod takes of what nodes count; memory and cores of cards are counted by card."""
    offered = ("cpu", "memory", "pods", "nvidia.com/gpu", f"huawei.com/{_NPU}")
    return {name: amount for name, amount in requests_of(spec).items() if name in offered}


def _registered(model: _Model, cards: Sequence[_Card]) -> dict[str, str]:
    """Return the annotations by which a node's device plugin registers its cards."""
    listed: list[dict[str, Any]] = [
        {
            "id": card.id,
            "index": index,
            "count": card.slots,
            "devmem": card.memory,
            "devcore": card.cores,
            "type": card.type,
            "numa": index * 2 // len(cards),
            "health": True,
        }
        for index, card in enumerate(cards)
    ]
    if model.type == _NPU:
        for one in listed:
            one["custominfo"] = {"NetworkID": one["index"] // 4}
        return {
            f"hami.io/node-handshake-{_NPU}": "Reported_2026-05-04 09:12:09",
            f"hami.io/node-register-{_NPU}": json.dumps(listed),
        }
    more = {"mode": model.mode} | ({"migProfiles": _MIG_PROFILES} if model.mode == "mig" else {})
    return {
        "hami.io/node-handshake": "Reported_2026-05-04 09:12:09",
        "hami.io/node-nvidia-register": json.dumps([one | more for one in listed]),
    }


def _fitting(asked: _Slice, cards: Sequence[_Card]) -> list[_Card]:
    cores = _cores_of(asked)
    return [
        card
        for card in cards
        if card.slots >= 1
        and card.memory >= asked.memory
        and card.cores >= cores
        and (asked.model != "mig" or _mig_place(asked, card))
    ]


def _cores_of(asked: _Slice) -> int:
    """Return the cores of a card that a slice takes: of an NPU, as many as its template has."""
    return asked.memory * 20 // 65_536 if asked.model == "npu" else asked.cores


def _mig_place(asked: _Slice, card: _Card) -> tuple[dict[str, Any], dict[str, int]] | None:
    """Return the least profile with so much memory that has a place, and the place."""
    for profile in _MIG_PROFILES:
        if profile["memoryMB"] < asked.memory:
            continue
        for place in profile["placements"]:
            if not card.taken & set(range(place["start"], place["start"] + place["size"])):
                return profile, place
    return None


def _taken(asked: _Slice, place: Place, cards: Sequence[_Card]) -> dict[str, str]:
    """Take a slice of each card, and return the annotations of the pod that has them."""
    vendor = _NPU if asked.model == "npu" else "NVIDIA"
    memory, cores, slices = asked.memory, _cores_of(asked), []
    for index, card in enumerate(cards):
        found = _mig_place(asked, card) if asked.model == "mig" else None
        if found:
            profile, where = found
            memory = profile["memoryMB"]
            card.taken |= set(range(where["start"], where["start"] + where["size"]))
            slices.append(
                {
                    "containerIndex": 0,
                    "deviceIndex": index,
                    "gpuUUID": card.id,
                    "profile": profile["name"],
                    "placement": where,
                }
            )
        card.slots -= 1
        card.memory -= memory
        card.cores -= cores
    text = "".join(f"{card.id},{vendor},{memory},{cores}:" for card in cards) + ";"
    name = "vgpu" if vendor == "NVIDIA" else _NPU
    notes = {
        "hami.io/bind-phase": "success",
        "hami.io/bind-time": "1777885000",
        "hami.io/vgpu-node": place.name,
        "hami.io/vgpu-time": "1777885000",
        f"hami.io/{name}-devices-allocated": text,
        f"hami.io/{name}-devices-to-allocate": text,
    }
    return notes | ({"hami.io/vgpu-mig-allocations": json.dumps(slices)} if slices else {})
