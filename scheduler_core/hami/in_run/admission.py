"""HAMi's webhook as an API server asks it about the pods of a scenario.

It is not asked about pods, or pods of namespaces, with the label `hami.io/webhook: ignore`.

Source: HAMi v2.10.0 charts/hami/templates/scheduler/webhook.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

import msgspec
from msgspec.structs import replace

from scheduler_core.events.explanation import WebhookReview
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.extender.api_client import StoredObjects
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.rules.constants import IGNORE_LABEL
from scheduler_core.hami.rules.pod_request import Object, namespace_of
from scheduler_core.hami.webhook.json_patch import Operation
from scheduler_core.hami.webhook.webhook import Answer, as_sent, review_answer, review_request
from scheduler_core.objects.api_server.admission import Reviewed
from scheduler_core.objects.kinds import NAMESPACE, POD, RESOURCE_QUOTA, kind_of
from scheduler_core.state.journal import Journal

_IGNORE, _OVER_QUOTA = "ignore", "exceeding resource quota"
_FIELDS = {"pod has node assigned": "nodeName", "pod has no containers": "containers"}


class Reviews:
    """What the webhook was asked of pods that it let in for HAMi's scheduler, and answered; by uid."""

    def __init__(self, before: Mapping[str, bytes] | None = None) -> None:
        self._packed = dict(before or {})

    def keep(self, pod: Object, answer: Answer) -> None:
        """Keep a review, packed: most are never looked at."""
        told = as_sent(pod), replace(answer, pod={})
        self._packed[str(pod["metadata"].get("uid", ""))] = msgspec.json.encode(told)

    def over(self) -> Reviews:
        """Return the same, to which others are added."""
        return Reviews(self._packed)

    def of(self, uid: str) -> WebhookReview | None:
        """Return the review of a pod, None where the webhook had nothing to do with it."""
        if uid not in self._packed:
            return None
        pod, answer = msgspec.json.decode(self._packed[uid], type=tuple[Object, Answer])
        return WebhookReview(review_request(uid, pod), review_answer(uid, answer), answer.patch)


class HamiWebhook:
    """The webhook over the quotas of a cluster and what its pods hold."""

    def __init__(self, configuration: Configuration, objects: Iterable[Object]) -> None:
        self.reviews = Reviews()
        self._scheduler_name = configuration.scheduler_name
        journal = Journal()
        self._hami = Hami(journal, configuration, StoredObjects(journal), lambda: 0)
        self._ignored: set[str] = set()
        for item in objects:
            kind = kind_of(item)
            if kind == RESOURCE_QUOTA:
                self._hami.quota_added(item)
            elif kind == POD:
                self._hami.pod_added(item)
            elif kind == NAMESPACE and _is_ignored(item):
                self._ignored.add(str(item["metadata"]["name"]))

    def over(self) -> HamiWebhook:
        """Return one over the same quotas that remembers by itself what it is asked from here."""
        twin = copy(self)
        twin.reviews = self.reviews.over()
        return twin

    def __call__(self, pod: Object) -> Reviewed:
        """Return a pod that is created as the webhook lets it in, or why it doesn't."""
        if _is_ignored(pod) or namespace_of(pod) in self._ignored:
            return Reviewed(pod)
        answer = self._hami.webhook(pod)
        if answer.allowed:
            if answer.pod["spec"].get("schedulerName") == self._scheduler_name:
                self.reviews.keep(pod, answer)
            notes = [_said(operation) for operation in answer.patch]
            return Reviewed(answer.pod if answer.patch else pod, notes)
        why = f"{answer.message} (HAMi's webhook)"
        if answer.message == _OVER_QUOTA:
            return Reviewed(pod, over_quota=why)
        return Reviewed(pod, fault=(_field(pod, answer.message), why))


def _is_ignored(item: Object) -> bool:
    return ((item.get("metadata") or {}).get("labels") or {}).get(IGNORE_LABEL) == _IGNORE


def _field(pod: Object, message: str) -> str:
    """Return the field of the spec that a refusal is about."""
    for part in ("initContainers", "containers"):
        for place, container in enumerate(pod["spec"].get(part) or ()):
            if message == f"container {container.get('name', '')} is privileged":
                return f"{part}[{place}].securityContext.privileged"
    return _FIELDS.get(message, "containers")


def _said(operation: Operation) -> str:
    path = ".".join(
        step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/") if step
    )
    value = operation.get("value")
    shown = "completed" if isinstance(value, dict | list) else str(value)
    return f"{path} {shown if operation['op'] != 'remove' else 'removed'} by HAMi's webhook"
