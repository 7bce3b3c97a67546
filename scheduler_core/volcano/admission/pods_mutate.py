"""A pod that asks for it gets Volcano's gate, and a pod of a resource group that group's place.

Source: volcano v1.16 pkg/webhooks/admission/pods/mutate.
"""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.types import Pod
from scheduler_core.volcano.admission.answers import PatchOperation, Question, add
from scheduler_core.volcano.admission.resource_groups import ResourceGroup
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.tasks import QUEUE_GATE


def mutate_pod(question: Question, around: Surroundings) -> list[PatchOperation]:
    """Return the patch; without a file of resource groups nothing is done, not even the gate."""
    if around.resource_groups is None:
        return []
    pod = types.convert(question.document, Pod)
    namespace = pod.metadata.namespace or question.namespace
    annotations = pod.metadata.annotations or {}
    patch = _gate(pod) if around.gates_pods and annotations.get(QUEUE_GATE) == "true" else []
    group = next((one for one in around.resource_groups if one.has(namespace, annotations)), None)
    if group is not None:
        patch += _place(question.document.get("spec") or {}, group)
    return patch


def _gate(pod: Pod) -> list[PatchOperation]:
    gates = pod.spec.scheduling_gates
    if any(gate.name == QUEUE_GATE for gate in gates or ()):
        return []
    gate = {"name": QUEUE_GATE}
    return [add("/spec/schedulingGates", [gate]) if gates is None else add("/spec/schedulingGates/-", gate)]


def _place(spec: dict[str, Any], group: ResourceGroup) -> list[PatchOperation]:
    patch = []
    if group.labels:
        patch.append(add("/spec/nodeSelector", {**(spec.get("nodeSelector") or {}), **group.labels}))
    affinity = group.affinity_of_members()
    if affinity is not None and spec.get("affinity") is None:
        patch.append(add("/spec/affinity", affinity))
    if group.tolerations:
        added = msgspec.to_builtins(group.tolerations)
        for toleration in added:
            if "tolerationseconds" in toleration:
                toleration["tolerationSeconds"] = toleration.pop("tolerationseconds")
        patch.append(add("/spec/tolerations", [*(spec.get("tolerations") or ()), *added]))
    if group.scheduler_name:
        patch.append(add("/spec/schedulerName", group.scheduler_name))
    return patch
