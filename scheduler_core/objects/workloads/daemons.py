"""On which nodes a DaemonSet runs, and how its pods are tied to them.

A DaemonSet has one pod on each node that its template's node selector and affinity match and whose taints its
pods tolerate. The default scheduler places each pod; a node affinity on the node's name ties it.

Source: kubernetes v1.36 pkg/controller/daemon NodeShouldRunDaemonPod, util.CreatePodTemplate,
util.ReplaceDaemonSetPodNodeNameNodeAffinity.
"""

from typing import Any

from scheduler_core.objects import selectors
from scheduler_core.objects.identity import labels_of, name_of, spec_of
from scheduler_core.objects.types import Node, PodSpec, Taint, Toleration, convert

Object = dict[str, Any]


def runs_on(daemon_set: Object, node: Object) -> bool:
    """Tell whether a DaemonSet has a pod on a node."""
    template = dict((spec_of(daemon_set).get("template") or {}).get("spec") or {})
    template["tolerations"] = daemon_tolerations(template)
    spec = convert(template, PodSpec)
    if spec.node_name and spec.node_name != name_of(node):
        return False
    if not _affinity_matches(spec, labels_of(node), name_of(node)):
        return False
    return all(
        taint.effect not in ("NoSchedule", "NoExecute") or _tolerates(spec.tolerations or [], taint)
        for taint in convert(node, Node).spec.taints or ()
    )


def stays_on(daemon_set: Object, node: Object) -> bool:
    """Tell whether a DaemonSet's pod that runs on a node may go on: of taints only NoExecute ones count."""
    spec = spec_of(node)
    taints = [taint for taint in spec.get("taints") or () if taint.get("effect") == "NoExecute"]
    return runs_on(daemon_set, {**node, "spec": {**spec, "taints": taints}})


def _affinity_matches(spec: PodSpec, labels: dict[str, str], node_name: str) -> bool:
    if not selectors.matches(selectors.from_labels(spec.node_selector), labels):
        return False
    affinity = spec.affinity.node_affinity if spec.affinity else None
    if affinity is None or affinity.required is None:
        return True
    terms = selectors.from_node_terms(affinity.required.node_selector_terms)
    return any(selectors.term_matches(term, labels, node_name) for term in terms)


def _tolerates(tolerations: list[Toleration], taint: Taint) -> bool:
    return any(
        (not toleration.effect or toleration.effect == taint.effect)
        and (not toleration.key or toleration.key == taint.key)
        and _value_matches(toleration, taint)
        for toleration in tolerations
    )


def _value_matches(toleration: Toleration, taint: Taint) -> bool:
    if toleration.operator in (None, "", "Equal"):
        return (toleration.value or "") == (taint.value or "")
    return toleration.operator == "Exists"


def daemon_tolerations(spec: Object) -> list[Object]:
    """Return the tolerations of a DaemonSet's pods: those of the template and those that every one gets."""
    defaults = [
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
    ]
    if spec.get("hostNetwork"):
        defaults.append(("network-unavailable", "NoSchedule"))
    tolerations = list(spec.get("tolerations") or ())
    for name, effect in defaults:
        toleration = {"key": f"node.kubernetes.io/{name}", "operator": "Exists", "effect": effect}
        if toleration not in tolerations:
            tolerations.append(toleration)
    return tolerations


def pinned_affinity(affinity: Object | None, node_name: str) -> Object:
    """Return the affinity with its required node affinity replaced by the one node."""
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node_name]}]}
    node_affinity = {
        **((affinity or {}).get("nodeAffinity") or {}),
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]},
    }
    return {**(affinity or {}), "nodeAffinity": node_affinity}
