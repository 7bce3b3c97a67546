"""Why a pod waits, as a sentence: result first, then the one number or name that decides."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.answers.cards_lacking import lacking
from dashboard.answers.printers.words import numbered
from dashboard.answers.sentence import (
    Measure,
    Name,
    Names,
    Number,
    Place,
    Sentence,
    Text,
    Words,
    amount,
    first_reasons,
    number,
    sentence,
    strong,
)
from dashboard.answers.why_words import DEVICES, resource_of, unplayed
from scheduler_core.events.sums import Sum
from scheduler_core.schedulers.cause import Cause, Held

_NAMED = 2


def why(cause: Cause, snapshot: int | None = None, others: int = 0) -> Sentence:
    """Return why a pod waits; `others` are as many that wait for the same.

    snapshot: the primary key of that in which nodes are named, where they are to lead anywhere.
    """
    said = sentence(_said(cause, Place(snapshot=snapshot)), ".")
    if others == 1:
        return sentence(said, " The other waits for the same.")
    if others:
        return sentence(said, " The other ", number(others), " wait for the same.")
    return said


def _said(cause: Cause, at: Place) -> Sentence:
    match cause.kind:
        case "fits":
            return _would_fit(cause, at)
        case "preempts":
            return _would_evict(cause, at)
        case "nodes":
            return _no_node(cause, at)
        case "pre_filter":
            return _nowhere(cause)
        case "gated":
            what = "a claim" if cause.plugin == DEVICES else "its gates"
            what = "its pod group" if cause.of_group else what
            return sentence(strong(f"Waits for {what}"), ": ", Words(cause.reason))
        case "unserved":
            return sentence(strong("No scheduler decides about it"), ": ", cause.reason)
        case "ignored":
            return sentence(strong("No session looks at it"), ": ", cause.reason)
        case "refused":
            said = sentence(strong("Its job may not enter its queue"))
            return sentence(said, ": ", _sum_of(cause)) if cause.sums or cause.plugin else said
        case "queue":
            return _queue(cause)
        case "gang":
            return _gang(cause, at)
        case "unbound":
            said = sentence(strong("Is given a node and not bound"), ": ", node(cause.chosen, at))
            return sentence(said, "; ", cause.reason)
        case "not_created":
            return sentence(strong("Is not created"), ": ", Words(cause.reason))
        case "error" if what := unplayed(cause):
            return sentence(strong("What its scheduler would decide is not modelled"), ": ", Words(what))
        case "error":
            return sentence(strong("Its scheduler ends with an error"), ": ", Words(cause.message))
        case _:
            return sentence(strong("Not tried"), ": ", cause.reason)


def node(name: str, at: Place) -> Name:
    """Return the name of a node, which leads to it where `at` says in what."""
    return Name("node", name, at=at if at.snapshot is not None else None)


# -- nodes -------------------------------------------------------------------------------------------


def _would_fit(cause: Cause, at: Place) -> Sentence:
    if not cause.chosen:
        return sentence(strong("Would be placed now"))
    said = sentence(strong("Would be placed now"), " on ", node(cause.chosen, at))
    if cause.reason and not cause.held:
        return sentence(said, ": ", cause.reason)
    if cause.fits and cause.held:
        of_all = sentence(number(cause.fits), " of ", number(cause.nodes, "node"))
        return sentence(said, ": ", of_all, " fits" if cause.fits == 1 else " fit")
    return said


def _would_evict(cause: Cause, at: Place) -> Sentence:
    victims = cause.evicting.victims if cause.evicting is not None else 0
    where = cause.evicting.node if cause.evicting is not None else cause.chosen
    said = sentence(
        strong("Would be placed by evicting"), " ", number(victims, "pod"), " on ", node(where, at)
    )
    if cause.gang is None or cause.gang.pods < 2:
        return said
    return sentence(said, ", for one of the ", number(cause.gang.pods, "pod"), " of its job")


def _no_node(cause: Cause, at: Place) -> Sentence:
    if not cause.nodes:
        return sentence("Fits nowhere: ", strong("the cluster has no nodes"))
    none = strong(f"none of {cause.nodes:,} {'node' if cause.nodes == 1 else 'nodes'}")
    return sentence("Fits on ", none, ": ", binds(cause.held, at, cause.nodes))


def binds(against: Sequence[Held], at: Place, nodes: int) -> Sentence:
    """Return what binds of all that stands against the pod, and the nearest of the nodes that it holds.

    nodes: how many the cluster has. What cards lack is told of all nodes that are refused for it.
    Where nothing alone keeps the pod from a node, amounts that are short too stand behind it. Where no node
    has as much as it asks for, something else may be all that keeps it from others.
    """
    held = against[0]
    if held.lacks:
        said = lacking(held, nodes)
        only = next((one for one in against[1:] if one.alone and not one.lacks), None)
        return sentence(said, "; ", _only(only)) if only else said
    if held.alone:
        said = [*_only(held), *_nearest(held, at)]
        others = (one for one in against[1:] if one.alone and not is_too_large(one))
        if is_too_large(held) and (other := next(others, None)):
            said = sentence(said, "; ", _only(other))
        return said
    said = sentence("no single change is enough; ", number(held.nodes), " ")
    said = sentence(said, _against(held, held.nodes, alone=False))
    amounts = (
        [one for one in against[1:] if resource_of(one) not in ("", "pods")] if resource_of(held) else []
    )
    for one in amounts[:_NAMED]:
        said = sentence(said, ", ", number(one.nodes), " ", resource_of(one))
    return said


def _only(held: Held) -> Sentence:
    """Return on how many nodes nothing else stands against the pod: "177 lack only cpu"."""
    return sentence(number(held.alone), " ", _against(held, held.alone, alone=True))


def _against(held: Held, count: int, *, alone: bool) -> Sentence:
    """Return the part of a sentence behind "177": lack only cpu."""
    one, only = count == 1, "only " if alone else ""
    resource = resource_of(held)
    if resource == "pods":
        return sentence("has" if one else "have", f" {only}as many pods as may be there")
    if resource:
        return sentence("lacks " if one else "lack ", only, resource)
    match held.plugin:
        case _ if is_cordon(held):
            return sentence("is " if one else "are ", only, "cordoned")
        case "TaintToleration" | "PodToleratesNodeTaints":
            found = _particulars(held)
            taint = "a taint that it does not tolerate"
            return sentence("has " if one else "have ", only, taint, ", " if found else "", found)
        case "NodeAffinity" | "MatchNodeSelector":
            found = _particulars(held)
            wanted = "what its node selector or affinity asks for"
            label = sentence("the label ", found) if found else wanted
            return sentence("lacks " if one else "lack ", only, label)
    if held.cards and held.plugin == DEVICES:
        lack = "lacks " if one else "lack "
        return sentence(lack, only, "devices for the claims: ", devices(held))
    if held.cards:
        return sentence("has " if one else "have ", only, "too few cards that would do: ", _cards(held))
    reasons = _reasons(held)
    by = sentence(" by ", held.plugin, " alone" if alone else "")
    return sentence("is refused" if one else "are refused", by, ": " if reasons else "", reasons)


def _reasons(held: Held) -> Sentence:
    """Return a plugin's words, and of several on how many nodes each stands, most nodes first."""
    found = sorted(held.reasons.items(), key=lambda one: (-one[1], one[0]))
    if len(found) < 2:
        return [Words(reason) for reason, _ in found]
    return first_reasons(
        [(sentence(Words(reason), " on ", number(nodes, "node")), nodes) for reason, nodes in found]
    )


