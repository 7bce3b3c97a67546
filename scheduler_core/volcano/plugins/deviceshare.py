"""deviceshare: lets a pod onto nodes whose cards suffice, and scores how full those cards are.

The cards are handed out by predicates (`Predicates.allocated`), and counted by the nodes. A score is what the
last filter of the node found; a pod that the cards refuse leaves the score of the pod before it.

Source: volcano v1.16 pkg/scheduler/plugins/deviceshare/deviceshare.go.
"""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.devices.exclusive_vgpu import ExclusiveVgpuNode, rules_of
from scheduler_core.volcano.devices.of_configuration import EXCLUSIVE_RULES, PLUGIN, POLICY, WEIGHT
from scheduler_core.volcano.devices.vgpu import VgpuNode
from scheduler_core.volcano.devices.vgpu_requests import told_apart_by
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.node_devices import NodeDevices
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task


class Deviceshare(Plugin):
    """`policy` is `binpack`, `spread` or none; `weight` multiplies the score, which 0 leaves out."""

    name = PLUGIN

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self.policy = option.arguments.text(POLICY)
        self.weight = option.arguments.integer(WEIGHT, 0)
        self._devices = session.nodes.devices
        self._rules = rules_of(option.arguments.values.get(EXCLUSIVE_RULES))
        if self._rules:
            for row, devices in self._devices.items():
                self._devices[row] = [self._exclusive(row, one) for one in devices]
        self._stale_scores = "preempt" in session.configuration.actions

    def _exclusive(self, row: int, devices: NodeDevices) -> NodeDevices:
        if not isinstance(devices, VgpuNode):
            return devices
        pods = [task for task, _ in self.session.nodes.tasks[row].values()]
        return ExclusiveVgpuNode(devices, self._rules, pods)

    def by_node(self, task: Task) -> bool:
        """Preempt also scores nodes that the cards refuse: their scores are those of other pods."""
        return not self._stale_scores or not self._asks(task)

    def class_part(self, task: Task) -> object:
        if not self._devices:
            return None
        labels = task.pod.metadata.labels if self._rules else None
        return told_apart_by(task), labels

    def _asks(self, task: Task) -> bool:
        return any(one.asked_by(task) for devices in self._devices.values() for one in devices)

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return by node why its cards do not suffice."""
        return self._refused(task, {row: self._devices[row] for row in self._with_devices(rows)})

    def against(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        asked = {row: self._devices[row] for row in self._with_devices(rows)}
        copies = {row: [one.copied() for one in found if one.asked_by(task)] for row, found in asked.items()}
        return self._refused(task, copies)

    def _refused(self, task: Task, by_row: dict[int, list[NodeDevices]]) -> dict[int, Refusals]:
        refused: dict[int, Refusals] = {}
        for row, found in by_row.items():
            for devices in found:
                if devices.asked_by(task) and (why := devices.refusal(task, self.policy)):
                    refused[row] = (Refusal("Unschedulable", why, self.name),)
                    break
        return refused

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return the sum of a node's devices' scores, rounded, times the weight."""
        scores = np.zeros(len(rows))
        if self.weight <= 0:
            return scores
        for place, row in enumerate(rows.tolist()):
            found = sum(self._score(one, task) for one in self._devices.get(row, ()) if one.asked_by(task))
            scores[place] = float(math.floor(found + 0.5)) * self.weight
        return scores

    def _score(self, devices: NodeDevices, task: Task) -> float:
        """Return what this pod's filter finds, for answers that are kept; else what the last filter found."""
        if not self._stale_scores:
            devices.refusal(task, self.policy)
        return devices.score

    def _with_devices(self, rows: Rows) -> list[int]:
        return [row for row in rows.tolist() if row in self._devices] if self._devices else []
