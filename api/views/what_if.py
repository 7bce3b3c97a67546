"""What would make a snapshot's pods fit, and how many more fit."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.query import read_boolean, read_integer, read_text
from api.renderers import MarkdownRenderer, TextRenderer, printed
from api.views.decisions import LARGEST_SEQ
from api.worker_answers import PATIENCE_SECONDS, answered, imported_snapshot
from dashboard.answers import answer as answers_of
from dashboard.models import Run, Snapshot
from dashboard.queries import access
from dashboard.services.questions.of_snapshot import SnapshotQuestion, fitting_asked, headroom_asked
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.fitting.results import Fitting
from scheduler_core.world.headroom.counting import MOST
from scheduler_core.world.headroom.results import Headroom

MOST_SHAPES, MOST_EACH = 20, 10_000
LONGEST_NAME = 1_000


class OfQuestion(msgspec.Struct, frozen=True):
    """How far a question is. `state` is computing until it is answered; `stage`: what it waits for.

    done, of: how many of how many changes or shapes were tried; `of` is 0 where that isn't known. fault:
    why there is no answer, as a sentence. answer: in sentences.
    """

    state: Literal["computing", "answered"]
    stage: str
    done: int
    of: int
    fault: str
    ended: bool
    answer: answers_of.Answer | None


class WouldFit(OfQuestion, frozen=True):
    """What would make pods fit; `result` is null until it is known."""

    result: Fitting | None


class MoreFit(OfQuestion, frozen=True):
    """How many more fit; `result` is null until it is known."""

    result: Headroom | None


_TEXT = OpenApiResponse(OpenApiTypes.STR, "The same as sentences.")


def responses_of(name: str) -> dict[Any, Any]:
    """Return what a question may be answered with, by status and media type."""
    return {
        (200, "application/json"): reference(f"WhatIf{name}"),
        (200, "text/markdown"): _TEXT,
        (200, "text/plain"): _TEXT,
        (202, "application/json"): reference(f"WhatIf{name}"),
        **refusals(400, 404, 409),
    }


def told_of(
    request: Any,
    snapshot: Snapshot,
    asked: SnapshotQuestion,
    shape: type[WouldFit] | type[MoreFit],
    *,
    again: bool,
) -> Response:
    """Ask a question, wait a little, and tell what is known. Raises BadInput where it can't be asked."""
    told = asked.told(snapshot, PATIENCE_SECONDS, again=again)
    if told.problems:
        raise BadInput([msgspec.convert(one, Problem) for one in told.problems])
    said = None if told.answer is None else asked.answer(told.answer)
    body: Any = None if said is None else printed(said, request, str)
    if body is None:
        state: Literal["computing", "answered"] = "answered" if told.is_ready else "computing"
        how_far = (state, told.stage, told.done, told.of, told.fault, told.ended)
        body = msgspec.to_builtins(shape(*how_far, said, told.answer))
    return answered(body, is_ready=told.is_ready)


class _Question(ApiView):
    """A question about a snapshot that a worker answers."""

    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer]

    def asked(self, snapshot: Snapshot, query: Any) -> SnapshotQuestion:
        """Return what the query asks."""
        raise NotImplementedError

    def found(self, request: Any, pk: int, shape: type[WouldFit] | type[MoreFit]) -> Response:
        """Ask it, wait a little, and tell what is known."""
        snapshot = imported_snapshot(request.user, pk)
        asked = self.asked(snapshot, request.query_params)
        again = read_boolean(request.query_params, "again")
        return told_of(request, snapshot, asked, shape, again=again)

    def ended(self, request: Any, pk: int) -> Response:
        """End it."""
        access.require_operator(request.user)
        snapshot = imported_snapshot(request.user, pk)
        self.asked(snapshot, request.query_params).end(snapshot)
        return Response(status=HTTPStatus.NO_CONTENT)


