"""What an admission to a queue adds up: told with a refusal, and with why a job's pods wait."""

from scheduler_core.events.changes import Event


class Sum(Event, frozen=True):
    """What an admission to a queue adds up, of one resource: more than is `allowed` is refused.

    `held` is in use, `promised` belongs to jobs that are in a queue and hold it not yet.
    """

    resource: str
    unit: str
    allowed: float
    held: float
    promised: float
    asked: float
