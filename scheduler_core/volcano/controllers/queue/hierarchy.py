"""Queues above and below each other: a queue closes and opens with its parent.

Source: volcano v1.16 pkg/controllers/queue/queue_controller_action.go.
"""

from __future__ import annotations

from scheduler_core.volcano.controllers.api_client import NotFound
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import QUEUE, Object, annotations_of
from scheduler_core.volcano.controllers.queue.states import CLOSE_QUEUE, OPEN, OPEN_QUEUE, SHUT

ROOT = "root"
CLOSED_BY_PARENT = "volcano.sh/closed-by-parent"


class ParentShut(Exception):
    """A queue can't be opened under a parent that is closed, closing or missing."""


def parent_of(queue: Object) -> str:
    """Return the name of a queue's parent, empty where none is given."""
    return (queue.get("spec") or {}).get("parent") or ""


def state_of(queue: Object) -> str:
    """Return a queue's state, empty where it has none yet."""
    return (queue.get("status") or {}).get("state") or ""


def was_closed_by_parent(queue: Object) -> bool:
    """Return whether the queue was closed because its parent was."""
    return annotations_of(queue).get(CLOSED_BY_PARENT) == "true"


def action_by_parent(queue: Object, informers: Informers) -> str:
    """Return what a queue must do because of its parent: open, close, or nothing. Raises NotFound."""
    if queue["metadata"]["name"] == ROOT:
        return ""
    parent, shut = informers.get(QUEUE, parent_of(queue)), state_of(queue) in SHUT
    if state_of(parent) in SHUT and not shut:
        return CLOSE_QUEUE
    if state_of(parent) == OPEN and shut and was_closed_by_parent(queue):
        return OPEN_QUEUE
    return ""


def require_open_parent(queue: Object, informers: Informers) -> None:
    """Raise ParentShut unless the queue may be opened; root isn't asked."""
    name, parent_name = queue["metadata"]["name"], parent_of(queue)
    if parent_name in ("", ROOT):
        return
    try:
        parent = informers.get(QUEUE, parent_name)
    except NotFound as missing:
        raise ParentShut(f"Failed to get parent queue {parent_name} of queue {name}: {missing}") from missing
    if state_of(parent) in SHUT:
        raise ParentShut(
            f"Failed to open queue {name} because its parent queue {parent_name} is closing or closed. "
            "Open the parent queue first."
        )


def children_of(queue: Object, informers: Informers) -> list[Object]:
    """Return the queues whose parent this is, by name."""
    return [one for one in informers.list(QUEUE) if parent_of(one) == queue["metadata"]["name"]]
