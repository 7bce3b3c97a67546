"""What must not be stored of a cluster is taken out before anything is stored.

In come the objects of an import, out go copies without private parts, and a list of what was dropped, where
and how often. Secrets and kubeconfigs go as a whole. Of every other object stays what `kinds` names: that is
what the engine, its checks or a page reads. The objects that come in are never changed; what needs no change
is passed on as it is, and what was stripped once is not changed by a second time.
"""

from typing import Any

from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.kept_by_kind import OTHER_KIND, fields_of

__all__ = ["Dropped", "is_private", "keep_public", "withhold_private"]

Object = dict[str, Any]


def withhold_private(objects: list[Object]) -> tuple[list[Object], list[str]]:
    """Return the objects without private parts, and phrases such as `3 Secrets` for what was dropped."""
    dropped = Dropped()
    kept = [stripped for document in objects if (stripped := keep_public(document, dropped)) is not None]
    return kept, dropped.phrases()


def keep_public(document: Object, dropped: Dropped) -> Object | None:
    """Return an object without its private parts, None if nothing of it may be stored."""
    if is_private(document):
        dropped.count_object(document["kind"])
        return None
    return _stripped(document, dropped)


def is_private(document: Object) -> bool:
    """Tell whether nothing of an object may be stored: it is a Secret or a kubeconfig."""
    kind = document.get("kind")
    return kind == "Secret" or (kind == "Config" and "users" in document)


def _stripped(document: Object, dropped: Dropped) -> Object:
    kind = str(kind_of(document))
    fields = fields_of(document)
    if fields is not OTHER_KIND:
        return fields.keep_object(document, kind, dropped)
    stripped = fields.keep_object(document, kind, Dropped())
    if stripped is not document:
        dropped.count_rest(kind)
    return stripped
