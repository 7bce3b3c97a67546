"""Values for the fields of objects, made up at random from few names, so that they often meet."""

from random import Random
from typing import Any

HOSTNAME = "kubernetes.io/hostname"
NODE_KEYS = (
    HOSTNAME,
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "disk",
    "rack",
)
NODE_VALUES = ("a", "b", "z0", "z1", "ssd", "hdd", "1", "2", "10")
POD_KEYS = ("app", "tier", "track")
POD_VALUES = ("a", "b", "c", "web", "db")
NAMESPACES = ("default", "other")
TAINT_KEYS = ("dedicated", "gpu", "node.kubernetes.io/not-ready", "node.kubernetes.io/unschedulable")
TAINT_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
IMAGES = ("app:1", "app:2", "big", "big:latest", "registry.example.com/x:1")
PRIORITIES = (-100, -1, 0, 0, 100, 100, 500, 999, 1000, 1000, 2000, 2_000_000_000)
REQUESTS = {
    "cpu": (0.8, ("100m", "250m", "1", "1500m", "0", "2", "0.1", "333m")),
    "memory": (0.6, ("128Mi", "1Gi", "100M", "0", "3Gi", "1000000", "1.5Gi")),
    "ephemeral-storage": (0.2, ("1Gi", "10Gi", "0")),
    "nvidia.com/gpu": (0.15, ("1", "2")),
    "example.com/foo": (0.1, ("1", "3", "0")),
    "hugepages-2Mi": (0.05, ("4Mi", "2Mi")),
}
"""For each resource: how often it is asked for, and how much."""

Value = dict[str, Any]


def labels(random: Random) -> dict[str, str]:
    return {random.choice(POD_KEYS): random.choice(POD_VALUES) for _ in range(random.randint(0, 3))}


def selector(random: Random) -> Value:
    """Return a label selector; now and then the empty one, which matches everything."""
    if random.random() < 0.08:
        return {}
    made: Value = {}
    if random.random() < 0.6:
        made["matchLabels"] = {random.choice(POD_KEYS): random.choice(POD_VALUES)}
    if random.random() < 0.5 or not made:
        made["matchExpressions"] = [_requirement(random, POD_KEYS, POD_VALUES)]
    return made


def node_term(random: Random, nodes: list[str]) -> Value:
    """Return a term that selects nodes by label or, if any are given, by name."""
    term: Value = {}
    if not nodes or random.random() < 0.9:
        many = range(random.randint(1, 2))
        term["matchExpressions"] = [_requirement(random, NODE_KEYS, NODE_VALUES, ("Gt", "Lt")) for _ in many]
    if nodes and (random.random() < 0.15 or not term):
        operator = random.choice(["In", "NotIn"])
        field = {"key": "metadata.name", "operator": operator, "values": [random.choice(nodes)]}
        term["matchFields"] = [field]
    return term


def affinity(random: Random, nodes: list[str]) -> Value:
    made: Value = {}
    if random.random() < 0.5:
        terms = [node_term(random, nodes) for _ in range(random.randint(1, 2))]
        preferred = [
            {"weight": random.randint(1, 100), "preference": node_term(random, nodes)}
            for _ in range(random.randint(1, 3))
        ]
        made["nodeAffinity"] = _some(random, {"nodeSelectorTerms": terms}, preferred)
    for kind in ("podAffinity", "podAntiAffinity"):
        if random.random() < 0.5:
            required = [pod_term(random) for _ in range(random.randint(1, 2))]
            weighted = [
                {"weight": random.randint(1, 100), "podAffinityTerm": pod_term(random)}
                for _ in range(random.randint(1, 2))
            ]
            made[kind] = _some(random, required, weighted)
    return made


def pod_term(random: Random) -> Value:
    term: Value = {"topologyKey": random.choice(NODE_KEYS)}
    if random.random() < 0.95:
        term["labelSelector"] = selector(random)
    if random.random() < 0.3:
        term["namespaces"] = [random.choice(NAMESPACES)]
    return term


