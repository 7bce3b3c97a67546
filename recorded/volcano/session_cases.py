"""Recorded sessions of Volcano: cases in, what each session decided out.

Between sessions the cluster is made anew from its objects, as the recording did it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from recorded.volcano.session_figures import drf_figures, queue_figures, resource_list, rounded
from scheduler_core.objects import types
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.state.build import build_state
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.cache.opening import Contents, open_session
from scheduler_core.volcano.configuration.scheduler_conf import Configuration, read_configuration
from scheduler_core.volcano.framework.closing import allocated_by_queue, close
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.model.around import Around, quotas_of
from scheduler_core.volcano.model.custom_resources import HyperNode, PodGroup, PriorityClass, Queue
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task, TaskStatus, make_task
from scheduler_core.volcano.numa.topology import topologies_of
from scheduler_core.volcano.registry import ACTIONS

Object = dict[str, Any]
_OWN_KINDS = ("HyperNode", "PodGroup", "Queue")


def play(case: Mapping[str, Any]) -> dict[str, Any]:
    """Play the sessions of a case, and what happens between them."""
    objects: list[Object] = copy.deepcopy(case["cluster"]["items"])
    configuration = read_configuration(case["config"])
    now = parse_timestamp(case.get("now"), 0)
    sessions = []
    for number in range(1, int(case.get("sessions", 1)) + 1):
        for event in case.get("events") or ():
            if event["before_session"] == number:
                _happen(objects, event)
        told, played = _Recording(objects, configuration, now).play()
        sessions.append(told)
        _carry_over(objects, played)
    return {"sessions": sessions}


class _Recording:
    """One session; `binds`, `evicted` and `choices` are those of the action that runs."""

    def __init__(self, objects: list[Object], configuration: Configuration, now: int) -> None:
        self._objects = objects
        self._now = now
        self._configuration = configuration
        self.binds: dict[str, str] = {}
        self.sent: dict[str, dict[str, str]] = {}
        self.evicted: list[str] = []
        self.choices: list[Object] = []
        self.hyper_choices: list[Object] = []
        self.bound_tasks: list[Task] = []
        self.evicted_tasks: list[Task] = []
        self.nodes: list[str] = []

    # -- the witness ---------------------------------------------------------------------------------

    def bound(self, task: Task) -> None:
        self.binds[task.key] = task.node
        if task.sent:
            self.sent[task.key] = dict(sorted(task.sent.items()))
        self.bound_tasks.append(task)

    def evicted_(self, task: Task) -> None:
        self.evicted.append(task.key)
        self.evicted_tasks.append(task)

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        named = {
            self.nodes[row]: rounded(score, 6)
            for row, score in zip(nodes.tolist(), scores.tolist(), strict=True)
        }
        self.choices.append(
            {
                "task": task.key,
                "scores": dict(sorted(named.items())),
                "best": sorted(self.nodes[row] for row in best.tolist()),
                "chosen": self.nodes[chosen],
            }
        )

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        self.hyper_choices.append(
            {
                "job" if isinstance(of, Job) else "subjob": of.uid,
                "scores": {name: round(score, 6) for name, score in sorted(scores.items())},
                "best": list(best),
                "chosen": best[0],
            }
        )

    # -- one session ---------------------------------------------------------------------------------

    def play(self) -> tuple[Object, Played]:
        """Return what the recording says of the session, and what it leaves behind."""
        state, contents = _contents(self._objects, self._now)
        session = open_session(state, contents, self._configuration, _Witness(self), Memory())
        session.tells_trials = True
        self.nodes = session.nodes.names
        told: Object = {"queue_order": _queue_order(session), "job_order": _job_order(session)}
        invalid = {
            job.uid: why for job in session.jobs.values() if (why := session.job_valid(job)) is not None
        }
        if invalid:
            told["jobs_invalid"] = {
                uid: {"type": "Invalid", "status": "", "reason": reason, "message": message}
                for uid, (reason, message) in sorted(invalid.items())
            }
        queues, shares, places = queue_figures(session), drf_figures(session), _places(session, "")
        told["actions"] = [self._action(session, name) for name in self._configuration.actions]
        queues_end, shares_end = queue_figures(session), drf_figures(session)
        places |= _places(session, "_end") | _nominated(session)
        fit_errors = {
            job.tasks[uid].key: errors.text()
            for job in session.jobs.values()
            for uid, errors in job.fit_errors.items()
        }
        writes = close(session)
        told["podgroups"] = {
            job.uid: _group(job) for job in sorted(session.jobs.values(), key=lambda j: j.uid)
        }
        held = allocated_by_queue(session)
        pods = {
            write.task.key: _pod(write.reason, write.message, write.nominated or write.task.nominated)
            for write in writes
        }
        for name, value in (
            *places.items(),
            ("queues", _queues(session, queues, queues_end, held)),
            ("drf", _drf(shares, shares_end)),
            ("fit_errors", dict(sorted(fit_errors.items()))),
            ("pod_status", dict(sorted(pods.items()))),
        ):
            if value:
                told[name] = value
        nominated = {write.task.key: write.nominated for write in writes if write.nominated}
        return told, Played(session, self.bound_tasks, self.evicted_tasks, nominated, held)

    def _action(self, session: Session, name: str) -> Object:
        self.binds, self.sent, self.evicted = {}, {}, []
        self.choices, self.hyper_choices = [], []
        phases = {job.uid: job.phase for job in session.jobs.values()}
        before = _pipelined(session)
        for _ in ACTIONS[name](session):
            pass
        after = _pipelined(session)
        told: Object = {"name": name}
        entered = [
            job.uid
            for job in session.jobs.values()
            if job.phase == "Inqueue" and phases[job.uid] != "Inqueue"
        ]
        holding = {
            task.key: task.node for job in session.jobs.values() for task in job.of(TaskStatus.ALLOCATED)
        }
        for key, value in (
            ("podgroups_enqueued", sorted(entered)),
            ("binds", dict(sorted(self.binds.items()))),
            ("bind_order", list(self.binds)),
            ("bind_annotations", dict(sorted(self.sent.items()))),
            ("pipelined", {key: node for key, node in after.items() if before.get(key) != node}),
            ("unpipelined", sorted(before.keys() - after.keys())),
            ("allocated_not_bound", dict(sorted(holding.items()))),
            ("evicted", self.evicted),
            ("hypernode_decisions", self.hyper_choices),
            ("decisions", self.choices),
        ):
            if value:
                told[key] = value
        return told


class _Witness:
    """What a session tells, noted in the recording."""

    def __init__(self, recording: _Recording) -> None:
        self.bound = recording.bound
        self.chose = recording.chose
        self.chose_hyper_node = recording.chose_hyper_node
        self._recording = recording

    def evicted(self, task: Task, reason: str) -> None:
        self._recording.evicted_(task)


class Played(msgspec.Struct):
    """What a session leaves behind."""

    session: Any
    bound: list[Any]
    evicted: list[Any]
    nominated: dict[str, str]
    held: dict[str, Any]


def _pipelined(session: Session) -> dict[str, str]:
    pairs = ((task.key, task.node) for job in session.jobs.values() for task in job.of(TaskStatus.PIPELINED))
    return dict(sorted(pairs))


def _queue_order(session: Session) -> list[str]:
    from scheduler_core.go.heap import PriorityQueue

    names = {job.queue for job in session.jobs.values()}
    queue = PriorityQueue(session.queue_before, (session.queues[name] for name in sorted(names)))
    return [queue.pop().name for _ in range(len(queue))]


def _job_order(session: Session) -> dict[str, list[str]]:
    from scheduler_core.go.heap import PriorityQueue

    order = {}
    for name in sorted({job.queue for job in session.jobs.values()}):
        jobs = PriorityQueue(session.job_before, (job for job in session.jobs.values() if job.queue == name))
        order[name] = [jobs.pop().uid for _ in range(len(jobs))]
    return order


def _group(job: Job) -> Object:
    told: Object = {"phase": job.phase}
    counts = (
        ("running", TaskStatus.RUNNING),
        ("succeeded", TaskStatus.SUCCEEDED),
        ("failed", TaskStatus.FAILED),
    )
    for name, status in counts:
        if number := len(job.of(status)):
            told[name] = number
    if job.conditions:
        told["conditions"] = [
            {
                key: value
                for key, value in (
                    ("type", condition.type),
                    ("status", condition.status),
                    ("reason", condition.reason),
                    ("message", condition.message),
                )
                if value or key == "status"
            }
            for condition in job.conditions
        ]
    return told


def _pod(reason: str, message: str, nominated: str) -> Object:
    told = {"reason": reason, "message": message}
    return told | {"nominated": nominated} if nominated else told


def _places(session: Session, when: str) -> dict[str, dict[str, str]]:
    """Return the hyper nodes of jobs, and of the parts of those with a topology."""
    jobs = session.jobs.values()
    parts = [part for job in jobs if job.has_topology for part in job.sub_jobs.values()]
    return {
        f"job_hypernodes{when}": {job.uid: job.hyper_node for job in jobs if job.hyper_node},
        f"subjob_hypernodes{when}": {part.uid: part.hyper_node for part in parts if part.hyper_node},
    }


def _nominated(session: Session) -> dict[str, dict[str, str]]:
    parts = (part for job in session.jobs.values() for part in job.sub_jobs.values())
    return {"nominated_hypernodes": {part.uid: part.nominated for part in parts if part.nominated}}


def _queues(session: Session, begin: Object, end: Object, held: Mapping[str, Any]) -> Object:
    told: Object = {}
    for name, figures in sorted(begin.items()):
        later = end[name]
        told[name] = figures | {
            "allocated_end": later["allocated"],
            "inqueue_end": later["inqueue"],
            "share_end": later["share"],
        }
        status = resource_list(held[name])
        if status != resource_list(session.queues[name].source.status.allocated):
            told[name]["status_allocated"] = status
    return told


def _drf(begin: Mapping[str, tuple[float, str]], end: Mapping[str, tuple[float, str]]) -> Object:
    told: Object = {}
    for uid, (share, resource) in sorted(begin.items()):
        entry: Object = {"share": share}
        if resource:
            entry["dominant"] = resource
        entry["share_end"] = end[uid][0]
        if end[uid][1]:
            entry["dominant_end"] = end[uid][1]
        told[uid] = entry
    return told


# -- objects -----------------------------------------------------------------------------------------


def _contents(objects: list[Object], now: int) -> tuple[ClusterState, Contents]:
    state = build_state([item for item in objects if item["kind"] not in _OWN_KINDS]).state
    rows = {info.key: info.row for info in state.pods.infos}
    pods = [types.convert(item, types.Pod) for item in _of(objects, "Pod")]
    contents = Contents(
        state.nodes.objects,
        [
            make_task(pod, rows.get(f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"))
            for pod in pods
        ],
        [types.convert(item, PodGroup) for item in _of(objects, "PodGroup")],
        [types.convert(item, Queue) for item in _of(objects, "Queue")],
        {
            item["metadata"]["name"]: types.convert(item, PriorityClass)
            for item in _of(objects, "PriorityClass")
        },
        Around(
            now,
            quotas_of(_of(objects, "ResourceQuota")),
            state.budgets,
            topologies_of(_of(objects, "Numatopology")),
            now,
        ),
        [types.convert(item, HyperNode) for item in _of(objects, "HyperNode")],
        config_maps=list(_of(objects, "ConfigMap")),
    )
    return state, contents


def _of(objects: list[Object], kind: str) -> Iterator[Object]:
    return (item for item in objects if item["kind"] == kind)


def _key(item: Object) -> str:
    return f"{item['metadata'].get('namespace') or 'default'}/{item['metadata']['name']}"


def _happen(objects: list[Object], event: Mapping[str, Any]) -> None:
    objects += copy.deepcopy(event.get("add") or [])
    succeeded = set(event.get("succeed") or ())
    for pod in _of(objects, "Pod"):
        if _key(pod) in succeeded:
            pod["status"]["phase"] = "Succeeded"


def _carry_over(objects: list[Object], played: Played) -> None:
    bound = {task.key: task for task in played.bound}
    gone = {task.key for task in played.evicted}
    objects[:] = [item for item in objects if item["kind"] != "Pod" or _key(item) not in gone]
    for pod in _of(objects, "Pod"):
        key = _key(pod)
        if key in bound:
            pod["spec"]["nodeName"] = bound[key].node
            pod["status"] = {"phase": "Running"}
            if bound[key].sent:
                pod["metadata"]["annotations"] = (pod["metadata"].get("annotations") or {}) | bound[key].sent
        elif key in played.nominated:
            pod["status"]["nominatedNodeName"] = played.nominated[key]
    for group in _of(objects, "PodGroup"):
        job = played.session.jobs.get(_key(group))
        if job is not None:
            group["status"] = _group(job)
    for queue in _of(objects, "Queue"):
        queue["status"]["allocated"] = _kubernetes(played.held[queue["metadata"]["name"]])


def _kubernetes(held: Any) -> Object:
    amounts = resource_list(held)
    return {name: f"{amount}m" if name == "cpu" else str(amount) for name, amount in amounts.items()}
