"""What came of a run's prediction: it is held against a later snapshot of the same cluster.

That is the first reading of the connected cluster in which all edits of the run are seen, or a snapshot that
somebody chooses. Nothing is asked of the cluster for it.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from dashboard.answers.answer import Answer
from dashboard.answers.came_true import answer_of
from dashboard.engine import items_but, run_input_of
from dashboard.errors import NotYet, PutAway, Refused
from dashboard.live.reading import IN_PART
from dashboard.models import DecisionIndex, Node, Pod, Run, Snapshot
from dashboard.queries import access
from dashboard.queries.came_true import CameTrue
from dashboard.queries.came_true_applied import Later, added_by_edits, applied
from dashboard.queries.came_true_between import between
from dashboard.queries.came_true_drift import drift_rows, emptied_nodes, judged_workloads, landed
from dashboard.queries.came_true_picture import (
    Picture,
    objects_for_edits,
    picture_at_end,
    picture_of,
)
from dashboard.queries.comparison_words import cut_short
from dashboard.queries.process_cache import Kept
from dashboard.queries.replay import RunKey, base_state, run_key, state_at
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.run_sums import is_soon_summed, settled_outcome
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.effects import Arrived, Evicted, Left, Placed, effects
from scheduler_core.events.state import PodRow
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.kinds import NODE, POD
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.edits.asked_of_objects import AskedOfObjects, asked_of_objects
from scheduler_core.world.edits.places import identity_of

LISTED = 12
LIST_SECONDS = 2.0
CANDIDATES = 24
"""So many readings after the run's snapshot are looked at for the one in which the edits are seen."""
KEPT = 64
ENDS_WELL = ("finished", "gone")

_kept: Kept[RunKey, CameTrue] = Kept(KEPT)
Object = dict[str, Any]


def answer_about(run: Run, found: CameTrue) -> Answer:
    """Return what came of a run, in sentences."""
    sentences = {one["index"]: one["sentence"] for one in run.edit_results}
    return answer_of(found, [sentences.get(index, "") for index in range(len(run.edits))])


def came_true(user: Any, run: Run, chosen: Snapshot | None = None) -> CameTrue:
    """Hold a finished run's prediction against a snapshot, or against the first that has its edits.

    Raises NotYet while there is none, or the run has not finished, PutAway for a reading that has to be
    brought back to be looked at, and BadInput for one that isn't later or
    is of another cluster.
    """
    _require_finished(run)
    if chosen is not None:
        _require_later(run, chosen)
        return replace(_held(run, chosen), is_chosen=True)
    found = None
    for snapshot in later_readings(user, run)[:CANDIDATES]:
        found = _held(run, snapshot)
        if found.is_applied:
            return found
    if found is None:
        raise NotYet(f"There is no reading of the cluster after the snapshot of run {run.pk}.")
    return found


def later_readings(user: Any, run: Run) -> list[Snapshot]:
    """Return the readings of the run's connected cluster after its snapshot, the oldest first."""
    if run.snapshot.cluster_id is None:
        return []
    own = access.visible_snapshots(user).filter(
        cluster=run.snapshot.cluster_id,
        status__in=(Snapshot.Status.READY, Snapshot.Status.AWAY, Snapshot.Status.RETURNING),
        created_at__gt=run.snapshot.created_at,
    )
    return list(own.order_by("created_at", "pk"))


def later_snapshots(user: Any, run: Run) -> list[Snapshot]:
    """Return what a run may be held against: such readings, or without a cluster all newer snapshots."""
    if run.snapshot.cluster_id is not None:
        return later_readings(user, run)
    newer = access.visible_snapshots(user).filter(
        status=Snapshot.Status.READY, created_at__gt=run.snapshot.created_at, is_sample=False
    )
    return list(newer.order_by("created_at", "pk")[:CANDIDATES])


@dataclass(frozen=True)
class Prediction:
    """A run of a cluster's reading, and what came of it; null while nothing is known of it.

    why_not: the reason for that, in a sentence.
    """

    run: Run
    found: CameTrue | None
    why_not: str = ""


def predictions_of(user: Any, cluster: Any) -> list[Prediction]:
    """Return the newest finished runs of a cluster's readings.

    Nobody waits for large ones, nor, after some seconds, for the rest: these are told once they were opened.
    """
    runs = access.visible_runs(user).filter(snapshot__cluster=cluster, status=Run.Status.FINISHED)
    end = time.monotonic() + LIST_SECONDS
    return [_prediction(user, run, time.monotonic() < end) for run in runs[:LISTED]]


def _prediction(user: Any, run: Run, has_time: bool) -> Prediction:
    if not has_time or not is_soon_summed(run, run.decisions):
        return Prediction(run, _known(run), "Open it to ask.")
    try:
        return Prediction(run, came_true(user, run))
    except PutAway:
        return Prediction(run, _known(run), "Open it to ask.")
    except (Refused, BadInput) as error:
        return Prediction(run, None, str(error) if isinstance(error, Refused) else "It can’t be read.")


def _known(run: Run) -> CameTrue | None:
    """Return what was last made of a run by the first reading with its changes, if it is kept."""
    key = run_key(run)
    found = _kept.take(key, lambda number: True)
    if found is not None:
        _kept.put(key, found.snapshot, found)
    return found if found is not None and found.is_applied else None


def _require_finished(run: Run) -> None:
    if run.status != Run.Status.FINISHED:
        raise NotYet(f"Run {run.pk} {cut_short(run)}: it predicts nothing.")


