"""A cluster of machines with GPUs on which teams run gangs by Volcano: more is asked for than there is."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.operators.making import DAY, HOUR, MINUTE, Amounts, Maker, Object, quantities, stamp
from benchmarks.operators.nodes import Machine, Place, Room, add_node
from benchmarks.operators.pods import PENDING, RUNNING, SUCCEEDED, add_pod, container, pod_spec, requests_of
from benchmarks.operators.workloads import App, Controllers, agent_tolerations, node_name

_KUBELET = "v1.33.4"
_GROUP_VERSION, _JOB_VERSION = "scheduling.volcano.sh/v1beta1", "batch.volcano.sh/v1alpha1"
_CONFIGURATION = """\
actions: "enqueue, allocate, backfill, reclaim, preempt"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: overcommit
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: capacity
    enableHierarchy: true
  - name: nodeorder
  - name: binpack
  - name: deviceshare
    arguments:
      deviceshare.VGPUEnable: true
  - name: network-topology-aware
    arguments:
      weight: 10
"""
_A100 = Machine("dgx-a100", 128, 1024, 110, {"nvidia.com/gpu": 8})
_L40S = Machine("l40s", 64, 512, 110, {"nvidia.com/gpu": 4})
_SHARED = Machine("t4-shared", 32, 128, 110, {"volcano.sh/vgpu-number": 40, "volcano.sh/vgpu-memory": 61_440})
_CPU = Machine("cpu", 32, 128)
_MACHINES = (("a100", _A100, 60), ("l40s", _L40S, 30), ("t4", _SHARED, 10), ("cpu", _CPU, 300))
_QUEUES: tuple[tuple[str, Object], ...] = (
    ("root", {"weight": 1, "reclaimable": False}),
    ("default", {"weight": 1, "reclaimable": True}),
    (
        "research",
        {
            "weight": 4,
            "reclaimable": True,
            "deserved": {"cpu": "8k", "memory": "32Ti", "nvidia.com/gpu": "400"},
        },
    ),
    (
        "vision",
        {
            "weight": 2,
            "reclaimable": True,
            "parent": "research",
            "deserved": {"cpu": "4k", "memory": "16Ti", "nvidia.com/gpu": "200"},
            "capability": {"cpu": "6k", "memory": "24Ti", "nvidia.com/gpu": "320"},
        },
    ),
    (
        "language",
        {
            "weight": 2,
            "reclaimable": True,
            "parent": "research",
            "deserved": {"cpu": "4k", "memory": "16Ti", "nvidia.com/gpu": "200"},
        },
    ),
    (
        "prod",
        {
            "weight": 8,
            "reclaimable": False,
            "priority": 100,
            "guarantee": {"resource": {"cpu": "2k", "memory": "8Ti"}},
            "deserved": {"cpu": "6k", "memory": "24Ti", "nvidia.com/gpu": "300"},
        },
    ),
    ("simulation", {"weight": 1, "reclaimable": True}),
    ("etl", {"weight": 2, "reclaimable": True, "capability": {"cpu": "8k", "memory": "32Ti"}}),
)
_QUEUE_OF_NOBODY = "test"


@dataclass(frozen=True)
class _Task:
    """A task of a kind of jobs: milli-CPU, MiB, numbers."""

    name: str
    replicas: int
    asks: Amounts


@dataclass(frozen=True)
class _Kind:
    """A kind of jobs: their namespace, whose queue has its name, and what their pods are."""

    name: str
    namespace: str
    pool: str
    priority: str
    tasks: tuple[_Task, ...]


def _gpus(number: int) -> Amounts:
    return {"cpu": 12_000 * number, "memory": 96 * 1024 * number, "nvidia.com/gpu": number}


def _cores(number: int) -> Amounts:
    return {"cpu": 1000 * number, "memory": 4096 * number}


_KINDS = (
    _Kind(
        "pretrain", "language", "a100", "normal", (_Task("master", 1, _gpus(8)), _Task("worker", 7, _gpus(8)))
    ),
    _Kind("finetune", "language", "a100", "normal", (_Task("worker", 4, _gpus(4)),)),
    _Kind("detect", "vision", "l40s", "normal", (_Task("ps", 2, _cores(4)), _Task("worker", 8, _gpus(1)))),
    _Kind("augment", "vision", "cpu", "low", (_Task("worker", 48, _cores(4)),)),
    _Kind("serve-eval", "prod", "l40s", "high", (_Task("worker", 6, _gpus(2)),)),
    _Kind("tokenize", "etl", "cpu", "low", (_Task("driver", 1, _cores(4)), _Task("executor", 64, _cores(8)))),
    _Kind("join", "etl", "cpu", "normal", (_Task("driver", 1, _cores(2)), _Task("executor", 24, _cores(6)))),
    _Kind("notebook", "simulation", "l40s", "low", (_Task("main", 1, _gpus(1)),)),
    _Kind(
        "mpi", "simulation", "cpu", "normal", (_Task("launcher", 1, _cores(1)), _Task("rank", 20, _cores(16)))
    ),
)
_RUN, _COMPLETED, _INQUEUE, _LEFT_OUT = 40, 14, 86, 6
"""How many jobs run, are completed, wait with their pods, and wait without any outside their queue."""


def volcano_cluster(seed: str) -> Object:
    """Return the cluster as kubectl's List: 400 nodes, 150 jobs, some 1,800 pods that wait."""
    maker = Maker(f"{seed}/volcano")
    teams = ("language", "vision", "prod", "etl", "simulation")
    maker.namespaces(("default", "kube-system", "monitoring", "volcano-system", *teams))
    maker.priority_classes({"high": 10_000, "normal": 1_000, "low": 100})
    maker.config_map(
        "volcano-system", "volcano-scheduler-configmap", **{"volcano-scheduler.conf": _CONFIGURATION}
    )
    for name, spec in _QUEUES:
        own = {"parent": "root"} if name != "root" and "parent" not in spec else {}
        status = {"state": "Open", "allocated": {"cpu": "0", "memory": "0"}}
        maker.new("Queue", name, version=_GROUP_VERSION, age=200 * DAY, spec={**spec, **own}, status=status)
    room = Room(maker)
    places = list(_add_nodes(maker, room))
    jobs = _Jobs(maker, room, places)
    _add_agents(jobs)
    jobs.add_all()
    return maker.listing()


