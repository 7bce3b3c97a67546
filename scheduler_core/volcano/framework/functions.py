"""The functions of a session that plugins have, and how they vote and compare.

A plugin has a function if its class has a method of that name; `configuration.FLAGS` lists all there are
with the flags that switch them off. Orders return below, at or above 0; votes return PERMIT, ABSTAIN or
REJECT.

Source: volcano v1.16 pkg/scheduler/framework/session_plugins.go, plugins/util/util.go.
"""

from __future__ import annotations

from scheduler_core.volcano.configuration.scheduler_conf import FLAGS

PERMIT, ABSTAIN, REJECT = 1, 0, -1


def functions_of(plugin: type) -> frozenset[str]:
    """Return the session's functions that a plugin has."""
    return frozenset(name for name in FLAGS if hasattr(plugin, name))


def compare(left: float, right: float) -> int:
    """Return below 0 if the left is less, above 0 if it is more."""
    return (left > right) - (left < right)
