"""usage: keeps pods off nodes that are busy by their measured load, and prefers those that are idle.

What was measured says nothing yet of pods that have just come: what they will use is estimated. A run's
figures stay what the snapshot's nodes say, so the pods that the run has placed are estimated to its end.

Source: volcano v1.16 pkg/scheduler/plugins/usage/usage.go, estimator.go, shadow_cache.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.go.duration import parse_duration
from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.configuration.scheduler_conf import Arguments, PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.node_load import Load, load_of
from scheduler_core.volcano.model.nodes import Floats, Rows, capacity_of
from scheduler_core.volcano.model.pod_limits import pod_limit
from scheduler_core.volcano.model.tasks import NO_TIME, Task, TaskStatus, pod_request

_MAX_NODE_SCORE = 100.0
_USUAL_INTERVAL = 30 * 10**9
_MIB = 1024 * 1024
_SENT = frozenset({TaskStatus.ALLOCATED, TaskStatus.BINDING, TaskStatus.BOUND})
_BUSY_CPU, _BUSY_MEMORY = (
    (
        Refusal(
            "UnschedulableAndUnresolvable", f"the {what} load of the node exceeds the upper limit.", "usage"
        ),
    )
    for what in ("CPU", "memory")
)


class _Use(NamedTuple):
    """Milli-CPU and bytes of memory."""

    cpu: float
    memory: float


_BEST_EFFORT = _Use(250.0, 200.0 * _MIB)


@dataclass
class _Estimator:
    """How much of its requests and limits a pod is thought to use.

    `request` and `burst` are shares of the request and of what the limit is above it. From a load of
    `threshold` (0 to 1) on, all of it counts `factor` times. `best_effort` is for pods without requests.
    """

    request: float = 0.7
    burst: float = 0.0
    threshold: float = 0.6
    factor: float = 1.2
    best_effort: _Use = _BEST_EFFORT

    def use_of(self, task: Task, factor: float) -> _Use:
        """Return what a pod is thought to use."""
        if task.best_effort:
            return _Use(self.best_effort.cpu * factor, self.best_effort.memory * factor)
        asked, most = pod_request(task.pod), pod_limit(task.pod)
        return _Use(self._of(asked.cpu, most.cpu, factor), self._of(asked.memory, most.memory, factor))

    def _of(self, asked: float, limit: float, factor: float) -> float:
        most = asked if limit <= 0 or limit < asked else limit
        estimate = (asked * self.request + (most - asked) * self.burst) * factor
        return min(max(estimate, 0.0), most)


class Usage(Plugin):
    """`_extra` is by row what is estimated beside what was measured, `_counted` the same by pod."""

    name = "usage"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        arguments = option.arguments
        self.weight, self._of_cpu, self._of_memory = (
            _weight(arguments, key, usual)
            for key, usual in (("usage.weight", 5), ("cpu.weight", 1), ("memory.weight", 1))
        )
        most = _section(arguments, "thresholds")
        self._most = Load(_threshold(most, "cpu"), _threshold(most, "mem"))
        self._estimator = _estimator(_section(arguments, "estimator"))
        nodes = session.state.nodes.objects
        measures = session.configuration.measures
        self._loads = [load_of(node.metadata.annotations) if measures else None for node in nodes]
        self._sizes = [capacity_of(node) for node in nodes]
        self._extra = [_Use(0.0, 0.0)] * len(nodes)
        self._counted: dict[str, tuple[int, _Use]] = {}
        for row, tasks in enumerate(session.nodes.tasks):
            if self._loads[row] is not None:
                for task, status in tasks.values():
                    if self._is_new(task, status):
                        self._count(task, row)

    def _is_new(self, task: Task, status: TaskStatus) -> bool:
        """Return whether the figures were measured before a pod could show in them."""
        if status is not TaskStatus.RUNNING:
            return status in _SENT
        started = parse_timestamp(task.pod.status.start_time, NO_TIME)
        if started == NO_TIME:
            return True
        interval = parse_duration(self.session.configuration.metrics_interval) or 0
        return self.session.around.began - started < (interval if interval > 0 else _USUAL_INTERVAL)

    # -- what is estimated ---------------------------------------------------------------------------

    def allocated(self, task: Task) -> str | None:
        row = self.session.nodes.row.get(task.node)
        if row is not None:
            self._count(task, row)
        return None

    def deallocated(self, task: Task) -> None:
        row, use = self._counted.pop(task.uid, (None, None))
        if row is not None and use is not None:
            extra = self._extra[row]
            self._extra[row] = _Use(max(extra.cpu - use.cpu, 0.0), max(extra.memory - use.memory, 0.0))

    def _count(self, task: Task, row: int) -> None:
        use = self._estimator.use_of(task, self._factor(row))
        self.deallocated(task)
        extra = self._extra[row]
        self._extra[row] = _Use(extra.cpu + use.cpu, extra.memory + use.memory)
        self._counted[task.uid] = row, use

    def _factor(self, row: int) -> float:
        cpu, memory = self._shares(row)
        weights = self._of_cpu + self._of_memory
        share = (cpu * self._of_cpu + memory * self._of_memory) / weights if weights else 0.0
        return self._estimator.factor if share >= self._estimator.threshold else 1.0

    def _shares(self, row: int) -> tuple[float, float]:
        """Return which share of a node's cpu and memory is in use, measured and estimated, 0 to 1."""
        load, extra, size = self._loads[row] or Load(0.0, 0.0), self._extra[row], self._sizes[row]
        return _share(load.cpu, extra.cpu, size.cpu), _share(load.memory, extra.memory, size.memory)

    # -- what is said of nodes -----------------------------------------------------------------------

    def by_node(self, task: Task) -> bool:
        return True

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return why busy nodes refuse; what is estimated doesn't count here."""
        refused: dict[int, Refusals] = {}
        for row in rows.tolist():
            load = self._loads[row]
            if load is not None and load.cpu > self._most.cpu:
                refused[row] = _BUSY_CPU
            elif load is not None and load.memory > self._most.memory:
                refused[row] = _BUSY_MEMORY
        return refused

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return how idle nodes are, shape (rows,); 0 where nothing was measured."""
        return np.array([self._score(row) for row in rows.tolist()], dtype=np.float64)

    def _score(self, row: int) -> float:
        weights = self._of_cpu + self._of_memory
        if self._loads[row] is None or not weights:
            return 0.0
        cpu, memory = self._shares(row)
        idle = ((1.0 - cpu) * float(self._of_cpu) + (1.0 - memory) * float(self._of_memory)) / float(weights)
        return idle * _MAX_NODE_SCORE * float(self.weight)


def _share(per_cent: float, extra: float, size: float) -> float:
    if size <= 0:
        return 0.0
    return min(max((per_cent / 100.0 * size + extra) / size, 0.0), 1.0)


def _weight(arguments: Arguments, key: str, usual: int) -> int:
    weight = arguments.integer(key, usual)
    return usual if weight < 0 else weight


def _section(arguments: Arguments, name: str) -> Arguments:
    """Return the arguments below a key; none where a key there is no text."""
    section = arguments.values.get(name)
    if not isinstance(section, Mapping) or not all(isinstance(key, str) for key in section):
        return Arguments()
    return Arguments(section)


def _threshold(section: Arguments, name: str) -> float:
    per_cent = section.integer(name, 80)
    return float(per_cent) if 0 <= per_cent <= 100 else 80.0


def _estimator(section: Arguments) -> _Estimator:
    usual = _Estimator()
    factor = section.number("risk_factor", usual.factor)
    return _Estimator(
        _ratio(section, "request_ratio", usual.request),
        _ratio(section, "burst_ratio", usual.burst),
        _ratio(section, "risk_threshold", usual.threshold),
        factor if factor >= 1 else usual.factor,
        _Use(
            _amount(section.values.get("be_cpu"), usual.best_effort.cpu, whole=1, thousandths=True),
            _amount(section.values.get("be_mem"), usual.best_effort.memory, whole=_MIB, thousandths=False),
        ),
    )


def _ratio(section: Arguments, name: str, usual: float) -> float:
    ratio = section.number(name, usual)
    return ratio if 0 <= ratio <= 1 else usual


def _amount(value: Any, usual: float, *, whole: int, thousandths: bool) -> float:
    """Return an amount: a whole number counts `whole` each, a text is a quantity, rounded up."""
    if isinstance(value, int) and not isinstance(value, bool):
        return usual if value < 0 else float(value * whole)
    if not isinstance(value, str):
        return usual
    try:
        nanos = parse_quantity(value).nanos
    except QuantityError:
        return usual
    unit = 10**6 if thousandths else 10**9
    return usual if nanos < 0 else float(-(-nanos // unit))