def _add_nodes(maker: Maker, room: Room) -> Sequence[Place]:
    places = []
    for pool, machine, number in _MACHINES:
        for index in range(number):
            name = f"{pool}-{index + 1:03d}"
            labels = {
                "node.kubernetes.io/instance-type": machine.type,
                "pool": pool,
                "rack": f"r{index // 16 + 1}",
            }
            notes = {"volcano.sh/node-vgpu-register": _vgpus(name)} if machine is _SHARED else {}
            closed = (pool, index) in (("cpu", 7), ("l40s", 21))
            address = add_node(
                maker, name, machine, _KUBELET, labels=labels, annotations=notes, cordoned=closed
            )
            room.add(name, machine.free)
            places.append(Place(name, address, "", pool, is_open=not closed))
    return places


def _vgpus(node: str) -> str:
    return "".join(f"GPU-{node}-{card},10,15360,NVIDIA-Tesla T4,true:" for card in range(4))


def _add_agents(controllers: Controllers) -> None:
    for name, namespace, memory in (
        ("cilium", "kube-system", 256),
        ("kube-proxy", "kube-system", 64),
        ("node-exporter", "monitoring", 64),
    ):
        one = container(name, f"registry.example.com/{name}:1", {"cpu": 100, "memory": memory})
        critical: Object = {"priority_class": "system-node-critical", "hostNetwork": True}
        spec = pod_spec([one], tolerations=agent_tolerations(), **critical)
        controllers.daemon_set(App(name, namespace, spec, 0, lambda place: True))
    for name in ("volcano-scheduler", "volcano-controllers", "volcano-admission"):
        one = container(name, f"docker.io/volcanosh/{name.replace('volcano', 'vc')}:v1.13.0", _cores(1))
        spec = pod_spec([one], priority_class="system-cluster-critical")
        app = App(name, "volcano-system", spec, 1, lambda place: place.pool == "cpu", apart=node_name)
        controllers.budget(app, controllers.deployment(app), 1)
        controllers.service(app)