def _particulars(held: Held) -> Sentence:
    """Return the taints or labels that it is about, most nodes first."""
    found = list(held.particulars)
    named = [Name("resource", text) for text in found[:_NAMED]]
    return [Names(named, len(found) - len(named))] if named else []


def _cards(held: Held) -> Sentence:
    said: Sentence = []
    for reason, count in held.cards.items():
        said = sentence(said, ", " if said else "", [Words(reason)], " on ", number(count, "card"))
    return said


def devices(held: Held) -> Sentence:
    """Return why most devices were passed over, and on how many nodes they were looked at.

    Devices that nobody selects are named only where there are no others.
    """
    unselected = [reason for reason in held.cards if reason.startswith("not ")]
    others = [reason for reason in held.cards if not reason.startswith(("not ", "in a pool"))]
    counts = {reason: count for reason, count in held.cards.items() if not others or reason not in unselected}
    told = list(counts.items())
    said: Sentence = []
    for reason, count in told[:_NAMED]:
        said = sentence(said, ", " if said else "", number(count), " ", reason)
    return sentence(said, "; counted on the nearest ", number(held.looked_at, "node"))


def _nearest(held: Held, at: Place) -> Sentence:
    figure, several = held.figure, held.alone > 1
    if figure is None:
        return [] if several else sentence(", ", node(held.node, at))
    if figure.what == "pods":
        return []
    if is_too_large(held) and not held.largest:
        return sentence("; ", strong("no open node has any"))
    if is_too_large(held):
        asks, most = _short(figure.asked, figure.what), _short(held.largest or 0, figure.what)
        return sentence(
            "; it is ", strong("larger than any open node"), ": asks ", asks, ", the largest has ", most
        )
    near = ", the nearest, " if several else ", "
    return sentence(near, node(held.node, at), ", by ", _short(figure.asked - figure.free, figure.what))


def is_cordon(held: Held) -> bool:
    """Return whether it is that nodes are cordoned."""
    return held.plugin in ("NodeUnschedulable", "CheckNodeUnschedulable")


def is_about_node(cause: Cause) -> bool:
    """Return whether a cause names the nearest node, and what is short there."""
    return cause.kind in ("nodes", "gang") and bool(cause.held) and cause.held[0].alone > 0


