"""Commands: objects that ask a controller for an action on a job or a queue, once.

Source: volcano.sh/apis v1.16 bus/v1alpha1 commands.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.volcano.controllers.kinds import Kind, Object, api_version


class CommandTaken(NamedTuple):
    """A command that was taken: its own key, the name of what it is for, and the action."""

    key: str
    target: str
    action: str


def targets(command: Object, kind: Kind) -> bool:
    """Return whether a command is for an object of this kind."""
    target = command.get("target") or {}
    return target.get("apiVersion") == api_version(kind) and target.get("kind") == kind.name
