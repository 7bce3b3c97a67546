"""What a worker does when the database or the disk fails under it: it gives the lease back, and work goes on.

While that fails too, the worker waits: without the database there is nothing else that it could do, and a
lease that is left with a living process would never run out.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection

from dashboard.database_faults import is_disk_full, is_passing
from dashboard.errors import LeaseLost

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 10.0


@dataclass
class Held:
    """What the block holds; `give_up` returns the lease, and is set once there is one.

    waits_for: what the work waits for once it is given back, to follow "waiting"; empty where nobody knows.
    """

    give_up: Callable[[], None] | None = None
    waits_for: str = ""


@contextmanager
def returning_leases() -> Iterator[Held]:
    """Return the lease where a fault that passes ends the block, and end in peace where it was lost.

    All other errors go on. Work that was given back is sent again by the reaper.
    """
    held = Held()
    try:
        yield held
    except LeaseLost as lost:
        logger.warning("Another worker has taken over, or it was deleted: %s", lost)
    except Exception as error:
        if not is_passing(error):
            raise
        logger.warning("The work is given back, since the database or the disk failed: %s", error)
        held.waits_for = "for room on the disk" if is_disk_full(error) else "for the database"
        if held.give_up is not None:
            _until_it_works(held.give_up)


def _until_it_works(give_up: Callable[[], None]) -> None:
    pause = FIRST_PAUSE_SECONDS
    while True:
        connection.close_if_unusable_or_obsolete()
        try:
            return give_up()
        except LeaseLost:
            return None
        except Exception as error:
            if not is_passing(error):
                raise
            logger.warning("The lease could not be given back yet: %s", error)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
