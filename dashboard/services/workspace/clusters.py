"""Connected clusters: their credentials, what they may be read of, and their readings.

A reading is an import like any other, whose files come from the cluster's API server. Its snapshot is made at
once and filled by a worker. Only get, list and watch are asked for, and Secrets never.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.errors import AlreadyDeleted, HasDependents, NotPossibleNow
from dashboard.live import exec_plugin
from dashboard.live.in_cluster import is_in_cluster, own_connection
from dashboard.live.kubeconfig import Connection, connection_in
from dashboard.models import Cluster, Snapshot
from dashboard.services.background.dispatch import send_import
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.extenders.allowed import address_of, is_below
from dashboard.services.workspace.sealing import sealed, unsealed
from dashboard.services.workspace.snapshots import delete_snapshot
from scheduler_core.objects.problems import BadInput, Problem

VARIABLE = "SANDTABLE_CLUSTERS"
NAME_LENGTH = 100
MOST_MINUTES = 7 * 24 * 60
MOST_KEPT = 1000
KEPT_FAILED = 10
"""How many failed readings stay, which say why and since when."""

Payload = tuple[str, bytes]


class Way(NamedTuple):
    """How a cluster is reached: by a context of a kubeconfig, or by the service account of the own pod."""

    kubeconfig: bytes = b""
    context: str = ""
    in_cluster: bool = False


def connect_cluster(user: Any, way: Way, *, name: str = "") -> Cluster:
    """Keep how a cluster is reached, and begin its first reading. Raises BadInput."""
    kept = _kept(way)
    called = (name.strip() or kept["context"])[:NAME_LENGTH]
    try:
        with transaction.atomic():
            cluster = Cluster.objects.create(name=called, created_by=user, **kept)
            note("cluster connected", called, server=cluster.address)
    except IntegrityError as error:
        message = f"{called} is connected already: renew it, or give another name"
        raise BadInput([Problem("", "name", message)]) from error
    begin_reading(user, cluster)
    return cluster


def renew_cluster(user: Any, cluster: Cluster, way: Way) -> Cluster:
    """Take other credentials for a cluster, and read it. Raises BadInput."""
    for field, value in _kept(way).items():
        setattr(cluster, field, value)
    cluster.access, cluster.checked_at = {}, None
    with transaction.atomic():
        cluster.save()
        cluster.snapshots.update(goes_on={})  # whose cluster may be another one
        note("cluster renewed", cluster.name, server=cluster.address)
    if not is_being_read(cluster):
        begin_reading(user, cluster)
    return cluster


def schedule_cluster(cluster: Cluster, *, every: int, keep: int) -> None:
    """Have a cluster read every so many minutes, 0: when asked; keep so many readings."""
    with transaction.atomic():
        Cluster.objects.filter(pk=cluster.pk).update(every=every, keep=keep)
        note("cluster scheduled", cluster.name, every=every, keep=keep)
    cluster.every, cluster.keep = every, keep


def disconnect_cluster(cluster: Cluster) -> None:
    """Forget a cluster and its credentials; its snapshots stay."""
    with transaction.atomic():
        note("cluster disconnected", cluster.name)
        cluster.delete()


def is_being_read(cluster: Cluster) -> bool:
    """Return whether a reading is under way."""
    return cluster.snapshots.filter(status=Snapshot.Status.IMPORTING).exists()


def begin_reading(user: Any, cluster: Cluster) -> Snapshot:
    """Let a worker read a cluster, and return the snapshot that it fills. Raises NotPossibleNow."""
    with transaction.atomic():
        Cluster.objects.select_for_update().get(pk=cluster.pk)
        if is_being_read(cluster):
            raise NotPossibleNow(f"{cluster.name} is being read already.")
        snapshot = Snapshot.objects.create(
            name=f"{cluster.name} {timezone.now():%Y-%m-%d %H:%M}",
            created_by=user,
            cluster=cluster,
            progress={"stage": "waiting for a worker", "done": 0, "total": 1},
        )
        note("reading begun", cluster.name, snapshot=snapshot.pk)
        transaction.on_commit(lambda: send_import(snapshot.pk))
    return snapshot


# -- on a schedule ---------------------------------------------------------------------------------------


def begin_due_readings(now: datetime) -> int:
    """Begin the readings that are due, remove those that need not stay, and return how many were begun."""
    begun = 0
    for cluster in Cluster.objects.filter(every__gt=0):
        newest = cluster.snapshots.order_by("-created_at").values_list("created_at", flat=True).first()
        if newest is not None and newest > now - timedelta(minutes=cluster.every):
            continue
        try:
            begin_reading(None, cluster)
        except NotPossibleNow:
            continue
        begun += 1
        _forget_old_readings(cluster)
    return begun


def _forget_old_readings(cluster: Cluster) -> None:
    """Delete the oldest readings beyond those that are kept, but for those that something depends on.

    Failed ones count by themselves: a cluster out of reach must not cost what was read of it before.
    """
    readings = cluster.snapshots.defer("content", "findings").order_by("-created_at", "-pk")
    whole = Snapshot.Status.READY, Snapshot.Status.AWAY, Snapshot.Status.RETURNING
    for statuses, kept in ((whole, cluster.keep), ((Snapshot.Status.FAILED,), KEPT_FAILED)):
        for snapshot in readings.filter(status__in=statuses)[kept:]:
            try:
                delete_snapshot(snapshot)
            except (AlreadyDeleted, HasDependents):
                continue


# -- what is kept, and what may be -----------------------------------------------------------------------


def offers_own_cluster() -> bool:
    """Tell whether the cluster that this program runs in may be connected."""
    return bool(settings.IN_CLUSTER) and is_in_cluster()


def _kept(way: Way) -> dict[str, Any]:
    connection = (
        _own()
        if way.in_cluster
        else _allowed(connection_in(way.kubeconfig, way.context, settings.CLUSTER_COMMANDS))
    )
    return {
        "context": connection.context,
        "address": connection.address,
        "is_verified": connection.is_verified,
        "in_cluster": way.in_cluster,
        "sealed": b"" if way.in_cluster else sealed(msgspec.json.encode(connection.document)),
    }


def connection_of(cluster: Cluster) -> Connection:
    """Return how a cluster is reached now. Raises BadInput where it may not be any more."""
    if cluster.in_cluster:
        return _own()
    document = msgspec.json.decode(unsealed(bytes(cluster.sealed)))
    return _allowed(Connection(cluster.context, cluster.address, document))


def _own() -> Connection:
    if not settings.IN_CLUSTER:
        message = "may not be connected: SANDTABLE_IN_CLUSTER of this server is 0"
        raise BadInput([Problem("", "in_cluster", message)])
    return _allowed(own_connection())


def _allowed(connection: Connection) -> Connection:
    """Return a connection that an administrator of this server lets be made. Raises BadInput."""
    try:
        asked = address_of(connection.address)
    except ValueError as error:
        raise BadInput([Problem("", "server", str(error))]) from error
    if settings.CLUSTERS != ["*"] and not is_below(asked, settings.CLUSTERS):
        message = f"{connection.address} may not be connected: {VARIABLE} of this server does not name it"
        raise BadInput([Problem("", "server", message)])
    program = connection.document["users"][0]["user"].get("exec")
    if program and program["command"] not in settings.CLUSTER_COMMANDS:
        message = f"{program['command']} may not be run any more: {exec_plugin.VARIABLE} does not name it"
        raise BadInput([Problem("", "exec.command", message)])
    return connection
