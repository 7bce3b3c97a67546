"""Two runs side by side: figures, the first decision that differs, and the rows that end differently."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Annotated, Any, Generic, Protocol, TypedDict, TypeVar

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from api.paging import MAX_LIMIT, decode_cursor, encode_cursor, next_address, read_limit
from api.query import read_integer, read_text
from api.renderers import PRINTED, answered
from api.serializers.runs import RunRow
from api.serializers.scenarios import LARGEST_KEY
from dashboard.models import Run
from dashboard.queries import access, log
from dashboard.queries.comparison import FirstDifference, Retiming, Rewording
from dashboard.queries.comparison_gangs import GangDifference
from dashboard.queries.comparison_releases import Releases
from dashboard.queries.comparison_room import Room
from dashboard.queries.comparison_rows import NodeDifference, PodDifference
from dashboard.services.results.changes_alone import compare_with_changes
from dashboard.services.results.comparing import compare_runs
from dashboard.services.results.comparing_several import MOST, compare_several
from dashboard.services.results.saved_answers import file_of_runs
from dashboard.shapes.comparison import Figure, Setting, Utilisation

CURSORS = ("gangs_cursor", "pods_cursor", "nodes_cursor")
_SIDE = {"oneOf": [reference("LogDecision"), {"type": "null"}]}
_FIRST = {
    "type": "object",
    "required": ["seq", "parts", "a", "b"],
    "properties": {
        "seq": {"type": "integer"},
        "parts": {"type": "array", "items": {"type": "string"}},
        "a": _SIDE,
        "b": _SIDE,
    },
}
RunInList = Annotated[Any, msgspec.Meta(extra_json_schema=reference("RunRow"))]
FirstInFull = Annotated[Any, msgspec.Meta(extra_json_schema={"oneOf": [_FIRST, {"type": "null"}]})]
"""The first decision that differs, as both runs recorded it."""


class Ordered(Protocol):
    """A row with its place among others."""

    @property
    def order(self) -> list[str | int]: ...


Row = TypeVar("Row", bound=Ordered)


class Page(TypedDict, Generic[Row]):
    """A page of rows, of `total` in all; `next` is the address of what follows."""

    total: int
    results: list[Row]
    next: str | None


class GangsPage(TypedDict):
    """Pod groups that end differently."""

    total: int
    results: list[GangDifference]
    next: str | None


class PodsPage(TypedDict):
    """Pods that end differently."""

    total: int
    results: list[PodDifference]
    next: str | None


class NodesPage(TypedDict):
    """Nodes with other pods at the end."""

    total: int
    results: list[NodeDifference]
    next: str | None


class Answer(TypedDict):
    """Two runs side by side."""

    sentence: str
    inputs: str
    a: RunInList
    b: RunInList
    settings: list[Setting]
    complete: bool
    compared: int
    figures: list[Figure]
    utilisation: list[Utilisation]
    first_difference: FirstInFull
    rewording: Rewording | None
    retiming: Retiming | None
    freed_room: Room | None
    releases: Releases | None
    gangs: GangsPage
    pods: PodsPage
    nodes: NodesPage


class Compare(ApiView):
    """Compares two runs."""

    @extend_schema(
        operation_id="compare",
        parameters=[
            OpenApiParameter("a", {"type": "integer", "minimum": 1}, required=True, description="A run."),
            OpenApiParameter("b", {"type": "integer", "minimum": 1}, required=True, description="Another."),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}),
            *(OpenApiParameter(name, str, description="Opaque: follow `next`.") for name in CURSORS),
        ],
        responses={**json_answer(reference("ComparedAnswer")), **refusals(400, 404, 409)},
    )
    def get(self, request: Any) -> HttpResponse:
        """Return where two runs part and how differently they end; 409 while one of them has nothing.

        `gangs`, `pods` and `nodes` are pages: each `next` is this address with a cursor for what follows.
        """
        a, b = read_runs(request)
        limit = read_limit(request.query_params)
        compared = compare_runs(a, b)
        found = compared.differences
        body: Answer = {
            "sentence": compared.sentence,
            "inputs": compared.inputs,
            "a": RunRow(a).data,
            "b": RunRow(b).data,
            "settings": compared.settings,
            "complete": compared.is_complete,
            "compared": found.compared,
            "figures": compared.figures,
            "utilisation": compared.utilisation,
            "first_difference": first_difference(a, b, found.first),
            "rewording": found.rewording,
            "retiming": found.retiming,
            "freed_room": found.room,
            "releases": compared.releases,
            "gangs": page_of_rows(request, found.gangs.rows, "gangs_cursor", limit),
            "pods": page_of_rows(request, found.pods, "pods_cursor", limit),
            "nodes": page_of_rows(request, found.nodes, "nodes_cursor", limit),
        }
        return HttpResponse(msgspec.json.encode(body, enc_hook=str), content_type="application/json")


class CompareAnswer(ApiView):
    """What runs were asked differently and what came of it, in sentences."""

    renderer_classes = PRINTED

    @extend_schema(
        operation_id="compare_answer",
        parameters=[
            OpenApiParameter("a", {"type": "integer", "minimum": 1}, description="A run."),
            OpenApiParameter("b", {"type": "integer", "minimum": 1}, description="Another."),
            OpenApiParameter(
                "run",
                int,
                many=True,
                description=f"Instead of both: two to {MOST} runs, each measured by the first.",
            ),
            OpenApiParameter(
                "resource", str, description="In which queues of two runs are told; the scarcest by default."
            ),
        ],
        responses={
            **json_answer(reference("AnswerAnswer")),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            (200, "text/html"): str,
            **refusals(400, 404, 409),
        },
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the answer by Accept; 409 while one of the runs has nothing."""
        several = "run" in request.query_params
        runs = read_several(request) if several else list(read_runs(request))
        if len(runs) > 2:
            answer = compare_several(runs).answer
            return answered(answer, request, lambda: file_of_runs(runs, answer))
        a, b = runs
        compared, _ = compare_with_changes(a, b, read_text(request.query_params, "resource") or "")
        return answered(
            compared.answer, request, lambda: file_of_runs(runs, compared.answer, compared.inputs)
        )


