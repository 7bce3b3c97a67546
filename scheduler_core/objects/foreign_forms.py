"""What is no list of Kubernetes objects, and yet is often taken for one: known forms, and what to do instead.

`kubectl get` without `-o`, Go's own syntax, templates of Helm, answers of an API server and the like are
told by their name. An export of kube-scheduler-simulator holds real objects: it is opened.

Sources: kubectl v0.36 pkg/cmd/get (tables), k8s.io/apimachinery v0.36 pkg/apis/meta/v1 (Table, Status),
kube-scheduler-simulator simulator/snapshot (ResourcesForSnap, ResourcesForLoad).
"""

import re
from typing import Any

from scheduler_core.objects.kinds import READ_KINDS, VOLCANO_KINDS, Kind, kind_of
from scheduler_core.objects.problems import BadInput, Problem

Object = dict[str, Any]

_BEGINNINGS = {
    re.compile(rb"\s*(?:NAMESPACE +)?NAME(?: {2,}[A-Z][A-Z()/-]*(?: [A-Z]+)*)+ *\r?(?:\n|\Z)"): (
        "a table that kubectl get prints for people: print it again with -o json"
    ),
    re.compile(rb"\s*Name: +\S[^\n]*\n(?:Namespace|Labels|Roles|Priority): "): (
        "what kubectl describe prints for people: print it again with kubectl get -o json"
    ),
    re.compile(rb"\s*(?:&?(?:[a-z]\w*\.)?[A-Z]\w*\{[A-Z]\w*:|map\[\w+:|\{\{[A-Z]\w* [\w./]+\} )"): (
        "written in Go's own syntax, which cannot be read back: print it again with -o json"
    ),
}
_HELM = re.compile(
    rb"\{\{-?\s*(?:[.$]|/\*|(?:if|range|with|end|else|include|template|define|toYaml|tpl|printf)\b)"
)
_SIMULATOR = {
    "namespaces": ("v1", "Namespace"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
}
_SIMULATOR_CONFIGURATION = "schedulerConfig"
_KUSTOMIZE = "kustomize.config.k8s.io"
_LONGEST_ANSWER = 300


class ForeignForm(BadInput):
    """A text in a known form that holds no objects to read; `form` says which."""

    def __init__(self, form: str) -> None:
        super().__init__([Problem("", "", f"this is {form}")])
        self.form = form


def refuse_foreign_beginning(data: bytes) -> None:
    """Raise ForeignForm for a text that begins as nothing does that can be read."""
    for beginning, form in _BEGINNINGS.items():
        if beginning.match(data):
            raise ForeignForm(form)


def refuse_template(data: bytes) -> None:
    """Raise ForeignForm for an unreadable text that is a template."""
    if _HELM.search(data):
        raise ForeignForm("a Helm template: make objects of it first, with helm template")


def foreign_object(document: Object) -> str:
    """Return what a document with a kind is, if it is known to be no object of a cluster, else nothing."""
    kind = kind_of(document)
    if kind == Kind("meta.k8s.io", "Table"):
        return "a Table, which kubectl draws on the screen: print it again with -o json"
    if kind == Kind("", "Status") and not document.get("metadata"):
        words = " ".join(str(document.get("message") or document.get("status") or "").split())
        return f"no object but an answer of the API server: {words[:_LONGEST_ANSWER]}"
    if kind.group == _KUSTOMIZE or (kind == Kind("", "Kustomization")):
        return f"a {kind.name}, of which kustomize makes objects: print them with kubectl kustomize"
    return ""


def lives_in_a_cluster(document: Object) -> bool:
    """Tell whether a document is meant as an object; the settings of a program have no metadata."""
    if foreign_object(document):
        return False
    return "metadata" in document or kind_of(document) in READ_KINDS | VOLCANO_KINDS


def simulator_objects(document: Object) -> list[tuple[Object, str]] | None:
    """Return the objects of an export of kube-scheduler-simulator with their places; None if it is none."""
    if not _is_export(document):
        return None
    objects: list[tuple[Object, str]] = []
    for key, (version, kind) in _SIMULATOR.items():
        for index, item in enumerate(document.get(key) or ()):
            typed = {**item, "apiVersion": version, "kind": kind} if isinstance(item, dict) else item
            objects.append((typed, f"{key}[{index}]"))
    configuration = document.get(_SIMULATOR_CONFIGURATION)
    if isinstance(configuration, dict) and configuration.get("kind"):
        objects.append((configuration, _SIMULATOR_CONFIGURATION))
    return objects


def _is_export(document: Object) -> bool:
    """Tell whether a document has the keys of an export and no others, nodes or pods among them."""
    known = document.keys() <= {*_SIMULATOR, _SIMULATOR_CONFIGURATION}
    lists = all(isinstance(document.get(key) or [], list) for key in _SIMULATOR)
    return known and lists and any(document.get(key) for key in ("nodes", "pods"))
