"""The bodies of the questions that go to an extender over HTTP.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/extender/v1 types.go; pkg/scheduler/extender.go.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from scheduler_core.kube.extenders.source import Question


class Documents(Protocol):
    """The cluster's objects as an API server would give them out now."""

    def pod(self, row: int) -> dict[str, Any]:
        """Return a pod, by row."""

    def node(self, name: str) -> dict[str, Any]:
        """Return a node."""


def body_of(question: Question, documents: Documents) -> bytes:
    """Return a question as the JSON that kube-scheduler would send."""
    match question.verb:
        case "bind":
            return msgspec.json.encode(_binding(question))
        case "preempt":
            return msgspec.json.encode(_preemption(question, documents))
    return msgspec.json.encode(_arguments(question, documents))


def _arguments(question: Question, documents: Documents) -> dict[str, Any]:
    by_name = question.extender.node_cache_capable
    nodes = None if by_name else {"metadata": {}, "items": list(map(documents.node, question.nodes))}
    return {
        "Pod": documents.pod(question.pod.row),
        "Nodes": nodes,
        "NodeNames": list(question.nodes) if by_name else None,
    }


def _preemption(question: Question, documents: Documents) -> dict[str, Any]:
    by_name, pods = question.extender.node_cache_capable, question.state.pods.by_uid
    victims = {
        node: {
            "Pods": [{"UID": uid} if by_name else documents.pod(pods[uid]) for uid in candidate.pods],
            "NumPDBViolations": candidate.pdb_violations,
        }
        for node, candidate in question.candidates.items()
    }
    return {
        "Pod": documents.pod(question.pod.row),
        "NodeNameToVictims": None if by_name else victims,
        "NodeNameToMetaVictims": victims if by_name else None,
    }


def _binding(question: Question) -> dict[str, Any]:
    return {
        "PodName": question.pod.name,
        "PodNamespace": question.pod.namespace,
        "PodUID": question.pod.uid,
        "Node": question.nodes[0],
    }
