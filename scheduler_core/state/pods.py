"""Pods as columns, and what the scheduler reads of one pod.

Every pod that takes part has one row, bound or pending, in the order of import; pods that controllers
make during a run are appended. Pods with the same namespace and labels share a label class, so that a
selector is asked once for each class.
"""

import bisect
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from scheduler_core.objects.amounts import requests
from scheduler_core.objects.host_ports import HostPort, host_ports
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import Pod
from scheduler_core.state.label_classes import LabelClasses
from scheduler_core.state.nodes import BoolArray, IntArray, ResourceNames
from scheduler_core.state.pod_index import PodIndex

T = TypeVar("T")
Amounts = dict[str, int]

NO_START_TIME = np.iinfo(np.int64).max
"""Stands for "now" where a pod has no start time: later than every recorded one."""


@dataclass(frozen=True)
class Accounting:
    """What a scheduler counts of a pod: see the attributes of PodInfo that these functions answer for."""

    requests: Callable[[Pod], Amounts]
    running_requests: Callable[[Pod], Amounts]
    non_zero_requests: Callable[[Pod], tuple[int, int]]
    scored_requests: Callable[[Pod], Amounts]
    host_ports: Callable[[Pod], tuple[HostPort, ...]]


DEFAULT_ACCOUNTING = Accounting(
    requests.pod_requests,
    partial(requests.pod_requests, running=True),
    requests.non_zero_requests,
    requests.scored_requests,
    host_ports,
)


@dataclass(frozen=True)
class PodInfo:
    """One pod as the scheduler reads it. Amounts are milli-CPU, bytes and whole units."""

    row: int
    pod: Pod
    uid: str
    namespace: str
    name: str
    labels: Mapping[str, str]
    label_class: int
    accounting: Accounting = DEFAULT_ACCOUNTING

    @property
    def key(self) -> str:
        """`namespace/name`, as messages and recordings name a pod."""
        return f"{self.namespace}/{self.name}"

    @property
    def priority(self) -> int:
        """The effective priority: an absent one is 0."""
        return self.pod.spec.priority or 0

    @property
    def scheduler_name(self) -> str:
        """The profile that the pod asks for."""
        return self.pod.spec.scheduler_name or "default-scheduler"

    @cached_property
    def host_ports(self) -> tuple[HostPort, ...]:
        """The host ports of its containers and sidecars."""
        return self.accounting.host_ports(self.pod)

    @cached_property
    def requests(self) -> dict[str, int]:
        """What Filter asks for."""
        return self.accounting.requests(self.pod)

    @cached_property
    def running_requests(self) -> dict[str, int]:
        """What the pod takes on its node, and what NodeResourcesBalancedAllocation scores it by."""
        return self.accounting.running_requests(self.pod)

    @cached_property
    def non_zero_requests(self) -> tuple[int, int]:
        """(milli-CPU, bytes of memory) by which it weighs in scores once it runs."""
        return self.accounting.non_zero_requests(self.pod)

    @cached_property
    def scored_requests(self) -> dict[str, int]:
        """What NodeResourcesFit scores it by while it is pending."""
        return self.accounting.scored_requests(self.pod)


_AMOUNTS = (
    "host_ports",
    "requests",
    "running_requests",
    "non_zero_requests",
    "scored_requests",
)
"""What follows from a pod's containers alone and need not be computed again."""


_COLUMNS = ("priority", "label_class", "start_time", "terminating", "cpu", "memory")


def _row_of(info: PodInfo) -> tuple[int, int, int, int, int, int]:
    """Return what the columns have of a pod, in the order of `_COLUMNS`."""
    start_time = parse_timestamp(info.pod.status.start_time, NO_START_TIME)
    terminating = info.pod.metadata.deletion_timestamp is not None
    return info.priority, info.label_class, start_time, int(terminating), *info.non_zero_requests


def asks_for_the_same(old: Pod, new: Pod) -> bool:
    """Return whether two versions of a pod ask for the same."""
    one, other = old.spec, new.spec
    return (
        one.containers == other.containers
        and one.init_containers == other.init_containers
        and one.overhead == other.overhead
        and one.resources == other.resources
        and old.status.container_statuses == new.status.container_statuses
    )


def _amounts_of(known: PodInfo) -> dict[str, Any]:
    """Return what is known by now of what a pod asks for, of which one that asks for the same takes note."""
    return {name: known.__dict__[name] for name in _AMOUNTS if name in known.__dict__}


@dataclass
class _Answers:
    """What a condition answered for the classes so far."""

    values: BoolArray


