"""Which schedulers the pods name that edits add.

Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go SetDefaults_PodSpec; a job's own scheduler is that of
the kind whose controller makes its pods.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.edits.manifests import makes_pods, specs_of
from scheduler_core.world.edits.refusals import manifest_faults

Object = dict[str, Any]
_DEFAULT = "default-scheduler"


def schedulers_named(edits: Iterable[Any]) -> frozenset[str]:
    """Return the `schedulerName`s of pods that edits add, as far as these can be read; no webhook is asked.

    Edits may have any form: what is wrong with them is told by whoever reads them to apply them.
    """
    return frozenset(name for edit in edits for document in _added(edit) for name in _names(document))


def _added(edit: Any) -> Iterator[Object]:
    is_addition = isinstance(edit, dict) and edit.get("op") == "add" and edit.get("enabled", True)
    manifest = edit.get("manifest") if is_addition else None
    if not isinstance(manifest, dict | str):
        return
    try:
        documents = read_manifest(manifest)
    except BadInput:
        return
    yield from (one for one in documents if _comes_to_pods(one) and not manifest_faults(one))


def _comes_to_pods(document: Object) -> bool:
    own = OWN.get(kind_of(document))
    return makes_pods(document) or (own is not None and own.makes_jobs)


def _names(document: Object) -> Iterator[str]:
    kind = kind_of(document)
    for one in kinds().values():
        if kind in one.pod_makers:
            yield spec_of(document).get("schedulerName") or one.names_in(None)[0]
            return
        if kind in one.own_kinds:  # by way of jobs, whose own scheduler stands in their templates
            yield one.names_in(None)[0]
            return
    for spec in specs_of(document):
        yield spec.get("schedulerName") or _DEFAULT
