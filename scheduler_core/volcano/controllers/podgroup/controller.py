"""The pod group controller: pods of Volcano's that belong to no group get one.

Source: volcano v1.16 pkg/controllers/podgroup/pg_controller.go, pg_controller_handler.go.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.volcano.controllers.api_client import AlreadyExists, ApiError, NotFound, WatchEvent
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import (
    POD,
    POD_GROUP,
    REPLICA_SET,
    STATEFUL_SET,
    Object,
    annotations_of,
    join,
    key_of,
    labels_of,
)
from scheduler_core.volcano.controllers.podgroup.building import build_group, group_name_of, group_of_owner
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.request_controller import RequestController
from scheduler_core.volcano.model.custom_resources import GROUP_NAME

_REVISION = "controller-revision-hash"


class PodGroupRequest(NamedTuple):
    """A request: the pod's `namespace/name`."""

    pod: str


class PodGroupController(RequestController[PodGroupRequest]):
    """`schedulers` are the names that pods of Volcano's ask for; `inherit` is whether owners are asked."""

    name = "podgroup"

    def __init__(
        self, api: Noting, informers: Informers, schedulers: Sequence[str], *, inherit: bool
    ) -> None:
        super().__init__(api, informers, PodGroupRequest)
        self._schedulers = schedulers
        self._inherit = inherit
        informers.listen(POD, self._notice_pod)
        informers.listen(REPLICA_SET, self._notice_replica_set)
        informers.listen(STATEFUL_SET, self._notice_stateful_set)

    # -- what it hears -------------------------------------------------------------------------------

    def _notice_pod(self, event: WatchEvent) -> None:
        if event.old is None:
            self._queue.add(PodGroupRequest(event.key))

    def _notice_replica_set(self, event: WatchEvent) -> None:
        if event.new is not None:
            namespace = event.new["metadata"].get("namespace") or "default"
            pods = (
                pod
                for pod in self._api.list(POD)
                if (pod["metadata"].get("namespace") or "default") == namespace
            )
            self._look_at_owner(event.new, pods, _selector(event.new))

    def _notice_stateful_set(self, event: WatchEvent) -> None:
        if event.new is not None:
            revision = (event.new.get("status") or {}).get("updateRevision") or ""
            pods = self._informers.list(POD)
            self._look_at_owner(event.new, pods, _selector(event.new) | {_REVISION: revision})

    def _look_at_owner(self, owner: Object, pods: Iterable[Object], selector: Mapping[str, str]) -> None:
        """Delete the group of an owner without pods; else see to the first of its pods."""
        if not owner["spec"].get("replicas", 1):
            namespace = owner["metadata"].get("namespace") or "default"
            with contextlib.suppress(NotFound):
                key = join(namespace, group_of_owner(owner["metadata"].get("uid") or ""))
                self._api.delete(POD_GROUP, key)
            return
        pod = next((one for one in pods if selector.items() <= labels_of(one).items()), None)
        if pod is not None and self._is_without_group(pod):
            with contextlib.suppress(ApiError):
                self._provide(pod, renew=True)

    # -- what it does --------------------------------------------------------------------------------

    def _see_to(self, request: PodGroupRequest) -> Reconcile:
        pod = self._informers.find(POD, request.pod)
        if pod is None or not self._is_without_group(pod):
            return self._api.noted(Reconcile(self.name, request, outcome="dropped"))
        try:
            self._provide(pod, renew=False)
        except ApiError as error:
            self._queue.again(request)
            return self._api.noted(Reconcile(self.name, request, outcome="requeued", error=str(error)))
        self._queue.forget(request)
        return self._api.noted(Reconcile(self.name, request, action="CreatePodGroup"))

    def dump(self) -> dict[str, Any]:
        """Return as plain data what waits."""
        return self._queue.dump()

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._queue.load(data)

    def _is_without_group(self, pod: Object) -> bool:
        """Return whether the pod is Volcano's and belongs to no group yet."""
        ours = (pod["spec"].get("schedulerName") or "") in self._schedulers
        return ours and not annotations_of(pod).get(GROUP_NAME)

    def _provide(self, pod: Object, *, renew: bool) -> None:
        """Put a pod into its group, which is made if it isn't there, and renewed if that is asked."""
        name = group_name_of(pod)
        group = self._informers.find(POD_GROUP, join(pod["metadata"].get("namespace") or "default", name))
        if group is None or renew:
            wanted = build_group(pod, self._api, inherit=self._inherit)
            if group is None:
                with contextlib.suppress(AlreadyExists):
                    self._api.create(wanted)
            elif _differs(group, wanted):
                self._api.update(_renewed(group, wanted))
        self._api.patch(POD, key_of(pod), {"metadata": {"annotations": {GROUP_NAME: name}}})


def _selector(owner: Object) -> dict[str, str]:
    return dict((owner["spec"].get("selector") or {}).get("matchLabels") or {})


def _differs(group: Object, wanted: Object) -> bool:
    return (
        group.get("spec") != wanted["spec"]
        or labels_of(group) != labels_of(wanted)
        or annotations_of(group) != annotations_of(wanted)
    )


def _renewed(group: Object, wanted: Object) -> Object:
    """Return a group whose spec, labels and annotations are replaced whole."""
    metadata = {
        name: value for name, value in group["metadata"].items() if name not in ("labels", "annotations")
    }
    given = {
        name: wanted["metadata"][name] for name in ("labels", "annotations") if name in wanted["metadata"]
    }
    return group | {"metadata": metadata | given, "spec": wanted["spec"]}
