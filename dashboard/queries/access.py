"""Who may see and do what: every object is read through a guard that answers 404 to outsiders.

One team sees everything; operators delete what they made themselves, and nothing that others made of it;
admins delete anything. A signed-in user without a role is an outsider and learns of nothing.
"""

from collections import Counter
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db.models import F, Model, QuerySet
from django.http import Http404

from dashboard.accounts.roles import is_admin, is_operator, is_viewer
from dashboard.errors import OthersInTheWay, PutAway
from dashboard.models import Cluster, Run, Scenario, Snapshot, Sweep
from dashboard.models.runs import NOT_BASELINE

T = TypeVar("T", bound=Model)


def require_viewer(user: Any) -> None:
    """Raise Http404 for outsiders: they get no hint that anything is there."""
    if not is_viewer(user):
        raise Http404


def require_operator(user: Any) -> None:
    """Raise Http404 for outsiders and PermissionDenied for viewers."""
    require_viewer(user)
    if not is_operator(user):
        raise PermissionDenied("This needs the role operator.")


def require_admin(user: Any) -> None:
    """Raise Http404 for outsiders and PermissionDenied for everybody else who is no administrator."""
    require_viewer(user)
    if not is_admin(user):
        raise PermissionDenied("This needs the role admin.")


def require_deleter(user: Any, thing: Snapshot | Scenario | Run | Sweep, *, cascade: bool = False) -> None:
    """Raise unless the user may delete this, with `cascade` also all that depends on it.

    Operators delete their own, admins anything; OthersInTheWay names whose the dependents are.
    """
    require_operator(user)
    if is_admin(user):
        return
    if thing.created_by_id != user.pk:
        raise PermissionDenied("Operators delete what they made themselves; this needs the role admin.")
    others = [words for rows in _dependents(thing) for words in _others(user, rows)] if cascade else []
    if others:
        raise OthersInTheWay(others)


def _dependents(thing: Snapshot | Scenario | Run | Sweep) -> list[QuerySet[Any]]:
    """Return what goes with the thing, kind by kind."""
    if isinstance(thing, Snapshot):
        return [Scenario.objects.filter(snapshot=thing), Run.objects.filter(NOT_BASELINE, snapshot=thing)]
    return [Run.objects.filter(scenario=thing)] if isinstance(thing, Scenario) else []


def _others(user: Any, rows: QuerySet[Any]) -> list[str]:
    """Say how many of the rows each other person made (`2 runs of erin`)."""
    noun = rows.model._meta.model_name
    makers = rows.exclude(created_by=user).values_list("created_by__username", flat=True)
    return [
        f"{number} {noun}{'' if number == 1 else 's'} of {maker or 'somebody who is gone'}"
        for maker, number in sorted(Counter(makers.order_by()).items(), key=lambda item: item[0] or "")
    ]


LARGE_OF_A_RUN = (
    "base",
    "over_time",
    "edits",
    "edit_results",
    "snapshot__content",
    "snapshot__findings",
    "scenario__edits",
)
"""Fields that are read only where somebody asks for them: decoding thousands of edits takes a second."""


def visible_snapshots(user: Any) -> QuerySet[Snapshot]:
    """Return all snapshots, newest first and without what may be large; none for outsiders.

    Each has `delta_bytes`: what it takes as a delta, None where it is not put away.
    """
    snapshots = (
        Snapshot.objects.select_related("created_by", "cluster")
        .defer("content", "findings", "cluster__sealed")
        .annotate(delta_bytes=F("delta__size"))
    )
    return _visible(user, snapshots.order_by("-created_at", "-pk"))


def visible_scenarios(user: Any) -> QuerySet[Scenario]:
    """Return all scenarios, the last changed first; none for outsiders."""
    scenarios = Scenario.objects.select_related("snapshot", "created_by").defer(
        "snapshot__content", "snapshot__findings"
    )
    return _visible(user, scenarios.order_by("-updated_at", "-pk"))


def visible_runs(user: Any) -> QuerySet[Run]:
    """Return the runs that people asked for, newest first, without what may be large; none for outsiders."""
    return _runs(user).filter(NOT_BASELINE)


def _runs(user: Any) -> QuerySet[Run]:
    """Return all runs, those too against which others are held."""
    runs = Run.objects.select_related("scenario", "snapshot", "created_by").defer(*LARGE_OF_A_RUN)
    return _visible(user, runs.order_by("-created_at", "-pk"))


def get_snapshot_or_404(user: Any, pk: Any, *, even_away: bool = False) -> Snapshot:
    """Return the snapshot, or raise Http404 if it isn't there or the user is an outsider.

    even_away: also a reading that is stored as a delta and has no rows; else PutAway is raised for it, and
    whoever answers the request brings it back.
    """
    found = _get(visible_snapshots(user), pk)
    if found.is_put_away and not even_away:
        raise PutAway(found)
    return found


def get_scenario_or_404(user: Any, pk: Any) -> Scenario:
    """Return the scenario, or raise Http404 if it isn't there or the user is an outsider."""
    return _get(visible_scenarios(user), pk)


def get_run_or_404(user: Any, pk: Any) -> Run:
    """Return the run, or raise Http404 if it isn't there or the user is an outsider."""
    return _get(_runs(user), pk)


def get_sweep_or_404(user: Any, pk: Any) -> Sweep:
    """Return the sweep, or raise Http404 if it isn't there or the user is an outsider."""
    return _get(_visible(user, Sweep.objects.select_related("scenario__snapshot", "created_by")), pk)


def visible_clusters(user: Any) -> QuerySet[Cluster]:
    """Return all connected clusters by name, without their credentials; none for outsiders."""
    return _visible(user, Cluster.objects.select_related("created_by").defer("sealed"))


def get_cluster_or_404(user: Any, pk: Any) -> Cluster:
    """Return the cluster, or raise Http404 if it isn't there or the user is an outsider."""
    return _get(visible_clusters(user), pk)


def _visible(user: Any, rows: QuerySet[T]) -> QuerySet[T]:
    return rows if is_viewer(user) else rows.none()


def _get(rows: QuerySet[T], pk: Any) -> T:
    try:
        return rows.get(pk=pk)
    except (ObjectDoesNotExist, ValueError, TypeError, OverflowError):
        raise Http404 from None
