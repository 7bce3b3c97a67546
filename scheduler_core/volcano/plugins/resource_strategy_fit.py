"""resource-strategy-fit: scores each resource by its own strategy, and keeps room beside scarce resources.

Source: volcano v1.16 pkg/scheduler/plugins/resource-strategy-fit/resource_strategy_fit.go, sra.go,
proportional.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from scheduler_core.volcano.configuration.scheduler_conf import Arguments, PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task

_TYPE, _WEIGHTS = "volcano.sh/resource-strategy-scoring-type", "volcano.sh/resource-strategy-weight"
_LEAST, _MOST = "LeastAllocated", "MostAllocated"
_DEFAULT_WEIGHT = 10
_MAX_NODE_SCORE = 100
_MILLION = 1000 * 1000


class Strategy(NamedTuple):
    """How a resource is scored."""

    type: str
    weight: int


class Sra(NamedTuple):
    """Scarce resources with their weights, and the weight of their score."""

    weight: int
    resources: Mapping[str, int]


class Proportion(NamedTuple):
    """How much cpu (cores) and memory (10^9 bytes) an idle unit of a resource needs beside it."""

    cpu: float
    memory: float


class ResourceStrategyFit(Plugin):
    """A pod's annotations may replace the strategies for it."""

    name = "resource-strategy-fit"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        arguments = option.arguments
        weight = arguments.integer("resourceStrategyFitWeight", _DEFAULT_WEIGHT)
        self.weight = _DEFAULT_WEIGHT if weight < 0 else weight
        self.strategies = _strategies(arguments)
        self.sra = _sra(arguments)
        self.proportions = _proportions(arguments)
        off = set()
        if self.proportions is None:
            off.add("predicate")
        if self.weight <= 0 and self.sra.weight <= 0:
            off.add("node_order")
        self.switched_off = frozenset(off)

    def by_node(self, task: Task) -> bool:
        return True

    def class_part(self, task: Task) -> object:
        return task.annotation(_TYPE), task.annotation(_WEIGHTS)

    # -- room that is kept ---------------------------------------------------------------------------

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return where a pod that asks for no scarce resource would leave too little beside it."""
        proportions = self.proportions or {}
        asked = task.request.scalars or {}
        if any(asked.get(name, 0.0) > 0 for name in proportions):
            return {}
        nodes = self.session.nodes
        refused: dict[int, Refusals] = {}
        for row in rows.tolist():
            offered = nodes.sizes[row].scalars or {}
            cpu, memory, *_ = nodes.idle[row].tolist()
            for name, kept in proportions.items():
                column = nodes.column_of(name)
                if name not in offered or column is None:
                    continue
                idle = nodes.idle.item(row, column)
                short_of_memory = memory - task.request.memory < idle * kept.memory * _MILLION
                if cpu - task.request.cpu < idle * kept.cpu or short_of_memory:
                    why = f"proportional of resource {name} check failed"
                    refused[row] = (Refusal("UnschedulableAndUnresolvable", why, self.name),)
                    break
        return refused

    # -- scores --------------------------------------------------------------------------------------

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return the sum of both scores, shape (rows,)."""
        scores = np.zeros(len(rows))
        if self.weight > 0:
            scores = scores + self._by_strategy(task, rows)
        if self.sra.weight > 0:
            scores = scores + self._by_scarcity(task, rows)
        return scores

    def _by_strategy(self, task: Task, rows: Rows) -> Floats:
        nodes, strategies = self.session.nodes, self._strategies_for(task)
        score, fits, weights = np.zeros(len(rows)), np.ones(len(rows), dtype=np.bool_), 0
        for name in task.request.names():
            strategy = strategies(name)
            if strategy is None:
                continue
            weights += strategy.weight
            column = nodes.column_of(name)
            if strategy.type not in (_LEAST, _MOST) or strategy.weight == 0 or column is None:
                continue
            capacity = nodes.allocatable[rows, column]
            used = task.request.get(name) + nodes.used[rows, column]
            there = capacity != 0
            fits &= ~(there & (used > capacity))
            part = used if strategy.type == _MOST else capacity - used
            score = score + np.where(there, part * float(strategy.weight) / np.where(there, capacity, 1), 0.0)
        if weights > 0:
            score = score / float(weights)
        return np.where(fits, score * (float(_MAX_NODE_SCORE) * float(self.weight)), 0.0)

    def _strategies_for(self, task: Task) -> Any:
        """Return how a resource of the pod is scored: a function of its name, which may return None."""
        kind = task.annotation(_TYPE)
        if not kind:
            return self._strategy
        weights = _pod_weights(task.annotation(_WEIGHTS))
        return lambda name: Strategy(kind, weights[name]) if name in weights else None

    def _strategy(self, resource: str) -> Strategy | None:
        """Return the strategy of that very name, or else that of the longest prefix with a star."""
        if resource in self.strategies:
            return self.strategies[resource]
        prefixes = (key[:-1] for key in self.strategies if key.endswith("*"))
        best = max((one for one in prefixes if one and resource.startswith(one)), key=len, default=None)
        return None if best is None else self.strategies[f"{best}*"]

    def _by_scarcity(self, task: Task, rows: Rows) -> Floats:
        """Return full points where no scarce resource is, none where a resource asked for is missing."""
        nodes, sra = self.session.nodes, self.sra
        there = np.ones(len(rows), dtype=np.bool_)
        for name in task.request.names():
            column = nodes.column_of(name)
            there &= False if column is None else nodes.allocatable[rows, column] != 0
        held = np.zeros(len(rows))
        for name, weight in sra.resources.items():
            column = nodes.column_of(name)
            if column is not None:
                held = held + np.where(nodes.allocatable[rows, column] > 0, float(weight), 0.0)
        whole = sum(sra.resources.values())
        score = 1.0 - held / float(whole) if whole > 0 else held
        return np.where(there, score * float(_MAX_NODE_SCORE * sra.weight), 0.0)


