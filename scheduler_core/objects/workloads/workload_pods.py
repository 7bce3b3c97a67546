"""The pods that a workload's controller makes.

In comes a Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet, Job or CronJob, out go the
objects that its controller would create: the ReplicaSet or Job between, a StatefulSet's claims, and the
pods before admission. Names have the controllers' form but are numbered instead of random
(`cart-6d4b75cb6d-3`), so that the same input always gives the same objects.

Source: kubernetes v1.36 pkg/controller (controller_utils, deployment, replicaset, statefulset, daemon, job).
"""

import hashlib
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from scheduler_core.objects import selectors
from scheduler_core.objects.identity import (
    comes_back,
    derived_uid,
    keeps_name,
    labels_of,
    name_of,
    namespace_of,
    owner_reference,
    spec_of,
    with_identity,
    with_suffix,
)
from scheduler_core.objects.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.types import LabelSelector, convert
from scheduler_core.objects.workloads.daemons import daemon_tolerations, pinned_affinity
from scheduler_core.objects.workloads.given_at_bind import without_given

Object = dict[str, Any]


class Names(Protocol):
    """Names that are taken."""

    def __contains__(self, name: object, /) -> bool: ...

    def add(self, name: str, /) -> None:
        """Take a name."""


class TakenNames:
    """The names that pods of a namespace have or had."""

    def __init__(self, namespace: str, is_taken: Callable[[tuple[str, str]], bool]) -> None:
        self._namespace = namespace
        self._is_taken = is_taken
        self._new: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._new or self._is_taken((self._namespace, str(name)))

    def add(self, name: str) -> None:
        """Take a name."""
        self._new.add(name)


ORIGINAL_NAME_ANNOTATION = "sandtable/original-name"
"""On the copy of an evicted pod: the name of the first pod in the line."""

_HASH_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"


def recreated_copy(pod: Object, number: int) -> Object:
    """Return the pending pod that takes an evicted one's place, as its controller would make it.

    It is called `<pod>-r<number>` (after the first in the line), but keeps its name in a StatefulSet and as a
    mirror pod. What comes back on the same node is bound to that node by node affinity.
    """
    metadata = pod.get("metadata") or {}
    annotations = without_given(metadata.get("annotations"))
    original = annotations.get(ORIGINAL_NAME_ANNOTATION) or name_of(pod)
    annotations[ORIGINAL_NAME_ANNOTATION] = original
    kept = ("namespace", "generateName", "ownerReferences", "finalizers")
    labels = {"labels": without_given(metadata["labels"])} if metadata.get("labels") else {}
    spec = {
        key: value for key, value in spec_of(pod).items() if key not in ("nodeName", "ephemeralContainers")
    }
    node = spec_of(pod).get("nodeName")
    if node and comes_back(pod):
        spec["affinity"] = pinned_affinity(spec.get("affinity"), node)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            **{key: metadata[key] for key in kept if key in metadata},
            **labels,
            "name": original if keeps_name(pod) else with_suffix(original, f"-r{number}"),
            "uid": derived_uid("copy", metadata.get("uid") or original, namespace_of(pod), number),
            "annotations": annotations,
        },
        "spec": spec,
        "status": {"phase": "Pending"},
    }


def wanted_replicas(workload: Object) -> int:
    """Return how many pods the workload's controller keeps at a time (of a DaemonSet: depends on nodes)."""
    spec = spec_of(workload)
    kind = kind_of(workload)
    if kind == CRON_JOB:
        job = (spec.get("jobTemplate") or {}).get("spec") or {}
        return 0 if spec.get("suspend") else wanted_replicas({"kind": "Job", "spec": job})
    if kind == JOB:
        parallelism = spec.get("parallelism")
        count = 1 if parallelism is None else int(parallelism)
        if spec.get("completions") is not None:
            count = min(count, int(spec["completions"]))
        return 0 if spec.get("suspend") else count
    replicas = spec.get("replicas")
    return 1 if replicas is None else int(replicas)


