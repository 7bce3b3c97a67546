"""What is no list of Kubernetes objects, and yet is often taken for one: known forms, and what to do instead.

`kubectl get` without `-o`, Go's own syntax, templates of Helm, answers of an API server, web pages, traces of
SimKube and the like are told by their name.

Sources: kubectl v0.36 pkg/cmd/get (tables), k8s.io/apimachinery v0.36 pkg/apis/meta/v1 (Table, Status),
simkube v2.0 sk-store (ExportedTrace).
"""

import re
from typing import Any

from scheduler_core.objects.kinds import READ_KINDS, Kind, kind_of
from scheduler_core.objects.own_kinds import OWN_KINDS
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.server_version import says_client_alone

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
_TRACE = (
    "a SimKube trace, which tells how workloads came and went and holds no nodes: send the cluster itself"
    " (kubectl get -o json), and add the workloads by edits"
)
_BEGINNINGS |= {
    re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE): (
        "a web page or other XML, such as a proxy or a sign-in answers, and no answer of an API server"
    ),
    # MessagePack: a map or an array whose first entries are a version and what was tracked.
    re.compile(rb"[\x80-\x9f\xdc-\xdf][\s\S]{0,64}trackedObjects"): _TRACE,
}
_BINARY = "no text, but a binary file, or UTF-16 without the mark that begins it"
_INSTEAD = re.compile(r": (?:print|make|send) ")
_HELM = re.compile(
    rb"\{\{-?\s*(?:[.$]|/\*|(?:if|range|with|end|else|include|template|define|toYaml|tpl|printf)\b)"
)
_KUSTOMIZE = "kustomize.config.k8s.io"
_LONGEST_ANSWER = 300
_START_BYTES = 4096


class ForeignForm(BadInput):
    """A text in a known form that holds no objects to read; `form` says which."""

    def __init__(self, form: str) -> None:
        super().__init__([Problem("", "", f"this is {form}")])
        self.form = form


def refuse_foreign_beginning(data: bytes | memoryview) -> None:
    """Raise ForeignForm for a text that begins as nothing does that can be read."""
    for beginning, form in _BEGINNINGS.items():
        if beginning.match(data):
            raise ForeignForm(form)
    if b"\0" in bytes(data[:_START_BYTES]):
        raise ForeignForm(_BINARY)


def without_advice(form: str) -> str:
    """Return what something is without what to do instead."""
    return _INSTEAD.split(form, maxsplit=1)[0]


def refuse_template(data: bytes) -> None:
    """Raise ForeignForm for an unreadable text that is a template."""
    if _HELM.search(data):
        raise ForeignForm("a Helm template: make objects of it first, with helm template")


def foreign_object(document: Object) -> str:
    """Return what a document is, if it is known to be no object of a cluster, else nothing."""
    kind = kind_of(document)
    if kind == Kind("meta.k8s.io", "Table"):
        return "a Table, which kubectl draws on the screen: print it again with -o json"
    if kind == Kind("", "Status") and not document.get("metadata"):
        words = " ".join(str(document.get("message") or document.get("status") or "").split())
        return f"no object but an answer of the API server: {words[:_LONGEST_ANSWER]}"
    config = document.get("config")
    if not kind.name and isinstance(config, dict) and "trackedObjects" in config and "events" in document:
        return _TRACE
    if says_client_alone(document):
        return "what kubectl says of its own version: print it again while a server answers"
    if kind.group == _KUSTOMIZE or (kind == Kind("", "Kustomization")):
        return f"a {kind.name}, of which kustomize makes objects: print them with kubectl kustomize"
    return ""


def lives_in_a_cluster(document: Object) -> bool:
    """Tell whether a document is meant as an object; the settings of a program have no metadata."""
    if foreign_object(document):
        return False
    return "metadata" in document or kind_of(document) in READ_KINDS | OWN_KINDS
