"""Why pods end otherwise under another release of kube-scheduler, found out by trials.

The first run is played again. Each attempt at a pod that ends otherwise is also decided by the other release
on the same cluster: if that comes to the same, the pod ends otherwise only in consequence of other decisions.
If it does not, the differences that change the decision alone are the cause (`reporting/release_trials.py`).
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from dashboard.engine import items_of, run_input_of
from dashboard.errors import Refused
from dashboard.models import Run
from dashboard.queries.comparison_rows import PodDifference, PodEnd
from dashboard.queries.resuming import require_equal, restored, stored_lines
from scheduler_core.kube.framework_releases.between import ReleaseChange
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.reporting.release_trials import NotTried, Tried

PODS_TRIED = 500
"""Those that come first in the run; what happens to the others mostly follows from them."""
TRIAL_SECONDS = 6.0
"""CPU time; whatever was not tried by then is told as such."""
LARGEST_BUILT = 30_000
"""Pods and nodes up to which a cluster is built anew for a release that reads it in another way."""
PODS_NAMED = 20
KEPT = 16
"""Pairs of runs whose trials are kept in memory."""

How = Literal["alone", "together", "not settled", "in consequence", "not tried"]


class Cause(msgspec.Struct, frozen=True):
    """Pods that end otherwise for one reason.

    how: `alone` where each of the changes alone has the decision come out otherwise, `together` where only
    several do, `not settled` where one of them could not be tried, `in consequence` of other decisions.
    by_lot: the node of one release is among those between which the other draws lots.
    lands: how many of the pods are on another node; waits: how many wait that did not; freed: the reverse.
    pods: the names of the first.
    """

    how: How
    changes: list[ReleaseChange]
    lands: int
    waits: int
    freed: int
    pods: list[str]
    by_lot: bool = False

    @property
    def number(self) -> int:
        """How many pods they are."""
        return self.lands + self.waits + self.freed

    @property
    def words(self) -> str:
        """Why, as in: because of ImageLocality (changed in 1.36)."""
        return f"{self._reason}{' and by lot between equal nodes' if self.by_lot else ''}"

    @property
    def _reason(self) -> str:
        if not self.changes:
            return _HOW[self.how]
        names = list(dict.fromkeys(map(_named, self.changes)))
        alone = ", each of which would do alone" if len(names) > 1 else ""
        return f"because of {' or of '.join(names)}{alone}"


_HOW: dict[How, str] = {
    "together": "because of several differences together",
    "not settled": "because of differences that can't be told apart",
    "in consequence": "in consequence of other decisions",
    "not tried": "for causes that were not looked for",
}
_NAMES = {"pods": "the fields of pods", "preemption": "preemption"}


def _named(change: ReleaseChange) -> str:
    return f"{change.plugin or _NAMES.get(change.area, change.area)} (changed in {change.release})"


class Causes(msgspec.Struct, frozen=True):
    """All causes, most pods first; why_not: why nothing was tried, empty where it was."""

    causes: list[Cause]
    why_not: str = ""


class _Reason(NamedTuple):
    how: How
    changes: tuple[ReleaseChange, ...] = ()
    by_lot: bool = False


class _Log(NamedTuple):
    """A finished run, by what no other one ever has."""

    pk: int
    created: str

    @classmethod
    def of(cls, run: Run) -> "_Log":
        return cls(run.pk, run.created_at.isoformat())


class _Found(NamedTuple):
    """What trials found of each pod, by its uid in the run."""

    reasons: dict[str, _Reason]
    why_not: str


def causes_of(a: Run, b: Run, pods: Sequence[PodDifference]) -> Causes:
    """Return why these pods end otherwise in run `b`, whose release alone differs from that of run `a`."""
    ending = [row for row in pods if lands_elsewhere(row) or waits_more(row) or waits_less(row)]
    if not ending:
        return Causes([])
    wanted = sorted(
        (row.a.seq, row.a.uid) for row in ending if row.a is not None and row.a.seq
    )  # a pod that the log of `a` never concerns has no attempt there
    found = _found(_Log.of(a), _Log.of(b), tuple(wanted))
    if found.why_not:
        return Causes([], found.why_not)
    grouped: dict[_Reason, list[PodDifference]] = {}
    for row in ending:
        uid = row.a.uid if row.a is not None else ""
        grouped.setdefault(found.reasons.get(uid, _Reason("in consequence")), []).append(row)
    causes = [_cause(reason, rows) for reason, rows in grouped.items()]
    order = get_args(How)
    return Causes(sorted(causes, key=lambda cause: (order.index(cause.how), -cause.number)))


def lands_elsewhere(row: PodDifference) -> bool:
    """Tell whether a pod ends on another node."""
    if row.a is None or row.b is None:
        return False
    return row.a.place == row.b.place == "node" and row.a.node != row.b.node


def waits_more(row: PodDifference) -> bool:
    """Tell whether a pod waits at the end of the second run alone."""
    return _waits(row.b) and not _waits(row.a)


def waits_less(row: PodDifference) -> bool:
    """Tell whether a pod waits at the end of the first run alone."""
    return _waits(row.a) and not _waits(row.b)


def _waits(end: PodEnd | None) -> bool:
    return end is not None and end.place == "pending"


def _cause(reason: _Reason, rows: Sequence[PodDifference]) -> Cause:
    return Cause(
        reason.how,
        list(reason.changes),
        sum(map(lands_elsewhere, rows)),
        sum(map(waits_more, rows)),
        sum(map(waits_less, rows)),
        [f"{row.namespace}/{row.name}" for row in rows[:PODS_NAMED]],
        reason.by_lot,
    )


@lru_cache(maxsize=KEPT)
def _found(a: _Log, b: _Log, wanted: tuple[tuple[int, str], ...]) -> _Found:
    """Return what trials of the first run find; `wanted` are its pods by their last decision."""
    own, other = (Run.objects.get(pk=each.pk) for each in (a, b))
    if not wanted:
        return _Found({}, "")
    try:
        with collector_at_rest():
            return _Found(_reasons(own, _minor(other), wanted), "")
    except NotTried as reason:
        return _Found({}, str(reason))
    except Refused:  # recorded by another engine
        return _Found({}, "the run can't be repeated")


def _reasons(run: Run, release: str, wanted: Sequence[tuple[int, str]]) -> dict[str, _Reason]:
    """Return why each pod ends otherwise, as far as that was tried. Raises NotTried, Refused."""
    simulation = restored(run, 0)
    size = sum(run.snapshot.counts.get(kind, 0) for kind in ("Node", "Pod"))
    given = run_input_of(run, items_of(run.snapshot))
    trials = simulation.trials_under(given, release, builds=size <= LARGEST_BUILT)
    first = wanted[:PODS_TRIED]
    trials.watch({uid for _, uid in first})
    reached = _play(run, simulation, first[-1][0])
    return {
        uid: _reason(trials.tried[uid]) if uid in trials.tried and seq <= reached else _Reason("not tried")
        for seq, uid in wanted
    }


def _play(run: Run, simulation: Any, last: int) -> int:
    """Play a run up to a decision, for as long as there is time; return how far that came."""
    end = time.thread_time() + TRIAL_SECONDS
    for line in stored_lines(run.pk, 0):
        if simulation.seq >= last or time.thread_time() > end:
            break
        require_equal(run, simulation.step(), line)
    reached: int = simulation.seq
    return reached


def _reason(tried: Sequence[Tried]) -> _Reason:
    """Return why a pod ends otherwise, by its attempts: the last decides, or the one that nominated it."""
    if not tried:
        return _Reason("in consequence")
    last = tried[-1]
    nominating = (each for each in reversed(tried) if each.came == ("nominated", last.came.node))
    deciding = last if last.differs else next(nominating, last)
    if not deciding.differs:
        return _Reason("in consequence")
    if deciding.changes:
        return _Reason("alone", deciding.changes, deciding.by_lot)
    return _Reason("not settled" if deciding.not_tried else "together", (), deciding.by_lot)


def _minor(run: Run) -> str:
    return run.profile.removeprefix("kube-")
