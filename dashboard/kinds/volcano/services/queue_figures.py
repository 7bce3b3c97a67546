"""The figures of a snapshot's queues, which the worker that answers why pods wait asks of its own Volcano."""

from dashboard.services.workspace.why_packing import unpack_queues
from dashboard.services.workspace.why_pending import Asking
from scheduler_core.volcano.cache.tables import QueueRow


def figures_of(asking: Asking) -> dict[str, QueueRow] | None:
    """Return rows of queues by name, none where no waiting pod names Volcano; None while not known."""
    if asking.queues is not None:
        return unpack_queues(asking.queues, QueueRow)
    return {} if asking.is_ready else None
