"""Recorded cycles of HAMi: cases in, what each step came to out.

The device plugins are played as in the recording: after a bind the pod runs and the node's locks are gone,
unless they are to be held. Times are told as words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recorded.hami.known import (
    allocated,
    handshake_of,
    quotas,
    registered_of,
    requested,
    seen_pod,
    shown_times,
    single,
    used,
)
from scheduler_core.hami.configuration.settings import read_configuration
from scheduler_core.hami.extender.api_client import StoredObjects, patched
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.extender.extender_answers import BindAnswer, FilterAnswer
from scheduler_core.hami.rules.constants import (
    ASSIGNED_NODE,
    BIND_PHASE,
    IGNORE_LABEL,
    NODE_LOCK,
    SUCCESS,
)
from scheduler_core.hami.rules.numbers import fewest_digits
from scheduler_core.hami.rules.pod_request import Object, annotations_of, key_of, namespace_of, uid_of
from scheduler_core.hami.webhook.webhook import Answer
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.journal import Journal

Plain = dict[str, Any]
NOW = 1_787_293_240_123_456_789
"""21 August 2026; the recorded locks and handshakes are years away from it."""


def play(case: Mapping[str, Any]) -> Plain:
    """Play the steps of a case. Raises BadInput where it cannot be run."""
    return _Recording(case).play()


class _Recording:
    """A case as it is played: the scheduler, the objects, and the pods that were not created yet."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        items: list[Object] = case["cluster"]["items"]
        of_kind: dict[str, list[Object]] = {"Node": [], "Pod": [], "ResourceQuota": []}
        for item in items:
            of_kind[item["kind"]].append(item)
        bound = [pod for pod in of_kind["Pod"] if _is_bound(pod)]
        self.case = case
        self.submitted = {key_of(pod): pod for pod in of_kind["Pod"] if not _is_bound(pod)}
        self.journal = Journal()
        self.objects = StoredObjects(self.journal, [*of_kind["Node"], *bound])
        self.hami = Hami(self.journal, read_configuration(case["config"]), self.objects, lambda: NOW)
        self.quota_objects = {_quota_key(item): item for item in of_kind["ResourceQuota"]}
        for quota in of_kind["ResourceQuota"]:
            self.hami.quota_added(quota)
        for pod in bound:
            self.hami.pod_added(pod)

    def play(self) -> Plain:
        self.hami.register()
        names = [node["metadata"]["name"] for node in self.objects.nodes()]
        expect: Plain = {
            "registered": {
                name: found for name in names if (found := registered_of(self.hami, name)) is not None
            },
            "handshake": {name: handshake_of(self.objects, name) for name in names},
        }
        expect["cycles"] = [self._step(step) for step in self.case["steps"]]
        expect["usage_end"] = used(self.hami)
        return expect

    def _step(self, step: Mapping[str, Any]) -> Plain:
        play = _STEPS.get(step["op"])
        if play is None:
            raise BadInput([Problem("case", "steps.op", f"no step is called {step['op']!r}")])
        told = play(self, step)
        self.journal.forget()
        return {"op": step["op"], **told}

    # -- schedule ------------------------------------------------------------------------------------

    def _schedule(self, step: Mapping[str, Any]) -> Plain:
        key = step["pod"]
        told: Plain = {"pod": key}
        pod = self.objects.pod(key)
        if pod is not None:
            told["retry"] = True
            if (pod.get("spec") or {}).get("nodeName"):
                return {**told, "outcome": "already-bound"}
        else:
            pod = self._admit(key, told)
            if pod is None:
                return told
        return self._cycle(step, pod, told)

    def _admit(self, key: str, told: Plain) -> Object | None:
        """Let the webhook see a pod, and create it; None where it goes no further."""
        submitted = self.submitted[key]
        if (submitted["metadata"].get("labels") or {}).get(IGNORE_LABEL) == "ignore":
            told["webhook"] = {"called": False}
            pod = submitted
        else:
            answer = self.hami.webhook(submitted)
            told["webhook"] = _webhook(answer)
            if not answer.allowed:
                told["outcome"] = "denied"
                return None
            pod = answer.pod
        spec = pod["spec"]
        if spec.get("schedulerName") != self.hami.configuration.scheduler_name or spec.get("nodeName"):
            told["outcome"] = "skipped"
            return None
        self.objects.put_pod(pod)
        self.hami.pod_added(pod)
        return pod

    def _cycle(self, step: Mapping[str, Any], pod: Object, told: Plain) -> Plain:
        hami, key = self.hami, step["pod"]
        ask = hami.ask(pod)
        told["requests"] = requested(ask)
        mark = self.journal.mark()
        if ask.asks_for_cards:
            hami.inventory.take_out(uid_of(pod))
        told["usage_before"] = used(hami)
        self.journal.undo_to(mark)
        names = [node["metadata"]["name"] for node in self.objects.nodes()]
        answer = hami.filter(pod, names)
        told |= _filtered(answer)
        if not ask.asks_for_cards:
            return {**told, "outcome": "not-managed"}
        if answer.fault:
            return {**told, "outcome": "error", "probe_error": answer.fault}
        told |= _judged(answer, ask.node_policy)
        if not answer.chosen:
            return {**told, "outcome": "rejected"}
        told["chosen"] = answer.chosen
        told["devices"] = allocated(answer.annotations or {}, hami)
        if step.get("no_bind"):
            told["outcome"] = "filtered"
            return {**told, "usage_after": single(hami, answer.chosen)}
        told["outcome"] = self._bind(step, key, answer.chosen, told)
        return {**told, "usage_after": single(hami, answer.chosen), **self._quotas()}

    def _bind(self, step: Mapping[str, Any], key: str, node: str, told: Plain) -> str:
        before = annotations_of(self.objects.node(node) or {"metadata": {}})
        pod = self.objects.pod(key)
        assert pod is not None
        answer = self.hami.bind(key, uid_of(pod), node)
        after = annotations_of(self.objects.node(node) or {"metadata": {}})
        told["bind"] = _bound(answer, before, after)
        if answer.error:
            return "bind-failed"
        pod = self.objects.pod(key)
        assert pod is not None
        running = patched(
            {
                **pod,
                "spec": {**pod["spec"], "nodeName": node},
                "status": {**(pod.get("status") or {}), "phase": "Running"},
            },
            {BIND_PHASE: SUCCESS},
        )
        self._change_pod(running)
        if not step.get("hold_lock"):
            self._release_locks(node)
        return "scheduled"

    # -- other steps ---------------------------------------------------------------------------------

    def _delete(self, step: Mapping[str, Any]) -> Plain:
        def delete(pod: Object) -> None:
            self.objects.delete_pod(key_of(pod))
            self.hami.pod_deleted(pod)

        return self._with_pod(step, delete)

    def _complete(self, step: Mapping[str, Any]) -> Plain:
        def complete(pod: Object) -> None:
            status = {**(pod.get("status") or {}), "phase": "Succeeded"}
            self._change_pod({**pod, "status": status})

        return self._with_pod(step, complete)

    def _init_done(self, step: Mapping[str, Any]) -> Plain:
        def end(pod: Object) -> None:
            ended = {"terminated": {"exitCode": 0}}
            statuses = [
                {"name": item.get("name"), "state": ended} for item in pod["spec"].get("initContainers") or ()
            ]
            status = {**(pod.get("status") or {}), "initContainerStatuses": statuses}
            self._change_pod({**pod, "status": status})

        return self._with_pod(step, end)

    def _with_pod(self, step: Mapping[str, Any], change: Callable[[Object], None]) -> Plain:
        pod = self.objects.pod(step["pod"])
        if pod is None:
            return {"pod": step["pod"], "outcome": "no-such-pod"}
        change(pod)
        told: Plain = {"pod": step["pod"], "outcome": "done"}
        node = annotations_of(pod).get(ASSIGNED_NODE)
        if node is not None:
            told |= {"node": node, "usage_after": single(self.hami, node)}
        return told | self._quotas()

    def _put_node(self, step: Mapping[str, Any]) -> Plain:
        self.objects.put_node(step["object"])
        self.hami.register()
        name = step["node"]
        return {
            "node": name,
            "registered": registered_of(self.hami, name),
            "handshake": handshake_of(self.objects, name),
            "usage_after": used(self.hami),
        }

    def _delete_node(self, step: Mapping[str, Any]) -> Plain:
        self.objects.delete_node(step["node"])
        self.hami.node_deleted(step["node"])
        self.hami.register()
        return {"node": step["node"], "usage_after": used(self.hami)}

    def _release_lock(self, step: Mapping[str, Any]) -> Plain:
        self._release_locks(step["node"])
        return {"node": step["node"]}

    def _put_quota(self, step: Mapping[str, Any]) -> Plain:
        item = step["object"]
        old = self.quota_objects.get(_quota_key(item))
        if old is None:
            self.hami.quota_added(item)
        else:
            self.hami.quota_updated(old, item)
        self.quota_objects[_quota_key(item)] = item
        return {"quota": _quota_key(item), "quota_after": quotas(self.hami)}

    def _delete_quota(self, step: Mapping[str, Any]) -> Plain:
        item = step["object"]
        self.hami.quota_deleted(item)
        self.quota_objects.pop(_quota_key(item), None)
        return {"quota": _quota_key(item), "quota_after": quotas(self.hami)}

    # -- parts ---------------------------------------------------------------------------------------

    def _change_pod(self, pod: Object) -> None:
        self.objects.put_pod(pod)
        self.hami.pod_updated(pod)

    def _release_locks(self, node: str) -> None:
        item = self.objects.node(node)
        own = [vendor.own_lock for vendor in self.hami.vendors.values() if vendor.own_lock]
        held = {} if item is None else annotations_of(item)
        self.objects.patch_node(node, {key: None for key in (NODE_LOCK, *own) if key in held})

    def _quotas(self) -> Plain:
        """Return what namespaces use; it is recorded of pods as long as there is a ResourceQuota."""
        return {"quota_after": quotas(self.hami)} if self.quota_objects else {}


