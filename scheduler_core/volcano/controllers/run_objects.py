"""Volcano's objects as edits let them come, change and go at an instant: its controllers hear of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.run_parts import TimedRunPods
from scheduler_core.volcano.controllers import kinds
from scheduler_core.volcano.controllers.run_api import RunApi


class RunObjects:
    """The objects, over the API server of a run."""

    def __init__(self, api: RunApi, pods: TimedRunPods) -> None:
        self._api = api
        self._pods = pods

    def put(self, document: Mapping[str, Any]) -> Report:
        """Let an object come or change."""
        self._api.put(dict(document))
        report: Report = self._pods.take_report()
        return report

    def drop(self, document: Mapping[str, Any]) -> Report | None:
        """Let an object go, and what it owns with it; None if it isn't there."""
        kind, key = kinds.kind_of(document), kinds.key_of(document)
        if self._api.stored.find(kind, key) is None:
            return None
        self._api.delete(kind, key)
        report: Report = self._pods.take_report()
        return report
