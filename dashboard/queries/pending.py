"""Which pods of a snapshot wait for a node, by the same rule as the engine and the snapshot's own figure."""

from collections import Counter

from django.db.models import Count, Q, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

from dashboard.models import Pod, Snapshot

_NO_TIME = ["", "null"]  # what is absent, and what a database makes of a null
_DELETED_AT = Coalesce(KT("object__metadata__deletionTimestamp"), Value(""), output_field=TextField())

PENDING = Q(node_name="") & Q(phase="Pending") & Q(In(_DELETED_AT, _NO_TIME))
"""A condition on pods: without a node, not ended, and not being deleted. The dear part comes last."""


def pending_by_scheduler(snapshot: Snapshot) -> Counter[str]:
    """Return how many of a snapshot's pods wait, by the scheduler that they name."""
    if not snapshot.pending:
        return Counter()
    rows = Pod.objects.filter(PENDING, snapshot=snapshot).order_by().values_list("scheduler_name")
    return Counter(dict(rows.annotate(Count("pk"))))
