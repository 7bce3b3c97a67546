"""Small clusters with gangs and queues, as Hypothesis makes them up."""

from hypothesis import strategies as st

CREATED = "2026-05-02T09:00:00Z"
NODES = st.lists(st.tuples(st.integers(1, 8), st.integers(0, 4)), min_size=1, max_size=4)
JOBS = st.lists(
    st.tuples(
        st.integers(1, 4),  # pods
        st.integers(1, 4),  # minimum
        st.integers(0, 3),  # cpu of a pod; none is best effort
        st.integers(0, 2),  # GPUs of a pod
        st.sampled_from(["research", "prod"]),
        st.sampled_from(["low", "high"]),
        st.booleans(),  # the first pods run already
        st.booleans(),  # minResources are given
    ),
    min_size=1,
    max_size=4,
)
PRIORITIES = {"low": 10, "high": 1000}


def node(number, size):
    cpu, gpus = size
    name = f"node-{number}"
    amounts = {"cpu": str(cpu), "memory": "64Gi", "nvidia.com/gpu": str(gpus), "pods": "6"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {"allocatable": amounts},
    }


def queue(name, weight):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name, "creationTimestamp": CREATED},
        "spec": {"weight": weight, "reclaimable": True},
        "status": {"state": "Open"},
    }


def group(name, job):
    _, minimum, cpu, gpus, of_queue, priority, _, says = job
    least = {"cpu": str(cpu * minimum), "nvidia.com/gpu": str(gpus * minimum)}
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "ml", "creationTimestamp": CREATED},
        "spec": {
            "minMember": minimum,
            "queue": of_queue,
            "priorityClassName": priority,
            **({"minResources": least} if says else {}),
        },
        "status": {"phase": "Pending"},
    }


def pod(job_name, index, job, on=None, scheduler="volcano"):
    _, _, cpu, gpus, _, priority, _, _ = job
    requests = {"cpu": str(cpu), "memory": "1Gi", "nvidia.com/gpu": str(gpus)} if cpu else {}
    name = f"{job_name}-worker-{index}"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "ml",
            "uid": f"uid-{name}",
            "creationTimestamp": CREATED,
            "annotations": {"scheduling.k8s.io/group-name": job_name, "volcano.sh/task-spec": "worker"},
        },
        "spec": {
            "schedulerName": scheduler,
            "priority": PRIORITIES[priority],
            "priorityClassName": priority,
            "containers": [{"name": "c", "image": "i", "resources": {"requests": requests}}],
            **({"nodeName": on} if on else {}),
        },
        "status": {"phase": "Running" if on else "Pending"},
    }


def priority_classes():
    return [
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name},
            "value": value,
        }
        for name, value in PRIORITIES.items()
    ]


@st.composite
def clusters(draw):
    sizes = draw(NODES)
    items = [node(number, size) for number, size in enumerate(sizes)]
    items += [queue("research", 1), queue("prod", draw(st.integers(1, 3)))]
    items += priority_classes()
    free = [list(size) for size in sizes]
    room = [6] * len(sizes)
    for number, job in enumerate(draw(JOBS)):
        name = f"job-{number}"
        items.append(group(name, job))
        for index in range(job[0]):
            on = _first_fit(free, room, job) if job[6] else None
            items.append(pod(name, index, job, on))
    return items


def _first_fit(free, room, job):
    cpu, gpus = (job[2], job[3]) if job[2] else (0, 0)
    for number, left in enumerate(free):
        if left[0] >= cpu and left[1] >= gpus and room[number] > 0:
            left[0] -= cpu
            left[1] -= gpus
            room[number] -= 1
            return f"node-{number}"
    return None


CONFIGURATIONS = st.sampled_from(
    [
        "enqueue, allocate, backfill",
        "enqueue, allocate, preempt, backfill",
        "enqueue, reclaim, allocate, backfill",
        "enqueue, allocate, backfill, reclaim, preempt",
        "allocate, preempt",
    ]
).map(
    lambda actions: {
        "actions": actions,
        "tiers": [
            {"plugins": [{"name": "priority"}, {"name": "gang"}, {"name": "conformance"}]},
            {
                "plugins": [
                    {"name": "overcommit", "arguments": {"overcommit-factor": 2.0}},
                    {"name": "drf", "enablePreemptable": False},
                    {"name": "predicates"},
                    {"name": "proportion"},
                    {"name": "nodeorder"},
                    {"name": "binpack"},
                ]
            },
        ],
    }
)
