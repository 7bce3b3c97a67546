"""Why the pods of a snapshot wait: the view that opens first where any does, and the answer about one pod."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.sentence import Name, Place, Sentence
from dashboard.answers.why import devices, is_about_node, nothing_lower, shortfall, why
from dashboard.answers.why_of_snapshot import SAID, Group, Row, Why, asks, grouped, lead
from dashboard.answers.why_words import DEVICES, words_of_held
from dashboard.instants import lasting
from dashboard.models import Pod, Snapshot
from dashboard.queries import access
from dashboard.queries.pending import PENDING
from dashboard.queries.waiting_pods import Alike
from dashboard.services.results.saved_answers import file_of_why
from dashboard.services.workspace import why_pending
from dashboard.services.workspace.why_pending import MOST_SECONDS, Asking, matching, trusted
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshot_tables import waiting_workloads, workloads_of
from dashboard.views.sum_bars import bar_of
from dashboard.views.tables import save_page
from dashboard.views.tick_actions import OF_WAITING
from dashboard.views.ticked import tick_context
from dashboard.views.why_map import node_map
from dashboard.views.why_node import OfNode, of_node, with_devices
from scheduler_core.schedulers.cause import Cause, Passed

PATIENCE_SECONDS = 1.5
"""So long a page waits for answers before it says that they are being computed."""
LISTED, MOST_LISTED = 12, 15
"""Of a cause with more workloads than the second number so many are listed, until a reader asks for all."""
PODS_NAMED = 200
PATTERNS = {
    "c1": "M0 6 6 0M-1 1 1-1M5 7 7 5",
    "c2": "M2 3h2",
    "c3": "M0 3h6",
    "c4": "M3 0v6",
    "c5": "M0 0 6 6M5-1 7 1M-1 5 1 7",
    "c6": "M3 0v6M0 3h6",
    "c7": "M0 0 6 6M0 6 6 0",
    "placed": "M0 1.5h6M0 4.5h6",
}
"""What is drawn over a cause's colour in the bar, a path in a square of 6; the first cause is plain."""


class Line(NamedTuple):
    """A row of the table: a workload, what is short for it, and what the cluster had said.

    tick: what edits call the workload; empty where they can't be about it as a whole.
    """

    row: Row
    name: Name
    asks: Sentence
    near: str
    short: Sentence
    why: Sentence
    waits: str
    agrees: list[tuple[str, int]]
    is_chosen: bool
    tick: str


class Cell(NamedTuple):
    """A cause of the table, with its lines; `colour` is a class of the style sheet.

    others: how many workloads are not listed until a reader asks for all.
    """

    group: Group
    lines: list[Line]
    colour: str
    others: int


def why_page(request: HtmxRequest, found: Snapshot) -> HttpResponse:
    """The view "Why pending" of a snapshot. Chosen is a workload, a job or a pod that the address names."""
    longer = "longer" in request.GET
    patience = 0.0 if request.htmx else PATIENCE_SECONDS
    asking = why_pending.asked(found, patience, pod=request.GET.get("pod", ""), longer=longer)
    if asking.is_ready and request.GET.get("save"):
        said = why_pending.answer(found, asking, asking.told)
        return save_page(file_of_why(found, asking, said), f"why-{found.pk}")
    context: dict[str, Any] = {
        "snapshot": found, "tab": "why", "asking": asking, "waiting": asking.waiting,
        "address": _address(request),
        **tick_context(request, found, "workloads", OF_WAITING),
    }  # fmt: skip
    owners = _tickable(found) if context["ticks"] else set()
    context["ticks"] = bool(owners)
    if asking.is_ready or asking.found:
        context |= _answered(request, found, asking, owners)
    template = "snapshots/why_body.html" if request.htmx else "snapshots/why.html"
    return render(request, template, context)


def _address(request: HttpRequest) -> str:
    """Return the address that looks again; it asks for no more, so that what was ended stays so."""
    asks = request.GET.copy()
    asks.pop("longer", None)
    return f"{request.path}?{asks.urlencode()}" if asks else request.path


def _tickable(found: Snapshot) -> set[str]:
    """Return the workloads, `Kind/namespace/name`, that edits know and of which a pod waits."""
    waiting = waiting_workloads(found)
    names = {owner.rpartition("/")[2] for owner in waiting}
    return waiting & {str(one) for one in workloads_of(found).filter(name__in=names)}


