"""What the objects of a cluster name and the picture of it lacks, and what it has twice.

A real cluster has none of this, or only for a moment: a picture that has, was put together from parts. Kinds
of which there is nothing at all are told elsewhere. Volcano's own references are `volcano.references`'.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    PRIORITY_CLASS,
    VOLCANO_JOB,
    WORKLOAD_KINDS,
    Kind,
    kind_of,
)

Object = dict[str, Any]
Identity = tuple[Kind, str, str]
"""Kind, namespace (empty where it has none) and name."""
Reference = tuple[Identity, str]
"""What is named, and the pod that names it."""

LISTED = 3
BUILT_IN_PRIORITY_CLASSES = frozenset({"system-cluster-critical", "system-node-critical"})
_ENDED = ("Succeeded", "Failed")
_OWNERS = frozenset({*WORKLOAD_KINDS, VOLCANO_JOB})


class Gap(NamedTuple):
    """Something that is missing, and what that does to answers, as a phrase that begins with a number.

    pods: all who name it, as `namespace/name`. kinds: what kubectl should have been asked for as well, in its
    words; none where that would not help.
    """

    phrase: str
    pods: list[str]
    kinds: tuple[str, ...] = ()


def gaps(objects: Iterable[Object]) -> list[Gap]:
    """Return what is missing or there twice, a gap for each kind of fault."""
    found = _Found()
    for document in objects:
        found.take(document)
    return [gap for gap in found.gaps() if gap.pods]


class _Found:
    """The objects that can be named, and what names them."""

    def __init__(self) -> None:
        self._known: set[Identity] = set()
        self._kinds: set[Kind] = set()
        self._pods: dict[str, int] = {}
        self._nodes: list[Reference] = []
        self._owners: list[Reference] = []
        self._classes: list[Reference] = []
        self._claims: list[Reference] = []

    def take(self, document: Object) -> None:
        """Note an object and what it names; pods that have ended name nothing that matters."""
        kind, name = kind_of(document), name_of(document)
        if kind == POD:
            if (document.get("status") or {}).get("phase") not in _ENDED:
                self._take_pod(document, f"{namespace_of(document)}/{name}")
        else:
            namespace = "" if kind in (NODE, PRIORITY_CLASS) else namespace_of(document)
            self._known.add((kind, namespace, name))
            self._kinds.add(kind)

    def _take_pod(self, pod: Object, place: str) -> None:
        self._pods[place] = self._pods.get(place, 0) + 1
        namespace, spec = namespace_of(pod), spec_of(pod)
        owner = controller_of(pod)
        if owner is not None and kind_of(owner) in _OWNERS:
            self._owners.append(((kind_of(owner), namespace, str(owner.get("name"))), place))
        priority_class = spec.get("priorityClassName")
        if priority_class and priority_class not in BUILT_IN_PRIORITY_CLASSES:
            self._classes.append(((PRIORITY_CLASS, "", priority_class), place))
        if spec.get("nodeName"):
            self._nodes.append(((NODE, "", spec["nodeName"]), place))
            return
        for volume in spec.get("volumes") or ():
            claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
            if claim:
                self._claims.append(((PERSISTENT_VOLUME_CLAIM, namespace, claim), place))

    def gaps(self) -> Iterator[Gap]:
        """Yield a gap for each kind of reference, also where nothing is missing."""
        lost = self._lost(self._nodes) if NODE in self._kinds else []
        yield _gap(lost, "on nodes that are not in the import ({}): they take room nowhere", ("nodes",))
        lost = self._lost(self._owners)
        kinds = sorted({_plural(kind) for (kind, _, _), _ in lost})
        effect = "they are neither spread nor counted by budgets as theirs"
        yield _gap(lost, f"of controllers that are not in the import ({{}}): {effect}", kinds)
        lost = self._lost(self._classes) if PRIORITY_CLASS in self._kinds else []
        effect = "pods that edits add cannot use these"
        yield _gap(
            lost, f"of PriorityClasses that are not in the import ({{}}): {effect}", ("priorityclasses",)
        )
        lost = self._lost(self._claims) if PERSISTENT_VOLUME_CLAIM in self._kinds else []
        phrase = "with PersistentVolumeClaims that are not in the import ({}): they stay pending"
        yield _gap(lost, phrase, ("persistentvolumeclaims", "persistentvolumes", "storageclasses"))
        twice = [place for place, number in self._pods.items() if number > 1]
        names = _count(len(twice), "name")
        yield Gap(
            f"{names} of several pods at once ({_some(twice)}), as in no cluster: each pod counts", twice
        )

    def _lost(self, named: list[Reference]) -> list[Reference]:
        return [(identity, place) for identity, place in named if identity not in self._known]


def _gap(lost: list[Reference], phrase: str, kinds: Iterable[str]) -> Gap:
    missing = dict.fromkeys(identity for identity, _ in lost)
    pods = list(dict.fromkeys(pod for _, pod in lost))
    names = [_named(identity) for identity in missing]
    return Gap(f"{_count(len(pods), 'pod')} {phrase.format(_some(names))}", pods, tuple(kinds))


def _named(identity: Identity) -> str:
    kind, namespace, name = identity
    full_name = f"{namespace}/{name}" if namespace else name
    return f"{kind} {full_name}" if kind in _OWNERS else full_name


def _plural(kind: Kind) -> str:
    """Return what `kubectl get` takes for a kind of controllers."""
    return f"{kind.name.lower()}s.{kind.group}" if kind == VOLCANO_JOB else f"{kind.name.lower()}s"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _some(names: list[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:LISTED]) + (", …" if len(listed) > LISTED else "")