def _pod_weights(text: str | None) -> dict[str, int]:
    """Return the weights that a pod gives; none of them counts where they can't be read."""
    try:
        return msgspec.json.decode(text or "", type=dict[str, int] | None) or {}
    except ValueError:
        return {}


def _field(given: Any, name: str) -> Any:
    """Return a field of a part of the arguments: upper and lower case are the same there."""
    if not isinstance(given, Mapping):
        return None
    if name in given:
        return given[name]
    return next((value for key, value in given.items() if str(key).lower() == name.lower()), None)


def _integer(given: Any, default: int = 0) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return default
    return int(given)


def _strategies(arguments: Arguments) -> dict[str, Strategy]:
    given = arguments.values.get("resources")
    if not isinstance(given, Mapping) or not given:
        return {name: Strategy(_LEAST, 1) for name in ("cpu", "memory")}
    found = {}
    for name, one in given.items():
        if "*" in name and (name == "*" or not name.endswith("*") or name.count("*") > 1):
            continue
        weight, kind = _integer(_field(one, "weight")), _field(one, "type")
        found[str(name)] = Strategy(kind if kind in (_LEAST, _MOST) else _LEAST, weight if weight > 0 else 1)
    return found


def _names(given: Any) -> list[str]:
    """Return the resources that a part of the arguments lists between commas."""
    text = _field(given, "resources")
    return [name.strip() for name in text.split(",") if name.strip()] if isinstance(text, str) else []


def _sra(arguments: Arguments) -> Sra:
    given = arguments.values.get("sra")
    if _field(given, "enable") is not True:
        return Sra(0, {})
    weights = {name: _integer(_field_exactly(given, "resourceWeight", name), 1) for name in _names(given)}
    resources = {name: 1 if weight < 0 else weight for name, weight in weights.items()}
    return Sra(_integer(_field(given, "weight")), resources)


def _proportions(arguments: Arguments) -> dict[str, Proportion] | None:
    given = arguments.values.get("proportional")
    if _field(given, "enable") is not True:
        return None

    def rate(key: str) -> float:
        value = _field_exactly(given, "resourceProportion", key)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if number and value >= 0 else 1.0

    return {name: Proportion(rate(f"{name}.cpu"), rate(f"{name}.memory")) for name in sorted(_names(given))}


def _field_exactly(given: Any, part: str, key: str) -> Any:
    within = _field(given, part)
    return within.get(key) if isinstance(within, Mapping) else None
