"""Random clusters with cards, and random lives of pods on them."""

from hypothesis import strategies as st

from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod

NPU_CORE = "huawei.com/Ascend910B3-core"
SOFT_NODE, SOFT_POD = {"hami-vnpu-core": "true"}, {"huawei.com/vnpu-mode": "hami-core"}
FAMILIES = {
    "nvidia": (lambda name: cards.nvidia(name, 2, numa=lambda index: index % 2), "nvidia.com/gpu"),
    "scaled": (lambda name: cards.nvidia(name, 1, slots=3, cores=200), "nvidia.com/gpu"),
    "ascend": (lambda name: cards.ascend(name), "huawei.com/Ascend910B3"),
    "soft": (lambda name: cards.ascend(name, annotations=SOFT_NODE), "huawei.com/Ascend910B3"),
    "dcu": (lambda name: cards.dcu(name, 1), "hygon.com/dcunum"),
    "mlu": (lambda name: cards.mlu(name, 1), "cambricon.com/vmlu"),
    "xpu": (lambda name: cards.xpu(name), "kunlunxin.com/vxpu"),
    "kunlun": (lambda name: cards.kunlun(name), "kunlunxin.com/xpu"),
    "biren": (lambda name: cards.biren(name), "birentech.com/gpu"),
    "sgpu": (lambda name: cards.metax_sgpu(name), "metax-tech.com/sgpu"),
    "enflame": (lambda name: cards.enflame(name, 1), "enflame.com/drs-gcu"),
}
SHARES = {
    "nvidia.com/gpu": ("nvidia.com/gpumem", "nvidia.com/gpucores"),
    "huawei.com/Ascend910B3": ("huawei.com/Ascend910B3-memory", NPU_CORE),
    "hygon.com/dcunum": ("hygon.com/dcumem", "hygon.com/dcucores"),
    "cambricon.com/vmlu": ("cambricon.com/mlu.smlu.vmemory", "cambricon.com/mlu.smlu.vcore"),
    "kunlunxin.com/vxpu": ("kunlunxin.com/vxpu-memory", None),
    "metax-tech.com/sgpu": (None, "metax-tech.com/vcore"),
}
MEMORY = {"cambricon.com/vmlu": [1, 8, 20], "kunlunxin.com/vxpu": [20_000, 40_000]}
WISHES = {
    "hami.io/gpu-scheduler-policy": ["binpack", "spread", "mutex", "numa,binpack", "topology-aware"],
    "hami.io/node-scheduler-policy": ["binpack", "spread"],
    "nvidia.com/numa-bind": ["true"],
    "nvidia.com/use-gpuuuid": ["n0-gpu-0,n1-gpu-1"],
    "metax-tech.com/sgpu-qos-policy": ["fixed-share", "burst-share"],
}


@st.composite
def clusters(draw):
    """A cluster of one to four nodes, of one or two families."""
    families = draw(st.lists(st.sampled_from(sorted(FAMILIES)), min_size=1, max_size=2, unique=True))
    count = draw(st.integers(1, 4))
    nodes = [FAMILIES[families[number % len(families)]][0](f"n{number}") for number in range(count)]
    return nodes, [FAMILIES[family][1] for family in families]


@st.composite
def _limits(draw, names):
    name = draw(st.sampled_from(names))
    memory, core = SHARES.get(name, (None, None))
    limits = {name: draw(st.sampled_from([1, 1, 2]))}
    if memory and draw(st.booleans()):
        limits[memory] = draw(st.sampled_from(MEMORY.get(name, [3000, 6000, 9000])))
    if core:
        limits[core] = draw(st.sampled_from([0, 10, 10, 30, 100]))
    return limits


@st.composite
def steps(draw, names):
    """What happens: pods are placed, bound, shrink, end and go; locks are let go, passes made."""
    made = []
    for number in range(draw(st.integers(4, 12))):
        kind = draw(st.sampled_from(["place"] * 12 + [*_OF_PODS, "register"]))
        if kind != "place":
            made.append((kind, f"p{draw(st.integers(0, max(number - 1, 0)))}"))
            continue
        containers = [draw(_limits(names)) for _ in range(draw(st.sampled_from([1, 1, 1, 2])))]
        init = draw(st.lists(st.one_of(st.just({}), _limits(names)), max_size=1))
        wanted = sorted(draw(st.sets(st.sampled_from(sorted(WISHES)), max_size=2)))
        wishes = {key: draw(st.sampled_from(WISHES[key])) for key in wanted}
        if any(NPU_CORE in limits for limits in (*containers, *init)):
            wishes |= SOFT_POD
        made.append(("place", pod(f"p{number}", annotations=wishes, containers=containers, init=init)))
    return made


def happen(cluster: Cluster, step):
    """Let a step happen; return the filter's answer if it was one."""
    kind, what = step
    if kind == "place":
        answer = cluster.hami.webhook(what)
        if not answer.allowed:
            return None
        cluster.objects.put_pod(answer.pod)
        return cluster.hami.filter(answer.pod, cluster.names)
    if kind == "register":
        cluster.hami.register()
        return None
    stored = cluster.stored(what)
    if stored is None:
        return None
    return _OF_PODS[kind](cluster, stored)


def _bind(cluster, stored):
    node = (stored["metadata"].get("annotations") or {}).get("hami.io/vgpu-node")
    if node:
        cluster.bind(stored, node)


def _complete(cluster, stored):
    cluster.change({**stored, "status": {"phase": "Succeeded"}})


def _delete(cluster, stored):
    cluster.objects.delete_pod(f"default/{stored['metadata']['name']}")
    cluster.hami.pod_deleted(stored)


def _init_done(cluster, stored):
    """The phase stays: a pod that has succeeded never runs again."""
    ended = [{"state": {"terminated": {"exitCode": 0}}} for _ in stored["spec"].get("initContainers") or ()]
    cluster.change({**stored, "status": {**stored.get("status", {}), "initContainerStatuses": ended}})


def _again(cluster, stored):
    return cluster.hami.filter(stored, cluster.names)


def _release(cluster, stored):
    for name in cluster.names:
        cluster.objects.patch_node(name, {"hami.io/mutex.lock": None, "cambricon.com/dsmlu.lock": None})


_OF_PODS = {
    "bind": _bind,
    "complete": _complete,
    "delete": _delete,
    "init_done": _init_done,
    "again": _again,
    "release": _release,
}
