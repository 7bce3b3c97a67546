"""A run's log: pages of decisions, one decision whole, and why a node was taken or not.

Pages are spliced from the recorded JSON without decoding it. What the log does not hold (verdicts and
scores by node) is computed again by the same engine.
"""

import re
from typing import Any, get_args, get_type_hints

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.base import ApiView
from api.describing import json_answer, page_of, reference, refusals
from api.paging import MAX_LIMIT, decode_cursor, encode_cursor, next_address, read_limit
from api.query import read_choice, read_integer, read_text
from dashboard.models import Run
from dashboard.models.runs import WORD_LENGTH
from dashboard.queries import access, log
from dashboard.queries.log import Filters
from scheduler_core.events.decisions import Decision
from scheduler_core.events.session_explanation import Compared

LARGEST_SEQ = 10**15
DECISIONS_LIMIT = 5_000
PRIORITY_LIMIT = 2**31 - 1

KINDS = [str(kind.__struct_config__.tag) for kind in get_args(Decision)]
OUTCOMES = [word for kind in get_args(Decision) for word in get_args(get_type_hints(kind)["outcome"])]
"""Those that this engine knows: others pass the filters and find nothing."""
WORD = re.compile(rf"[a-z][a-z0-9_.-]{{0,{WORD_LENGTH - 1}}}", re.ASCII)

COMPARED: list[Compared] = list(get_args(Compared))

FILTERS = [
    OpenApiParameter("kind", str, description=f"A word, such as {' or '.join(KINDS)}."),
    OpenApiParameter("pod", str, description="`namespace/name` or a uid."),
    OpenApiParameter("node", str, description="Where the pod went, was nominated to, or was evicted from."),
    OpenApiParameter("outcome", str, description=f"Words with commas between: {', '.join(OUTCOMES)}."),
    OpenApiParameter("actor", str, description="Who decided, by the name that decisions have as `actor`."),
    OpenApiParameter("min_priority", int, description="Pods of this priority or a higher one."),
]
AFTER = OpenApiParameter(
    "after", {"type": "integer", "minimum": 0}, description="Excludes the number itself."
)
CURSOR = OpenApiParameter("cursor", str, description="Opaque: follow `next`.")


def limit_parameter(maximum: int) -> OpenApiParameter:
    """Describe `limit`."""
    return OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": maximum})


def read_filters(query: Any) -> Filters:
    """Return the filters of the query. Raises ValidationError."""
    kind, outcome = read_text(query, "kind"), read_text(query, "outcome")
    if kind and not WORD.fullmatch(kind):
        raise ValidationError({"kind": f"Must be a word in lower case, such as {' or '.join(KINDS)}."})
    if outcome and not all(map(WORD.fullmatch, outcome.split(","))):
        example = ",".join(OUTCOMES[:2])
        raise ValidationError({"outcome": f"Must be words in lower case with commas between: {example}."})
    return Filters(
        kind=kind or "",
        pod=read_text(query, "pod") or "",
        node=read_text(query, "node") or "",
        outcome=outcome or "",
        actor=read_text(query, "actor") or "",
        min_priority=read_integer(query, "min_priority", None, -PRIORITY_LIMIT - 1, PRIORITY_LIMIT),
    )


def read_offset(query: Any) -> int:
    """Return the place that a cursor of ours names, 0 without one. Raises ValidationError."""
    text = query.get("cursor")
    offset = decode_cursor(text) if text else 0
    if type(offset) is not int or not 0 <= offset <= LARGEST_SEQ:
        raise ValidationError({"cursor": "This is no cursor of ours."})
    return offset


class Decisions(ApiView):
    """The log, in order."""

    @extend_schema(
        operation_id="decisions_list",
        parameters=[AFTER, limit_parameter(DECISIONS_LIMIT), *FILTERS],
        responses={**json_answer(page_of(reference("LogDecision"))), **refusals(400, 404)},
    )
    def get(self, request: Any, pk: int) -> HttpResponse:
        """List the decisions after a number; all filters must hold. `next` is null at the present end."""
        run = access.get_run_or_404(request.user, pk)
        query = request.query_params
        after = read_integer(query, "after", 0, 0, LARGEST_SEQ)
        limit = read_limit(query, DECISIONS_LIMIT, DECISIONS_LIMIT)
        filters = read_filters(query)
        lines = log.read_decisions(run, after, limit, filters)
        address = None
        if len(lines) == limit:
            last = msgspec.json.decode(lines[-1])["seq"]
            if log.next_stop(run, last, filters) is not None:
                address = next_address(request, after=last)
        body = b'{"results":[%s],"next":%s}' % (b",".join(lines), msgspec.json.encode(address))
        return HttpResponse(body, content_type="application/json")