class _Jobs(Controllers):
    """Volcano's jobs with their pod groups and pods."""

    def add_all(self) -> None:
        """Add all jobs: those that run take room first."""
        number = 0
        for phase, many in ((RUNNING, _RUN), (SUCCEEDED, _COMPLETED), (PENDING, _INQUEUE), ("", _LEFT_OUT)):
            for turn in range(many):
                kind = _KINDS[turn % len(_KINDS)]
                self._add_job(kind, f"{kind.name}-{1001 + number}", phase)
                number += 1
        for phase, name in ((PENDING, "smoke"), ("", "smoke-large")):
            kind = _Kind(name, "simulation", "cpu", "low", (_Task("main", 2, _cores(1)),))
            self._add_job(kind, name, phase, _QUEUE_OF_NOBODY)
        self._add_shared()
        self._add_flow()

    def _add_job(self, kind: _Kind, name: str, phase: str, queue: str = "") -> None:
        """Add a job in a phase; without one it waits outside its queue and has no pods."""
        random = self.maker.random
        age = (
            random.randrange(10 * MINUTE, 2 * DAY)
            if phase in (RUNNING, SUCCEEDED)
            else random.randrange(60, 6 * HOUR)
        )
        specs = {task.name: _spec_of(kind, task) for task in kind.tasks}
        minima = _minima(kind)
        minimum = sum(minima.values())
        tasks = [
            {
                "name": task.name,
                "replicas": task.replicas,
                "minAvailable": minima[task.name],
                "maxRetry": 3,
                "template": {"metadata": {}, "spec": specs[task.name]},
            }
            for task in kind.tasks
        ]
        spec = {
            "maxRetry": 3,
            "minAvailable": minimum,
            "policies": [{"action": "RestartJob", "event": "PodEvicted"}],
            "priorityClassName": kind.priority,
            "queue": queue or kind.namespace,
            "schedulerName": "volcano",
            "tasks": tasks,
        }
        job = self.maker.new("Job", name, kind.namespace, version=_JOB_VERSION, age=age, spec=spec, status={})
        phases: list[str] = []
        if phase:
            for task in kind.tasks:
                phases += self._add_pods(job, kind, task, specs[task.name], phase, age)
        self._add_group(job, kind, minima, phases, phase, age)
        job["status"] = _job_status(phase, phases, minimum, age)

    def _add_pods(
        self, job: Object, kind: _Kind, task: _Task, spec: Object, phase: str, age: int
    ) -> list[str]:
        """Add a task's pods and return their phases."""
        name, asked, phases = job["metadata"]["name"], requests_of(spec), []
        why = f"pod group is not ready, {_total(kind)} Pending, {job['spec']['minAvailable']} minAvailable"
        for index in range(task.replicas):
            marks = {
                "volcano.sh/job-name": name,
                "volcano.sh/queue-name": job["spec"]["queue"],
                "volcano.sh/task-index": str(index),
                "volcano.sh/task-spec": task.name,
            }
            notes = {
                **marks,
                "scheduling.k8s.io/group-name": _group_name(job),
                "volcano.sh/job-retry-count": "0",
                "volcano.sh/job-version": "0",
                "volcano.sh/template-uid": f"{name}-{task.name}",
            }
            among = [place for place in self.places if place.pool == kind.pool]
            place = self._take(phase, asked, among)
            has_begun = RUNNING if place and phase == RUNNING else phase if place else PENDING
            labels = {**marks, "volcano.sh/job-namespace": kind.namespace}
            add_pod(
                self.maker, f"{name}-{task.name}-{index}", job, spec, age=age, place=place, phase=has_begun,
                labels=labels, annotations=notes, why=why,
            )  # fmt: skip
            phases.append(has_begun)
        return phases

    def _take(self, phase: str, asked: Amounts, among: Sequence[Place]) -> Place | None:
        if phase == PENDING:
            return None
        place = self._room.take({} if phase == SUCCEEDED else asked, among)
        if place is None:
            raise RuntimeError("There is no room for the jobs that run.")
        return place

    def _add_group(
        self, job: Object, kind: _Kind, minima: dict[str, int], phases: list[str], phase: str, age: int
    ) -> None:
        minimum = sum(minima.values())
        spec = {
            "minMember": minimum,
            "minResources": quantities(_least_of(kind, minima)),
            "minTaskMember": minima,
            "priorityClassName": kind.priority,
            "queue": job["spec"]["queue"],
        }
        words = {RUNNING: "Running", SUCCEEDED: "Completed", PENDING: "Inqueue", "": "Pending"}
        status: Object = {"phase": words[phase]}
        counts = {"running": phases.count(RUNNING), "succeeded": phases.count(SUCCEEDED)}
        status |= {name: number for name, number in counts.items() if number}
        if phase in (PENDING, ""):
            total = _total(kind)
            message = (
                f"{total}/{total} tasks in gang unschedulable: pod group is not ready, {minimum} minAvailable"
            )
            status["conditions"] = [
                {
                    "lastTransitionTime": stamp(1),
                    "message": message,
                    "reason": "NotEnoughResources",
                    "status": "True",
                    "transitionID": job["metadata"]["uid"],
                    "type": "Unschedulable",
                }
            ]
        fields = {"version": _GROUP_VERSION, "age": age, "owner": job, "spec": spec, "status": status}
        self.maker.new("PodGroup", _group_name(job), kind.namespace, **fields)

    def _add_shared(self) -> None:
        """Add two jobs that ask for slices of cards, of which one runs."""
        asks = {"cpu": 1000, "memory": 4096, "volcano.sh/vgpu-number": 1, "volcano.sh/vgpu-memory": 4096}
        for name, replicas, phase in (("label-images", 8, RUNNING), ("label-videos", 12, PENDING)):
            kind = _Kind(name, "vision", "t4", "low", (_Task("worker", replicas, asks),))
            self._add_job(kind, name, phase)

    def _add_flow(self) -> None:
        spec = {"minAvailable": 1, "queue": "etl", "schedulerName": "volcano"}
        one = container("main", "registry.example.com/etl/clean:1", _cores(1))
        task = {"name": "main", "replicas": 1, "template": {"spec": pod_spec([one], restartPolicy="Never")}}
        version = "flow.volcano.sh/v1alpha1"
        self.maker.new("JobTemplate", "clean", "etl", version=version, spec={**spec, "tasks": [task]})
        flow = {"flows": [{"name": "clean"}], "jobRetainPolicy": "retain"}
        self.maker.new("JobFlow", "nightly", "etl", version=version, spec=flow)