def spread_constraint(random: Random) -> Value:
    made: Value = {
        "maxSkew": random.randint(1, 3),
        "topologyKey": random.choice(NODE_KEYS),
        "whenUnsatisfiable": random.choice(["DoNotSchedule", "ScheduleAnyway"]),
        "labelSelector": selector(random),
    }
    if made["whenUnsatisfiable"] == "DoNotSchedule" and random.random() < 0.3:
        made["minDomains"] = random.randint(1, 4)
    for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if random.random() < 0.25:
            made[policy] = random.choice(["Honor", "Ignore"])
    if random.random() < 0.2:
        made["matchLabelKeys"] = [random.choice(POD_KEYS)]
    return made


def toleration(random: Random) -> Value:
    made: Value = {"key": random.choice(TAINT_KEYS)} if random.random() < 0.9 else {"operator": "Exists"}
    if "operator" not in made and random.random() < 0.4:
        made["operator"] = random.choice(["Exists", "Equal"])
    if made.get("operator") != "Exists" and random.random() < 0.8:
        made["value"] = random.choice(["a", "b", ""])
    if random.random() < 0.7:
        made["effect"] = random.choice(TAINT_EFFECTS)
    return made


def taint(random: Random) -> Value:
    made = {"key": random.choice(TAINT_KEYS), "effect": random.choice(TAINT_EFFECTS)}
    return {**made, "value": random.choice(["a", "b"])} if random.random() < 0.6 else made


def container(random: Random, name: str) -> Value:
    made: Value = {"name": name, "image": random.choice(IMAGES), "resources": {}}
    if random.random() < 0.7:
        made["resources"]["requests"] = _requests(random)
    if random.random() < 0.2:
        made["resources"]["limits"] = dict(made["resources"].get("requests") or _requests(random))
    if random.random() < 0.15:
        made["ports"] = [_port(random) for _ in range(random.randint(1, 2))]
    return made


def volume(random: Random, name: str) -> Value:
    """Return a volume that needs no claim; disks that exclude each other among them."""
    iscsi = {"targetPortal": "10.0.0.1", "lun": 0, "iqn": random.choice(["iqn.a", "iqn.b"])}
    rbd = {"monitors": [random.choice(["m1", "m2"]), "m3"], "image": random.choice("xy"), "pool": "rbd"}
    read_only = {"readOnly": random.random() < 0.5}
    sources = [
        {"gcePersistentDisk": {"pdName": random.choice("abc"), **read_only}},
        {"awsElasticBlockStore": {"volumeID": random.choice(["vol-a", "vol-b"])}},
        {"rbd": {**rbd, **read_only}},
        {"iscsi": {**iscsi, **read_only}},
        {"emptyDir": {}},
    ]
    return {"name": name, **random.choice(sources)}


def images(random: Random) -> list[Value]:
    sizes = (10**6, 5 * 10**7, 3 * 10**8, 2 * 10**9)
    return [
        {"names": random.sample(IMAGES, random.randint(1, 2)), "sizeBytes": random.choice(sizes)}
        for _ in range(random.randint(1, 3))
    ]


def _requests(random: Random) -> dict[str, str]:
    return {
        name: random.choice(amounts) for name, (share, amounts) in REQUESTS.items() if random.random() < share
    }


def _port(random: Random) -> Value:
    made: Value = {"containerPort": 80, "hostPort": random.choice([80, 8080, 443])}
    if random.random() < 0.5:
        made["protocol"] = random.choice(["TCP", "UDP"])
    if random.random() < 0.4:
        made["hostIP"] = random.choice(["0.0.0.0", "10.0.0.1", "127.0.0.1"])
    return made


def _requirement(
    random: Random, keys: tuple[str, ...], values: tuple[str, ...], more: tuple[str, ...] = ()
) -> Value:
    operator = random.choice(["In", "NotIn", "Exists", "DoesNotExist", *more])
    made: Value = {"key": random.choice(keys), "operator": operator}
    if operator in ("In", "NotIn"):
        made["values"] = [random.choice(values) for _ in range(random.randint(1, 2))]
    if operator in ("Gt", "Lt"):
        made["values"] = [random.choice(["1", "2", "5"])]
    return made


def _some(random: Random, required: Any, preferred: list[Value]) -> Value:
    return {
        f"{when}DuringSchedulingIgnoredDuringExecution": value
        for when, value in (("required", required), ("preferred", preferred))
        if random.random() < 0.6
    }
