"""How often somebody may ask a scenario's extender: so many questions a second, in each web process."""

from django.conf import settings
from rest_framework.exceptions import Throttled

from dashboard.rates import Buckets

_WAIT_SECONDS = 1

_buckets = Buckets()


def count_question(user: int, scenario: int) -> None:
    """Count a question: EXTENDER_RATE a second by user and scenario, a second's worth at once; 0 is no limit.

    Raises Throttled.
    """
    rate: int = settings.EXTENDER_RATE
    if rate and not _buckets.take((user, scenario), rate, rate):
        words = (
            f"Scenario {scenario} takes {rate:,} questions a second of one person: SANDTABLE_EXTENDER_RATE."
        )
        raise Throttled(_WAIT_SECONDS, words)


def forget_all() -> None:
    """Let everybody start anew."""
    _buckets.forget_all()
