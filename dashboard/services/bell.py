"""The bell: tells whoever listens that a run's row or log has changed; it carries nothing else.

A lost ring loses nothing, since listeners also look by themselves. So every failure of the channel layer
is swallowed here, after a second at most.
"""

import asyncio
import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.0


def group_of(run_id: int) -> str:
    """Return the name of the channel group that listens to a run."""
    return f"run-{run_id}"


def ring(run_id: int) -> None:
    """Tell the run's listeners to look at the database."""
    try:
        async_to_sync(_send)(run_id)
    except Exception as error:  # the channel layer's own errors and those of its client have no common base
        logger.warning("The bell of run %s was lost: %s", run_id, error)


async def _send(run_id: int) -> None:
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": "run.changed"}
        await asyncio.wait_for(layer.group_send(group_of(run_id), message), PATIENCE_SECONDS)