def with_replicas(workload: Object, replicas: int) -> Object:
    """Return the workload with another number of pods. DaemonSets have none; ask before."""
    spec = dict(spec_of(workload))
    if kind_of(workload) == CRON_JOB:
        template = spec.get("jobTemplate") or {}
        job = with_replicas({"kind": "Job", "spec": template.get("spec") or {}}, replicas)
        spec["jobTemplate"] = {**template, "spec": job["spec"]}
    elif kind_of(workload) == JOB:
        spec["parallelism"] = replicas
        if spec.get("completions") is not None:
            spec["completions"] = max(replicas, int(spec["completions"]))
    else:
        spec["replicas"] = replicas
    return {**workload, "spec": spec}


def intermediate(workload: Object) -> Object | None:
    """Return the ReplicaSet of a Deployment or the Job of a CronJob; other kinds make pods themselves."""
    if kind_of(workload) == DEPLOYMENT:
        return _replica_set(workload)
    if kind_of(workload) == CRON_JOB:
        return _job(workload)
    return None


def _replica_set(deployment: Object) -> Object:
    template = spec_of(deployment).get("template") or {}
    digest = template_hash(template)
    template = _with_labels(template, {"pod-template-hash": digest})
    selector = spec_of(deployment).get("selector") or {}
    match_labels = {**(selector.get("matchLabels") or {}), "pod-template-hash": digest}
    return with_identity(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": with_suffix(name_of(deployment), f"-{digest}"),
                "namespace": namespace_of(deployment),
                "labels": labels_of(template),
                "ownerReferences": [owner_reference(deployment)],
            },
            "spec": {
                "replicas": wanted_replicas(deployment),
                "selector": {**selector, "matchLabels": match_labels},
                "template": template,
            },
        }
    )


def _job(cron_job: Object) -> Object:
    template = spec_of(cron_job).get("jobTemplate") or {}
    return with_identity(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {
                "name": with_suffix(name_of(cron_job), "-1"),
                "namespace": namespace_of(cron_job),
                "labels": labels_of(template),
                "ownerReferences": [owner_reference(cron_job)],
            },
            "spec": template.get("spec") or {},
        }
    )


def make_pods(controller: Object, count: int, taken_names: Names) -> list[Object]:
    """Return `count` new pods of a ReplicaSet, ReplicationController, StatefulSet or Job, before admission.

    `taken_names` holds the names of the namespace's pods; the new ones are added to it. The numbers that
    are free are used first, as a StatefulSet does.
    """
    pods: list[Object] = []
    number = first_ordinal(controller)
    while len(pods) < count:
        name = with_suffix(name_of(controller), f"-{number}")
        if name not in taken_names:
            taken_names.add(name)
            pods.append(make_pod(controller, name, number))
        number += 1
    return pods


def first_ordinal(controller: Object) -> int:
    """Return the number of a controller's first pod."""
    if kind_of(controller) == STATEFUL_SET:
        return int((spec_of(controller).get("ordinals") or {}).get("start") or 0)
    return 0 if spec_of(controller).get("completionMode") == "Indexed" else 1


def make_claims(stateful_set: Object, pod: Object) -> list[Object]:
    """Return the claims of a StatefulSet's pod, from the set's volumeClaimTemplates."""
    claims = []
    for template in spec_of(stateful_set).get("volumeClaimTemplates") or ():
        selector = (spec_of(stateful_set).get("selector") or {}).get("matchLabels") or {}
        claims.append(
            with_identity(
                {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "metadata": {
                        "name": f"{name_of(template)}-{name_of(pod)}",
                        "namespace": namespace_of(pod),
                        "labels": {**labels_of(template), **selector},
                    },
                    "spec": spec_of(template),
                    "status": {"phase": "Pending"},
                }
            )
        )
    return claims


def make_daemon_pod(daemon_set: Object, node_name: str, taken_names: Names) -> Object:
    """Return a DaemonSet's pod for a node, called after it; the scheduler places it by its node affinity."""
    base = f"{name_of(daemon_set)}-{node_name}"
    name, number = with_suffix(base, ""), 1
    while name in taken_names:
        name = with_suffix(base, f"-{number}")
        number += 1
    taken_names.add(name)
    pod = make_pod(daemon_set, name, number)
    pod["spec"]["affinity"] = pinned_affinity(pod["spec"].get("affinity"), node_name)
    return pod


