"""Scenarios served to kube-schedulers: each has one HAMi with a cluster of its own.

A process keeps a few of them in memory. Questions are answered in batches: what those of a batch change is
stored in one transaction before any of them is answered, by whoever holds the lock of the cluster's row; a
process that finds newer rows takes them over first. So questions to a scenario count one after another,
whichever process they go to, and a restart loses nothing.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import Http404

from dashboard.errors import NotPossibleNow, WaitedTooLong
from dashboard.kinds.settled import config_of
from dashboard.models import Scenario, ServedCluster, ServedObject, Snapshot
from dashboard.prepared import Prepared
from scheduler_core.hami.configuration.kube_scheduler import build_with_hami
from scheduler_core.hami.rules.times import SECOND
from scheduler_core.hami.served.served_cluster import ServedHami, Written

PROFILE = "hami-2.10"
KEPT = 8
"""So many scenarios are kept in memory by a process."""
PATIENCE = 20.0
"""Seconds for which a question waits for others of its scenario; kube-scheduler's own patience is 30."""


class Served(NamedTuple):
    """A scenario that can be asked, and what its HAMi is made of."""

    pk: int
    made_of: tuple[Any, ...]


class _Cluster(NamedTuple):
    """The row of a cluster: how many changes it has seen."""

    pk: int
    version: int


class _Live:
    """A scenario in this process, made of `made_of` and of the cluster's changes up to `version`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made_of: tuple[Any, ...] = ()
        self.hami: ServedHami | None = None
        self.version = 0


_SCENARIO = Prepared(
    lambda pk: (
        Scenario.objects.filter(pk=pk)
        .order_by()
        .values_list("profile", "snapshot__status", "version", "snapshot_id", "snapshot__content_hash")
    )
)
_kept: OrderedDict[int, _Live] = OrderedDict()
_kept_lock = threading.Lock()


def _clusters(scenario: int) -> QuerySet[ServedCluster, tuple[int, int]]:
    return ServedCluster.objects.filter(scenario_id=scenario).values_list("pk", "version")


_CLUSTER = Prepared(_clusters)
_CLUSTER_LOCKED = Prepared(lambda scenario: _clusters(scenario).select_for_update())


class Question(NamedTuple):
    """What somebody asks a scenario's HAMi; what one that `changes` has changed is stored."""

    ask: Callable[[ServedHami], object]
    changes: bool = False


def answer_all(scenario: Served, questions: Sequence[Question]) -> list[object]:
    """Return the answers in the order of the questions; where one failed, its exception is in its place.

    Whoever fails has changed nothing. Where the database fails, all that would change something do.
    """
    answers: list[object] = [None] * len(questions)
    for changes, answer in ((False, _look), (True, _change)):
        places = [place for place, question in enumerate(questions) if question.changes is changes]
        if places:
            found = _or_fault(answer, scenario, [questions[place] for place in places])
            for place, one in zip(places, found, strict=True):
                answers[place] = one
    return answers


def start_over(scenario: Served) -> None:
    """Forget what was written to the scenario's cluster: it is as its snapshot again."""
    ServedCluster.objects.filter(scenario_id=scenario.pk).delete()


def forget_all() -> None:
    """Forget what this process has in memory."""
    with _kept_lock:
        _kept.clear()


def served_scenario(pk: int) -> Served:
    """Return a scenario for who may see it. Raises Http404, NotPossibleNow where there is no HAMi."""
    rows = _SCENARIO.rows(pk)
    if not rows:
        raise Http404
    [(profile, status, *made_of)] = rows
    if profile != PROFILE:
        raise NotPossibleNow(f"Scenario {pk} is of {profile}, and {PROFILE} alone can be asked.")
    if status != Snapshot.Status.READY:
        raise NotPossibleNow("The snapshot is not imported yet.")
    return Served(pk, tuple(made_of))


def waited_too_long(scenario: int) -> WaitedTooLong:
    """Return the refusal of a question that PATIENCE has run out for."""
    return WaitedTooLong(
        f"The question to scenario {scenario} waited {PATIENCE:.0f} s for its turn, so nothing was done:"
        " others came before it, or the database is busy. Try again in a moment."
    )


# -- batches ---------------------------------------------------------------------------------------------


def _look(scenario: Served, questions: Sequence[Question]) -> list[object]:
    with _locked(scenario) as live:
        rows = _CLUSTER.rows(scenario.pk)
        hami = _up_to_date(live, scenario, _Cluster(*rows[0]) if rows else None)
        return [_answer(scenario, hami, question) for question in questions]


