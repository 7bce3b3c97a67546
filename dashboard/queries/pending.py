"""Which pods of a snapshot wait for a node, by the same rule as the engine and the snapshot's own figure."""

from collections import Counter

from django.db.models import Count, Q, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

from dashboard.models import Pod, Snapshot

_NO_TIME = ["", "null"]  # what is absent, and what a database makes of a null
_DELETED_AT = Coalesce(KT("object__metadata__deletionTimestamp"), Value(""), output_field=TextField())

_ENDED = ["Succeeded", "Failed"]

PENDING = Q(node_name="") & Q(phase="Pending") & Q(In(_DELETED_AT, _NO_TIME))
"""A condition on pods: without a node, not ended, and not being deleted. The dear part comes last."""


def pending_by_scheduler(snapshot: Snapshot) -> Counter[str]:
    """Return how many of a snapshot's pods wait, by the scheduler that they name."""
    if not snapshot.pending:
        return Counter()
    rows = Pod.objects.filter(PENDING, snapshot=snapshot).order_by().values_list("scheduler_name")
    return Counter(dict(rows.annotate(Count("pk"))))


def schedulers_of_running(snapshot: Snapshot) -> Counter[str]:
    """Return how many of a snapshot's pods are on nodes and have not ended, by the scheduler they name."""
    placed = Pod.objects.filter(snapshot=snapshot).exclude(node_name="").exclude(phase__in=_ENDED)
    return Counter(dict(placed.order_by().values_list("scheduler_name").annotate(Count("pk"))))
