"""One object in two states, as in files that were printed one after another: the newer one counts.

Which is newer, the resourceVersion says, a number that grows with every change in a cluster. Without it, or
if the same name stands for two objects of different uid, nothing is decided: `checks` refuses them.

Source: kubernetes enhancement 5504 (resource versions are comparable), v1.35.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.privacy import withhold_private

Object = dict[str, Any]
Identity = tuple[Kind, str, str, str]

_DIGITS = 20


class Superseded(NamedTuple):
    """An object that was kept, and the resourceVersion of its older state."""

    document: Object
    older: int


class Stated(Protocol):
    """Something that was made of an object: who that is, and the object itself."""

    identity: Identity

    def document(self) -> Object:
        """Return the object as it was sent."""


T = TypeVar("T", bound=Stated)


def keep_newest(objects: Iterable[T]) -> tuple[list[T], list[Superseded]]:
    """Return the objects, each in its newest state and once, in the place of its first; and what gave way.

    What is equal, and what differs only in parts that are not stored, is left out without a word.
    """
    kept: list[T] = []
    places: dict[Identity, int | list[int]] = {}
    superseded = []
    for one in objects:
        first = places.setdefault(one.identity, len(kept))
        if first == len(kept):  # of nearly all there is one
            kept.append(one)
            continue
        earlier = first if isinstance(first, list) else [first]
        document = one.document()
        place = next((place for place in earlier if _are_states(kept[place].document(), document)), None)
        if place is None:
            places[one.identity] = [*earlier, len(kept)]
            kept.append(one)
            continue
        known, new = version_of(kept[place].document()) or 0, version_of(document) or 0
        if new != known:
            kept[place] = one if new > known else kept[place]
            superseded.append(Superseded(kept[place].document(), min(new, known)))
    return kept, superseded


def version_of(document: Object) -> int | None:
    """Return an object's resourceVersion, None where it has none that is a number."""
    metadata = document.get("metadata")
    text = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    if not isinstance(text, str) or len(text) >= _DIGITS or not (text.isascii() and text.isdigit()):
        return None
    return int(text)


def identity_of(document: Object) -> Identity:
    """Return by what states of one object are told from other objects."""
    metadata = document.get("metadata")
    names = metadata if isinstance(metadata, dict) else {}
    return kind_of(document), str(names.get("namespace")), str(names.get("name")), str(names.get("uid"))


def _are_states(one: Object, other: Object) -> bool:
    """Tell whether two objects of one identity are the same, or states of which one is newer."""
    if one == other:
        return True
    versions = version_of(one), version_of(other)
    if None in versions:
        return False
    return versions[0] != versions[1] or withhold_private([one])[0] == withhold_private([other])[0]
