"""A snapshot under other names, as a file that may be given away."""

import secrets

import msgspec

from dashboard.errors import NotPossibleNow
from dashboard.models import Snapshot
from dashboard.services.workspace.snapshots import export_json
from scheduler_core.objects.anonymising import Anonymised, Anonymiser
from scheduler_core.objects.anonymising.ranked_words import KEY_BYTES

MOST = 20_000
"""Pods and nodes: about 15 s of CPU time, in which a web process answers others slowly."""
LEFT_OUT = "sandtable/left-out"
"""The annotation of the List that says what was dropped."""


def anonymised(snapshot: Snapshot, key: str) -> Anonymised:
    """Return the objects under other names. Without a key they are drawn from one that nobody gets to know.

    Raises NotPossibleNow for a snapshot that isn't ready or is too large.
    """
    text = export_json(snapshot)
    if (size := snapshot.pods_and_nodes) > MOST:
        raise NotPossibleNow(
            f"The snapshot has {size:,} pods and nodes. Names are changed of up to {MOST:,}."
        )
    secret = key.encode() if key else secrets.token_bytes(KEY_BYTES)
    return Anonymiser(msgspec.json.decode(text)["items"], secret).anonymised()


def anonymised_file(told: Anonymised) -> bytes:
    """Return them as a List in JSON; an annotation of it says what was left out."""
    metadata = {"annotations": {LEFT_OUT: "; ".join(told.dropped)}} if told.dropped else {}
    return msgspec.json.encode(
        {"apiVersion": "v1", "kind": "List", "metadata": metadata, "items": told.objects}
    )