def _answered(request: HttpRequest, found: Snapshot, asking: Asking, owners: set[str]) -> dict[str, Any]:
    groups = grouped(asking.told)
    chosen = _chosen(request, asking, groups) if asking.is_ready else None
    cells: list[Cell] = []
    for place, group in enumerate(groups):
        rows = group.rows if "all" in request.GET else _listed(group.rows, chosen)
        lines = [_line(row, found, row is chosen, owners) for row in rows]
        cells.append(Cell(group, lines, _colour(group, place), len(group.rows) - len(rows)))
    drawn = {cell.colour for cell in cells}
    parts = [(cell.group.words.title, cell.group.number, cell.colour) for cell in cells]
    context: dict[str, Any] = {
        "lead": lead(groups, asking.kinds, asking.waiting),
        "trust": trusted(asking, asking.told),
        "more_seconds": f"{MOST_SECONDS:.0f}" if asking.can_go_on else "",
        "cells": cells,
        "all_at": _address_of_all(request),
        "parts": parts,
        "patterns": [(colour, path) for colour, path in PATTERNS.items() if colour in drawn],
    }
    if chosen is None:
        return context
    return (
        context
        | {"chosen": chosen, "chosen_name": chosen.name(found.pk)}
        | _panel(asking, chosen, found, request.GET.get("node", "").strip())
    )


def _listed(rows: list[Row], chosen: Row | None) -> list[Row]:
    """Return the first rows of a cause that has many, and the chosen one."""
    if len(rows) <= MOST_LISTED:
        return rows
    return [row for place, row in enumerate(rows) if place < LISTED or row is chosen]


def _address_of_all(request: HttpRequest) -> str:
    asks = request.GET.copy()
    asks["all"] = "1"
    asks.pop("longer", None)
    return f"?{asks.urlencode()}"


def _colour(group: Group, place: int) -> str:
    return group.look or f"c{place % 8}"


def _chosen(request: HttpRequest, asking: Asking, groups: list[Group]) -> Row | None:
    """Return the row that is named, else the first that is about nodes, else the first."""
    rows = [row for group in groups for row in group.rows]
    asked = {name: request.GET.get(name, "") for name in ("pod", "workload", "job")}
    if any(asked.values()):
        uids = {uid for one in matching(asking, **asked) for uid in one.pods.uids}
        named = (row for row in rows if any(uid in uids for one in row.whys for uid in one.pods.uids))
        if (first := next(named, None)) is not None:
            return first
    about_nodes = (row for row in rows if row.cause.kind == "nodes" and asking.is_about_nodes(row.whys[0]))
    return next(about_nodes, rows[0] if rows else None)


def _line(row: Row, found: Snapshot, is_chosen: bool, owners: set[str]) -> Line:
    cause = row.cause
    about_nodes = cause.kind == "nodes" and is_about_node(cause)
    return Line(
        row,
        row.name(found.pk),
        asks(row.pods),
        cause.held[0].node if about_nodes and cause.held[0].figure is not None else "",
        shortfall(cause.held[0]) if about_nodes else [],
        why(cause, found.pk),
        _waits(row.since, found.taken_at),
        [(SAID[how], count) for how, count in row.agrees.items()],
        is_chosen,
        row.pods.workload if row.pods.workload in owners else "",
    )


def _waits(since: str, taken_at: datetime | None) -> str:
    """Return for how long pods had waited when the snapshot was taken; empty where nothing tells."""
    began = parse_datetime(since) if since else None
    if began is None or taken_at is None or taken_at < began:
        return ""
    return lasting(round((taken_at - began).total_seconds()) * 1000)


class Step(NamedTuple):
    """A step of the chain, with what it is about; `who` is a plugin, or an extender whatever its address."""

    who: str
    passed: Passed
    title: str
    before: int
    some: list[Name]


def _panel(asking: Asking, chosen: Row, found: Snapshot, node: str) -> dict[str, Any]:
    """Return what is shown of the row that is chosen."""
    first = asking.with_nodes(chosen.whys[0])
    pods = [one for why in chosen.whys for one in zip(why.pods.names, why.pods.uids, strict=True)]
    return {
        **_of_pod(first, found, chosen.number - 1, node),
        "map": node_map(found, first.answered),
        "pods": pods[:PODS_NAMED],
        "more_pods": max(0, len(pods) - PODS_NAMED),
    }


