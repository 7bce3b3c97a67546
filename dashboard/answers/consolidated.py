"""A consolidation in sentences: how many nodes can be given back, what that saves, what keeps the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dashboard.answers.answer import Answer, Column, Table, Verdict
from dashboard.answers.changes import workload
from dashboard.answers.rests_on import about
from dashboard.answers.sentence import (
    Name,
    Names,
    Place,
    Sentence,
    amount,
    number,
    sentence,
    strong,
)
from dashboard.answers.why import binds, why
from dashboard.natural_order import natural_key
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.consolidation.prices import MILLION
from scheduler_core.world.consolidation.results import Consolidation, Freed, KeptNode, Obstacle
from scheduler_core.world.reporting.room import Shortage

HOURS = 730
"""Hours of a month, as cloud providers count them."""
TITLES: dict[Obstacle, str] = {
    "control_plane": "part of the control plane",
    "ending": "a pod in deletion",
    "no_controller": "a pod without a controller",
    "local_storage": "local storage",
    "budgets": "a pod of several budgets",
    "budget": "a budget",
    "no_place": "a pod that fits nowhere else",
    "no_room": "pods that find no room together",
    "evicts": "a pod that fits only by evicting others",
    "not_copied": "a pod of which nobody makes a copy",
}


def answer_of(found: Consolidation, snapshot: int) -> Answer:
    """Return the answer about a consolidation of a snapshot, by its primary key."""
    none: Verdict = "unsure" if found.untried else "not"
    verdict: Verdict = none if not found.freed else "partly" if found.kept or found.untried else "fits"
    tables = [_freed(found, snapshot), _kept(found, snapshot)]
    return Answer(
        verdict,
        lead(found),
        tables=[table for table in tables if table.rows],
        trust=[under(found), *trust(found)],
    )


def lead(found: Consolidation) -> Sentence:
    """Return the sentence that a reader came for, and of how many nodes it says nothing."""
    if not found.freed:
        if not found.kept and found.untried:
            return sentence(strong("No node"), " of ", number(found.looked_at), " was tried.")
        said = sentence(strong("No node"), *_of_tried(found), " can be given back")
        if not found.kept:
            return sentence(said, ": none was tried.")
        kind, count = Counter(one.obstacle for one in found.kept).most_common(1)[0]
        return sentence(said, ". What keeps most: ", TITLES[kind], ", on ", number(count, "node"), ".")
    said = sentence(
        strong(f"{len(found.freed):,} of "), number(found.looked_at, "node", strong=True),
        strong(" can be given back"), ", one after the other: ", saves(found.amounts, found.cards),
    )  # fmt: skip
    if found.priced:
        said = sentence(said, ", ", strong(f"{money(found.price * HOURS)} a month"))
    left = sentence(" ", number(len(found.untried), "other was,others were"), " not tried.")
    return sentence(said, ".", left if found.untried else [])


def _of_tried(found: Consolidation) -> Sentence:
    """Return of how many nodes something is known."""
    if not found.untried:
        return sentence(" of ", number(found.looked_at))
    tried = found.looked_at - len(found.untried)
    return sentence(" of the ", number(tried), " tried of ", number(found.looked_at))


def saves(amounts: Mapping[str, int], cards: Mapping[str, int]) -> Sentence:
    """Return amounts of several resources: cpu, memory, then devices; slots with the number of `cards`."""
    said: Sentence = []
    for place, (resource, value) in enumerate(sorted(amounts.items(), key=lambda one: ("/" in one[0], one))):
        said = sentence(said, ", " if place else "", _saved(value, resource, cards.get(resource)))
    return said


def _saved(value: int, resource: str, cards: int | None) -> Sentence:
    if cards is None:
        return amount(value, resource)
    slots = number(value, "vGPU slot" if "gpu" in resource else "slot")
    return sentence(number(cards, "card"), " (", slots, " of ", Name("resource", resource), ")")


def money(millionths: int) -> str:
    """Return a price as it was given: in whatever money."""
    return f"{millionths / MILLION:,.2f}"


def under(found: Consolidation) -> Sentence:
    """Return what stands below the sentence: what moves for it, and that nobody more waits."""
    if not found.freed:
        if not found.pending:
            return sentence("No pod is left that waits for a node.")
        return sentence(number(found.pending, "pod waits,pods wait"), " for a node either way.")
    said = sentence(number(found.moved, "eviction"), " in ", number(found.steps, "step"))
    if found.priced:
        said = sentence(said, f"; {money(found.price)} an hour less")
    return sentence(said, f"; nobody more waits for a node ({found.pending:,} either way).")


def trust(found: Consolidation) -> list[Sentence]:
    """Return how the order was chosen, and what it leaves open."""
    first = "the dearest" if found.priced else "the largest"
    said = [
        sentence(
            f"Tried in a fixed order: {first} node first, of equal ones that with the fewest pods. "
            "Another order may free more: this is no proven optimum."
        ),
        sentence(
            "Each step was played: its nodes are cordoned together and drained in order. "
            "The scheduler itself placed every pod, and no pod of another node had to move."
        ),
        sentence(
            "Pods go one after the other, as their budgets let them: each copy is taken to become Ready. "
            "Pods of DaemonSets and static pods go with their node."
        ),
    ]
    if found.placed:
        pods = number(found.placed, "pod that waited was,pods that waited were")
        placed = sentence(pods, " given a node first, as their scheduler does it")
        gone = sentence("; ", number(found.evicted, "pod"), " evicted for that") if found.evicted else []
        said.append(sentence(placed, gone, "."))
    if found.priced < found.looked_at and found.priced:
        unpriced = number(found.looked_at - found.priced, "node")
        back = number(found.unpriced)
        said.append(sentence("No price is given for ", unpriced, "; ", back, " of them can be given back."))
    if found.prices and not found.priced:
        label = "label" if found.prices == 1 else "labels"
        said.append(
            sentence("None of these nodes has the ", label, " of ", number(found.prices, "price"), ".")
        )
    if found.local_storage:
        said.append(sentence("The data of emptyDir volumes is lost (kubectl: --delete-emptydir-data)."))
    if found.untried:
        why_not = "Somebody ended it" if found.ended_by == "stopped" else "The time was over"
        said.append(sentence(why_not, ": ", number(len(found.untried), "node was,nodes were"), " not tried."))
    return [*said, *about(found.rests_on)]


def _node(name: str, snapshot: int) -> Sentence:
    return sentence(Name("node", name, at=Place(snapshot=snapshot)))


def _freed(found: Consolidation, snapshot: int) -> Table:
    resources = sorted(found.amounts, key=lambda one: ("/" in one, one))
    columns = [
        Column("order", "order", number=True), Column("node", "node"), Column("pool", "pool"),
        Column("step", "step", number=True), Column("pods", "pods that move", number=True),
    ]  # fmt: skip
    for resource in resources:
        counts_slots = resource in found.cards
        columns += [Column(f"cards {resource}", "cards", number=True)] if counts_slots else []
        columns.append(Column(resource, f"{resource} slots" if counts_slots else resource, number=True))
    if found.priced:
        columns += [Column("hour", "price an hour", number=True), Column("so_far", "so far", number=True)]
    rows: list[list[Sentence]] = []
    so_far = 0
    for order, one in enumerate(found.freed, start=1):
        so_far += one.price or 0
        row = [
            sentence(number(order)), _node(one.node, snapshot), sentence(one.pool),
            sentence(number(one.step)), sentence(number(one.pods)),
            *(part for name in resources for part in _given_back(one, name, found.cards)),
        ]  # fmt: skip
        if found.priced:
            row += [[] if one.price is None else sentence(money(one.price)), sentence(money(so_far))]
        rows.append(row)
    return Table("freed", "Nodes to give back, in order", columns, rows)


def _given_back(one: Freed, resource: str, slots: Mapping[str, int]) -> list[Sentence]:
    """Return the cells of a resource: of one that counts slots, the cards before them."""
    value = amount(one.amounts[resource], resource)[:1] if resource in one.amounts else []
    if resource not in slots:
        return [value]
    return [sentence(number(one.cards[resource])) if resource in one.cards else [], value]


def _kept(found: Consolidation, snapshot: int) -> Table:
    columns = [
        Column("node", "node"), Column("pool", "pool"), Column("obstacle", "what keeps it"),
        Column("says", "which, and why"),
    ]  # fmt: skip
    counts = Counter(one.obstacle for one in found.kept)
    kept = sorted(found.kept, key=lambda one: (-counts[one.obstacle], one.obstacle, natural_key(one.node)))
    rows = [
        [_node(one.node, snapshot), sentence(one.pool), sentence(TITLES[one.obstacle]), keeps(one)]
        for one in kept
    ]
    return Table("kept", "Nodes that stay", columns, rows)


def keeps(one: KeptNode) -> Sentence:
    """Return what keeps a node, with names."""
    pod = _pod(one)
    more = sentence(" and ", number(one.others), " more") if one.others else []
    budgets = sentence(Names([_named("budget", name) for name in one.budgets]))
    match one.obstacle:
        case "control_plane":
            return sentence("its labels name the role of a control plane")
        case "ending":
            return sentence(pod, more, ": in deletion; what takes its place is not there yet")
        case "no_controller":
            return sentence(pod, more, ": kubectl asks for --force, and it would not come back")
        case "local_storage":
            return sentence(pod, more, ": kubectl asks for --delete-emptydir-data")
        case "budgets":
            return sentence(budgets, " cover ", pod, more, ": the eviction API refuses that")
        case "budget":
            ever = " never lets it go" if one.lasts == "ever" else " allows no eviction now"
            return sentence(pod, more, ": ", budgets, ever)
        case "no_room" if one.short is not None:
            return _short(one.short, one.beside)
        case "evicts":
            return sentence(pod, " would have ", _named("pod", one.evicts), " evicted")
        case "not_copied":
            return sentence(pod, " would not come back")
    if not one.pod:
        return sentence("more pods would wait")
    return _nowhere(one, one.cause) if one.cause is not None else sentence(pod, " finds no node")


def _short(short: Shortage, beside: int) -> Sentence:
    """Return what pods ask for that the nodes have not which would take one of them."""
    of = sentence(", with those of ", number(beside, "node"), " given back before it,") if beside else []
    if short.each:
        size = amount(short.each, short.resource)
        asks = sentence(number(short.asked), " of its pods", of, " ask for ", size, " or more each; ")
        return sentence(asks, "there is room for ", number(short.free), " of that size elsewhere")
    asked, free = amount(short.asked, short.resource), amount(short.free, short.resource)
    return sentence("its pods", of, " ask for ", asked, "; ", free, " are free where one of them could go")


def _nowhere(one: KeptNode, cause: Cause) -> Sentence:
    """Return why a pod finds no node among those that stay."""
    if cause.kind != "nodes":
        return sentence(_pod(one), ": ", why(cause))
    if not cause.held:
        return sentence(_pod(one), " finds no node" if cause.nodes else " has no other node left")
    others = number(cause.nodes, "other node")
    return sentence(_pod(one), " fits on none of ", others, ": ", binds(cause.held, Place(), cause.nodes))


def _pod(one: KeptNode) -> Sentence:
    if not one.pod:
        return []
    return sentence(_named("pod", one.pod), sentence(" of ", workload(one.workload)) if one.workload else [])


def _named(kind: str, key: str) -> Name:
    namespace, _, name = key.partition("/")
    return Name("budget" if kind == "budget" else "pod", name, namespace)
