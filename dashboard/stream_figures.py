"""What this web process knows of its live streams, for ``/metrics``.

Each socket holds a ``Follower`` while it is open, tells it how far behind the log it is and what it sent.
The lag counts decisions rather than seconds: it says directly whether readers keep up with the workers.
"""

from weakref import WeakSet

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics

disable_created_metrics()  # a second series for every counter, which nobody draws
REGISTRY = CollectorRegistry()
FOLLOWERS: "WeakSet[Follower]" = WeakSet()

SENT = Counter("sandtable_stream_decisions", "Decisions sent to readers by this process", registry=REGISTRY)
CLIENTS = Gauge("sandtable_stream_clients", "Sockets that follow a run in this process", registry=REGISTRY)
LAG = Gauge(
    "sandtable_stream_lag_decisions",
    "Decisions that are stored and not yet sent, for the reader that is furthest behind",
    registry=REGISTRY,
)
CLIENTS.set_function(lambda: len(FOLLOWERS))
LAG.set_function(lambda: max((follower.behind for follower in FOLLOWERS), default=0))


class Follower:
    """One open stream; ``behind`` is how many stored decisions it has not sent yet."""

    def __init__(self) -> None:
        self.behind = 0

    def open(self) -> None:
        """Count this stream from now on."""
        FOLLOWERS.add(self)

    def found(self, behind: int) -> None:
        """The log was looked at: so many decisions are still to be sent."""
        self.behind = behind

    def sent(self, count: int) -> None:
        """So many decisions were sent."""
        self.behind = max(0, self.behind - count)
        SENT.inc(count)

    def close(self) -> None:
        """The stream has ended."""
        FOLLOWERS.discard(self)
