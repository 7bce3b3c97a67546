"""Why it can't be told whether pods of a manifest fit: what decides is not in the import, or not played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.api_server.admission import BUILT_IN_CLASSES
from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    PRIORITY_CLASS,
    RUNTIME_CLASS,
    STATEFUL_SET,
    STORAGE_CLASS,
    Kind,
    kind_of,
)
from scheduler_core.predicates.volumes.provisioning import NO_PROVISIONER
from scheduler_core.schedulers.registry import kind_of_profile, kinds
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.manifests import specs_of
from scheduler_core.world.run_input import RunInput

Object = dict[str, Any]


class Doubts:
    """What a cluster's import and a manifest have, and who schedules."""

    def __init__(self, cluster: EditedCluster, manifest: Iterable[Object], run_input: RunInput) -> None:
        self._cluster = cluster
        self._manifest = {(kind_of(one), _namespace(one), name_of(one)): one for one in manifest}
        own = kind_of_profile(run_input.profile)
        self._played = {own.name if own else "", *(one.scheduler for one in run_input.beside)}

    def of(self, document: Object) -> list[str]:
        """Return why it can't be told of the pods of an object, if they do not fit, a sentence each."""
        found = (self._of_makers, self._of_names, self._of_provisioners, self._of_kubelets)
        return list(dict.fromkeys(said for of in found for said in of(document)))

    def missing(self, document: Object) -> list[str]:
        """Return which StorageClasses its pods' claims name that there are not, a sentence each."""
        names = {name for kind, name in self._named(document) if kind is STORAGE_CLASS and name}
        known = {name_of(one) for one in self._cluster.of_kind(STORAGE_CLASS)}
        known |= {name for kind, _, name in self._manifest if kind == STORAGE_CLASS}
        return [f"There is no StorageClass {name}" for name in sorted(names - known)] if known else []

    def _of_makers(self, document: Object) -> Iterator[str]:
        kind = kind_of(document)
        for name, one in kinds().items():
            if kind in one.pod_makers and name not in self._played:
                yield f"{one.title} is none of the schedulers that are played: nothing makes its pods"

    def _of_names(self, document: Object) -> Iterator[str]:
        for kind, name in self._named(document):
            is_given = any((kind, place, name) in self._manifest for place in ("", namespace_of(document)))
            if not is_given and not any(self._cluster.of_kind(kind)):
                plural = f"{kind.name}{'es' if kind.name.endswith('s') else 's'}"
                which = f"{name} is one" if name else "one is the default"
                yield f"The import has no {plural}: whether {which} is not known"

    def _of_provisioners(self, document: Object) -> Iterator[str]:
        for kind, name in self._named(document):
            found = self._cluster.find(STORAGE_CLASS, None, name) if kind is STORAGE_CLASS and name else ()
            if any(_provisions_at_once(one) for one in found):
                yield f"The provisioner of StorageClass {name} binds its claims before: where to is not known"

    def _of_kubelets(self, document: Object) -> Iterator[str]:
        pinned = (name for spec in specs_of(document) if (name := spec.get("nodeName")))
        for name in pinned:
            if (NODE, "", name) in self._manifest or self._cluster.find(NODE, None, name):
                whose = f"the kubelet of {name}"
                yield f"nodeName is set: no scheduler decides, and whether all fit is up to {whose}"

    def _named(self, document: Object) -> Iterator[tuple[Kind, str]]:
        """Yield what the pods of an object name, beside nodes, namespaces and devices."""
        claims = [spec_of(one) for one in _claim_templates(document)]
        own = (
            []
            if kind_of(document) == POD
            else [{"priorityClassName": spec_of(document).get("priorityClassName")}]
        )
        for spec in [*own, *specs_of(document)]:
            if (name := spec.get("priorityClassName")) and name not in BUILT_IN_CLASSES:
                yield PRIORITY_CLASS, name
            if name := spec.get("runtimeClassName"):
                yield RUNTIME_CLASS, name
            for volume in spec.get("volumes") or ():
                if template := (volume.get("ephemeral") or {}).get("volumeClaimTemplate"):
                    claims.append(spec_of(template))
                elif name := (volume.get("persistentVolumeClaim") or {}).get("claimName"):
                    given = self._manifest.get((PERSISTENT_VOLUME_CLAIM, namespace_of(document), name))
                    if given is None:
                        yield PERSISTENT_VOLUME_CLAIM, name
                    else:
                        claims.append(spec_of(given))
        for claim in claims:
            name = claim.get("storageClassName")
            if name != "" and not claim.get("volumeName"):  # empty: no class, not even the default one
                yield STORAGE_CLASS, name or ""


def _provisions_at_once(storage_class: Object) -> bool:
    """Return whether claims of a class get volumes made for them as soon as they are there."""
    waits = storage_class.get("volumeBindingMode") == "WaitForFirstConsumer"
    return not waits and storage_class.get("provisioner") != NO_PROVISIONER


def _claim_templates(document: Object) -> list[Object]:
    return spec_of(document).get("volumeClaimTemplates") or [] if kind_of(document) == STATEFUL_SET else []


def _namespace(document: Object) -> str:
    whole = (NODE, PRIORITY_CLASS, RUNTIME_CLASS, STORAGE_CLASS)
    return "" if kind_of(document) in whole else namespace_of(document)
