"""What every edit operation is: its fields, the words and the form that an editor has for it, what it does.

An operation is one file beside this one, and one line in `__init__.py`: REST's schema, the editor's forms and
the checks before a run follow from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.validation.label_rules import key_fault, value_fault
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.results import EditResult, EvictionRequest
from scheduler_core.world.run_input import LATEST, SHORTEST_SECONDS

MAX_REPLICAS, MAX_NODES = Limits().pods, Limits().nodes
SPAN = f"{SHORTEST_SECONDS} to {LATEST:,}"
LISTED = 6


class Field(NamedTuple):
    """A field of an editor's form: `kind` says how it is filled in, `clock` that it needs a clock."""

    name: str
    label: str
    kind: str
    optional: bool = False
    clock: bool = False
    choices: tuple[str, ...] = ()
    least: float = 0


class Words(NamedTuple):
    """What an editor says of an operation.

    title: what it does, without values; button: the same in two words; phrase: with the values of fields in
    braces, until the engine has said what came of it; blank: the fields that a new one begins with.
    """

    title: str
    button: str
    phrase: str
    form: tuple[Field, ...]
    blank: Mapping[str, Any] = {}
    hint: str = ""


def check_replicas(replicas: int | None) -> None:
    """Raise Refused of a number of pods that no workload may have; none is none."""
    if replicas is not None and not 0 <= replicas <= MAX_REPLICAS:
        raise Refused("replicas", f"must be between 0 and {MAX_REPLICAS:,}, not {replicas}")


def check_labels(field: str, labels: Mapping[str, str | None]) -> None:
    """Raise Refused of labels that an API server would not take; one that is taken away may be any.

    Here, since an edit names the label: a report about an object hides what is no name.
    """
    faults = [
        fault for key, value in labels.items() if value is not None for fault in label_faults(key, value)
    ]
    if faults:
        raise Refused(field, faults[0], [(field, fault) for fault in faults[1:]])


def label_faults(key: str, value: str) -> Iterator[str]:
    """Yield what is wrong with a label or taint, by its name."""
    for text, fault in ((key, key_fault(key)), (value, value_fault(value))):
        if fault:
            yield f"{text!r} {fault}"


def said(description: str) -> msgspec.Meta:
    """Return what the schema says of a field; what its values may be is checked where the edit is applied."""
    return msgspec.Meta(description=description)


KindName = Annotated[
    str, said("As kubectl takes it: `Job`, or with its API group, `PodGroup.scheduling.volcano.sh`.")
]
Namespace = Annotated[str | None, said("Null: `default`, or none for kinds that have none.")]
NodeName = Annotated[str, said("The node's name.")]
AT = Field("at", "At, after the run's start", "seconds", optional=True, clock=True)
OBJECT_KINDS = (
    "Pod", "Node", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "PodDisruptionBudget",
    "PriorityClass", "Namespace", "ResourceQuota", "PersistentVolumeClaim",
)  # fmt: skip
OBJECT = (
    Field("kind", "Kind", "choice", choices=OBJECT_KINDS),
    Field("namespace", "Namespace", "namespace", optional=True),
    Field("name", "Name", "name"),
)


def span_field(name: str, label: str) -> Field:
    """Return the field of a span of time, which needs a clock."""
    return Field(name, label, "seconds", optional=True, clock=True, least=SHORTEST_SECONDS)


class Edit(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, tag_field="op", frozen=True):
    """Base of all edits. `at`: seconds of virtual time; null is at the run's start."""

    words: ClassVar[Words]
    needs_clock: ClassVar[bool] = False
    """Whether its effects come only as time passes."""
    moves_pods: ClassVar[bool] = False
    """Whether pods that run, or more of their workloads, may look for a node because of it."""
    makes_pods: ClassVar[bool] = True
    """Whether pods may come of it that nobody knew of, or other names for some."""
    makes_nodes: ClassVar[bool] = False
    ways: ClassVar[tuple[str, ...]] = ()
    """Fields that say in different ways whom it is done to: exactly one of them is given."""
    spans: ClassVar[Mapping[str, str]] = {}
    """Its spans of time: the attribute, and the field's name."""

    at: Annotated[
        float | None,
        said(f"Seconds after the run's start, 0 to {LATEST:,}; only with a clock. Null: at its start."),
    ] = None

    def check(self) -> None:
        """Refuse values that no cluster makes sense of. Raises Refused."""
        if self.at is not None and not (math.isfinite(self.at) and 0 <= self.at <= LATEST):
            raise Refused("at", f"must be seconds from 0 to {LATEST:,} after the run's start")
        self._check_ways()
        for name, field in self.spans.items():
            seconds = getattr(self, name)
            if seconds is not None and not (math.isfinite(seconds) and SHORTEST_SECONDS <= seconds <= LATEST):
                raise Refused(field, f"must be seconds from {SPAN}")

    def _check_ways(self) -> None:
        given = [way for way in self.ways if getattr(self, way) is not None]
        if self.ways and not given:
            raise Refused(self.ways[0], f"is required, or else {' or '.join(self.ways[1:])}")
        if len(given) > 1:
            raise Refused(given[1], f"can't be given beside {given[0]}: give one of them")
        if given and getattr(self, given[0]) == []:
            raise Refused(given[0], "names nothing")

    def apply(self, cluster: EditedCluster, result: EditResult) -> list[EvictionRequest] | None:
        """Change the cluster, say so, and return the evictions to ask for. Raises Refused."""
        raise NotImplementedError

    def named_nodes(self) -> list[str]:
        """Return the nodes that it names and that have to be there."""
        return []

    def because_of_time(self) -> Iterator[str]:
        """Yield why time decides about what comes of it, as the end of a sentence: "because …"."""
        if self.at is not None:
            yield "an edit has an instant"


def listed(names: list[str]) -> str:
    """Name all of few, the first of many."""
    shown = names if len(names) <= LISTED else names[: LISTED - 1]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")
