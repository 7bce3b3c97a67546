"""A session's figures as the log has them."""

from __future__ import annotations

from scheduler_core.events.sessions import Share
from scheduler_core.volcano.cache.tables import Figures
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.resource import CPU, MAX_INT64, MEMORY, Resource
from scheduler_core.volcano.plugin_rules.queue_shares import QueueShare
from scheduler_core.volcano.plugins.capacity import Capacity
from scheduler_core.volcano.plugins.drf import Drf
from scheduler_core.volcano.plugins.proportion import Proportion

_DIGITS = 9


def figures(resource: Resource) -> Figures:
    """Return a resource's amounts by name; None is no limit."""
    amounts = {CPU: resource.cpu, MEMORY: resource.memory, **dict(sorted((resource.scalars or {}).items()))}
    return {name: None if amount >= MAX_INT64 else _plain(amount) for name, amount in amounts.items()}


def _plain(amount: float) -> int | float:
    return int(amount) if amount == int(amount) else round(amount, 3)


def queue_shares(session: Session) -> dict[str, QueueShare]:
    """Return the figures of the plugin that shares out resources among queues; none without one."""
    for name in ("proportion", "capacity"):
        plugin = session.plugins.get(name)
        if isinstance(plugin, Proportion | Capacity):
            return plugin.shares
    return {}


def job_shares(session: Session) -> dict[str, Share]:
    """Return every job's dominant share; none where drf is not asked."""
    plugin = session.plugins.get("drf")
    if not isinstance(plugin, Drf):
        return {}
    return {uid: Share(round(one.share, _DIGITS), one.resource) for uid, one in sorted(plugin.shares.items())}


def share_of(one: QueueShare) -> float:
    """Return a queue's share as the log has it."""
    return round(one.share, _DIGITS)