def _spec_of(kind: _Kind, task: _Task) -> Object:
    extras = {name: amount for name, amount in task.asks.items() if name not in ("cpu", "memory")}
    image = f"registry.example.com/{kind.namespace}/{kind.name}:4"
    one = container(task.name, image, task.asks, {"memory": task.asks["memory"], **extras})
    chosen = {"nodeSelector": {"pool": kind.pool}, "restartPolicy": "OnFailure", "schedulerName": "volcano"}
    return pod_spec([one], priority_class=kind.priority, **chosen)


def _group_name(job: Object) -> str:
    return f"{job['metadata']['name']}-{job['metadata']['uid']}"


def _total(kind: _Kind) -> int:
    return sum(task.replicas for task in kind.tasks)


def _minima(kind: _Kind) -> dict[str, int]:
    """Return how many pods of each task must start together: half the workers of some kinds, else all."""
    some = ("augment", "join")
    return {
        task.name: task.replicas // 2 if kind.name in some and task.replicas > 1 else task.replicas
        for task in kind.tasks
    }


def _least_of(kind: _Kind, minima: dict[str, int]) -> dict[str, int]:
    """Return what these pods of a job ask for together."""
    least = {"pods": sum(minima.values())}
    for task in kind.tasks:
        for name, amount in task.asks.items():
            least[name] = least.get(name, 0) + amount * minima[task.name]
    return least


def _job_status(phase: str, phases: list[str], minimum: int, age: int) -> Object:
    words = {RUNNING: "Running", SUCCEEDED: "Completed", PENDING: "Pending", "": "Pending"}
    counts = {
        "running": phases.count(RUNNING),
        "succeeded": phases.count(SUCCEEDED),
        "pending": phases.count(PENDING),
    }
    return {
        "minAvailable": minimum,
        "state": {"lastTransitionTime": stamp(age // 2), "phase": words[phase]},
        **{name: number for name, number in counts.items() if number},
    }
