"""The bell: tells whoever listens that a run's row or log has changed; it carries nothing else.

A lost ring loses nothing, since listeners also look by themselves. So every failure of the channel layer
is swallowed here, after a second at most, and the bell then rests for a while: a worker is not slowed.
"""

import asyncio
import logging
import time

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.0
REST_SECONDS = 10.0

_rest_until = 0.0


def group_of(run_id: int) -> str:
    """Return the name of the channel group that listens to a run."""
    return f"run-{run_id}"


def ring(run_id: int) -> None:
    """Tell the run's listeners to look at the database."""
    global _rest_until
    if time.monotonic() < _rest_until:
        return
    try:
        async_to_sync(_send)(run_id)
    except Exception as error:  # the channel layer's own errors and those of its client have no common base
        _rest_until = time.monotonic() + REST_SECONDS
        logger.warning("The bell of run %s was lost: %s", run_id, error)


async def _send(run_id: int) -> None:
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": "run.changed"}
        await asyncio.wait_for(layer.group_send(group_of(run_id), message), PATIENCE_SECONDS)