class PodTable:
    """All pods. `requests` has shape (pods, resources), `non_zero` (pods, 2), everything else (pods,).

    `start_time` is in nanoseconds since the epoch, NO_START_TIME where absent; `port_holders` names the pods
    that have a host port, wherever they are. `version` grows when a pod gets other labels, affinity or
    volumes, or is taken back: who keeps answers about pods asks for it.
    """

    def __init__(self, resources: ResourceNames, accounting: Accounting = DEFAULT_ACCOUNTING) -> None:
        self.resources = resources
        self.accounting = accounting
        self.classes = LabelClasses()
        self.infos: list[PodInfo] = []
        self.by_uid: dict[str, int] = {}
        self.port_holders: dict[HostPort, list[int]] = {}
        self._requests = np.zeros((0, len(resources)), np.int64, "F")
        self._columns = {name: np.zeros(0, dtype=np.int64) for name in _COLUMNS}
        self._answers: dict[object, _Answers] = {}
        self._companions: dict[type[Any], Any] = {}
        self._index: PodIndex | None = None
        self._asked: tuple[int, bytes | None] = (-1, None)
        """The row of the pod that was added last, and what it asks for."""
        self.version = 0

    def __len__(self) -> int:
        return len(self.infos)

    def append(self, pod: Pod, like: PodInfo | None = None) -> PodInfo:
        """Add a pod and return what the scheduler reads of it; `like` is one that asks for the same."""
        like = like or self._like_the_last(pod)
        info = self._add(pod, {} if like is None else _amounts_of(like))
        self._reserve(len(self.infos))
        self._fill(info, like)
        return info

    def extend(self, pods: Sequence[Pod], keys: Sequence[bytes | None]) -> None:
        """Add pods. keys: what each asks for, as `asked_for` has it; None is like no other."""
        if not pods:
            return
        first = len(self.infos)
        known: dict[bytes | None, tuple[int, dict[str, Any]]] = {}
        like = []
        for pod, key in zip(pods, keys, strict=True):
            row, amounts = known.get(key) or (len(self.infos), {})
            info = self._add(pod, amounts)
            if not amounts and key is not None:
                _ = info.running_requests, info.non_zero_requests
                known[key] = info.row, _amounts_of(info)
            like.append(row)
        self._reserve(len(self.infos))
        for row in dict.fromkeys(like):
            self._requests[row] = self.resources.row(self.infos[row].running_requests)
        self._requests[first : len(self.infos)] = self._requests[like]
        self._fill_columns(first)
        self._asked = len(self.infos) - 1, keys[-1]

    def _add(self, pod: Pod, amounts: dict[str, Any]) -> PodInfo:
        """Add a pod but for its numbers. amounts: what is known of what it asks for."""
        namespace, labels = pod.metadata.namespace or "default", pod.metadata.labels or {}
        uid = pod.metadata.uid or f"{namespace}/{pod.metadata.name}"
        info = PodInfo(
            row=len(self.infos),
            pod=pod,
            uid=uid,
            namespace=namespace,
            name=pod.metadata.name,
            labels=labels,
            label_class=self.classes.intern(namespace, labels),
            accounting=self.accounting,
        )
        info.__dict__.update(amounts)
        self.infos.append(info)
        self.by_uid[uid] = info.row
        if self._index is not None:
            self._index.add(info.row, info.key, pod)
        for port in dict.fromkeys(info.host_ports):
            self.port_holders.setdefault(port, []).append(info.row)
        return info

    def _like_the_last(self, pod: Pod) -> PodInfo | None:
        """Return the pod that was added last if it asks for the same: many are often made of one template."""
        if self.accounting is not DEFAULT_ACCOUNTING:
            return None
        before, self._asked = self._asked, (len(self.infos), requests.asked_for(pod))
        same = before[0] == len(self.infos) - 1 and before[1] is not None and before[1] == self._asked[1]
        return self.infos[-1] if same else None

    def replace(self, row: int, pod: Pod) -> None:
        """Put a new version of a pod in the place of the old one."""
        old = self.infos[row]
        self._asked = -1, None
        labels = pod.metadata.labels or {}
        label_class = self.classes.intern(old.namespace, labels)
        info = dataclasses.replace(old, pod=pod, labels=labels, label_class=label_class)
        if asks_for_the_same(old.pod, pod):
            info.__dict__.update(_amounts_of(old))
        for port in dict.fromkeys(old.host_ports):
            self.port_holders[port].remove(row)
        for port in dict.fromkeys(info.host_ports):
            bisect.insort(self.port_holders.setdefault(port, []), row)
        self.infos[row] = info
        if self._index is not None:
            self._index.replace(row, old.pod, pod)
        if (
            old.labels != labels
            or pod.spec.affinity != old.pod.spec.affinity
            or pod.spec.volumes != old.pod.spec.volumes
        ):
            self._companions.clear()
            self.version += 1
        start_time = int(self._columns["start_time"][row])
        self._fill(info)
        self._columns["start_time"][row] = start_time

    def remove_last(self) -> None:
        """Forget the pod that was added last."""
        self.version += 1
        self._asked = -1, None
        info = self.infos.pop()
        del self.by_uid[info.uid]
        if self._index is not None:
            self._index.remove_last(info.row, info.key, info.pod)
        for port in dict.fromkeys(info.host_ports):
            self.port_holders[port].pop()

    def _fill(self, info: PodInfo, like: PodInfo | None = None) -> None:
        row = info.row
        self._requests[row] = (
            self.resources.row(info.running_requests) if like is None else self._requests[like.row]
        )
        for column, value in zip(self._columns.values(), _row_of(info), strict=True):
            column[row] = value

    def _fill_columns(self, first: int) -> None:
        """Fill the columns of all pods from a row on."""
        rows = np.array([_row_of(info) for info in self.infos[first:]], dtype=np.int64)
        for column, values in zip(self._columns.values(), rows.T, strict=True):
            column[first : len(self.infos)] = values

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._requests):
            return
        capacity = max(64, rows, 2 * len(self._requests))
        grown = np.zeros((capacity, len(self.resources)), np.int64, "F")
        grown[: len(self._requests)] = self._requests
        self._requests = grown
        for name, column in self._columns.items():
            longer = np.zeros(capacity, dtype=np.int64)
            longer[: len(column)] = column
            self._columns[name] = longer

    @property
    def requests(self) -> IntArray:
        """What each pod takes on its node, shape (pods, resources)."""
        return self._requests[: len(self.infos)]

    @property
    def non_zero_cpu(self) -> IntArray:
        """Milli-CPU by which each pod weighs in scores."""
        return self._columns["cpu"][: len(self.infos)]

    @property
    def non_zero_memory(self) -> IntArray:
        """Bytes of memory by which each pod weighs in scores."""
        return self._columns["memory"][: len(self.infos)]

    @property
    def priority(self) -> IntArray:
        """Each pod's effective priority."""
        return self._columns["priority"][: len(self.infos)]

    @property
    def label_class(self) -> IntArray:
        """Each pod's label class."""
        return self._columns["label_class"][: len(self.infos)]

    @property
    def start_time(self) -> IntArray:
        """Each pod's start time in nanoseconds since the epoch."""
        return self._columns["start_time"][: len(self.infos)]

    @property
    def terminating(self) -> BoolArray:
        """Which pods have a deletion timestamp."""
        terminating: BoolArray = self._columns["terminating"][: len(self.infos)] != 0
        return terminating

    def is_terminating(self, pod: int) -> bool:
        """Return whether one pod has a deletion timestamp."""
        return bool(self._columns["terminating"][pod])

    def set_terminating(self, pod: int, *, terminating: bool) -> None:
        """Note whether the pod has a deletion timestamp."""
        self._columns["terminating"][pod] = terminating

    def set_start_time(self, pod: int, start_time: int) -> None:
        """Note when the pod started, in nanoseconds since the epoch."""
        self._columns["start_time"][pod] = start_time

    @property
    def index(self) -> PodIndex:
        """Who finds pods by name and by controller; made when somebody asks first."""
        if self._index is None:
            self._index = PodIndex()
            for info in self.infos:
                self._index.add(info.row, info.key, info.pod)
        return self._index

    def companion(self, kind: type[T]) -> T:
        """Return this table's one object of a kind: what a plugin remembers of all pods."""
        if kind not in self._companions:
            self._companions[kind] = kind()
        companion: T = self._companions[kind]
        return companion

    def matching(self, key: object, holds: Callable[[str, Mapping[str, str]], bool]) -> BoolArray:
        """Return for which pods a condition on namespace and labels holds, shape (pods,).

        Answers are remembered under `key`, which must identify the condition.
        """
        answers = self._answers.setdefault(key, _Answers(np.zeros(0, dtype=np.bool_)))
        known = len(answers.values)
        if known < len(self.classes.members):
            more = [holds(namespace, labels) for namespace, labels in self.classes.members[known:]]
            answers.values = np.concatenate([answers.values, np.array(more, dtype=np.bool_)])
        return answers.values[self.label_class]

    def selected_classes(self, namespace: str, selector: Selector | None) -> BoolArray:
        """Return which label classes of a namespace a selector selects, shape (classes,)."""
        selected = np.zeros(len(self.classes.members), dtype=np.bool_)
        selected[self.classes.selected(namespace, selector)] = True
        return selected
