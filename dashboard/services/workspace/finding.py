"""Whatever is here by a part of its name: pages, clusters, scenarios, runs, and what is in clusters.

Bounded: of each kind the best few, and whether there are more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from dashboard.accounts.roles import is_operator
from dashboard.kinds import pages
from dashboard.kinds.pages import Found
from dashboard.models import Node, Pod, Run, Scenario, Snapshot, Workload
from dashboard.queries import access
from dashboard.queries.glossary import terms
from dashboard.queries.searching import best_named, words_in

OF_EACH = 5
"""So many of each kind are told."""
ELSEWHERE = 8
"""So many other clusters are searched, the newest."""
PAGES = (
    ("Home", "what can be asked, where you were", "home", False),
    ("Snapshots", "all clusters", "snapshots", False),
    ("Import a cluster", "from a file", "snapshot-import", True),
    ("Scenarios", "what happens next", "scenarios", False),
    ("Runs", "all plays of scenarios", "runs", False),
    ("Compare two runs", "side by side", "compare", False),
    ("Samples", "ready clusters", "samples", False),
    ("Glossary", "what the terms mean", "glossary", False),
    ("Account and tokens", "your own", "account", False),
)
OF_A_CLUSTER = (
    ("Nodes of {}", "nodes", ""),
    ("Pods of {}", "pods", ""),
    ("Pending pods of {}", "pods", "?pending=1"),
    ("Workloads of {}", "workloads", ""),
)


@dataclass
class Answer:
    """What was found, kind by kind, and the kinds of which there is more than that."""

    cluster: Snapshot | None
    results: list[Found] = field(default_factory=list)
    more: list[str] = field(default_factory=list)


def cluster_at_hand(user: Any, number: int | None) -> Snapshot | None:
    """Return the cluster of this number, else the newest of one's own; raises Http404 for a wrong number."""
    if number is not None:
        return access.get_snapshot_or_404(user, number, even_away=True)
    return _own_clusters(user).first()


def _own_clusters(user: Any) -> QuerySet[Snapshot]:
    """Return the clusters that are no samples, the newest first."""
    rows: QuerySet[Snapshot] = access.visible_snapshots(user)
    return rows.filter(status=Snapshot.Status.READY, is_sample=False)


def find(user: Any, text: str, cluster: Snapshot | None) -> Answer:
    """Return what has these words in its name; without a word, pages and what was used last."""
    answer = Answer(cluster)
    for kind, found in _by_kind(user, text, cluster):
        best = list(islice(found, OF_EACH + 1 if text else len(PAGES)))
        answer.results += best[:OF_EACH] if text else best
        if text and len(best) > OF_EACH:
            answer.more.append(kind)
    if text:
        answer.results += _elsewhere(user, text, cluster, Counter(row.kind for row in answer.results))
    return answer


def _elsewhere(user: Any, text: str, cluster: Snapshot | None, told: Counter[str]) -> Iterator[Found]:
    """Yield what one's other clusters have but pods, as many of a kind as are not `told` yet."""
    others = _own_clusters(user).exclude(pk=cluster.pk if cluster else 0)
    for other in others[:ELSEWHERE]:
        for kind, found in _in_cluster(other, text, with_pods=False):
            for row in islice(found, max(0, OF_EACH - told[kind])):
                told[kind] += 1
                yield row._replace(cluster=other.name)


def _by_kind(user: Any, text: str, cluster: Snapshot | None) -> Iterator[tuple[str, Iterable[Found]]]:
    yield "page", _pages(user, text, cluster)
    yield "cluster", _clusters(user, text)
    yield "scenario", _scenarios(user, text)
    yield "run", _runs(user, text)
    if not text:
        return
    yield "term", _terms(text)
    if cluster is not None:
        yield from _in_cluster(cluster, text)


def _pages(user: Any, text: str, cluster: Snapshot | None) -> Iterator[Found]:
    for name, says, route, for_operators in PAGES:
        if _has_words(name, text) and (is_operator(user) or not for_operators):
            yield Found("page", name, says, reverse(route))
    if cluster is None or not text:
        return
    for title, table, query in OF_A_CLUSTER:
        name = title.format(cluster.name)
        if _has_words(name, text):
            yield Found("page", name, "", reverse("snapshot-table", args=[cluster.pk, table]) + query)