def make_pod(controller: Object, name: str, number: int) -> Object:
    """Return a workload's pod of a name, its ordinal or index being `number`, before admission."""
    template = spec_of(controller).get("template") or {}
    template_metadata = template.get("metadata") or {}
    spec = dict(spec_of(template))
    labels = {**labels_of(template), **_controller_labels(controller, name, number)}
    if kind_of(controller) == STATEFUL_SET:
        spec["volumes"] = _volumes(controller, spec, name)
        spec["hostname"] = name
    if kind_of(controller) == DAEMON_SET:
        spec["tolerations"] = daemon_tolerations(spec)
    metadata: Object = {
        "name": name,
        "generateName": f"{name_of(controller)}-",
        "namespace": namespace_of(controller),
        "uid": derived_uid("Pod", namespace_of(controller), name, "of", name_of(controller)),
        "labels": labels,
        "ownerReferences": [owner_reference(controller)],
    }
    if template_metadata.get("annotations"):
        metadata["annotations"] = dict(template_metadata["annotations"])
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": spec,
        "status": {"phase": "Pending"},
    }


def revision_of(stateful_set: Object) -> str:
    """Return a name for the revision that a StatefulSet's template is."""
    return f"{name_of(stateful_set)}-{template_hash(spec_of(stateful_set).get('template') or {})}"


def _controller_labels(controller: Object, name: str, number: int) -> dict[str, str]:
    kind = kind_of(controller)
    template = spec_of(controller).get("template") or {}
    if kind == STATEFUL_SET:
        return {
            "statefulset.kubernetes.io/pod-name": name,
            "apps.kubernetes.io/pod-index": str(number),
            "controller-revision-hash": revision_of(controller),
        }
    if kind == DAEMON_SET:
        return {"controller-revision-hash": template_hash(template), "pod-template-generation": "1"}
    if kind == JOB:
        uid, job = str((controller.get("metadata") or {}).get("uid")), name_of(controller)
        labels = {
            "batch.kubernetes.io/controller-uid": uid,
            "batch.kubernetes.io/job-name": job,
            "controller-uid": uid,
            "job-name": job,
        }
        if spec_of(controller).get("completionMode") == "Indexed":
            labels["batch.kubernetes.io/job-completion-index"] = str(number)
        return labels
    return {}


def _volumes(stateful_set: Object, spec: Object, pod_name: str) -> list[Object]:
    templates = [name_of(template) for template in spec_of(stateful_set).get("volumeClaimTemplates") or ()]
    claimed = [
        {"name": name, "persistentVolumeClaim": {"claimName": f"{name}-{pod_name}"}} for name in templates
    ]
    return claimed + [volume for volume in spec.get("volumes") or () if volume.get("name") not in templates]


def selects(workload: Object, pod: Object) -> bool:
    """Tell whether a workload's selector matches a pod of its namespace."""
    if namespace_of(workload) != namespace_of(pod):
        return False
    selector = spec_of(workload).get("selector")
    if kind_of(workload) == REPLICATION_CONTROLLER:
        selector = {"matchLabels": selector} if selector else None
    if not selector:
        return False
    compiled = selectors.from_label_selector(convert(selector, LabelSelector))
    return bool(compiled) and selectors.matches(compiled, labels_of(pod))


def template_hash(template: Object) -> str:
    """Return ten characters that stand for a pod template, as `pod-template-hash` has (not the same ones)."""
    digest = hashlib.sha256(msgspec.json.encode(template, order="deterministic")).digest()
    return "".join(_HASH_ALPHABET[byte % len(_HASH_ALPHABET)] for byte in digest[:10])


def _with_labels(template: Object, labels: dict[str, str]) -> Object:
    metadata = template.get("metadata") or {}
    return {**template, "metadata": {**metadata, "labels": {**(metadata.get("labels") or {}), **labels}}}
