"""Why the pods of a snapshot wait."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Literal

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.query import read_text
from api.renderers import PRINTED, printed
from api.worker_answers import PATIENCE_SECONDS, answered, imported_snapshot
from dashboard.answers import answer as answers_of
from dashboard.answers.devices_tried import devices_tried
from dashboard.answers.why_of_snapshot import Why
from dashboard.errors import NoSuchNode, NoSuchPod
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.questions.devices import OnNode
from dashboard.services.questions.of_snapshot import devices_asked
from dashboard.services.questions.stored_questions import Told
from dashboard.services.results.saved_answers import file_of_why
from dashboard.services.workspace import why_pending
from dashboard.services.workspace.why_pending import answer, matching
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.kube.cluster_said import Agreement
from scheduler_core.schedulers.cause import Cause


class Row(msgspec.Struct, frozen=True):
    """Pods that are alike, `namespace/name`, and why the first of them waits; one try answers for all.

    workload: `Kind/namespace/name` or empty; job: its pod group, `namespace/name`, or empty. asks: by
    resource, in the log's units. since: when the first of them came into being, null if nothing tells.
    said: what the cluster's own scheduler said last, null where the import has nothing; agrees: how many of
    them it told the same words, the same reasons with other counts, other words, or nothing. devices: what
    their claims ask for, in words.
    """

    workload: str
    job: str
    pods: list[str]
    priority: int
    asks: dict[str, int]
    since: str | None
    said: str | None
    agrees: dict[Agreement, int]
    cause: Cause
    devices: list[str]


class OfSnapshot(msgspec.Struct, frozen=True):
    """Why pods wait. `state` is computing until all of the `kinds` of pods that are told apart were tried.

    stage: what it waits for meanwhile, as a sentence; often empty. answer: the same as sentences. Each cause
    says in `held` what stands against the pod, what binds first. devices: what came of each device of the
    node that was named; null where none was, or where the pod needs none there.
    """

    state: Literal["computing", "answered"]
    stage: str
    tried: int
    kinds: int
    profile: str
    answer: answers_of.Answer
    rows: list[Row]
    devices: DevicesTried | None = None


_TEXT = OpenApiResponse(OpenApiTypes.STR, "The same as sentences.")


class SnapshotWhy(ApiView):
    """Why pods of a snapshot wait."""

    renderer_classes = PRINTED

    @extend_schema(
        operation_id="snapshot_why",
        parameters=[
            OpenApiParameter("pod", str, description="One pod: `namespace/name` or its uid."),
            OpenApiParameter("workload", str, description="Those of a workload: `Kind/namespace/name`."),
            OpenApiParameter("job", str, description="Those of a pod group: `namespace/name`."),
            OpenApiParameter(
                "node",
                str,
                description="With `pod`: also what came of each device of this node.",
            ),
        ],
        responses={
            (200, "application/json"): reference("WhyOfSnapshot"),
            (200, "text/markdown"): _TEXT,
            (200, "text/plain"): _TEXT,
            (200, "text/html"): _TEXT,
            (202, "application/json"): reference("WhyOfSnapshot"),
            **refusals(400, 404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> Response:
        """Ask the cluster's own schedulers, once for all who ask. 202 while a worker is still asking them."""
        snapshot = imported_snapshot(request.user, pk)
        named = {name: read_text(request.query_params, name) or "" for name in ("pod", "workload", "job")}
        asking = why_pending.asked(snapshot, PATIENCE_SECONDS, pod=named["pod"])
        found = matching(asking, **named)
        ready = asking.is_ready
        if ready and any(named.values()) and not found:
            what = ", ".join(filter(None, named.values()))
            raise NoSuchPod(f"No pod of {what} waits, or none could be tried.")
        said = answer(snapshot, asking, found)
        node = read_text(request.query_params, "node") or ""
        told = _devices(snapshot, named["pod"], found, node) if node else None
        if told is not None:
            ready = ready and told.is_ready
            if (devices := _told(told)) is not None:
                said = msgspec.structs.replace(said, lines=[*said.lines, *devices_tried(devices, node)])
        body: Any = printed(said, request, lambda: file_of_why(snapshot, asking, said))
        if body is None:
            state: Literal["computing", "answered"] = "answered" if ready else "computing"
            rows = [_row(one) for one in found]
            counted = len(asking.found), len(asking.kinds)
            devices = None if told is None else _told(told)
            whole = OfSnapshot(state, asking.stage, *counted, asking.profile, said, rows, devices)
            body = msgspec.to_builtins(whole)
        return answered(body, is_ready=ready)

    @extend_schema(operation_id="snapshot_why_end", responses={204: None, **refusals(403, 404)})
    def delete(self, request: Any, pk: int) -> Response:
        """End what is being asked of its cluster; what was answered stays."""
        access.require_operator(request.user)
        why_pending.end(access.get_snapshot_or_404(request.user, pk, even_away=True))
        return Response(status=HTTPStatus.NO_CONTENT)


def _devices(snapshot: Snapshot, pod: str, found: Sequence[Why], node: str) -> Told[OnNode] | None:
    """Return what is known by now of each device of a node; None while its pod was not tried."""
    if not pod:
        raise ValidationError({"node": "Is asked about with a `pod`."})
    if not snapshot.nodes.filter(name=node).exists():
        raise NoSuchNode(f"There is no node {node!r}.")
    return devices_asked(snapshot, found[0].pods.first, node) if found else None


def _told(told: Told[OnNode]) -> DevicesTried | None:
    return None if told.answer is None else told.answer.devices


def _row(one: Why) -> Row:
    pods = one.pods
    said = next((said.message for said in pods.said.values()), None)
    return Row(
        pods.workload,
        pods.group,
        [f"{pods.namespace}/{name}" for name in pods.names],
        pods.priority,
        pods.asks,
        pods.since or None,
        said,
        one.agrees,
        one.answered.cause,
        pods.devices,
    )
