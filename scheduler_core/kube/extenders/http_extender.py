"""kube-scheduler's client of HTTP extenders: what is asked, what of an answer counts, how faults are worded.

Source: kubernetes v1.36 pkg/scheduler/extender.go HTTPExtender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from scheduler_core.events.cards_tried import NodeCards
from scheduler_core.events.exchanges import Verb
from scheduler_core.events.explanation import PolicyChoice
from scheduler_core.go.arithmetic import wrap_int64
from scheduler_core.go.json_types import Reader
from scheduler_core.go.quote import quote
from scheduler_core.kube.extenders import wire
from scheduler_core.kube.extenders.body import body_of
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.extender import ExtenderError, Filtered, Victims
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.extenders.source import Question
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo


class HttpExtender:
    """An extender that answers over HTTP."""

    is_outside = True

    def __init__(self, settings: ExtenderSettings, exchanges: Exchanges) -> None:
        self.settings = settings
        self._exchanges = exchanges

    def filter(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Filtered:
        answer = self._ask(wire.FILTER_RESULT, "filter", self.settings.filter_verb, state, pod, nodes)
        if answer["Error"]:
            raise ExtenderError(answer["Error"])
        reasons = (answer["FailedNodes"], answer["FailedAndUnresolvableNodes"])
        if self.settings.node_cache_capable and answer["NodeNames"] is not None:
            if (unknown := _stranger(answer["NodeNames"], nodes)) is not None:
                raise ExtenderError(
                    f"extender {quote(self.settings.url_prefix)} claims a filtered node {quote(unknown)}"
                    " which is not found in the input node list"
                )
            return Filtered(answer["NodeNames"], *reasons)
        if answer["Nodes"] is None:
            return Filtered([], *reasons)
        names = [node["metadata"]["name"] for node in answer["Nodes"]["items"] or ()]
        if (unknown := _stranger(names, nodes)) is not None:
            raise ExtenderError(
                f"extender {quote(self.settings.url_prefix)} answers with the node {quote(unknown)},"
                " which it was not sent and to which kube-scheduler would go"
            )
        return Filtered(names, *reasons, whole_nodes=True)

    def prioritize(self, state: ClusterState, pod: PodInfo, nodes: Sequence[str]) -> Mapping[str, int]:
        verb = self.settings.prioritize_verb
        scores: dict[str, int] = {}
        for entry in self._ask(wire.HOST_PRIORITIES, "prioritize", verb, state, pod, nodes) or ():
            scores[entry["Host"]] = wrap_int64(scores.get(entry["Host"], 0) + entry["Score"])
        return scores

    def preempt(
        self, state: ClusterState, pod: PodInfo, candidates: Mapping[str, Victims]
    ) -> Mapping[str, Victims]:
        verb, nodes = self.settings.preempt_verb, sorted(candidates)
        answer = self._ask(wire.PREEMPTION_RESULT, "preempt", verb, state, pod, nodes, candidates)
        left = answer["NodeNameToMetaVictims"]
        return {node: self._victims(state, node, left[node]) for node in sorted(left)}

    def _victims(self, state: ClusterState, node: str, victims: dict[str, Any] | None) -> Victims:
        if node not in state.nodes.index:
            raise ExtenderError(f"nodeinfo not found for node name {quote(node)}")
        if victims is None or None in (victims["Pods"] or ()):
            raise ExtenderError(f"null for a victim on node {node}, at which kube-scheduler would crash")
        there = {state.pods.infos[other].uid for other in state.node_pods[state.nodes.index[node]]}
        uids = [pod["UID"] for pod in victims["Pods"] or ()]
        missing = next((uid for uid in uids if uid not in there), None)
        if missing is not None:
            raise ExtenderError(
                f"extender: {self.settings.url_prefix} claims to preempt pod (UID: &{{{missing}}})"
                f" on node: {node}, but the pod is not found on that node"
            )
        return Victims(uids, victims["NumPDBViolations"])

    def bind(self, state: ClusterState, pod: PodInfo, node: str) -> None:
        answer = self._ask(wire.BINDING_RESULT, "bind", self.settings.bind_verb, state, pod, [node])
        if answer["Error"]:
            raise ExtenderError(answer["Error"])

    def cards_of(self, pod: PodInfo, node: str) -> NodeCards | None:
        return None

    def choices(self, pod: PodInfo, nodes: Sequence[str]) -> list[PolicyChoice]:
        return []

    def _ask(
        self,
        reader: Reader,
        verb: Verb,
        action: str,
        state: ClusterState,
        pod: PodInfo,
        nodes: Sequence[str],
        candidates: Mapping[str, Victims] = {},
    ) -> Any:
        url = f"{self.settings.url_prefix.rstrip('/')}/{action}"
        question = Question(self.settings, verb, url, state, pod, nodes, candidates)
        reply = self._exchanges.source.ask(question, partial(self._body, question))
        if reply.status != 200:
            raise ExtenderError(f"failed {action} with extender at URL {url}, code {reply.status}")
        return wire.read(reply.body, reader)

    def _body(self, question: Question) -> bytes:
        assert self._exchanges.documents is not None
        return body_of(question, self._exchanges.documents)


def _stranger(names: Sequence[str], sent: Sequence[str]) -> str | None:
    """Return the first of the names that was not sent."""
    known = set(sent)
    return next((name for name in names if name not in known), None)