def _change(scenario: Served, questions: Sequence[Question]) -> list[object]:
    with _locked(scenario) as live:
        hami: ServedHami | None = None
        try:
            with transaction.atomic():
                cluster = _lock_cluster(scenario)
                hami = _up_to_date(live, scenario, cluster)
                answers = [_answer(scenario, hami, question) for question in questions]
                version = _store(cluster, hami.written())
        except BaseException:
            if hami is not None:
                hami.undo()
            raise
        hami.accept()
        live.version = version
        return answers


def _answer(scenario: Served, hami: ServedHami, question: Question) -> object:
    mark = hami.mark()
    try:
        answer = question.ask(hami)
        if question.changes and hami.pod_count > settings.POD_LIMIT:
            raise NotPossibleNow(f"Scenario {scenario.pk} has no room for more pods: start it over.")
    except Exception as error:
        hami.undo_to(mark)
        return error
    return answer


def _or_fault(
    answer: Callable[[Served, Sequence[Question]], list[object]],
    scenario: Served,
    questions: Sequence[Question],
) -> list[object]:
    try:
        return answer(scenario, questions)
    except Exception as error:
        return [error] * len(questions)


# -- what is in memory -----------------------------------------------------------------------------------


@contextmanager
def _locked(scenario: Served) -> Iterator[_Live]:
    """Give what is in memory of a scenario to one thread at a time."""
    with _kept_lock:
        live = _kept.setdefault(scenario.pk, _Live())
        _kept.move_to_end(scenario.pk)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    if not live.lock.acquire(timeout=PATIENCE):
        raise waited_too_long(scenario.pk)
    try:
        yield live
    finally:
        live.lock.release()


def _up_to_date(live: _Live, scenario: Served, cluster: _Cluster | None) -> ServedHami:
    """Return the scenario's HAMi as of the newest change; who fails on the way is made anew."""
    made_of = (*scenario.made_of, cluster and cluster.pk)
    hami, version = live.hami, live.version
    live.hami = None
    if hami is None or live.made_of != made_of:
        hami, version = _made(scenario.pk), 0
    if cluster is not None and cluster.version > version:
        rows = ServedObject.objects.filter(cluster=cluster.pk, version__gt=version)
        newer = list(rows.order_by("version", "pk"))
        hami.hear(Written(row.kind, row.key, row.object) for row in newer)
        version = max([cluster.version, *(row.version for row in newer)])
    live.hami, live.version, live.made_of = hami, version, made_of
    return hami


def _made(scenario: int) -> ServedHami:
    found = Scenario.objects.select_related("snapshot").get(pk=scenario)
    snapshot = found.snapshot
    items = msgspec.json.decode(snapshot.list_json())["items"]
    seen = snapshot.taken_at or snapshot.created_at
    configuration = build_with_hami(config_of(found)).hami
    return ServedHami(items, configuration, time.time_ns, int(seen.timestamp()) * SECOND)


# -- what is stored --------------------------------------------------------------------------------------

_STORE_OBJECT = f"""
INSERT INTO {ServedObject._meta.db_table} (cluster_id, kind, "key", version, "object")
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (cluster_id, kind, "key") DO UPDATE SET version = excluded.version, "object" = excluded."object"
"""  # noqa: S608  nothing of it comes from outside
"""As `bulk_create` has it, which takes several times as long to say so as the database to do it."""
_STORE_VERSION = f"UPDATE {ServedCluster._meta.db_table} SET version = %s WHERE id = %s"  # noqa: S608


def _lock_cluster(scenario: Served) -> _Cluster:
    """Return the cluster's row, locked until the transaction ends (SQLite locks all the database)."""
    rows = _CLUSTER_LOCKED.rows(scenario.pk)
    if not rows:
        ServedCluster.objects.get_or_create(scenario_id=scenario.pk)
        rows = _CLUSTER_LOCKED.rows(scenario.pk)
    return _Cluster(*rows[0])


def _store(cluster: _Cluster, written: list[Written]) -> int:
    """Store what has changed; return the cluster's version then."""
    if not written:
        return cluster.version
    rows = [
        (cluster.pk, kind, key, version, None if document is None else msgspec.json.encode(document).decode())
        for version, (kind, key, document) in enumerate(written, cluster.version + 1)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_STORE_OBJECT, rows)
        cursor.execute(_STORE_VERSION, [cluster.version + len(rows), cluster.pk])
    return cluster.version + len(rows)
