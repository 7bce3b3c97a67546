"""Snapshots: import them at once or by a worker, export and delete them.

An import is all or nothing: the row, its List and its rows appear together. What is stored is what is left
after privacy: nothing else ever reaches the database, save the files of an import under way.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from dashboard.errors import AlreadyDeleted, HasDependents, NotPossibleNow
from dashboard.kinds.own_rows import row_models
from dashboard.models import Question, Run, Scenario, Snapshot, Upload
from dashboard.models.lists import END, HEAD
from dashboard.models.packing import pack, pack_pieces
from dashboard.models.runs import NOT_BASELINE
from dashboard.queries.list_yaml import list_yaml
from dashboard.services.background.dispatch import send_import
from dashboard.services.background.leases import FREE, is_dead
from dashboard.services.background.making_room import delete_making_room
from dashboard.services.imports import summary
from dashboard.services.imports.archives import packing_of
from dashboard.services.imports.findings import documents_of_files, of_gaps, warnings_of, without_objects
from dashboard.services.imports.one_walk import look_through
from dashboard.services.imports.packed_objects import PackedObjects
from dashboard.services.imports.snapshot_rows import Rows
from dashboard.services.imports.stored_rows import insert, remove_rows
from dashboard.services.imports.uploaded_cluster import Payload, Picture, is_json, read_picture
from dashboard.services.imports.warning_texts import unbroken
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.put_away import hand_on, leave_away
from dashboard.services.workspace.runs import bulk_of_runs, delete_runs_at_once
from dashboard.shapes.snapshots import ImportProgress
from scheduler_core.objects.problems import BadInput, Problem

QUICK_BYTES = 1024 * 1024
NAME_LENGTH = 200
FROM_SNAPSHOT = 0
"""The position of an upload that is the content of a snapshot; files that were sent come after it."""


def is_quick(payloads: list[Payload]) -> bool:
    """Tell whether an import is small enough to be done while the sender waits: JSON up to 1 MiB."""
    return sum(len(data) for _, data in payloads) <= QUICK_BYTES and all(
        is_json(data) for _, data in payloads
    )


def import_snapshot(
    user: Any,
    name: str,
    payloads: list[Payload],
    *,
    is_sample: bool = False,
    notes: Sequence[str] = (),
    without_faulty: bool = False,
) -> Snapshot:
    """Read files of Kubernetes objects and store them as a ready snapshot; raises BadInput.

    notes: sentences about the cluster that are to be shown before the warnings. without_faulty: leave faulty
    files and objects out, where Faulty would be raised.
    """
    picture = read_picture(payloads, without_faulty=without_faulty)
    snapshot = Snapshot(name=name_of(name, payloads), created_by=_author(user), is_sample=is_sample)
    rows = describe(snapshot, picture)
    snapshot.warnings = [*notes, *snapshot.warnings]
    snapshot.status = Snapshot.Status.READY
    with transaction.atomic():
        snapshot.save(force_insert=True)
        for batch in rows.batches():
            insert(snapshot.pk, batch)
        note("import begun", f"snapshot {snapshot.pk} ({snapshot.name})")
    return snapshot


def begin_import(
    user: Any,
    name: str,
    payloads: list[Payload],
    *,
    is_sample: bool = False,
    without_faulty: bool = False,
    add_to: Snapshot | None = None,
) -> Snapshot:
    """Keep the files for a worker and return the snapshot that it will fill, with progress and problems.

    without_faulty: leave faulty files and objects out. add_to: a snapshot, or what a failed import kept,
    whose objects come before those of the files; it stays as it is. Raises BadInput, NotPossibleNow.
    """
    total = sum(len(data) for _, data in payloads)
    if not payloads or not total:
        raise BadInput([Problem("", "", "there is nothing in it")])
    if total > settings.UNPACKED_LIMIT_BYTES:
        raise BadInput([Problem("", "", f"{total:,} bytes are more than {settings.UNPACKED_LIMIT_BYTES:,}")])
    _refuse_unread_packings(payloads)
    packed = [(filename, pack(data)) for filename, data in payloads]  # before anybody has to wait for it
    with transaction.atomic():
        snapshot = Snapshot.objects.create(
            name=name_of(name, payloads),
            created_by=_author(user),
            is_sample=is_sample,
            without_faulty=without_faulty,
            progress=_waiting(len(payloads)),
        )
        if add_to is not None:
            _begin_with(snapshot, add_to, name, payloads)
        for position, (filename, data) in enumerate(packed, start=1):
            Upload.objects.create(snapshot=snapshot, position=position, filename=filename[:255], data=data)
        note("import begun", f"snapshot {snapshot.pk} ({snapshot.name})")
        transaction.on_commit(lambda: send_import(snapshot.pk))
    return snapshot


def _begin_with(snapshot: Snapshot, base: Snapshot, name: str, payloads: list[Payload]) -> None:
    """Let an import begin with the objects of another snapshot, with what is known of these."""
    if not base.content:
        raise NotPossibleNow("Nothing of that snapshot is stored that files could be added to.")
    files = name_of("", payloads)
    snapshot.name = name_of(name, []) if name.strip() else f"{base.name} and {files}"[:NAME_LENGTH]
    kept = base.warnings if base.status == Snapshot.Status.FAILED else []
    snapshot.warnings = [f"Made of snapshot {base.pk}, {unbroken(base.name)}, and {unbroken(files)}.", *kept]
    snapshot.dropped = base.dropped
    snapshot.findings = documents_of_files(base.findings)
    snapshot.save(update_fields=["name", "warnings", "dropped", "findings"])
    filename = f"snapshot {base.pk}"
    Upload.objects.create(
        snapshot=snapshot, position=FROM_SNAPSHOT, filename=filename, data=bytes(base.content)
    )


def import_without_faulty(snapshot: Snapshot) -> Snapshot:
    """Let a worker make a failed import a snapshot of what it kept. Raises NotPossibleNow."""
    row = Snapshot.objects.filter(pk=snapshot.pk, status=Snapshot.Status.FAILED, faulty__gt=0)
    with transaction.atomic():
        kept = row.values_list("content", flat=True).first()
        if not kept or not row.update(
            status=Snapshot.Status.IMPORTING, content=b"", problems=[], faulty=0, progress=_waiting(1),
            cancel_requested=False, losses=0,
        ):  # fmt: skip
            raise NotPossibleNow("Nothing of this import was kept that could be imported.")
        Upload.objects.create(
            snapshot=snapshot, position=FROM_SNAPSHOT, filename="what was kept", data=bytes(kept)
        )
        transaction.on_commit(lambda: send_import(snapshot.pk))
    snapshot.refresh_from_db()
    return snapshot


def _waiting(files: int) -> ImportProgress:
    return {"stage": "waiting for a worker", "done": 0, "total": files}


def _refuse_unread_packings(payloads: list[Payload]) -> None:
    """Raise BadInput that names every file packed in a way that is not read."""
    problems = []
    for filename, data in payloads:
        try:
            packing_of(data, filename)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)


def cancel_import(snapshot: Snapshot) -> Snapshot:
    """End an import that is under way; a worker that is at it stops when it next looks after its lease.

    A reading that was to be brought back stays put away.
    """
    if leave_away(snapshot.pk):
        snapshot.refresh_from_db(fields=["status", "problems", "progress", "cancel_requested"])
        return snapshot
    row = Snapshot.objects.filter(pk=snapshot.pk, status=Snapshot.Status.IMPORTING)
    problems = [{"object": "", "field": "", "message": "The import was cancelled."}]
    with transaction.atomic():
        owner = row.values_list("owner", flat=True).first()
        if not row.update(
            status=Snapshot.Status.FAILED, problems=problems, progress={}, cancel_requested=True, **FREE
        ):
            raise NotPossibleNow("The import has ended.")
        Upload.objects.filter(snapshot=snapshot).delete()
        note("import cancelled", f"snapshot {snapshot.pk} ({snapshot.name})")
    if not owner or is_dead(owner):
        remove_rows(snapshot.pk)
    snapshot.refresh_from_db(fields=["status", "problems", "progress", "cancel_requested"])
    return snapshot


def describe(snapshot: Snapshot, picture: Picture) -> Rows:
    """Fill the unsaved or locked row from what was read, and return the rows that belong to it.

    What its warnings, findings and `dropped` say already, of what it was made of, stays; but not what the
    findings say of objects that were replaced.
    """
    newest = summary.NewestTime()
    snapshot.content, snapshot.content_hash = pack_list(picture.objects, newest.look_at)
    snapshot.taken_at = newest.moment()
    rows, gaps, lacking = look_through(picture.objects)
    snapshot.counts = summary.count_kinds(picture.objects)
    faults = [*without_objects(snapshot.findings, picture.replaced), *picture.faults]
    snapshot.lacks = [{"phrase": gap.phrase, "kinds": gap.kinds} for gap in gaps]
    missing = of_gaps(gaps, picture.file_of)
    snapshot.findings = [finding.document() for finding in (*faults, *missing)]
    snapshot.warnings = [
        *warnings_of(faults),
        *summary.warn(picture.objects, snapshot.counts, lacking, picture.file_of),
        *warnings_of(missing),
        *snapshot.warnings,
        *picture.left_out,
        *picture.notes,
    ]
    snapshot.dropped = list(dict.fromkeys([*snapshot.dropped, *picture.dropped]))
    snapshot.server_versions = summary.server_versions(picture.objects)
    snapshot.resources = summary.sum_resources(rows)
    snapshot.pending, snapshot.gated = rows.pending, rows.gated
    snapshot.progress = {}
    return rows


def pack_list(objects: PackedObjects, look_at: Callable[[bytes], None]) -> tuple[bytes, str]:
    """Return the JSON of a List of the objects, compressed, and its sha256; each passes by `look_at`."""
    digest = hashlib.sha256()

    def pieces() -> Iterator[bytes]:
        yield HEAD
        for number, text in enumerate(objects.texts()):
            look_at(text)
            yield b"," + text if number else text
        yield END

    def hashed() -> Iterator[bytes]:
        for piece in pieces():
            digest.update(piece)
            yield piece

    commas = max(0, len(objects) - 1)
    content = pack_pieces(hashed(), len(HEAD) + objects.size() + commas + len(END))
    return content, digest.hexdigest()


def export_json(snapshot: Snapshot) -> bytes:
    """Return the stored List as JSON."""
    _require_ready(snapshot)
    return snapshot.list_json()


def export_yaml(snapshot: Snapshot) -> bytes:
    """Return the stored List as YAML."""
    return list_yaml(msgspec.json.decode(export_json(snapshot))["items"])


def same_content(snapshot: Snapshot) -> list[int]:
    """Return the numbers of other snapshots with exactly the same content."""
    twins = Snapshot.objects.filter(content_hash=snapshot.content_hash).exclude(content_hash="")
    return list(twins.exclude(pk=snapshot.pk).order_by("pk").values_list("pk", flat=True))


def delete_snapshot(snapshot: Snapshot, *, cascade: bool = False) -> None:
    """Delete the snapshot; with `cascade` also its scenarios and runs, else HasDependents if there are any.

    Raises AlreadyDeleted where somebody else has just done it.
    Workers that are at such a run find their lease gone and stop. On a full disk it goes bit by bit.
    """
    delete_making_room(
        lambda: _delete_at_once(snapshot, cascade),
        lambda: [
            *bulk_of_runs(Run.objects.filter(snapshot=snapshot)),
            *(model.objects.filter(snapshot=snapshot) for model in (Upload, Question, *row_models())),
        ],
    )


def _delete_at_once(snapshot: Snapshot, cascade: bool) -> None:
    with transaction.atomic():
        scenarios = Scenario.objects.filter(snapshot=snapshot)
        runs = Run.objects.filter(snapshot=snapshot)
        dependents = _listed(scenarios.count(), "scenario") + _listed(
            runs.filter(NOT_BASELINE).count(), "run"
        )
        if dependents and not cascade:
            raise HasDependents("The snapshot", dependents)
        delete_runs_at_once(runs)
        scenarios.delete()
        row = Snapshot.objects.filter(pk=snapshot.pk)
        importing = row.filter(status=Snapshot.Status.IMPORTING)
        importing.update(status=Snapshot.Status.FAILED, owner="", heartbeat_at=None)
        hand_on(snapshot)
        note("snapshot deleted", f"snapshot {snapshot.pk} ({snapshot.name})", also=", ".join(dependents))
        _, deleted = row.delete()
        if not deleted.get(Snapshot._meta.label):
            raise AlreadyDeleted(f"Snapshot {snapshot.pk}")


def name_of(name: str, payloads: list[Payload]) -> str:
    """Return the given name, else the first file's and how many more there are, else the time of day."""
    files = [filename.rpartition("/")[2] for filename, _ in payloads if filename]
    others = f" and {len(files) - 1} more" if len(files) > 1 else ""
    first = files[0][: NAME_LENGTH - len(others)] if files else ""
    fallback = first + others if first else f"Import of {_now():%Y-%m-%d %H:%M:%S} UTC"
    return name.strip()[:NAME_LENGTH] or fallback


def _require_ready(snapshot: Snapshot) -> None:
    if snapshot.status != Snapshot.Status.READY:
        raise NotPossibleNow("The snapshot is not imported yet.")


def _listed(number: int, noun: str) -> list[str]:
    return [f"{number} {noun}{'' if number == 1 else 's'}"] if number else []


def _author(user: Any) -> Any:
    return user if user is not None and user.is_authenticated else None


def _now() -> datetime:
    return timezone.now()
