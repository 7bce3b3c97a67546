"""Which pods of a snapshot wait for a node, by the same rule as the engine and the snapshot's own figure."""

from django.db.models import Q, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

_NO_TIME = ["", "null"]  # what is absent, and what a database makes of a null
_DELETED_AT = Coalesce(KT("object__metadata__deletionTimestamp"), Value(""), output_field=TextField())

PENDING = Q(node_name="") & Q(phase="Pending") & Q(In(_DELETED_AT, _NO_TIME))
"""A condition on pods: without a node, not ended, and not being deleted. The dear part comes last."""
