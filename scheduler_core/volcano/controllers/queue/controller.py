"""The queue controller: states of queues, and how many pod groups they have in which phase.

Source: volcano v1.16 pkg/controllers/queue/queue_controller.go, queue_controller_handler.go,
queue_controller_action.go.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.volcano.controllers.api_client import ApiError, NotFound, WatchEvent
from scheduler_core.volcano.controllers.commands import CommandTaken, targets
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import (
    COMMAND,
    POD_GROUP,
    QUEUE,
    Object,
    annotations_of,
    key_of,
    phase_of,
)
from scheduler_core.volcano.controllers.queue.hierarchy import (
    CLOSED_BY_PARENT,
    ROOT,
    ParentShut,
    action_by_parent,
    children_of,
    parent_of,
    require_open_parent,
    state_of,
    was_closed_by_parent,
)
from scheduler_core.volcano.controllers.queue.known_groups import KnownGroups
from scheduler_core.volcano.controllers.queue.states import (
    CLOSE_QUEUE,
    OPEN,
    OPEN_QUEUE,
    SHUT,
    SYNC_QUEUE,
    InvalidState,
    Operation,
    operation,
)
from scheduler_core.volcano.controllers.reconcile import Noting, Outcome, Reconcile
from scheduler_core.volcano.controllers.work_queue import WorkQueue

COUNTED = ("Pending", "Running", "Unknown", "Inqueue", "Completed")
_FAULTS = (ApiError, ParentShut)


@dataclass(frozen=True, eq=False)
class QueueRequest:
    """A request. No two are equal: what is asked twice is done twice."""

    queue: str
    action: str
    event: str = ""


class QueueController:
    """`max_retries` is how often a request that fails comes again; below zero, without end.

    `groups` are the pod groups known of each queue, `counts` how many there were in which phase when the
    queue was synced last.
    """

    name = "queue"

    def __init__(self, api: Noting, informers: Informers, max_retries: int) -> None:
        self._api = api
        self._informers = informers
        self._limit = max_retries
        self._queue: WorkQueue[QueueRequest] = WorkQueue(informers, QueueRequest)
        self._commands: deque[Object] = deque()
        self.groups = KnownGroups(informers)
        self.counts: dict[str, Counter[str]] = {}
        informers.listen(QUEUE, self._notice_queue)
        informers.listen(POD_GROUP, self._notice_group)
        informers.listen(COMMAND, self._notice_command)

    # -- what it hears -------------------------------------------------------------------------------

    def _notice_queue(self, event: WatchEvent) -> None:
        if event.new is None:
            self.counts.pop(event.key, None)
            self.groups.forget_queue(event.key)
        elif event.old is None or parent_of(event.old) != parent_of(event.new):
            self._ask(event.key, SYNC_QUEUE, "OutOfSync")

    def _notice_group(self, event: WatchEvent) -> None:
        group = event.new or event.old
        assert group is not None
        queue = (group.get("spec") or {}).get("queue") or ""
        self.groups.hear(event.key, event.new)
        if event.new is None:
            self.groups.drop(queue, event.key)
        elif event.old is None or phase_of(event.old) != phase_of(event.new):
            self.groups.add(queue, event.key)
        else:
            return
        self._ask(queue, SYNC_QUEUE, "OutOfSync")

    def _notice_command(self, event: WatchEvent) -> None:
        if event.old is None and event.new is not None and targets(event.new, QUEUE):
            self._commands.append(event.new)

    def _ask(self, queue: str, action: str, event: str = "") -> None:
        self._queue.add(QueueRequest(queue, action, event))

    # -- what it does --------------------------------------------------------------------------------

    def command(self) -> Reconcile | None:
        """Take the next command: it is deleted first, so that it is carried out once at most."""
        if not self._commands:
            return None
        command = self._commands.popleft()
        taken = CommandTaken(key_of(command), command["target"]["name"], command.get("action") or "")
        try:
            self._api.delete(COMMAND, taken.key)
        except NotFound:
            return self._api.noted(Reconcile(self.name, taken, outcome="dropped"))
        self._ask(taken.target, taken.action, "CommandIssued")
        return self._api.noted(Reconcile(self.name, taken, action=taken.action))

    def work(self) -> Reconcile | None:
        """Work off the next request."""
        if not len(self._queue):
            return None
        request = self._queue.take()
        queue = self._informers.find(QUEUE, request.queue)
        if queue is None:
            return self._api.noted(Reconcile(self.name, request, action=request.action, outcome="dropped"))
        outcome, error = self._try(queue, request)
        return self._api.noted(
            Reconcile(self.name, request, state_of(queue), request.action, outcome, error=error)
        )

    def due(self) -> int | None:
        """Return None: nothing waits for its time."""
        return None

    def expire(self) -> Reconcile | None:
        """Do nothing: nothing waits for its time."""
        return None

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controller remembers."""
        return {
            "queue": self._queue.dump(),
            "commands": list(self._commands),
            "groups": self.groups.dump(),
            "counts": {queue: dict(counts) for queue, counts in self.counts.items()},
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._queue.load(data["queue"])
        self._commands = deque(data["commands"])
        self.groups.load(data["groups"])
        self.counts = {queue: Counter(counts) for queue, counts in data["counts"].items()}

    def _try(self, queue: Object, request: QueueRequest) -> tuple[Outcome, str]:
        try:
            self._execute(queue, request.action)
        except InvalidState as fault:
            error = f"queue {request.queue} {fault}"
        except _FAULTS as fault:
            error = (
                f"sync queue {request.queue} failed for {fault}, event is {request.event}, "
                f"action is {request.action}"
            )
        else:
            self._queue.forget(request)
            return "done", ""
        if self._limit < 0 or self._queue.failures(request) < self._limit:
            self._queue.again(request)
            return "requeued", error
        self._api.tell(queue, "Warning", request.action, f"{request.action} queue failed for {error}")
        self._queue.forget(request)
        return "failed", error

    def _execute(self, queue: Object, action: str) -> None:
        todo = operation(state_of(queue), action)
        if todo.name == "SyncQueue":
            self._sync(queue, todo)
        elif todo.name == "OpenQueue":
            self._open(queue, todo)
        else:
            self._close(queue, todo)

    # -- sync, open, close ---------------------------------------------------------------------------

    def _sync(self, queue: Object, todo: Operation) -> None:
        name = queue["metadata"]["name"]
        if name != ROOT and not parent_of(queue):
            queue = self._api.patch(QUEUE, name, {"spec": {"parent": ROOT}})
        state = todo.next_state(len(self.groups.of(name)))
        self.groups.forget_gone(name)
        self.counts[name] = self.groups.in_phases(name, COUNTED)
        if state != state_of(queue):
            queue = self._set_state(queue, state)
        action = action_by_parent(queue, self._informers)
        if action == CLOSE_QUEUE:
            self._mark(queue, "true")
        if action:
            self._ask(name, action)

    def _open(self, queue: Object, todo: Operation) -> None:
        if state_of(queue) != OPEN:
            require_open_parent(queue, self._informers)
            for child in children_of(queue, self._informers):
                if was_closed_by_parent(child):
                    self._ask(child["metadata"]["name"], OPEN_QUEUE)
        self._set_state(queue, todo.empty)
        self._mark(queue, "false")

    def _close(self, queue: Object, todo: Operation) -> None:
        name = queue["metadata"]["name"]
        if state_of(queue) not in SHUT:
            if name == ROOT:
                return
            for child in children_of(queue, self._informers):
                if state_of(child) not in SHUT:
                    self._mark(child, "true")
                    self._ask(child["metadata"]["name"], CLOSE_QUEUE)
        state = todo.next_state(len(self.groups.of(name)))
        if state != state_of(queue):
            self._set_state(queue, state)
            self._api.tell(queue, "Normal", CLOSE_QUEUE, "Close queue succeed")

    def _set_state(self, queue: Object, state: str) -> Object:
        return self._api.patch(QUEUE, queue["metadata"]["name"], {"status": {"state": state}})

    def _mark(self, queue: Object, closed_by_parent: str) -> None:
        if annotations_of(queue).get(CLOSED_BY_PARENT) != closed_by_parent:
            marks = {"annotations": {CLOSED_BY_PARENT: closed_by_parent}}
            self._api.patch(QUEUE, queue["metadata"]["name"], {"metadata": marks})
