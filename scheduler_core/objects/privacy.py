"""What must not be stored of a cluster is taken out before anything is stored.

In come the objects of an import, out go copies without private parts, and a list that says what was
dropped and how often. Dropped are Secrets, kubeconfigs, the data of ConfigMaps other than a scheduler's
configuration, the values of environment variables, managedFields and last-applied annotations. The objects
that come in are never changed; what needs no change is passed on as it is.
"""

from collections import Counter
from typing import Any

Object = dict[str, Any]

SCHEDULER_CONFIGURATION_MARKS = (
    "kind: KubeSchedulerConfiguration",
    '"kind":"KubeSchedulerConfiguration"',
    '"kind": "KubeSchedulerConfiguration"',
)
"""An entry of a ConfigMap with one of these carries the configuration of kube-scheduler."""

_VOLCANO_KEYS = ("actions:", "tiers:")
_LAST_APPLIED = (
    "kubectl.kubernetes.io/last-applied-configuration",
    "objectset.rio.cattle.io/applied",
    "kapp.k14s.io/original",
)
_POD_SPEC_PATHS: dict[str, tuple[str, ...]] = {
    "Pod": ("spec",),
    "PodTemplate": ("template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
_TEMPLATE_PATH = ("spec", "template", "spec")

SECRETS = "Secrets"
KUBECONFIGS = "kubeconfigs"
CONFIG_MAPS = "the data of ConfigMaps"
ENVIRONMENT = "values of environment variables"
MANAGED_FIELDS = "managedFields"
ANNOTATIONS = "last-applied annotations"
_SINGULARS = {
    SECRETS: "Secret",
    KUBECONFIGS: "kubeconfig",
    ENVIRONMENT: "value of an environment variable",
    ANNOTATIONS: "last-applied annotation",
}


def withhold_private(objects: list[Object]) -> tuple[list[Object], list[str]]:
    """Return the objects without private parts, and phrases such as `3 Secrets` for what was dropped."""
    dropped: Counter[str] = Counter()
    kept = []
    for document in objects:
        if document.get("kind") == "Secret":
            dropped[SECRETS] += 1
            continue
        if document.get("kind") == "Config" and "users" in document:
            dropped[KUBECONFIGS] += 1
            continue
        document = _without_metadata(document, dropped)
        if document.get("kind") == "ConfigMap":
            document = _without_data(document, dropped)
        else:
            document = _without_environment(document, dropped)
        kept.append(document)
    order = (SECRETS, KUBECONFIGS, CONFIG_MAPS, ENVIRONMENT, MANAGED_FIELDS, ANNOTATIONS)
    return kept, [_phrase(what, dropped[what]) for what in order if dropped[what]]


def _phrase(what: str, count: int) -> str:
    if what == CONFIG_MAPS:
        return f"{what} ({count:,})"
    if count == 1:
        what = _SINGULARS.get(what, what)
    return f"{count:,} {what}"


def _without_metadata(document: Object, dropped: Counter[str]) -> Object:
    """Drop managedFields and last-applied annotations, of a pod template's metadata too."""
    metadata = _clean_metadata(document.get("metadata"), dropped)
    if metadata is not document.get("metadata"):
        document = {**document, "metadata": metadata}
    template = _at(document, ("spec", "template", "metadata"))
    if isinstance(template, dict):
        cleaned = _clean_metadata(template, dropped)
        if cleaned is not template:
            document = _with(document, ("spec", "template", "metadata"), cleaned)
    return document


def _clean_metadata(metadata: Any, dropped: Counter[str]) -> Any:
    if not isinstance(metadata, dict):
        return metadata
    if "managedFields" in metadata:
        dropped[MANAGED_FIELDS] += 1
        metadata = {key: value for key, value in metadata.items() if key != "managedFields"}
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict) and any(name in annotations for name in _LAST_APPLIED):
        dropped[ANNOTATIONS] += 1
        rest = {key: value for key, value in annotations.items() if key not in _LAST_APPLIED}
        metadata = {**metadata, "annotations": rest}
    return metadata


def _without_data(document: Object, dropped: Counter[str]) -> Object:
    """Empty a ConfigMap, entry by entry, of everything but a scheduler's configuration."""
    kept = {}
    data = document.get("data")
    if isinstance(data, dict):
        kept = {key: text for key, text in data.items() if _configures_scheduler(key, text)}
    if not document.get("binaryData") and kept == (data or {}):
        return document
    dropped[CONFIG_MAPS] += 1
    rest = {key: value for key, value in document.items() if key not in ("data", "binaryData")}
    return {**rest, "data": kept} if kept else rest


def _configures_scheduler(key: Any, text: Any) -> bool:
    if not isinstance(text, str):
        return False
    if any(mark in text for mark in SCHEDULER_CONFIGURATION_MARKS):
        return True
    lines = text.splitlines()
    if all(any(line.startswith(start) for line in lines) for start in _VOLCANO_KEYS):
        return True
    return str(key) in ("volcano-scheduler.conf", "device-config.yaml")


def _without_environment(document: Object, dropped: Counter[str]) -> Object:
    """Drop the values of environment variables from a pod's or a workload's containers."""
    tasks = _at(document, ("spec", "tasks"))
    if isinstance(tasks, list):  # Volcano's Job has a template for each task
        return _with(document, ("spec", "tasks"), [_without_task_values(task, dropped) for task in tasks])
    path = _POD_SPEC_PATHS.get(str(document.get("kind")), _TEMPLATE_PATH)
    return _without_values_at(document, path, dropped)


def _without_task_values(task: Any, dropped: Counter[str]) -> Any:
    return _without_values_at(task, ("template", "spec"), dropped) if isinstance(task, dict) else task


def _without_values_at(document: Object, path: tuple[str, ...], dropped: Counter[str]) -> Object:
    """Drop the values of environment variables from the pod spec at `path`, if there is one."""
    spec = _at(document, path)
    if not isinstance(spec, dict):
        return document
    changed: Object = {}
    for name in ("containers", "initContainers", "ephemeralContainers"):
        containers = spec.get(name)
        if isinstance(containers, list):
            cleaned = [_without_values(container, dropped) for container in containers]
            if any(new is not old for new, old in zip(cleaned, containers, strict=True)):
                changed[name] = cleaned
    return _with(document, path, {**spec, **changed}) if changed else document


def _without_values(container: Any, dropped: Counter[str]) -> Any:
    environment = container.get("env") if isinstance(container, dict) else None
    if not isinstance(environment, list):
        return container
    count = sum(1 for entry in environment if isinstance(entry, dict) and "value" in entry)
    if not count:
        return container
    dropped[ENVIRONMENT] += count
    cleaned = [
        {key: value for key, value in entry.items() if key != "value"} if isinstance(entry, dict) else entry
        for entry in environment
    ]
    return {**container, "env": cleaned}


def _at(document: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(document, dict):
            return None
        document = document.get(name)
    return document


def _with(document: Object, path: tuple[str, ...], value: Any) -> Object:
    """Return a copy of the document with `value` at `path`; only the way there is copied."""
    if len(path) == 1:
        return {**document, path[0]: value}
    return {**document, path[0]: _with(document[path[0]], path[1:], value)}
