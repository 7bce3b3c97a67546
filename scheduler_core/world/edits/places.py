"""Where the objects of a cluster under edit stand, found by name, kind, node or controller.

A place is a number that grows with each new object; an object that is changed keeps its place.
"""

from collections.abc import Iterable, MutableMapping
from typing import Any, TypeVar

from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.kinds import POD, Kind, kind_of
from scheduler_core.world.edits.overlay import Overlay

K = TypeVar("K")
V = TypeVar("V")
W = TypeVar("W")
Object = dict[str, Any]
Identity = tuple[Kind, str, str]
Index = MutableMapping[K, MutableMapping[int, None]]
Few = MutableMapping[K, tuple[int, ...]]
"""An index of which almost every key has one place."""


def identity_of(document: Object) -> Identity:
    """Return kind, namespace (empty for kinds without) and name."""
    kind = kind_of(document)
    namespace = namespace_of(document) if kind == POD or _is_namespaced(document, kind) else ""
    return kind, namespace, name_of(document)


def full_name(document: Object) -> str:
    """Return `Kind namespace/name` as sentences say it."""
    kind, namespace, name = identity_of(document)
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def key_of(document: Object) -> str:
    """Return `Kind/namespace/name`, as a workload is named in results and in the log."""
    return f"{kind_of(document)}/{namespace_of(document)}/{name_of(document)}"


def is_namespaced(document: Object) -> bool:
    return _is_namespaced(document, kind_of(document))


def _is_namespaced(document: Object, kind: Kind) -> bool:
    check = KIND_CHECKS.get(kind)
    if check is not None:
        return check.namespaced
    return bool((document.get("metadata") or {}).get("namespace"))


class Places:
    """The places of all objects. What is looked up is to be read only."""

    def __init__(self) -> None:
        self.by_identity: Few[Identity] = {}
        self.by_kind: Index[Kind] = {}
        self.on_node: Index[str] = {}
        self.pods_in: Index[str] = {}
        self.pods_by_uid: Few[str] = {}
        self.pod_names: MutableMapping[str, MutableMapping[str, int]] = {}
        """How many pods of a namespace have a name."""
        self._by_controller: Index[tuple[str, str]] = {}
        self._is_over = False
        self._own: set[tuple[int, Any]] = set()
        """What stands over others and is its own all the same: by index, and its key there."""

    def over(self) -> "Places":
        """Return the same places, which can change; these must stay as they are from now on."""
        twin = Places()
        twin._is_over = True
        twin.by_identity = Overlay(self.by_identity)
        twin.by_kind = Overlay(self.by_kind)
        twin.on_node = Overlay(self.on_node)
        twin.pods_in = Overlay(self.pods_in)
        twin.pods_by_uid = Overlay(self.pods_by_uid)
        twin.pod_names = Overlay(self.pod_names)
        twin._by_controller = Overlay(self._by_controller)
        return twin

    def _of(self, index: MutableMapping[K, MutableMapping[V, W]], key: K) -> MutableMapping[V, W]:
        """Return what an index has under a key, to be changed."""
        if not self._is_over:
            return index.setdefault(key, {})
        mine = id(index), key
        if mine not in self._own:
            self._own.add(mine)
            index[key] = Overlay(index[key]) if key in index else {}
        return index[key]

    def add(self, document: Object, place: int) -> None:
        """Take in a new object."""
        identity = kind, namespace, name = identity_of(document)
        _note(self.by_identity, identity, place)
        self._of(self.by_kind, kind)[place] = None
        if kind == POD:
            names = self._of(self.pod_names, namespace)
            names[name] = names.get(name, 0) + 1
            self._of(self.pods_in, namespace)[place] = None
            _note(self.pods_by_uid, uid_of(document), place)
        self._join(document, kind, place)

    def change(self, old: Object, new: Object, place: int) -> None:
        """Take in a changed object, whose kind and names are what they were."""
        self._leave(old, place)
        self._join(new, kind_of(new), place)

    def remove(self, document: Object, place: int) -> None:
        """Let an object go that is gone."""
        kind, namespace = kind_of(document), namespace_of(document)
        _forget(self.by_identity, identity_of(document), place)
        del self._of(self.by_kind, kind)[place]
        if kind == POD:
            names = self._of(self.pod_names, namespace)
            names[name_of(document)] -= 1
            if not names[name_of(document)]:
                del names[name_of(document)]
            del self._of(self.pods_in, namespace)[place]
            _forget(self.pods_by_uid, uid_of(document), place)
        self._leave(document, place)

    def controlled(self, namespace: str, names: Iterable[str]) -> list[int]:
        """Return the places of the objects of a namespace that call their controllers so, by name or uid."""
        found = {place for name in names for place in self._by_controller.get((namespace, name), ())}
        return sorted(found)

    def controllers(self, namespace: str, prefix: str) -> list[str]:
        """Return what objects of a namespace call controllers whose names or uids begin so."""
        return [name for space, name in self._by_controller if space == namespace and name.startswith(prefix)]

    def _join(self, document: Object, kind: Kind, place: int) -> None:
        node = spec_of(document).get("nodeName") if kind == POD else None
        if node:
            self._of(self.on_node, node)[place] = None
        for key in _controller_keys(document):
            self._of(self._by_controller, key)[place] = None

    def _leave(self, document: Object, place: int) -> None:
        if kind_of(document) == POD and spec_of(document).get("nodeName"):
            del self._of(self.on_node, spec_of(document)["nodeName"])[place]
        for key in _controller_keys(document):
            del self._of(self._by_controller, key)[place]


def _controller_keys(document: Object) -> tuple[tuple[str, str], ...]:
    """Return the namespace with what an object calls its controller: its uid, and its name."""
    reference = controller_of(document)
    if reference is None:
        return ()
    namespace = namespace_of(document)
    uid, name = str(reference.get("uid") or ""), str(reference.get("name") or "")
    return ((namespace, uid),) if uid == name else ((namespace, uid), (namespace, name))


def _note(index: Few[K], key: K, place: int) -> None:
    before = index.get(key)
    index[key] = (place,) if before is None else (*before, place)


def _forget(index: Few[K], key: K, place: int) -> None:
    left = tuple(other for other in index.pop(key) if other != place)
    if left:
        index[key] = left
