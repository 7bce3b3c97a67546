"""How a worker imports a snapshot: under a lease, with progress, until it is ready, failed or cancelled.

The files, archives among them, wait as Upload rows. The worker may die at any point; the next one begins
again: what was stored till then nobody is shown, and it is removed first. Who cancels an import takes the
lease away from its worker, which stops as soon as it notices. Where only some files or objects are faulty,
the failed snapshot keeps the others, stripped of what is private, so that the import can go on without them.
"""

import logging
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from dashboard import tracing
from dashboard.database_faults import is_passing
from dashboard.errors import LeaseLost, problem_documents
from dashboard.memory import give_back
from dashboard.models import Cluster, Delta, Snapshot, Upload
from dashboard.models.lists import split
from dashboard.models.packing import pack, unpack
from dashboard.services.background.cluster_readings import ClusterRead, read_connected
from dashboard.services.background.leases import FREE, new_owner
from dashboard.services.background.lost_work import UNFINISHED, release_imports
from dashboard.services.background.returning import Held, returning_leases
from dashboard.services.imports.findings import without_objects
from dashboard.services.imports.one_walk import rows_of
from dashboard.services.imports.paced_reports import PacedReports
from dashboard.services.imports.packed_objects import PackedObjects, Packing
from dashboard.services.imports.snapshot_rows import Rows
from dashboard.services.imports.stored_rows import insert, remove_rows
from dashboard.services.imports.uploaded_cluster import Faulty, Picture, read_picture
from dashboard.services.workspace.put_away import leave_away
from dashboard.services.workspace.samples import add_scenarios, sample_named
from dashboard.services.workspace.snapshots import FROM_SNAPSHOT, describe, pack_list
from samples.gallery import Sample
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.kinds import POD
from scheduler_core.objects.privacy.dropped import with_more
from scheduler_core.objects.problems import BadInput, Problem

logger = logging.getLogger(__name__)


def import_uploads(snapshot_id: int) -> None:
    """Import what was uploaded for the snapshot, unless somebody else is at it or it has ended."""
    owner = new_owner()
    waiting = Snapshot.objects.filter(pk=snapshot_id, status__in=UNFINISHED)
    row = waiting.filter(owner=owner)
    with returning_leases() as held:
        release_imports(waiting)
        if not waiting.filter(owner="").update(owner=owner, heartbeat_at=Now()):
            logger.info("Snapshot %s has nothing to import.", snapshot_id)
            return
        held.give_up = partial(_give_up, row, held)
        remove_rows(snapshot_id)
        try:
            with collector_at_rest():
                _import(row, snapshot_id)
        finally:
            give_back()
    if Snapshot.objects.filter(pk=snapshot_id, status=Snapshot.Status.FAILED).exists():
        remove_rows(snapshot_id)  # of an import that failed, or was cancelled meanwhile


def _give_up(row: QuerySet[Snapshot], held: Held) -> None:
    row.update(progress={"stage": f"waiting {held.waits_for}"}, **FREE)


def _import(row: QuerySet[Snapshot], snapshot_id: int) -> None:
    def report(stage: str, done: int, total: int) -> None:
        if not row.update(progress={"stage": stage, "done": done, "total": total}, heartbeat_at=Now()):
            raise LeaseLost(f"snapshot {snapshot_id}")

    if row.filter(status=Snapshot.Status.RETURNING).exists():
        _return(row, snapshot_id, PacedReports(report))
        return
    try:
        uploads = Upload.objects.filter(snapshot_id=snapshot_id).order_by("position")
        payloads = [(upload.filename, unpack(upload.data)) for upload in uploads.iterator()]
        sample = None if payloads else _sample_of(row)
        cluster = None if payloads or sample else _cluster_of(row)
        read = ClusterRead([], [])
        if sample is not None:
            read = ClusterRead(sample.files(), list(sample.notes))
        elif cluster is not None:
            with tracing.span("read cluster", cluster=cluster.pk):
                read = read_connected(cluster, report)
        elif not payloads:
            raise BadInput([Problem("", "", "its cluster was disconnected before it was read")])
        with tracing.span("read files", files=len(payloads or read.payloads)):
            picture = read_picture(
                payloads or read.payloads,
                report,
                without_faulty=row.filter(without_faulty=True).exists(),
                from_snapshot=read.has_base or uploads.filter(position=FROM_SNAPSHOT).exists(),
                in_order=cluster is not None,
            )
        del payloads
        read.payloads.clear()
        _store(row, snapshot_id, picture, PacedReports(report), read)
        if sample is not None:
            stored = Snapshot.objects.get(pk=snapshot_id)
            add_scenarios(stored.created_by, stored, sample)
    except Faulty as error:
        _fail(row, snapshot_id, error.problems, **_kept(row, error))
    except BadInput as error:
        _fail(row, snapshot_id, error.problems)
    except Exception as error:
        if isinstance(error, LeaseLost) or is_passing(error):
            raise
        logger.exception("Import of snapshot %s failed", snapshot_id)
        sentence = f"The import failed: {type(error).__name__}: {error}"
        _fail(row, snapshot_id, [Problem("", "", sentence)])


