"""Objects of an upload as they were sent, each reduced to what the rest of an import needs to know of it."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from dashboard.services.imports.packed_objects import PackedObjects, Packing
from scheduler_core.objects.api_server.generated_names import beginning_of_name
from scheduler_core.objects.checks.cluster_checks import find_faults
from scheduler_core.objects.imports.superseded_objects import Identity, identity_of
from scheduler_core.objects.imports.twins import Twins
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.privacy import Dropped, keep_public
from scheduler_core.objects.privacy.dropped import Counts
from scheduler_core.objects.reading.foreign_forms import foreign_object, lives_in_a_cluster
from scheduler_core.objects.reading.json_list import Written, text_of
from scheduler_core.objects.reading.texts import Source
from scheduler_core.objects.validation import sound_pods
from scheduler_core.objects.validation.api_faults import api_faults

Object = dict[str, Any]

PRIVATE = -1
"""The place of an object of which nothing may be stored."""


class Sent:
    """An object as it was sent: its part of the file, and what was found out when it was read.

    place: of what is stored of it, or PRIVATE. dropped: what is not stored. foreign: what it is if it is no
    object of a cluster.
    """

    __slots__ = (
        "dropped",
        "foreign",
        "has_faults",
        "identity",
        "is_at_home",
        "is_nameless",
        "place",
        "source",
    )

    def __init__(self, source: Source, place: int, dropped: Counts, identity: Identity) -> None:
        """Take an object that has a name and that nothing is amiss with."""
        self.source = source
        self.place = place
        self.dropped = dropped
        self.identity = identity
        self.foreign = ""
        self.is_at_home = True
        self.is_nameless = False
        self.has_faults = False

    def look_at(self, document: Object) -> None:
        """Find out what is amiss with an object that is not known to be sound."""
        self.foreign = foreign_object(document)
        self.is_at_home = lives_in_a_cluster(document)
        self.has_faults = self.place != PRIVATE and _has_faults(document)

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing was found to be amiss with the object as it was sent."""
        amiss = self.foreign or self.is_nameless or self.has_faults or self.place == PRIVATE
        return not amiss and self.is_at_home

    def document(self) -> Object:
        """Return the object as it was sent."""
        if isinstance(self.source, dict):
            return self.source
        found: Object = msgspec.json.decode(text_of(self.source))
        return found


def _has_faults(document: Object) -> bool:
    """Tell whether an API server may refuse something of an object, of which nobody knows yet what it is."""
    try:
        return bool(api_faults(document))
    except Exception:  # of what cannot be read, which the checks will find
        return True


class Taking:
    """Takes objects as they are read, and keeps what may be stored of them."""

    def __init__(self) -> None:
        self._packing = Packing()
        self._known: dict[Counts, Counts] = {}
        self._twins = Twins()

    def take(self, document: Object, source: Source) -> Sent:
        """Return what is known of an object, in the place of the object itself."""
        dropped = Dropped()
        kept = keep_public(document, dropped)
        counts = dropped.counts()
        counts = self._known.setdefault(counts, counts)  # those of equal objects are the same
        is_sound = kept is not None and kept.get("kind") == POD.name and sound_pods.is_sound(document)
        place = PRIVATE if kept is None else self._packing.put(kept, is_sound=is_sound)
        sent = Sent(source, place, counts, identity_of(document))
        sent.is_nameless = bool(beginning_of_name(document))
        if not is_sound:
            sent.look_at(document)
        if not isinstance(source, dict) and kept is not None and sent.is_sound:
            self._learn(text_of(source), place, kept, counts)
        return sent

    def _learn(self, text: bytes, place: int, kept: Object, dropped: Counts) -> None:
        if kind_of(kept) != POD or not self._twins.is_worth_learning(text):
            return
        if self._packing.is_sound(place) or not find_faults([kept]).problems:
            self._twins.learn(text, kept, dropped)

    def take_twin(self, text: bytes, source: Written) -> Sent | None:
        """Do as `take` with a pod that is like one that was read before, None for any other object."""
        twin = self._twins.find(text)
        if twin is None:
            return None
        namespace = str(twin.pattern.kept["metadata"].get("namespace"))
        identity = POD, namespace, twin.name, twin.uid
        return Sent(source, self._packing.put_twin(twin), twin.pattern.dropped, identity)

    def kept(self, objects: Iterable[Sent]) -> PackedObjects:
        """Return what may be stored of these objects."""
        return PackedObjects(self._packing, [sent.place for sent in objects])


def dropped_of(objects: Iterable[Sent]) -> list[str]:
    """Return phrases about what is not stored of these objects."""
    dropped = Dropped()
    for counts, times in Counter(sent.dropped for sent in objects).items():
        dropped.add(counts, times)
    return dropped.phrases()
