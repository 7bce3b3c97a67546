"""The page of a snapshot's hyper nodes: the tree from below, with what is free in each."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.kinds.volcano.answers.hyper_nodes import answer_of, resources_of
from dashboard.kinds.volcano.services.hyper_nodes import HyperNodes, Line, hyper_nodes_of
from dashboard.queries.node_map import nodes_of
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import export, plain_columns

LISTED = 500


@require_safe
def hyper_nodes(request: HttpRequest, pk: int) -> HttpResponse:
    """All hyper nodes of a snapshot: a page, or a file of all resources."""
    found = ready_or_404(request, pk)
    told = hyper_nodes_of(found, nodes_of(found))
    if not told.lines:
        raise Http404
    columns = plain_columns("hyper_node", "tier", "parents", "nodes", "missing", "resource", "free", "of")
    file = export(_plain(told), columns, request.GET.get("format", ""), f"{found.name}-hyper-nodes")
    if file is not None:
        return file
    resources = resources_of(told)
    context = {
        "snapshot": found,
        "tab": "volcano-hypernodes",
        "answer": answer_of(told),
        "resources": resources,
        "lines": [_shown(line, resources) for line in told.lines[:LISTED]],
        "more": max(len(told.lines) - LISTED, 0),
        "tiers": sorted({line.tier for line in told.lines}),
    }
    return render(request, "kinds/volcano/snapshots/hyper_nodes.html", context)


def _shown(line: Line, resources: list[str]) -> dict[str, Any]:
    """Return a line with its amounts in the columns' order: (resource, free, whole)."""
    return {
        **line._asdict(),
        "room": [(name, line.free.get(name, 0), line.whole.get(name, 0)) for name in resources],
    }


def _plain(told: HyperNodes) -> list[dict[str, Any]]:
    return [
        {
            "hyper_node": line.name,
            "tier": line.tier,
            "parents": " ".join(line.parents),
            "nodes": line.nodes,
            "missing": line.missing,
            "resource": resource,
            "free": line.free.get(resource, 0),
            "of": line.whole[resource],
        }
        for line in told.lines
        for resource in sorted(line.whole)
    ]
