"""A cluster of a cloud: node pools in three zones, agents on every node, and teams' workloads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchmarks.operators.cloud_pods import Workloads
from benchmarks.operators.making import DAY, Maker, Object
from benchmarks.operators.nodes import Machine, Place, Room, add_node

TEAMS = (
    *("checkout", "catalog", "search", "payments", "identity", "messaging", "recommendations", "pricing"),
    *("inventory", "logistics", "billing", "reporting", "mobile-bff", "partner-api", "media", "ml-serving"),
)
_SYSTEM = ("default", "kube-system", "kube-public", "kube-node-lease", "monitoring", "ingress", "storage")


@dataclass(frozen=True)
class Pool:
    """A part of the nodes; `spot` and `taints` keep pods away that do not tolerate them."""

    name: str
    share: float
    machine: Machine
    taints: tuple[Object, ...] = ()
    is_spot: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Provider:
    """What a cloud calls things: `machines` are general, large in memory, spot, with GPUs, small."""

    region: str
    zones: tuple[str, ...]
    kubelet: str
    machines: tuple[Machine, ...]
    storage: tuple[str, str, str]
    agents: tuple[str, ...]
    volumes: int


EKS = Provider(
    region="eu-central-1",
    zones=("eu-central-1a", "eu-central-1b", "eu-central-1c"),
    kubelet="v1.33.5-eks-113cf36",
    machines=(
        Machine("m6i.4xlarge", 16, 64, 234),
        Machine("r6i.4xlarge", 16, 128, 234),
        Machine("c6i.8xlarge", 32, 64, 234),
        Machine("g5.12xlarge", 48, 192, 234, {"nvidia.com/gpu": 4}),
        Machine("m6i.xlarge", 4, 16, 58),
    ),
    storage=("gp3", "ebs.csi.aws.com", "topology.kubernetes.io/zone"),
    agents=("aws-node", "kube-proxy", "ebs-csi-node"),
    volumes=26,
)
GKE = Provider(
    region="europe-west1",
    zones=("europe-west1-b", "europe-west1-c", "europe-west1-d"),
    kubelet="v1.33.5-gke.1080000",
    machines=(
        Machine("n2-standard-16", 16, 64),
        Machine("n2-highmem-16", 16, 128),
        Machine("n2d-highcpu-32", 32, 32),
        Machine("g2-standard-48", 48, 192, extras={"nvidia.com/gpu": 4}),
        Machine("e2-standard-4", 4, 16),
    ),
    storage=("premium-rwo", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
    agents=("netd", "gke-metadata-server", "pdcsi-node"),
    volumes=127,
)


def cloud_cluster(seed: str, provider: Provider, nodes: int, pods: int) -> Object:
    """Return the cluster as kubectl's List: so many nodes and pods, of which some 2 in 100 wait.

    Each node's agents, and groups of pods that wait, are there in any case: few pods on many nodes are more.
    """
    maker = Maker(f"{seed}/{provider.region}/{nodes}")
    maker.namespaces((*_SYSTEM, *TEAMS))
    maker.priority_classes({"production": 1_000_000, "default-priority": 10_000, "batch": 1_000})
    room, places = Room(maker), []
    for pool, number in _numbers(provider, nodes):
        places += [_node(maker, provider, room, pool, index) for index in range(number)]
    _storage(maker, provider)
    Workloads(maker, provider.storage, room, places).fill(TEAMS, provider.agents, pods)
    return maker.listing()


def _numbers(provider: Provider, nodes: int) -> Iterator[tuple[Pool, int]]:
    """Yield each pool with its number of nodes."""
    general, memory, spot, gpus, small = provider.machines
    rest = nodes
    for pool in (
        Pool("memory", 0.1, memory),
        Pool("spot", 0.2, spot, (_taint("spot", "true"),), is_spot=True),
        Pool("gpu", 0.04, gpus, (_taint("nvidia.com/gpu", "present"),)),
        Pool("infra", 0.03, small, (_taint("dedicated", "infra"),)),
    ):
        number = round(nodes * pool.share)
        rest -= number
        yield pool, number
    yield Pool("general", 1, general), rest


def _taint(key: str, value: str) -> Object:
    return {"effect": "NoSchedule", "key": key, "value": value}


def _node(maker: Maker, provider: Provider, room: Room, pool: Pool, index: int) -> Place:
    zone = provider.zones[index % len(provider.zones)]
    name, known, identity = (_eks if provider is EKS else _gke)(maker, pool, zone, index)
    is_closed = pool.name == "general" and index in (4, 17)
    ready = pool.name != "general" or index != 9
    labels = {
        "beta.kubernetes.io/instance-type": pool.machine.type,
        "failure-domain.beta.kubernetes.io/region": provider.region,
        "failure-domain.beta.kubernetes.io/zone": zone,
        "node.kubernetes.io/instance-type": pool.machine.type,
        "topology.kubernetes.io/region": provider.region,
        "topology.kubernetes.io/zone": zone,
        provider.storage[2]: zone,
        "pool": pool.name,
        **known,
    }
    csi = {"csi.volume.kubernetes.io/nodeid": f'{{"{provider.storage[1]}":"{identity.rpartition("/")[2]}"}}'}
    address = add_node(
        maker,
        name,
        pool.machine,
        provider.kubelet,
        labels=labels,
        annotations=csi,
        taints=pool.taints,
        provider=identity,
        ready=ready,
        cordoned=is_closed,
    )
    _csi_node(maker, provider, identity)
    room.add(name, pool.machine.free)
    return Place(name, address, zone, pool.name, is_open=ready and not is_closed)


def _eks(maker: Maker, pool: Pool, zone: str, index: int) -> tuple[str, dict[str, str], str]:
    """Return a node's name, labels and provider's id as Amazon has them."""
    identity = f"{maker.random.getrandbits(68):017x}"
    subnet = 32 * (ord(zone[-1]) - ord("a")) + _POOL_SUBNETS[pool.name]
    name = f"ip-10-0-{subnet + index // 200}-{index % 200 + 11}.{zone[:-1]}.compute.internal"
    labels = {
        "eks.amazonaws.com/capacityType": "SPOT" if pool.is_spot else "ON_DEMAND",
        "eks.amazonaws.com/nodegroup": f"prod-{pool.name}",
        "k8s.io/cloud-provider-aws": "3f9f1e7a2f0ad0f3e2ec92e1f8d9a9a4",
        "topology.k8s.aws/zone-id": f"euc1-az{'bca'.index(zone[-1]) + 1}",
    }
    return name, labels, f"aws:///{zone}/i-{identity}"


_POOL_SUBNETS = {"general": 0, "memory": 8, "spot": 12, "gpu": 20, "infra": 24}


def _gke(maker: Maker, pool: Pool, zone: str, index: int) -> tuple[str, dict[str, str], str]:
    """Return a node's name, labels and provider's id as Google has them."""
    groups = {"b": "8d2f41c0", "c": "a17be593", "d": "c60e9d72"}
    name = f"gke-prod-{pool.name}-{groups[zone[-1]]}-{maker.token(4)}"
    labels = {
        "cloud.google.com/gke-boot-disk": "pd-balanced",
        "cloud.google.com/gke-container-runtime": "containerd",
        "cloud.google.com/gke-nodepool": pool.name,
        "cloud.google.com/gke-os-distribution": "cos",
        "cloud.google.com/machine-family": pool.machine.type.partition("-")[0],
    }
    if pool.is_spot:
        labels["cloud.google.com/gke-spot"] = "true"
    if pool.machine.extras:
        labels["cloud.google.com/gke-accelerator"] = "nvidia-l4"
    return name, labels, f"gce://shop-prod/{zone}/{name}"


def _csi_node(maker: Maker, provider: Provider, identity: str) -> None:
    _, driver, key = provider.storage
    node = maker.objects[-1]
    metadata = node["metadata"]
    made = maker.new(
        "CSINode",
        metadata["name"],
        version="storage.k8s.io/v1",
        spec={
            "drivers": [
                {
                    "allocatable": {"count": provider.volumes},
                    "name": driver,
                    "nodeID": identity.rpartition("/")[2],
                    "topologyKeys": [key],
                }
            ]
        },
    )
    reference = {"apiVersion": "v1", "kind": "Node", "name": metadata["name"], "uid": metadata["uid"]}
    made["metadata"]["ownerReferences"] = [reference]


def _storage(maker: Maker, provider: Provider) -> None:
    name, driver, _ = provider.storage
    version, age = "storage.k8s.io/v1", 300 * DAY
    common = {"version": version, "age": age, "provisioner": driver, "reclaimPolicy": "Delete"}
    default = {"storageclass.kubernetes.io/is-default-class": "true"}
    maker.new(
        "StorageClass",
        name,
        annotations=default,
        allowVolumeExpansion=True,
        volumeBindingMode="WaitForFirstConsumer",
        **common,
    )
    maker.new("StorageClass", f"{name}-immediate", volumeBindingMode="Immediate", **common)
    spec = {
        "attachRequired": True,
        "fsGroupPolicy": "File",
        "podInfoOnMount": False,
        "storageCapacity": False,
        "volumeLifecycleModes": ["Persistent"],
    }
    maker.new("CSIDriver", driver, version=version, age=age, spec=spec)
