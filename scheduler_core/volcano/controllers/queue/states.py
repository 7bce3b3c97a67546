"""The queue's state machine: what an action does to a queue in a state, and which state it leads to.

Source: volcano v1.16 pkg/controllers/queue/state.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

OPEN, CLOSED, CLOSING, UNKNOWN = "Open", "Closed", "Closing", "Unknown"
OPEN_QUEUE, CLOSE_QUEUE, SYNC_QUEUE = "OpenQueue", "CloseQueue", "SyncQueue"
SHUT = frozenset({CLOSED, CLOSING})


class InvalidState(Exception):
    """A queue is in a state that doesn't exist."""


class Operation(NamedTuple):
    """What is done, and the state it leads to, without and with pod groups in the queue."""

    name: Literal["OpenQueue", "CloseQueue", "SyncQueue"]
    empty: str
    busy: str

    def next_state(self, groups: int) -> str:
        """Return the state that the queue comes to with so many pod groups."""
        return self.busy if groups else self.empty


def operation(state: str, action: str) -> Operation:
    """Return what an action does to a queue in a state. Raises InvalidState."""
    if state not in ("", OPEN, CLOSED, CLOSING, UNKNOWN):
        raise InvalidState(f"state {state} is invalid")
    if action == OPEN_QUEUE:
        return Operation("SyncQueue" if state in ("", OPEN) else "OpenQueue", OPEN, OPEN)
    if action == CLOSE_QUEUE:
        if state == CLOSED:
            return Operation("SyncQueue", CLOSED, CLOSED)
        return Operation("SyncQueue" if state == CLOSING else "CloseQueue", CLOSED, CLOSING)
    if state == CLOSING:
        return Operation("SyncQueue", CLOSED, CLOSING)
    return Operation("SyncQueue", state or OPEN, state or OPEN)