def _return(row: QuerySet[Snapshot], snapshot_id: int, reports: PacedReports) -> None:
    """Bring a reading back, or leave it put away with what was in the way."""
    try:
        _bring_back(row, snapshot_id, reports)
    except Exception as error:
        if isinstance(error, LeaseLost) or is_passing(error):
            raise
        logger.exception("Snapshot %s could not be brought back", snapshot_id)
        sentence = f"It could not be brought back: {error or type(error).__name__}"
        leave_away(snapshot_id, problems=problem_documents([Problem("", "", sentence)]))


def _bring_back(row: QuerySet[Snapshot], snapshot_id: int, reports: PacedReports) -> None:
    """Give a reading that was put away its content and its rows again; what was said of it is still there."""
    reports.tell("restoring", 0, 0)
    snapshot = row.first()
    if snapshot is None:
        raise LeaseLost(f"snapshot {snapshot_id}")
    text = snapshot.list_json()
    packing = Packing()
    places = [packing.put_text(one) for one in split(text)]
    rows = rows_of(PackedObjects(packing, places, partial(reports.pass_by, "describing")))
    _store_rows(row, snapshot_id, rows, reports)
    with transaction.atomic():
        if not row.update(
            status=Snapshot.Status.READY, content=pack(text), needed_at=Now(), progress={}, **FREE
        ):
            raise LeaseLost(f"snapshot {snapshot_id}")
        Delta.objects.filter(snapshot=snapshot_id).delete()


def _sample_of(row: QuerySet[Snapshot]) -> Sample | None:
    """Return the sample that is to be imported, None of any other import."""
    name = row.filter(is_sample=True).values_list("name", flat=True).first()
    return None if name is None else sample_named(name)


def _cluster_of(row: QuerySet[Snapshot]) -> Cluster | None:
    """Return the connected cluster that is to be read, None for an import of anything else."""
    return Cluster.objects.filter(snapshots__in=row).first()


def _store(
    row: QuerySet[Snapshot],
    snapshot_id: int,
    picture: Picture,
    reports: PacedReports,
    read: ClusterRead,
) -> None:
    snapshot = row.first()
    if snapshot is None:
        raise LeaseLost(f"snapshot {snapshot_id}")
    read.fill(snapshot)
    with tracing.span("describe snapshot"):
        rows = describe(snapshot, picture.watched(partial(reports.pass_by, "describing")))
    if read.has_base:
        snapshot.dropped = with_more(read.fields["dropped"], picture.dropped)
    snapshot.warnings = [*read.notes, *snapshot.warnings]
    with tracing.span("store rows", rows=len(rows)):
        _store_rows(row, snapshot_id, rows, reports)
    with transaction.atomic():
        stored = row.update(
            status=Snapshot.Status.READY, content=snapshot.content, content_hash=snapshot.content_hash,
            counts=snapshot.counts, warnings=snapshot.warnings, dropped=snapshot.dropped,
            findings=snapshot.findings, lacks=snapshot.lacks, server_versions=snapshot.server_versions,
            taken_at=snapshot.taken_at, resources=snapshot.resources,
            pending=snapshot.pending, gated=snapshot.gated, goes_on=snapshot.goes_on,
            ended_at=Now(), progress={}, **FREE,
        )  # fmt: skip
        if not stored:
            raise LeaseLost(f"snapshot {snapshot_id}")
        if snapshot.cluster_id is not None and read.withheld:
            read.note_touched(snapshot.cluster_id, picture.objects.of(POD).alike())
        Upload.objects.filter(snapshot_id=snapshot_id).delete()


def _store_rows(row: QuerySet[Snapshot], snapshot_id: int, rows: Rows, reports: PacedReports) -> None:
    """Insert the rows, a few in each transaction, which nobody sees before the snapshot is ready."""
    stored = 0
    reports.tell("storing", stored, len(rows))
    for batch in rows.batches():
        with transaction.atomic():
            if not row.update(heartbeat_at=Now()):
                raise LeaseLost(f"snapshot {snapshot_id}")
            insert(snapshot_id, batch)
        stored += len(batch.rows)
        reports.pass_by("storing", stored, len(rows))


def _kept(row: QuerySet[Snapshot], error: Faulty) -> dict[str, Any]:
    """Return the fields of a failed snapshot that hold what is not faulty."""
    rest = error.rest
    known = ("warnings", "dropped", "findings")
    before = row.values(*known).first() or {name: [] for name in known}
    faults = [*without_objects(before["findings"], rest.replaced), *rest.faults]
    return {
        "content": pack_list(rest.objects, lambda text: None)[0],
        "faulty": error.number,
        "dropped": [*before["dropped"], *rest.dropped],
        "warnings": [*before["warnings"], *rest.left_out, *rest.notes],
        "findings": [finding.document() for finding in faults],
    }


def _fail(row: QuerySet[Snapshot], snapshot_id: int, problems: list[Problem], **kept: Any) -> None:
    listed = problem_documents(problems)
    with transaction.atomic():
        if not row.update(
            status=Snapshot.Status.FAILED, problems=listed, ended_at=Now(), progress={}, **kept, **FREE
        ):
            raise LeaseLost(f"snapshot {snapshot_id}")
        Upload.objects.filter(snapshot_id=snapshot_id).delete()