def read_runs(request: Any) -> tuple[Run, Run]:
    """Return the runs `a` and `b` of the query. Raises ValidationError, and Http404 as for a run."""
    numbers = {name: read_integer(request.query_params, name, None, 1, LARGEST_KEY) for name in ("a", "b")}
    missing = {name: "Send the number of a run." for name, number in numbers.items() if number is None}
    if missing:
        raise ValidationError(missing)
    a, b = (access.get_run_or_404(request.user, number) for number in numbers.values())
    if a.pk == b.pk:
        raise ValidationError({"b": "Must be another run than a."})
    return a, b


def read_several(request: Any) -> list[Run]:
    """Return the runs that `run` names, one each time. Raises ValidationError, and Http404 as for a run."""
    texts = request.query_params.getlist("run")
    numbers = [read_integer({"run": text}, "run", None, 1, LARGEST_KEY) for text in texts]
    if {"a", "b"} & set(request.query_params):
        raise ValidationError({"run": "Name the runs by run, or by a and b."})
    if None in numbers or len(set(numbers)) < len(numbers) or not 2 <= len(numbers) <= MOST:
        raise ValidationError({"run": f"Name two to {MOST} different runs."})
    return [access.get_run_or_404(request.user, number) for number in numbers]


def first_difference(a: Run, b: Run, first: FirstDifference | None) -> dict[str, Any] | None:
    """Return the first decision that differs with both decisions as they were recorded."""
    if first is None:
        return None
    sides = {"a": (a, first.a), "b": (b, first.b)}
    recorded = {
        name: None if seen is None else msgspec.Raw(log.decision(run, seen.seq))
        for name, (run, seen) in sides.items()
    }
    return {"seq": first.seq, "parts": first.parts, **recorded}


def page_of_rows(request: Any, rows: Sequence[Row], cursor: str, limit: int) -> Page[Row]:
    """Return the page of sorted rows that a cursor of the query names. Raises ValidationError."""
    start = 0
    text = request.query_params.get(cursor)
    if text and rows:
        start = bisect_right(rows, read_place(text, cursor, rows[0].order), key=lambda row: row.order)
    shown = list(rows[start : start + limit])
    more = start + limit < len(rows)
    address = next_address(request, **{cursor: encode_cursor(shown[-1].order)}) if more else None
    return {"total": len(rows), "results": shown, "next": address}


def read_place(text: str, cursor: str, example: list[str | int]) -> list[Any]:
    """Return the last row's place that a cursor of ours names, in the form of `example`."""
    refusal = ValidationError({cursor: "This is no cursor of ours."})
    try:
        place = decode_cursor(text)
    except ValidationError:
        raise refusal from None
    if not isinstance(place, list) or [type(part) for part in place] != [type(part) for part in example]:
        raise refusal
    return place
