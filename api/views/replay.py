"""What the debugger moves by: the state after any decision, the time line, and the next or last stop."""

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.base import ApiView
from api.describing import KUBERNETES_LIST, json_answer, reference, refusals
from api.query import read_choice, read_integer, read_text
from api.views.decisions import FILTERS, LARGEST_SEQ, read_filters
from dashboard.answers.node_marks import NodeMarks, node_marks
from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from dashboard.queries import access, log
from dashboard.queries.state_list import state_list
from dashboard.queries.waiting import why_waiting
from dashboard.queries.why_at import why_at, why_job_at
from scheduler_core.events.decisions import encoder
from scheduler_core.schedulers.cause import Cause

MAX_BUCKETS = 5_000
DEFAULT_BUCKETS = 400

SEQ = {"type": "integer", "minimum": 1}
STOP = {"type": "object", "required": ["seq"], "properties": {"seq": {"oneOf": [SEQ, {"type": "null"}]}}}
BUCKET = {
    "type": "object",
    "required": ["from", "to", "counts"],
    "properties": {
        "from": SEQ,
        "to": SEQ,
        "counts": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "Decisions by outcome.",
        },
    },
}
TIMELINE = {
    "type": "object",
    "required": ["decisions", "buckets", "preemptions", "preemptions_cut"],
    "properties": {
        "decisions": {"type": "integer"},
        "buckets": {"type": "array", "items": BUCKET},
        "preemptions": {"type": "array", "items": SEQ},
        "preemptions_cut": {"type": "boolean", "description": "Whether there are more of them."},
    },
}
STATE_OR_LIST = {"oneOf": [reference("LogRunState"), KUBERNETES_LIST]}


class RunStateView(ApiView):
    """The cluster and the queue at any step."""

    @extend_schema(
        operation_id="run_state",
        parameters=[
            OpenApiParameter(
                "at", {"type": "integer", "minimum": 0}, description="Default: the last decision."
            ),
            OpenApiParameter(
                "format", str, enum=["state", "list"], description="`list` answers with a Kubernetes `List`."
            ),
        ],
        responses={**json_answer(STATE_OR_LIST), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> HttpResponse:
        """Return the tables (nodes, pods, actors) and lists (queues, pods of nodes) after a decision.

        0 is before the first.
        """
        run = access.get_run_or_404(request.user, pk)
        as_list = read_choice(request.query_params, "format", ["state", "list"], "state") == "list"
        at = read_integer(request.query_params, "at", None, 0, LARGEST_SEQ)
        at = log.last_decision(run) if at is None else at
        viewer = request.user.pk
        body = encoder.encode(state_list(run, at, viewer)) if as_list else log.state_json(run, at)
        return HttpResponse(body, content_type="application/json")


class OfPod(msgspec.Struct, frozen=True):
    """Why a pod waits after a decision; `says` is the cause as a sentence.

    `marks` are every node's part in it, null where nobody asked for them, or the cause is not about nodes.
    """

    at: int
    cause: Cause
    says: str
    marks: NodeMarks | None = None


class RunWaiting(ApiView):
    """Why a pod still waits."""

    @extend_schema(
        operation_id="run_waiting",
        parameters=[
            OpenApiParameter("pod", str, required=True, description="`namespace/name` or a uid."),
            OpenApiParameter(
                "at", {"type": "integer", "minimum": 0}, description="Default: the last decision."
            ),
        ],
        responses={**json_answer(reference("WaitingAnswer")), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return where a pod waits after a decision, what would wake it, and which events did not."""
        run = access.get_run_or_404(request.user, pk)
        pod = read_text(request.query_params, "pod")
        if pod is None:
            raise ValidationError({"pod": "Name a pod: namespace/name, or its uid."})
        at = read_integer(request.query_params, "at", None, 0, LARGEST_SEQ)
        answer = why_waiting(run, pod, log.last_decision(run) if at is None else at)
        return Response(msgspec.to_builtins(answer))


class RunWhy(ApiView):
    """Why a pod has no node."""

    @extend_schema(
        operation_id="run_why",
        parameters=[
            OpenApiParameter("pod", str, description="`namespace/name` or a uid."),
            OpenApiParameter("job", str, description="Instead of a pod: its pod group, `namespace/name`."),
            OpenApiParameter(
                "at", {"type": "integer", "minimum": 0}, description="Default: the last decision."
            ),
            OpenApiParameter(
                "marks", str, enum=["0", "1"], description="Whether to add every node's part. Default: 0."
            ),
        ],
        responses={**json_answer(reference("WhyOfPod")), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return what stands against a pod or a job after a decision, if its scheduler tried it then.

        Within an open session it is told as far as that has come. `marks=1` adds every node's part in it.
        """
        run = access.get_run_or_404(request.user, pk)
        pod, job = (read_text(request.query_params, name) for name in ("pod", "job"))
        if (pod is None) == (job is None):
            raise ValidationError({"pod": "Name a pod, namespace/name or its uid, or else a job."})
        last = log.last_decision(run)
        at = read_integer(request.query_params, "at", last, 0, LARGEST_SEQ)
        viewer = request.user.pk
        answered = why_at(run, pod, at, viewer) if pod else why_job_at(run, job or "", at, viewer)
        marks = (
            node_marks(answered)
            if read_choice(request.query_params, "marks", ["0", "1"], "0") == "1"
            else None
        )
        return Response(msgspec.to_builtins(OfPod(at, answered.cause, plain(why(answered.cause)), marks)))


class RunTimeline(ApiView):
    """The log in buckets, to draw a time line of any length."""

    @extend_schema(
        operation_id="run_timeline",
        parameters=[
            OpenApiParameter("buckets", {"type": "integer", "minimum": 1, "maximum": MAX_BUCKETS}),
        ],
        responses={**json_answer(TIMELINE), **refusals(400, 404)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return counts by outcome in buckets of equal length, and the decisions that preempt."""
        run = access.get_run_or_404(request.user, pk)
        buckets = read_integer(request.query_params, "buckets", DEFAULT_BUCKETS, 1, MAX_BUCKETS)
        return Response(log.timeline(run, buckets))


class RunStops(ApiView):
    """Finds where to stop."""

    @extend_schema(
        operation_id="run_stop",
        parameters=[
            OpenApiParameter(
                "after", {"type": "integer", "minimum": 0}, description="Look forward from here."
            ),
            OpenApiParameter("before", {"type": "integer", "minimum": 0}, description="Look back from here."),
            *FILTERS,
        ],
        responses={**json_answer(STOP), **refusals(400, 404)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return `{"seq"}` of the nearest decision that passes the filters, or null for none."""
        run = access.get_run_or_404(request.user, pk)
        query = request.query_params
        after = read_integer(query, "after", None, 0, LARGEST_SEQ)
        before = read_integer(query, "before", None, 0, LARGEST_SEQ)
        if (after is None) == (before is None):
            raise ValidationError({"after": "Send either after or before."})
        filters = read_filters(query)
        if before is None:
            return Response({"seq": log.next_stop(run, after, filters)})
        return Response({"seq": log.previous_stop(run, before, filters)})
