"""The edit add: each object of its manifest is made, or applied to the one that is there already."""

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Any

from scheduler_core.objects.api_server.generated_names import beginning_of_name, generate_name, with_name
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import POD, WORKLOAD_KINDS, Kind, kind_of
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.foreign_forms import foreign_object
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import add_object, count_of
from scheduler_core.world.edits.applying import apply_to
from scheduler_core.world.edits.autoscaling import within_bounds
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import (
    MAX_REPLICAS,
    SPAN,
    Edit,
    Field,
    Words,
    check_replicas,
    listed,
    said,
    span_field,
)
from scheduler_core.world.edits.places import full_name, key_of
from scheduler_core.world.edits.refusals import refuse_manifest
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]

_COPIED = (POD, *WORKLOAD_KINDS)


class Add(Edit, kw_only=True, tag="add", frozen=True):
    """Adds objects, workloads with their pods. What is there already is changed as by `kubectl apply`."""

    words = Words(
        "Add objects",
        "Add pods or objects",
        "Add {manifest}",
        (
            Field("manifest", "Manifest (YAML)", "manifest"),
            Field("replicas", "Replicas instead of the manifest's", "count", optional=True),
            span_field("duration", "Its pods run for"),
        ),
        hint="pods, a workload, a node, a budget …",
    )
    makes_nodes = True
    spans = {"duration": "duration"}

    manifest: Annotated[
        dict[str, Any] | str, said("An object, a `List`, or the text of a file in YAML or JSON.")
    ]
    replicas: Annotated[
        int | None, said(f"How many pods each workload has, or copies each pod, 0 to {MAX_REPLICAS:,}.")
    ] = None
    duration: Annotated[
        float | None, said(f"Seconds that the pods run, {SPAN}; only with a clock. Null: for good.")
    ] = None
    withheld: Annotated[
        int, said("How many Secrets and kubeconfigs of the manifest were left out: they are never stored.")
    ] = 0

    def check(self) -> None:
        super().check()
        check_replicas(self.replicas)

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        if self.duration is not None:
            yield "added pods run for a set time"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Add the objects that are new, and apply the manifest to those that are there. Raises Refused."""
        documents = _read(self.manifest)
        if self.withheld > 0:
            left_out = f"{count_of(self.withheld, 'private object')} left out"
            result.note(f"{left_out}: Secrets and kubeconfigs are never stored, and no scheduler reads them")
        refuse_manifest(documents, "manifest")
        added, applied, passed_over = [], [], []
        for document in _named(cluster, documents, self.replicas):
            present = _present(cluster, document, self.replicas)
            if self.replicas is None:
                document = within_bounds(document, present, cluster.of_kind(AUTOSCALER), result.note)
            result.objects.append(key_of(document))
            if present is None:
                added.append(add_object(cluster, document, self.replicas, result))
            elif apply_to(cluster, present, document, self.replicas, result):
                applied.append(full_name(present))
            else:
                passed_over.append(full_name(present))
        if self.replicas is not None and not any(kind_of(document) in _COPIED for document in documents):
            raise Refused("replicas", "is for pods and workloads only")
        result.sentence = "; ".join(
            words.format(listed(names))
            for words, names in (("add {}", added), ("apply {}", applied), ("leave {} as it is", passed_over))
            if names
        )


def _read(manifest: Object | str) -> list[Object]:
    try:
        documents = read_manifest(manifest)
    except BadInput as error:
        faults = [(f"manifest {problem.object}".strip(), problem.message) for problem in error.problems]
        raise Refused(*faults[0], faults[1:]) from None
    if not documents:
        raise Refused("manifest", "has no objects")
    forms = [("manifest", f"this is {form}") for document in documents if (form := foreign_object(document))]
    if forms:
        raise Refused(*forms[0], forms[1:])
    return documents


def _present(cluster: EditedCluster, document: Object, replicas: int | None) -> Object | None:
    """Return the object that the document means, if it is there; copies of a pod are always new."""
    kind = kind_of(document)
    if kind == POD and replicas is not None:
        return None
    found = cluster.find(kind, document["metadata"].get("namespace"), name_of(document))
    return found[-1] if found else None


class _Names:
    """The names of a kind in a namespace, as a set that knows each new one."""

    def __init__(self, cluster: EditedCluster, kind: Kind, namespace: str) -> None:
        self._cluster, self._kind, self._namespace = cluster, kind, namespace

    def __contains__(self, name: object) -> bool:
        return bool(self._cluster.find(self._kind, self._namespace, str(name)))


def _named(cluster: EditedCluster, documents: list[Object], replicas: int | None) -> Iterator[Object]:
    """Yield the documents, each with a `generateName` with a name that is free by then."""
    numbers: dict[tuple[Kind, str, str], Iterator[int]] = {}
    for document in documents:
        beginning = beginning_of_name(document)
        if not beginning:
            yield document
        elif kind_of(document) == POD and replicas is not None:  # its copies are numbered
            yield with_name(document, beginning.rstrip("-"))
        else:
            kind, namespace = kind_of(document), namespace_of(document)
            names = _Names(cluster, kind, namespace)
            following = numbers.setdefault((kind, namespace, beginning), count(1))
            yield with_name(document, generate_name(beginning, names, following))