def is_too_large(held: Held) -> bool:
    """Return whether no open node has as much in all as the pod asks for."""
    figure = held.figure
    if figure is None or held.largest is None or figure.what == "pods":
        return False
    return figure.asked > held.largest


def _short(value: float, resource: str) -> Sentence:
    """Return an amount without its resource, which stands before it."""
    return amount(value, resource)[:1]


def shortfall(held: Held) -> Sentence:
    """Return what is short on the nearest node: `560m short`, or that no node is large enough."""
    figure = held.figure
    if figure is None:
        return _particulars(held)
    if is_too_large(held) and not held.largest:
        return sentence(strong("no open node has any"))
    if is_too_large(held):
        return sentence(strong("larger than any open node"))
    if figure.what == "pods":
        return sentence(strong("no more pods"))
    return sentence(_short(figure.asked - figure.free, figure.what), " short")


def _nowhere(cause: Cause) -> Sentence:
    said = sentence(strong("Can't be placed on any node"), ": ", Words(cause.reason))
    alone = cause.held[0].alone if cause.held else 0
    if alone:
        said = sentence(
            said, "; ", number(alone), " of ", number(cause.nodes, "node"), " would fit without that"
        )
    return said


# -- jobs --------------------------------------------------------------------------------------------


def _gang(cause: Cause, at: Place) -> Sentence:
    gang, whole = cause.gang, "pod group" if cause.of_group else "job"
    if gang is None or not cause.held:
        head = f"Its {whole} {'fits nowhere together' if cause.plugin else 'has too few pods'}"
        return sentence(strong(head), ": ", Words(cause.reason))
    counts, of_task = (gang, "") if gang.task is None else (gang.task, f" of task {gang.task.job}")
    short = strong(f"Its {whole} is short by {max(counts.needed - counts.placed, 1):,}")
    placed = sentence(number(counts.placed), " of ", number(counts.pods, "pod"), of_task, " found a node")
    said = sentence(short, ": ", placed, ", ", number(counts.needed), " are needed")
    return sentence(said, "; for ", gang.missing, ", ", binds(cause.held, at, cause.nodes))


def _queue(cause: Cause) -> Sentence:
    queue = sentence("Queue ", Name("queue", cause.queue))
    if not cause.sums:
        return sentence(queue, " takes nothing in", f": {cause.reason}" if cause.reason else "")
    first, deserves = cause.sums[0], cause.plugin == "proportion"
    if first.held < first.allowed:
        head = strong("would go over its share" if deserves else "would go over its limit")
    else:
        head = strong("has its share" if deserves else "is at its limit")
    limit = "deserves" if deserves else "may hold"
    allowed = sentence(f": it {limit} ", amount(first.allowed, first.resource))
    held = sentence(" and holds ", _amount(first.held, first))
    if cause.gang is not None and cause.gang.placed:
        own = number(cause.gang.placed, "other pod")
        held = sentence(held, " with ", own, " of its job, which needs ", number(cause.gang.needed, "pod"))
    return sentence(queue, " ", head, allowed, held, "; the pod asks for ", _amount(first.asked, first))


def _sum_of(cause: Cause) -> Sentence:
    """Return what is added up by who keeps a job out of its queue."""
    if not cause.sums:
        return sentence(cause.reason or f"{cause.plugin} refuses it")
    first = cause.sums[0]
    of_queue = sentence("queue ", Name("queue", cause.queue))
    who = sentence(cause.plugin) if cause.plugin == "overcommit" else of_queue
    allowed = sentence(who, " allows ", amount(first.allowed, first.resource))
    taken = sentence(_amount(first.held, first), " held, ", _amount(first.promised, first), " promised")
    return sentence(
        allowed, ", ", taken, "; it asks for ", _amount(first.asked, first), ", ", too_much(first)
    )


def too_much(one: Sum) -> Text:
    """Return by how much a sum is more than is allowed: `8 too many`."""
    return strong(f"{numbered(_amount(excess(one), one))} too {'many' if not one.unit else 'much'}")


def excess(one: Sum) -> float:
    """Return by how much a sum is more than is allowed, in the log's units."""
    return one.held + one.promised + one.asked - one.allowed


def _amount(value: float, one: Sum) -> Number:
    measures: dict[str, Measure] = {"m": "milli-CPU", "bytes": "bytes"}
    return Number(round(value, 3), measure=measures.get(one.unit, ""))


def nothing_lower(cause: Cause) -> Sentence:
    """Return what preemption came to where it helps nobody; nothing where nobody asked."""
    found = cause.evicting
    if found is None or found.eligible is None or cause.kind != "nodes":
        return []
    if not found.eligible:
        return sentence("Evicting was not tried: ", Words(found.reason or "the pod is not eligible"))
    if not found.looked_at:
        return sentence("Evicting would not help on any node")
    helped = sentence(number(found.candidates), " of ", number(found.looked_at, "node"))
    return sentence("Evicting pods of lower priority helps on ", helped)