def _require_later(run: Run, chosen: Snapshot) -> None:
    """Refuse what is no later picture of the run's cluster. Raises BadInput."""
    own = run.snapshot
    if chosen.status != Snapshot.Status.READY:
        raise BadInput([Problem("", "snapshot", f"{chosen.name} is not ready")])
    if (_instant(chosen), chosen.created_at) <= (_instant(own), own.created_at):
        raise BadInput([Problem("", "snapshot", f"{chosen.name} is not later than {own.name}")])
    if own.cluster_id is not None and chosen.cluster_id == own.cluster_id:
        return
    names = Node.objects.filter(snapshot=own).values("name")
    if not Node.objects.filter(snapshot=chosen, name__in=names).exists():
        message = f"{chosen.name} has no node of {own.name}: it is another cluster"
        raise BadInput([Problem("", "snapshot", message)])


def _instant(snapshot: Snapshot) -> Any:
    """Return when a snapshot was taken; where one came as a file, the newest time in it."""
    return snapshot.created_at if snapshot.cluster_id else snapshot.taken_at or snapshot.created_at


# -- one of them -----------------------------------------------------------------------------------------


def _held(run: Run, snapshot: Snapshot) -> CameTrue:
    """Return what came of a run by a snapshot; neither changes any more, so it is kept."""
    key = run_key(run)
    found = _kept.take(key, lambda number: number == snapshot.pk)
    if found is None:
        if snapshot.is_put_away:
            raise PutAway(snapshot)
        with collector_at_rest():
            found = _made(run, snapshot)
    _kept.put(key, snapshot.pk, found)
    return found


def _made(run: Run, snapshot: Snapshot) -> CameTrue:
    figures = settled_outcome(run)
    if figures is None:
        raise NotYet(f"Run {run.pk} ended before its first decision.")
    ends = figures.get("ends", [])
    before = objects_for_edits(run.snapshot, run.edits, _nodes_left(run))
    asked = _asked(run, before)
    start, found = picture_of(run.snapshot), picture_of(snapshot)
    predicted = picture_at_end(state_at(run, run.decisions), _ended_in(run))
    later = _later(run, snapshot, found, asked)
    made = [applied(one, run.edits[one.index], later) for one in asked]
    judged = judged_workloads(asked, start, predicted, ends)
    plain = {identity_of(one): one for one in before if one.get("kind") != POD.name}
    return CameTrue(
        run=run.pk,
        profile=run.profile,
        snapshot=snapshot.pk,
        snapshot_name=snapshot.name,
        seconds=round((_instant(snapshot) - _instant(run.snapshot)).total_seconds()),
        applied=made,
        drift=drift_rows(start, predicted, found, judged, ends),
        emptied=emptied_nodes(asked, predicted, found),
        landed=landed(start, predicted, found, judged),
        between=between(
            (run.snapshot, snapshot),
            (plain, later.objects),
            predicted,
            found,
            asked,
            judged,
            added_by_edits(made),
            lacks=_is_in_part(run.snapshot) or _is_in_part(snapshot),
        ),
        is_connected=snapshot.cluster_id is not None and snapshot.cluster_id == run.snapshot.cluster_id,
        lacks=_is_in_part(snapshot),
        is_cut_short=figures["limit_reached"],
    )


def _asked(run: Run, objects: list[Object]) -> list[AskedOfObjects]:
    """Return what each edit asks of the snapshot's objects as a run lets them in."""
    from scheduler_core.world.setting_up.preparation import admitted  # as heavy as the engine

    imported, webhook, _ = admitted(run_input_of(run, objects))
    return asked_of_objects(
        imported, run.edits, driver=run.driver, controllers=run.controllers, webhook=webhook
    )


def _nodes_left(run: Run) -> set[str]:
    """Return the nodes that edits drain, as the run has told them."""
    drained = (one for one in run.edit_results if one["op"] == "drain")
    return {name for one in drained for name in one.get("nodes", ())}


def _later(run: Run, snapshot: Snapshot, picture: Picture, asked: Sequence[AskedOfObjects]) -> Later:
    objects = {identity_of(one): one for one in items_but(snapshot, (POD,))}
    old = set(Node.objects.filter(snapshot=run.snapshot).values_list("name", flat=True))
    new = [name for kind, _, name in objects if kind == NODE and name not in old]
    return Later(objects, picture, _pods_named(snapshot, asked), new, _is_in_part(snapshot))


def _is_in_part(snapshot: Snapshot) -> bool:
    return any(warning.startswith(IN_PART) for warning in snapshot.warnings)


def _pods_named(snapshot: Snapshot, asked: Sequence[AskedOfObjects]) -> Mapping[str, Object]:
    """Return the later snapshot's pods that edits name, by `namespace/name`."""
    names = {one.identity[2] for edit in asked for one in edit.wanted if one.identity[0] == POD}
    rows = Pod.objects.filter(snapshot=snapshot, name__in=names) if names else Pod.objects.none()
    return {f"{row.namespace}/{row.name}": row.object for row in rows}


def _ended_in(run: Run) -> Iterator[PodRow]:
    """Yield the pods that have done their work in a run by the clock, each with its node."""
    done = DecisionIndex.objects.filter(run=run, kind="change", outcome__in=ENDS_WELL)
    seqs = set(done.exclude(pod_uid="").values_list("seq", flat=True))
    if not seqs:
        return
    rows = {pod.uid: pod for pod in base_state(run).pods()}
    nodes = {uid: pod.node for uid, pod in rows.items()}
    evicted: set[str] = set()
    for decision in map(decision_decoder.decode, stored_lines(run.pk, 0)):
        for effect in effects(decision.changes):
            match effect:
                case Arrived(row):
                    rows[row.uid], nodes[row.uid] = row, row.node
                case Placed(pod, node):
                    nodes[pod] = node
                case Evicted(pod):
                    evicted.add(pod)
                case Left(pod) if decision.seq in seqs and pod not in evicted and nodes[pod]:
                    yield replace(rows[pod], node=nodes[pod])
