"""Objects on their way from a file to the database: as compressed JSON, decoded whenever they are looked at.

Ten thousand pods need 30 MB as JSON, 80 MB as Python's values, and 1 or 2 MB in here.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

import msgspec

from dashboard.models.packing import pack, unpack
from scheduler_core.objects.imports.twins import Pattern, Twin
from scheduler_core.objects.kinds import POD, Kind, kind_of

OBJECTS_AT_ONCE = 64
"""How many are compressed together."""

Object = dict[str, Any]
Progress = Callable[[int, int], None]
"""Called with how many objects are done, of how many; may raise LeaseLost."""
Card = tuple[str | None, str | None, str | None]
"""A pod's namespace, name and uid."""
_Texts = list[bytes]


class Packing:
    """Where objects are put, in any number; each stays where it was put."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self._cards: list[Card | None] = []
        """By place: the identity of a sound pod; None for all others, and for those that are like another."""
        self.sizes = array("Q")
        self._packed: list[bytes] = []
        self._latest: _Texts = []
        self._opened: tuple[int, _Texts] = -1, []
        self.twins: list[Twin | None] = []
        """By place; None for what is like nothing else."""

    def put(self, document: Object, *, is_sound: bool = False) -> int:
        """Keep an object and return its place. is_sound: what `sound_pods` says of it."""
        text = msgspec.json.encode(document)
        is_sound = is_sound and b"\\u0000" not in text
        return self._put(kind_of(document), text, card=_card(document) if is_sound else None)

    def put_text(self, text: bytes) -> int:
        """Keep an object that was stored before, as JSON, and return its place."""
        return self._put(kind_of(msgspec.json.decode(text)), text)

    def put_twin(self, twin: Twin) -> int:
        """Keep a pod that is like another and return its place."""
        return self._put(POD, twin.text, twin._replace(text=b""))

    def _put(self, kind: Kind, text: bytes, twin: Twin | None = None, card: Card | None = None) -> int:
        self.kinds.append(kind)
        self._cards.append(card)
        self.twins.append(twin)
        self.sizes.append(len(text))
        self._latest.append(text)
        place = len(self._packed) * OBJECTS_AT_ONCE + len(self._latest) - 1
        if len(self._latest) == OBJECTS_AT_ONCE:
            self._packed.append(pack(msgspec.msgpack.encode(self._latest)))
            self._latest = []
        return place

    def is_sound(self, place: int) -> bool:
        """Tell whether of the object at a place nothing but its identity is to be looked at."""
        return self._cards[place] is not None or self.twins[place] is not None

    def identified(self, place: int) -> Object:
        """Return the object at a place, of a sound pod its identity alone."""
        if twin := self.twins[place]:
            return twin.document()
        card = self._cards[place]
        if card is None:
            document: Object = msgspec.json.decode(self.text(place))
            return document
        namespace, name, uid = card
        metadata = {"namespace": namespace, "name": name, "uid": uid}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}

    def text(self, place: int) -> bytes:
        """Return the JSON of the object at a place; quick for those that stand beside the one before."""
        number, within = divmod(place, OBJECTS_AT_ONCE)
        if number == len(self._packed):
            return self._latest[within]
        if self._opened[0] != number:
            self._opened = number, msgspec.msgpack.decode(unpack(self._packed[number]), type=_Texts)
        return self._opened[1][within]


def _card(pod: Object) -> Card:
    metadata = pod["metadata"]
    return metadata.get("namespace"), metadata.get("name"), metadata.get("uid")


class PackedObjects(Sequence[Object]):
    """A list of objects that are put somewhere. Each is decoded anew, and so nobody else's to change."""

    def __init__(self, packing: Packing, places: list[int], progress: Progress | None = None) -> None:
        self._packing = packing
        self._places = places
        self._progress = progress

    def watched(self, progress: Progress) -> "PackedObjects":
        """Return the same list, which tells how far each walk through it has come."""
        return PackedObjects(self._packing, self._places, progress)

    def __len__(self) -> int:
        return len(self._places)

    def size(self) -> int:
        """Return how many bytes the JSON of all objects takes."""
        return sum(map(self._packing.sizes.__getitem__, self._places))

    def texts(self) -> Iterator[bytes]:
        """Yield the JSON of each object."""
        return map(self._packing.text, self._watched())

    def __iter__(self) -> Iterator[Object]:
        return map(msgspec.json.Decoder().decode, self.texts())

    def alike(self) -> "Alike":
        """Return the objects as judges may see them: quicker, see `Alike`."""
        return Alike(self)

    def judged(self) -> Iterator[Object]:
        """Yield what `Alike` is made of."""
        decode, twins, packing = msgspec.json.Decoder().decode, self._packing.twins, self._packing
        for place in self._watched():
            twin = twins[place]
            yield decode(packing.text(place)) if twin is None else twin.document()

    def identified(self) -> Iterable[Object]:
        """Return the objects, of those that are `sound` their identity alone: none of them is decoded."""
        return map(self._packing.identified, self._watched())

    def text(self, index: int) -> bytes:
        """Return the JSON of the object at an index."""
        return self._packing.text(self._places[index])

    def patterns(self) -> Iterator[Pattern | None]:
        """Yield for each object what it is a twin of."""
        for place in self._places:
            twin = self._packing.twins[place]
            yield twin and twin.pattern

    def sound(self) -> Iterator[bool]:
        """Yield for each object whether nothing but its identity is to be looked at."""
        return map(self._packing.is_sound, self._places)

    def _watched(self) -> Iterator[int]:
        for number, place in enumerate(self._places):
            if self._progress is not None:
                self._progress(number, len(self._places))
            yield place

    @overload
    def __getitem__(self, index: int) -> Object: ...
    @overload
    def __getitem__(self, index: slice) -> "PackedObjects": ...
    def __getitem__(self, index: int | slice) -> "Object | PackedObjects":
        if isinstance(index, slice):
            return PackedObjects(self._packing, self._places[index])
        found: Object = msgspec.json.decode(self.text(index))
        return found

    def kinds(self) -> Iterator[Kind]:
        """Yield the kind of each object, none of which is decoded for it."""
        return map(self._packing.kinds.__getitem__, self._places)

    def of(self, kind: Kind) -> "PackedObjects":
        """Return the objects of a kind."""
        return self.by_kind().get(kind) or PackedObjects(self._packing, [])

    def without_pods_that_lack(self, word: str) -> "PackedObjects":
        """Return the objects, of pods only those in whose JSON a word stands; none is decoded for it."""
        if not word:
            return self
        text, found = word.encode(), dict[Pattern, bool]()

        def has_word(place: int) -> bool:
            twin = self._packing.twins[place]
            if twin is None:
                return text in self._packing.text(place)
            if twin.pattern not in found:
                found[twin.pattern] = text in self._packing.text(place)
            return found[twin.pattern]

        pairs = zip(self._places, self.kinds(), strict=True)
        left = [place for place, kind in pairs if kind != POD or has_word(place)]
        return PackedObjects(self._packing, left, self._progress)

    def by_kind(self) -> "dict[Kind, PackedObjects]":
        """Return the objects of each kind."""
        places: dict[Kind, list[int]] = {}
        for place, kind in zip(self._places, self.kinds(), strict=True):
            places.setdefault(kind, []).append(place)
        return {kind: PackedObjects(self._packing, own, self._progress) for kind, own in places.items()}

    def without(self, indexes: set[int]) -> "PackedObjects":
        """Return the list without the objects at some indexes."""
        left = (place for index, place in enumerate(self._places) if index not in indexes)
        return PackedObjects(self._packing, list(left))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class Alike(Iterable[Object]):
    """Objects of which pods that are like others differ from these in their names, uids and nodes alone.

    To go through them takes a tenth of the time, since such pods are not decoded. They are not to be changed.
    """

    def __init__(self, objects: PackedObjects) -> None:
        self._objects = objects

    def __iter__(self) -> Iterator[Object]:
        return self._objects.judged()
