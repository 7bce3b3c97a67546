"""Connected clusters with their readings, and which of them are older than they should be."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db.models import Count, Max, Q, Sum

from dashboard.live.api_server import EXPIRED
from dashboard.live.reading import IN_PART
from dashboard.models import Cluster, Delta, Pod, Snapshot
from dashboard.queries import access
from scheduler_core.world.reporting.cluster_release import release_of, written

READINGS = 24
"""So many of the last readings are shown."""
OLD = timedelta(days=1)
MISSED = 2
"""After so many readings of its schedule that did not come, a cluster is late."""
LOOKED_AT = 5000
"""So many pods of a reading are asked which scheduler they name, and all that wait."""


_STATES = {"importing": "under way", "failed": "failed"}


@dataclass(frozen=True)
class ReadingSeen:
    """A reading, and how it went: whole, in part, failed, or under way."""

    snapshot: Snapshot
    state: str

    @property
    def style(self) -> str:
        """The class of its mark."""
        return self.state.replace(" ", "-")


@dataclass
class ClusterSeen:
    """A cluster with its last readings, the newest first; `newest` is the newest whole one.

    is_late: it was never read, or not for a day, or not for two times of its schedule. schedulers: those that
    pods of the newest reading name, of many pods the waiting ones and the first. release: that of its API
    server, as 1.36, "" if it doesn't say. put_away: how many of its readings are stored as deltas, which take
    `delta_bytes`.
    """

    cluster: Cluster
    readings: list[ReadingSeen] = field(default_factory=list)
    newest: Snapshot | None = None
    is_late: bool = False
    schedulers: list[str] = field(default_factory=list)
    release: str = ""
    put_away: int = 0
    delta_bytes: int = 0

    @property
    def last(self) -> Snapshot | None:
        """The last reading, however it went."""
        return self.readings[0].snapshot if self.readings else None

    @property
    def is_being_read(self) -> bool:
        """Whether a reading is under way."""
        return any(one.snapshot.status == Snapshot.Status.IMPORTING for one in self.readings)

    @property
    def has_expired(self) -> bool:
        """Whether the last reading failed since its credentials are taken no more."""
        return EXPIRED in self.fault

    @property
    def fault(self) -> str:
        """Why the last reading failed, empty if it didn't."""
        last = self.last
        failed = last is not None and last.status == Snapshot.Status.FAILED and last.problems
        return str(last.problems[0]["message"]) if last is not None and failed else ""


def clusters_seen(user: Any, now: datetime) -> list[ClusterSeen]:
    """Return all clusters by name; none for outsiders."""
    return [cluster_seen(user, cluster, now) for cluster in access.visible_clusters(user)]


def cluster_seen(user: Any, cluster: Cluster, now: datetime) -> ClusterSeen:
    """Return a cluster with its last readings."""
    own = access.visible_snapshots(user).filter(cluster=cluster)
    newest = own.filter(status=Snapshot.Status.READY).first()
    is_late = newest is None or newest.created_at < now - _patience(cluster)
    readings = [ReadingSeen(one, _state_of(one)) for one in own[:READINGS]]
    deltas = Delta.objects.filter(snapshot__cluster=cluster).aggregate(number=Count("pk"), size=Sum("size"))
    found = ClusterSeen(cluster, readings, newest, is_late)
    found.put_away, found.delta_bytes = deltas["number"], deltas["size"] or 0
    if newest is not None:
        found.schedulers = _schedulers_of(newest)
        releases = filter(None, map(release_of, newest.server_versions))
        found.release = ", ".join(written(one) for one in sorted(releases))
    return found


def late_fresh_oldest(now: datetime) -> tuple[int, int, float | None]:
    """Return how many of all clusters are late, how many are not, and the age of the oldest newest reading.

    The age is in seconds. A cluster that was never read counts from when it was connected; None without any.
    """
    whole = Max("snapshots__created_at", filter=Q(snapshots__status=Snapshot.Status.READY))
    clusters = list(Cluster.objects.annotate(read_at=whole).order_by())
    late = sum(one.read_at is None or one.read_at < now - _patience(one) for one in clusters)
    oldest = min((one.read_at or one.created_at for one in clusters), default=None)
    return late, len(clusters) - late, None if oldest is None else (now - oldest).total_seconds()


def _patience(cluster: Cluster) -> timedelta:
    """Return how old the newest whole reading may be before the cluster is late."""
    return min(OLD, timedelta(minutes=MISSED * cluster.every)) if cluster.every else OLD


def _schedulers_of(snapshot: Snapshot) -> list[str]:
    pods = Pod.objects.filter(snapshot=snapshot).order_by()
    some = pods.filter(position__lt=LOOKED_AT), pods.filter(node_name="")
    named = (rows.values_list("scheduler_name", flat=True).distinct() for rows in some)
    return sorted(set(chain.from_iterable(named)))


def _state_of(snapshot: Snapshot) -> str:
    in_part = any(warning.startswith(IN_PART) for warning in snapshot.warnings)
    return _STATES.get(snapshot.status, "in part" if in_part else "whole")