def _of_pod(one: Why, found: Snapshot, others: int, node: str) -> dict[str, Any]:
    """Return the answer about pods that are alike, as the drawer and the panel show it.

    node: the name, or a part of it, of that which is asked about; empty for none.
    """
    cause = one.answered.cause
    said = next(iter(one.pods.said.values()), None)
    return {
        "cause": cause,
        "passed_devices": _passed_devices(cause),
        "sums": [(each, bar_of(each)) for each in cause.sums],
        "uid": one.pods.first,
        "asked_node": node,
        "fits_whom": None if cause.kind == "fits" else _fits_whom(one.pods),
        "of_node": _of_node(one, node, found) if node else None,
        "has_nodes": bool(one.answered.marks.names),
        "sentence": why(cause, found.pk, others),
        "chain": _chain(cause, found),
        "evicting": nothing_lower(cause),
        "near": [_near(cause, place, found) for place in range(min(len(cause.nearest), 8))],
        "others_near": max(0, cause.nodes - cause.fits - 8),
        "said": said,
        "said_time": parse_datetime(said.time) if said is not None and said.time else None,
        "agrees": next((SAID[how] for how in one.agrees), ""),
    }


def _passed_devices(cause: Cause) -> Sentence:
    """Return why devices were passed over, unless the sentence says it."""
    beside = (held for held in cause.held[1:] if held.plugin == DEVICES and held.cards)
    return next(map(devices, beside), [])


def _of_node(one: Why, named: str, found: Snapshot) -> OfNode:
    told = of_node(one.answered, named, found.pk)
    return with_devices(told, found, one.pods.first) if told.has_devices else told


def _fits_whom(pods: Alike) -> tuple[str, str]:
    """Return of whom it is asked what would make it fit: of a workload, else a job, else a pod."""
    if pods.workload:
        return "workload", pods.workload
    return ("job", pods.group) if pods.group else ("pod", pods.first)


def _chain(cause: Cause, found: Snapshot) -> list[Step]:
    titles = {held.plugin: words_of_held(held).title for held in reversed(cause.held)}
    steps, before = [], cause.nodes
    for passed in cause.chain:
        some = [Name("node", name, at=Place(snapshot=found.pk)) for name in passed.some]
        who = "extender" if "://" in passed.plugin else passed.plugin
        steps.append(Step(who, passed, titles.get(passed.plugin, passed.plugin), before, some))
        before = passed.left
    return steps


def _near(cause: Cause, place: int, found: Snapshot) -> dict[str, Any]:
    near = cause.nearest[place]
    short = [one for one in near.short if one.asked > one.free]
    return {
        "node": Name("node", near.node, at=Place(snapshot=found.pk)),
        "against": [words_of_held(cause.held[held]).title for held in near.held],
        "short": [(one.what, one.asked - one.free, one.free) for one in short],
        "particulars": near.particulars,
    }


@require_safe
def why_of_pod(request: HtmxRequest, pk: int, uid: str) -> HttpResponse:
    """The part of a pod's drawer that says why it waits."""
    found = access.get_snapshot_or_404(request.user, pk)
    if found.status != Snapshot.Status.READY:
        raise Http404
    if not Pod.objects.filter(Q(PENDING), snapshot=found, uid=uid).exists():
        raise Http404
    node = request.GET.get("node", "").strip()
    return render(request, "snapshots/why_pod.html", pod_context(found, uid, node))


def pod_context(found: Snapshot, uid: str, node: str = "") -> dict[str, Any]:
    """Return what a pod's drawer shows of why it waits, and of one `node` if one is asked about."""
    asking = why_pending.asked(found, PATIENCE_SECONDS, pod=uid)
    context: dict[str, Any] = {"snapshot": found, "asking": asking, "uid": uid}
    one = asking.of_pod(uid)
    if one is None:
        return context
    row = next((row for group in grouped(asking.found) for row in group.rows if one in row.whys), Row([one]))
    return context | _of_pod(asking.with_nodes(one), found, row.number - 1, node) | {"uid": uid}


@require_POST
def end_asking(request: HttpRequest, pk: int) -> HttpResponse:
    """Let what is being asked of a cluster end; what was answered is shown."""
    access.require_operator(request.user)
    why_pending.end(access.get_snapshot_or_404(request.user, pk, even_away=True))
    return redirect("snapshot", pk)
