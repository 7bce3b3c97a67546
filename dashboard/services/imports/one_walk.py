"""One walk through the objects of an import: each is decoded once for all that look at every one of them."""

from typing import NamedTuple

from dashboard.services.imports.packed_objects import PackedObjects
from dashboard.services.imports.snapshot_rows import RowMaker, Rows
from scheduler_core.objects.imports.references import Gap, References
from scheduler_core.objects.kinds import POD
from scheduler_core.world.reporting.trust import Lacking, MissingKinds


class Looked(NamedTuple):
    """What was made and found on the way: rows, what is named and missing, and which kinds are missing."""

    rows: Rows
    gaps: list[Gap]
    lacking: Lacking


def look_through(objects: PackedObjects) -> Looked:
    """Hand each object to all that look at it; none is kept."""
    by_kind = objects.by_kind()
    rows, references, missing = RowMaker(objects, by_kind), References(), MissingKinds(by_kind)
    each = zip(objects.kinds(), objects.alike(), objects.patterns(), strict=True)
    for index, (kind, document, pattern) in enumerate(each):
        rows.take(index, kind, document, pattern)
        references.take(document)
        if kind == POD:
            missing.take(document)
    return Looked(rows.rows(), references.gaps(), missing.lacking())


def rows_of(objects: PackedObjects) -> Rows:
    """Return the rows of objects that were looked through before."""
    rows = RowMaker(objects, objects.by_kind())
    for index, (kind, document) in enumerate(zip(objects.kinds(), objects, strict=True)):
        rows.take(index, kind, document, None)
    return rows.rows()
