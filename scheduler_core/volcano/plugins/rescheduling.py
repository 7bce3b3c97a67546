"""rescheduling: names running pods of busy nodes, which the action shuffle evicts.

It has its turn each `interval`, counted from the start of the scheduler's process: here of the run. Nodes'
loads stay what they were measured to be, as if pods that have gone still weighed: so a run has one turn.

Source: volcano v1.16 pkg/scheduler/plugins/rescheduling/rescheduling.go, rescheduling_util.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.go.duration import parse_duration
from scheduler_core.volcano.configuration.scheduler_conf import Arguments, PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.low_node_utilization import Thresholds, read_thresholds, victims_of

_INTERVAL = 5 * 60 * 10**9
_PERIOD = "5m"
_ONLY = "lowNodeUtilization"


class Rescheduling(Plugin):
    """`_strategies` are the thresholds of each strategy that it is to follow; Volcano knows one."""

    name = "rescheduling"
    reads_clock = from_start = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._turn = _first_turn(option.arguments, session.configuration.period)
        self._period = option.arguments.text("metricsPeriod") or _PERIOD
        self._strategies = list(_strategies(option.arguments))
        if session.around.now - session.around.began != self._turn:
            self.switched_off = frozenset({"victim_tasks"})

    def victim_tasks(self, running: Sequence[Task]) -> list[Task]:
        """Return which of the running pods are to go, each once."""
        found = (
            task for one in self._strategies for task in victims_of(self.session, running, one, self._period)
        )
        return list({task.uid: task for task in found}.values())

    def next_change(self, now: int) -> int | None:
        turn = self.session.around.began + self._turn
        return turn if turn > now else None


def _first_turn(arguments: Arguments, period: int) -> int:
    """Return how long after the run's start the first turn comes: in a session, not before the interval.

    A real session opens a little late, so that one at the very interval has its turn. Nanoseconds.
    """
    interval = parse_duration(arguments.text("interval"))
    interval = _INTERVAL if interval is None else max(interval, 0)
    return -(-interval // period) * period


def _strategies(arguments: Arguments) -> Iterator[Thresholds]:
    """Yield the thresholds of each entry that names the strategy: the last entry's hold for all."""
    given = arguments.values.get("strategies")
    entries = [entry for entry in given if isinstance(entry, Mapping)] if isinstance(given, list) else []
    if not given or not isinstance(given, list):
        yield Thresholds()
        return
    named = [params for name, params in map(_entry, entries) if name == _ONLY]
    if named:
        yield read_thresholds(named[-1])


def _entry(entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return name and parameters: their keys are found in upper and lower case."""
    fields = {str(key).lower(): value for key, value in entry.items()}
    params = fields.get("params")
    return str(fields.get("name", "")), params if isinstance(params, Mapping) else {}