class DecisionView(ApiView):
    """One decision, whole."""

    @extend_schema(
        operation_id="decision_get",
        parameters=[limit_parameter(MAX_LIMIT), CURSOR],
        responses={**json_answer(reference("WholeDecision")), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int, seq: int) -> Response:
        """Return the decision; an attempt with the verdict on each node and all scores.

        `dry_run` has the candidates and the other potential nodes of a preemption by node, `extenders` each
        question to an extender with the nodes that it was sent and what it said of them. Above 1,000 nodes
        these parts hold the nodes of one page, in name order, and `next` is the address of the others.
        """
        run = access.get_run_or_404(request.user, pk)
        offset, limit = read_offset(request.query_params), read_limit(request.query_params, MAX_LIMIT)
        whole, more = whole_decision(run, seq, offset, limit, request.user.pk)
        whole["next"] = next_address(request, cursor=encode_cursor(offset + limit)) if more else None
        return Response(whole)


NOT_IN_THE_LOG = ("prefilter_nodes", "filter", "scores", "best", "reserve", "dry_run", "extenders", "webhook")
"""Of `best` the log has the first; of `dry_run` the counts, as its `preemption`; of `extenders` the sense."""


def whole_decision(run: Run, seq: int, offset: int, limit: int, viewer: int) -> tuple[dict[str, Any], bool]:
    """Return the decision of the log; an attempt with those parts of its explanation that the log leaves out.

    Parts that go by node are cut to `limit` nodes in name order; the second value says whether more follow.
    """
    whole: dict[str, Any] = msgspec.json.decode(log.decision(run, seq))
    found = log.explanation(run, seq, viewer)
    if found is None:
        return whole, False
    in_full: dict[str, Any] = msgspec.to_builtins(found)
    names = sorted({*in_full["filter"], *in_full["scores"]})
    shown = set(names[offset : offset + limit])
    by_node = [(in_full, "filter"), (in_full, "scores")]
    if in_full.get("dry_run") is not None:
        by_node += [(in_full["dry_run"], "candidates"), (in_full["dry_run"], "not_candidates")]
    for call in in_full.get("extenders") or ():
        by_node += [(call, part) for part in ("failed", "unresolvable", "scores", "victims")]
        for part in ("nodes", "fits"):
            call[part] = [name for name in call[part] if name in shown]
    for owner, part in by_node:
        owner[part] = {name: value for name, value in owner[part].items() if name in shown}
    parts = {part: in_full[part] for part in NOT_IN_THE_LOG if part in in_full}
    return whole | parts, offset + limit < len(names)


class DecisionNodes(ApiView):
    """All nodes of a decision with their verdicts, to be listed by reason."""

    @extend_schema(
        operation_id="decision_nodes",
        parameters=[
            OpenApiParameter("reason", str, description="Only nodes that were rejected for this reason."),
            OpenApiParameter("plugin", str, description="Only nodes that this plugin rejected."),
            OpenApiParameter("status", str, enum=["fits", "rejected"]),
            OpenApiParameter("sort", str, enum=["name", "-total"], description="`name` by default."),
            OpenApiParameter("cards", bool, description="Also what HAMi says of each node and its cards."),
            limit_parameter(MAX_LIMIT),
            CURSOR,
        ],
        responses={**json_answer(page_of(reference("LogVisitedNode"))), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int, seq: int) -> Response:
        """List nodes with what they lacked, in numbers."""
        run = access.get_run_or_404(request.user, pk)
        offset, limit = read_offset(request.query_params), read_limit(request.query_params)
        wanted = read_nodes_wanted(request.query_params)
        cards = read_choice(request.query_params, "cards", ["true", "false"], "false") == "true"
        nodes = log.nodes_explanation(
            run, seq, offset, limit + 1, cards=cards, viewer=request.user.pk, **wanted
        )
        address = None
        if len(nodes) > limit:
            address = next_address(request, cursor=encode_cursor(offset + limit))
        return Response({"results": msgspec.to_builtins(nodes[:limit]), "next": address})


def read_nodes_wanted(query: Any) -> dict[str, str]:
    """Return which nodes of a decision to list, and how sorted. Raises ValidationError."""
    wanted = {
        "reason": read_text(query, "reason"),
        "plugin": read_text(query, "plugin"),
        "status": read_choice(query, "status", ["fits", "rejected"], ""),
        "sort": read_choice(query, "sort", ["name", "-total"], ""),
    }
    return {name: value for name, value in wanted.items() if value}


class DecisionOrder(ApiView):
    """Why one thing comes before another in a session."""

    @extend_schema(
        operation_id="decision_order",
        parameters=[
            OpenApiParameter("of", str, required=True, enum=COMPARED),
            OpenApiParameter(
                "first", str, required=True, description="A queue, a job (`namespace/name`), a pod's uid."
            ),
            OpenApiParameter("second", str, required=True, description="The other one."),
        ],
        responses={**json_answer(reference("LogOrderInFull")), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int, seq: int) -> Response:
        """Return what each plugin says of two queues, jobs or pods, in the order in which they are asked."""
        run = access.get_run_or_404(request.user, pk)
        query = request.query_params
        of = read_choice(query, "of", COMPARED, None)
        first, second = read_text(query, "first"), read_text(query, "second")
        missing = [name for name, value in (("of", of), ("first", first), ("second", second)) if not value]
        if of is None or first is None or second is None:
            raise ValidationError(dict.fromkeys(missing, "Is required."))
        order = log.order_explanation(run, seq, of, first, second, request.user.pk)
        return Response(msgspec.to_builtins(order))


class DecisionNode(ApiView):
    """One node of a decision."""

    @extend_schema(
        operation_id="decision_node",
        responses={**json_answer(reference("LogNodeInFull")), **refusals(404, 409)},
    )
    def get(self, request: Any, pk: int, seq: int, node: str) -> Response:
        """Return each filter's verdict with numbers, each score, and the remove-all → reprieve sequence."""
        run = access.get_run_or_404(request.user, pk)
        return Response(msgspec.to_builtins(log.node_explanation(run, seq, node, request.user.pk)))