def _terms(text: str) -> Iterator[Found]:
    for term in terms():
        if any(_has_words(name, text) for name in (term.term, *term.forms)):
            yield Found("term", term.term, term.means, f"{reverse('glossary')}#{term.slug}")


def _has_words(name: str, text: str) -> bool:
    return all(word.lower() in name.lower() for word in words_in(text))


def _clusters(user: Any, text: str) -> Iterator[Found]:
    rows = access.visible_snapshots(user)
    found = best_named(rows, text, ["name"]) if text else rows.filter(is_sample=False)[:OF_EACH]
    for snapshot in found[: OF_EACH + 1]:
        nodes = snapshot.counts.get("Node", 0)
        is_told = snapshot.status == Snapshot.Status.READY or snapshot.is_put_away
        says = f"{nodes:,} node{'' if nodes == 1 else 's'}" if is_told else snapshot.status
        words = f"sample, {says}" if snapshot.is_sample else says
        yield Found("cluster", snapshot.name, words, reverse("snapshot", args=[snapshot.pk]))


def _scenarios(user: Any, text: str) -> Iterator[Found]:
    rows: QuerySet[Scenario] = access.visible_scenarios(user).defer("edits", "snapshot__content")
    found = best_named(rows, text, ["name"]) if text else rows[:OF_EACH]
    for scenario in found[: OF_EACH + 1]:
        yield Found(
            "scenario", scenario.name, scenario.snapshot.name, reverse("scenario", args=[scenario.pk])
        )


def _runs(user: Any, text: str) -> Iterator[Found]:
    """Yield the run of this number, and the newest runs of scenarios that are called so."""
    rows = access.visible_runs(user).defer("outcome", *access.LARGE_OF_A_RUN)
    number = text.lower().removeprefix("run").strip()
    if number.isascii() and number.isdigit() and len(number) <= 18:
        yield from map(_run, rows.filter(pk=int(number)))
    named = rows.filter(background=False) if not text else _of_scenarios_called(rows, text)
    yield from map(_run, named[: OF_EACH + 1 if text else OF_EACH])


def _of_scenarios_called(rows: QuerySet[Run], text: str) -> QuerySet[Run]:
    for word in words_in(text):
        rows = rows.filter(scenario__name__icontains=word)
    return rows


def _run(run: Run) -> Found:
    called = run.scenario.name if run.scenario else run.snapshot.name
    address = reverse("run-outcome" if run.has_ended else "run", args=[run.pk])
    return Found("run", f"run {run.pk}", f"{called}, {run.status}", address)


def _in_cluster(
    cluster: Snapshot, text: str, with_pods: bool = True
) -> Iterator[tuple[str, Iterable[Found]]]:
    def address(kind: str, key: str) -> str:
        return reverse("snapshot-detail", args=[cluster.pk, kind, key])

    def workload(row: Workload) -> Found:
        says = f"{row.kind} in {row.namespace}"
        key = f"{row.kind}/{row.namespace}/{row.name}"
        return Found("job" if row.kind == "Job" else "workload", row.name, says, address("workloads", key))

    def node(row: Node) -> Found:
        says = ", ".join(filter(None, [row.zone, "cordoned" if row.unschedulable else ""]))
        return Found("node", row.name, says, address("nodes", row.name))

    def pod(row: Pod) -> Found:
        where = f"on {row.node_name}" if row.node_name else row.phase.lower()
        return Found("pod", f"{row.namespace}/{row.name}", where, address("pods", row.uid))

    yield from pages.found_in(cluster, text, OF_EACH + 1)
    workloads = Workload.objects.filter(snapshot=cluster)
    name = ["namespace", "name"]
    yield "job", _told(workloads.filter(kind="Job"), text, name, workload)
    yield "workload", _told(workloads.exclude(kind="Job"), text, [*name, "kind"], workload)
    yield "node", _told(Node.objects.filter(snapshot=cluster), text, ["name"], node)
    if with_pods:
        yield "pod", _told(Pod.objects.filter(snapshot=cluster), text, name, pod)


def _told(rows: QuerySet[Any], text: str, fields: list[str], told: Callable[[Any], Found]) -> Iterator[Found]:
    return map(told, best_named(rows.defer("object"), text, fields)[: OF_EACH + 1])
