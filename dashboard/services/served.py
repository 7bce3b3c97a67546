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
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.conf import settings
from django.db import transaction

from dashboard.errors import NotPossibleNow
from dashboard.models import Scenario, ServedCluster, ServedObject, Snapshot
from dashboard.queries import access
from scheduler_core.hami.kube_scheduler import build_with_hami
from scheduler_core.hami.served import ServedHami, Written
from scheduler_core.hami.times import SECOND

T = TypeVar("T")

PROFILE = "hami-2.10"
KEPT = 8
"""So many scenarios are kept in memory by a process."""
PATIENCE = 20.0
"""Seconds for which a question waits for others of its scenario; kube-scheduler's own patience is 30."""


class _Live:
    """A scenario in this process: as of `version` of the cluster with the key `cluster`."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made_of: tuple[Any, ...] = ()
        self.hami: ServedHami | None = None
        self.version = 0


_kept: OrderedDict[int, _Live] = OrderedDict()
_kept_lock = threading.Lock()


class Question(NamedTuple):
    """What somebody asks a scenario's HAMi; what one that `changes` has changed is stored."""

    ask: Callable[[ServedHami], Any]
    changes: bool = False


def answer_all(scenario: Scenario, questions: Sequence[Question]) -> list[Any]:
    """Return the answers in the order of the questions; where one failed, its exception is in its place.

    Whoever fails has changed nothing. Where the database fails, all that would change something do.
    """
    answers: list[Any] = [None] * len(questions)
    for changes, answer in ((False, _look), (True, _change)):
        places = [place for place, question in enumerate(questions) if question.changes is changes]
        if places:
            found = _or_fault(answer, scenario, [questions[place] for place in places])
            for place, one in zip(places, found, strict=True):
                answers[place] = one
    return answers


def change(scenario: Scenario, ask: Callable[[ServedHami], T]) -> T:
    """Return the answer to a question that may change the cluster; what it has changed is stored.

    Raises NotPossibleNow, BadInput, DatabaseError; nothing has changed then.
    """
    return _only(scenario, ask, changes=True)


def look(scenario: Scenario, ask: Callable[[ServedHami], T]) -> T:
    """Return the answer to a question that changes nothing. Raises NotPossibleNow, BadInput."""
    return _only(scenario, ask, changes=False)


def start_over(scenario: Scenario) -> None:
    """Forget what was written to the scenario's cluster: it is as its snapshot again."""
    with transaction.atomic():
        _lock_cluster(scenario).delete()


def forget_all() -> None:
    """Forget what this process has in memory."""
    with _kept_lock:
        _kept.clear()


def served_scenario(user: Any, pk: int) -> Scenario:
    """Return a scenario. Raises Http404 for outsiders, NotPossibleNow where there is no HAMi."""
    found = access.get_scheduler_of_scenario_or_404(user, pk)
    if found.profile != PROFILE:
        raise NotPossibleNow(f"Scenario {found.pk} is of {found.profile}, and {PROFILE} alone can be asked.")
    if found.snapshot.status != Snapshot.Status.READY:
        raise NotPossibleNow("The snapshot is not imported yet.")
    return found


# -- batches ---------------------------------------------------------------------------------------------


def _look(scenario: Scenario, questions: Sequence[Question]) -> list[Any]:
    with _locked(scenario) as live:
        cluster = ServedCluster.objects.filter(scenario=scenario).first()
        hami = _up_to_date(live, scenario, cluster)
        return [_answer(scenario, hami, question) for question in questions]


def _change(scenario: Scenario, questions: Sequence[Question]) -> list[Any]:
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


def _answer(scenario: Scenario, hami: ServedHami, question: Question) -> Any:
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
    answer: Callable[[Scenario, Sequence[Question]], list[Any]],
    scenario: Scenario,
    questions: Sequence[Question],
) -> list[Any]:
    try:
        return answer(scenario, questions)
    except Exception as error:
        return [error] * len(questions)


def _only(scenario: Scenario, ask: Callable[[ServedHami], T], *, changes: bool) -> T:
    answer: T | Exception
    [answer] = answer_all(scenario, [Question(ask, changes)])
    if isinstance(answer, Exception):
        raise answer
    return answer


# -- what is in memory -----------------------------------------------------------------------------------


@contextmanager
def _locked(scenario: Scenario) -> Iterator[_Live]:
    """Give what is in memory of a scenario to one thread at a time."""
    with _kept_lock:
        live = _kept.setdefault(scenario.pk, _Live())
        _kept.move_to_end(scenario.pk)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    if not live.lock.acquire(timeout=PATIENCE):
        raise NotPossibleNow(f"Scenario {scenario.pk} had too many other questions to answer.")
    try:
        yield live
    finally:
        live.lock.release()


def _up_to_date(live: _Live, scenario: Scenario, cluster: ServedCluster | None) -> ServedHami:
    """Return the scenario's HAMi as of the newest change; who fails on the way is made anew."""
    snapshot = scenario.snapshot
    made_of = (scenario.version, snapshot.pk, snapshot.content_hash, cluster and cluster.pk)
    hami, version = live.hami, live.version
    live.hami = None
    if hami is None or live.made_of != made_of:
        hami, version = _made(scenario), 0
    if cluster is not None and cluster.version > version:
        rows = ServedObject.objects.filter(cluster=cluster, version__gt=version)
        newer = list(rows.order_by("version", "pk"))
        hami.hear(Written(row.kind, row.key, row.object) for row in newer)
        version = max([cluster.version, *(row.version for row in newer)])
    live.hami, live.version, live.made_of = hami, version, made_of
    return hami


def _made(scenario: Scenario) -> ServedHami:
    snapshot = scenario.snapshot
    items = msgspec.json.decode(Snapshot.objects.only("content").get(pk=snapshot.pk).list_json())["items"]
    seen = snapshot.taken_at or snapshot.created_at
    configuration = build_with_hami(scenario.config).hami
    return ServedHami(items, configuration, time.time_ns, int(seen.timestamp()) * SECOND)


# -- what is stored --------------------------------------------------------------------------------------


def _lock_cluster(scenario: Scenario) -> ServedCluster:
    """Return the cluster's row, locked until the transaction ends (SQLite locks all the database)."""
    return ServedCluster.objects.select_for_update().get_or_create(scenario=scenario)[0]


def _store(cluster: ServedCluster, written: list[Written]) -> int:
    """Store what has changed; return the cluster's version then."""
    if not written:
        return cluster.version
    version = cluster.version + 1
    rows = [
        ServedObject(cluster=cluster, kind=one.kind, key=one.key, version=version, object=one.document)
        for one in written
    ]
    ServedObject.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["cluster", "kind", "key"],
        update_fields=["version", "object"],
    )
    ServedCluster.objects.filter(pk=cluster.pk).update(version=version)
    return version