_AGAIN = OpenApiParameter("again", bool, description="Ask anew what was ended or came to nothing.")
_WHOM = [
    OpenApiParameter("pod", str, description="One pod that waits: `namespace/name` or its uid."),
    OpenApiParameter("workload", str, description="Those of a workload: `Kind/namespace/name`."),
    OpenApiParameter("job", str, description="Those of a pod group: `namespace/name`."),
    OpenApiParameter("others", bool, description="Many other pods that wait take part, too."),
]
_SHAPES = [
    OpenApiParameter("workload", str, many=True, description="One more pod of it: `Kind/namespace/name`."),
    OpenApiParameter(
        "shape",
        str,
        many=True,
        description="A shape of one's own, in YAML or JSON: `{cpu: 2, memory: 4Gi}`, or a manifest.",
    ),
    OpenApiParameter("most", int, description=f"No more than so many of each, 1 to {MOST_EACH:,}."),
    OpenApiParameter("run", int, description="As this run of the snapshot stands …"),
    OpenApiParameter("decision", int, description="… after this decision; else at its end."),
]


class SnapshotWouldFit(_Question):
    """What would make pods of a snapshot fit."""

    def asked(self, snapshot: Snapshot, query: Any) -> SnapshotQuestion:
        names = {name: read_text(query, name) or "" for name in ("pod", "workload", "job")}
        if sum(map(bool, names.values())) != 1:
            raise ValidationError({"pod": "Name a pod, a workload or a job: one of them."})
        return fitting_asked(snapshot, **names, others=read_boolean(query, "others"))

    @extend_schema(
        operation_id="snapshot_would_fit", parameters=[*_WHOM, _AGAIN], responses=responses_of("WouldFit")
    )
    def get(self, request: Any, pk: int) -> Response:
        """Ask once for all who ask. 202 while a worker is still trying changes."""
        return self.found(request, pk, WouldFit)

    @extend_schema(
        operation_id="snapshot_would_fit_end",
        parameters=_WHOM,
        responses={204: None, **refusals(403, 404, 409)},
    )
    def delete(self, request: Any, pk: int) -> Response:
        """End what is being tried."""
        return self.ended(request, pk)


class SnapshotHeadroom(_Question):
    """How many more pods fit in a snapshot, or as a run of it stands after a decision."""

    def asked(self, snapshot: Snapshot, query: Any) -> SnapshotQuestion:
        workloads, own = query.getlist("workload"), query.getlist("shape")
        if len(workloads) + len(own) > MOST_SHAPES:
            raise ValidationError({"workload": f"Name {MOST_SHAPES} workloads and shapes at most."})
        if any(len(one) > LONGEST_NAME for one in workloads):
            raise ValidationError({"workload": f"Must have {LONGEST_NAME:,} characters at most."})
        for field, given in (("workload", workloads), ("shape", own)):
            if any("\x00" in one for one in given):
                raise ValidationError({field: "Must have no null characters."})
        most = read_integer(query, "most", MOST, 1, MOST_EACH)
        return headroom_asked(workloads, most, own=own, at=self._at(snapshot, query))

    def _at(self, snapshot: Snapshot, query: Any) -> tuple[Run, int] | None:
        number = read_integer(query, "run", None, 1, LARGEST_SEQ)
        if number is None:
            if query.get("decision"):
                raise ValidationError({"run": "Name the run of the decision."})
            return None
        run = access.get_run_or_404(self.request.user, number)
        if run.snapshot_id != snapshot.pk:
            raise ValidationError({"run": f"Run {run.pk} is of another snapshot."})
        return run, read_integer(query, "decision", run.decisions, 0, LARGEST_SEQ)

    @extend_schema(
        operation_id="snapshot_headroom", parameters=[*_SHAPES, _AGAIN], responses=responses_of("MoreFit")
    )
    def get(self, request: Any, pk: int) -> Response:
        """Ask once for all who ask. 202 while a worker is still counting."""
        return self.found(request, pk, MoreFit)

    @extend_schema(
        operation_id="snapshot_headroom_end",
        parameters=_SHAPES,
        responses={204: None, **refusals(403, 404, 409)},
    )
    def delete(self, request: Any, pk: int) -> Response:
        """End what is being counted."""
        return self.ended(request, pk)
