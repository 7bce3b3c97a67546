"""Recorded controllers of Volcano: cases in, what each step came to out.

A step writes its objects; then events, commands and requests are worked off until nothing is left. Writes of
a step don't pass the controllers' notes, so that what is noted is the controllers' own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from recorded.volcano import job_cases, podgroup_cases, queue_cases
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.reconcile import Reconcile

_BEGIN = 1_780_000_000 * 10**9
"""When the recorded clock begins; no decision depends on it."""
START = "start"


class Recording(Protocol):
    """A family of controllers: which they are, what its steps write, and what is recorded of a step."""

    def write(self, step: Mapping[str, Any]) -> None:
        """Do what happens in a step. Raises BadInput for a step that doesn't exist."""

    def told(self, done: list[Reconcile]) -> dict[str, Any]:
        """Return what is recorded after a step in which this was done."""


_FAMILIES: dict[str, Callable[[MemoryApi, Manager, Mapping[str, Any]], Recording]] = {
    "job_controller": job_cases.JobRecording,
    "podgroup_controller": podgroup_cases.PodGroupRecording,
    "queue_controller": queue_cases.QueueRecording,
}
FAMILIES = frozenset(_FAMILIES)


def play(case: Mapping[str, Any]) -> dict[str, Any]:
    """Play a recorded case of a family of controllers. Raises BadInput where it cannot be run."""
    server = MemoryApi(_BEGIN)
    manager = Manager(server)
    recording = _FAMILIES[case["family"]](server, manager, case.get("config") or {})
    for item in case["cluster"]["items"]:
        server.create(item)
    steps = case["steps"]
    if not any(step["op"] == START for step in steps):
        work_off(manager)
    told = []
    for step in steps:
        if step["op"] != START:
            recording.write(step)
        told.append(recording.told(work_off(manager)))
    return {"steps": told}


def work_off(manager: Manager) -> list[Reconcile]:
    """Let the controllers work until nothing is left, and return what they did."""
    done = []
    while (one := manager.step()) is not None:
        done.append(one)
    return done