_STEPS: dict[str, Callable[[_Recording, Mapping[str, Any]], Plain]] = {
    "schedule": _Recording._schedule,
    "delete": _Recording._delete,
    "complete": _Recording._complete,
    "init_done": _Recording._init_done,
    "add_node": _Recording._put_node,
    "update_node": _Recording._put_node,
    "delete_node": _Recording._delete_node,
    "release_lock": _Recording._release_lock,
    "add_quota": _Recording._put_quota,
    "update_quota": _Recording._put_quota,
    "delete_quota": _Recording._delete_quota,
}


def _is_bound(pod: Object) -> bool:
    return bool((pod.get("spec") or {}).get("nodeName")) and ASSIGNED_NODE in annotations_of(pod)


def _quota_key(item: Object) -> str:
    return f"{namespace_of(item)}/{item['metadata']['name']}"


def _webhook(answer: Answer) -> Plain:
    told: Plain = {"allowed": answer.allowed, "code": answer.code, "message": answer.message}
    if answer.reason:
        told["reason"] = answer.reason
    if answer.allowed:
        told["pod"] = seen_pod(answer.pod)
    if answer.patch:
        told["patch"] = answer.patch
    return told


def _filtered(answer: FilterAnswer) -> Plain:
    wire = answer.wire()
    told: Plain = {
        "filter": {
            "node_names": wire["NodeNames"],
            "failed_nodes": wire["FailedNodes"],
            "error": wire["Error"],
        },
        "annotations": None if answer.annotations is None else shown_times(answer.annotations, NOW),
        "labels": answer.labels,
    }
    if answer.events:
        told["events"] = sorted(map(str, answer.events))
    return told


def _judged(answer: FilterAnswer, policy: str) -> Plain:
    return {
        "node_policy": policy,
        "node_scores": {name: fewest_digits(found) for name, found in answer.scores.items()},
        "best": list(answer.best),
        "failed": answer.reasons,
    }


def _bound(answer: BindAnswer, before: Mapping[str, str], after: Mapping[str, str]) -> Plain:
    changes = {key: value for key, value in after.items() if before.get(key) != value}
    gone = dict.fromkeys(before.keys() - after.keys())
    return {
        "error": answer.error,
        "events": sorted(map(str, answer.events)),
        "pod_annotations": None if answer.annotations is None else shown_times(answer.annotations, NOW),
        "node_annotations": shown_times(changes | gone, NOW) or None,
    }
