"""How many more fit, as an answer: the first shape in a sentence, then shapes by pools."""

from __future__ import annotations

from dashboard.answers.answer import Answer, Column, Table, Verdict
from dashboard.answers.cards_lacking import in_short
from dashboard.answers.changes import of_workloads, workload
from dashboard.answers.rests_on import about
from dashboard.answers.sentence import Name, Sentence, Text, Words, amount, number, sentence, strong
from dashboard.answers.why import why
from dashboard.answers.why_words import words_of, words_of_held
from scheduler_core.objects.kinds import RESOURCE_CLAIM_TEMPLATE
from scheduler_core.world.headroom.other_amounts import OtherAmounts
from scheduler_core.world.headroom.results import Headroom, PoolRoom, Room, Stopping

_LISTED = 6
_LEFT_OUT = "Other pods that wait take no part: they may need some of this room."
_IN_SESSIONS = "Other pods that wait take part: their scheduler decides about all together, in sessions."
_BOTH = (
    "Other pods that wait take part where their scheduler decides in sessions. "
    "Where it has a queue they take none, and may need some of this room."
)
NOTHING = (
    "Nothing was counted, which says nothing about room: the import has no workload with pods to count more "
    "of (Deployments, ReplicaSets, StatefulSets, Jobs)."
)
"""Where nobody names a shape and there is none to begin with."""
_CLAIM_ALONE = (
    "One more of a ResourceClaimTemplate is a pod with this claim and without tolerations. "
    "So nodes with taints are closed to it, and devices with taints are passed over. "
    "Pods that tolerate these taints may fit there."
)
NOT_ASKED = "–"


def more_fit(found: Headroom, *, asked: bool) -> Answer:
    """Return the answer about all shapes, in their order; `asked`: whether a reader has named them."""
    if found.rooms:
        first = lead(found.rooms[0])
    else:
        first = sentence(
            "Nothing was counted."
            if found.untried
            else f"{NOTHING} Name a pod or a pod group, or write a shape."
        )
    trust = (
        [sentence(number(len(found.untried), "shape was,shapes were"), " not counted.")]
        if found.untried
        else []
    )
    if any(one.ended_by == "stopped" for one in found.rooms):
        trust.append(sentence("Somebody ended it: of the last shape more may fit."))
    if any(one.fit or one.evicting for one in found.rooms):
        trust.append(sentence(_others(found)))
    if any(_is_claim_alone(one) for one in found.rooms):
        trust.append(sentence(_CLAIM_ALONE))
    if found.rooms:
        trust += about(found.rests_on)
    tables = [_table(found.rooms)] if found.rooms else []
    return Answer(_verdict(found) if asked else "nothing_asked", first, tables=tables, trust=trust)


def _others(found: Headroom) -> str:
    """Return whether other pods that wait take part."""
    if found.in_sessions:
        return _BOTH if found.in_queues else _IN_SESSIONS
    return _LEFT_OUT


def _verdict(found: Headroom) -> Verdict:
    """Return whether at least one more of each shape fits in free room."""
    fit = [room.fit > 0 for room in found.rooms]
    if found.untried or (not all(fit) and any(room.ended_by == "stopped" for room in found.rooms)):
        return "unsure"
    if all(fit):
        return "fits"
    return "partly" if any(fit) or any(room.evicting for room in found.rooms) else "not"


def lead(room: Room) -> Sentence:
    """Return how many more of one shape fit, and what stops the next one."""
    said = sentence(strong(_count(room)), " of ", shape(room.shape), _fit(room), ".")
    if room.evicting:
        said = sentence(said, " ", number(room.evicting), " more would, by evicting others.")
    if room.held_up:
        said = sentence(said, " With them ", number(room.held_up, "other pod keeps,other pods keep"))
        said = sentence(said, " waiting that would find a node otherwise.")
    if room.cause is None or (room.cause.kind == "preempts" and room.evicting and not room.stops):
        return said
    if not room.stops:
        return sentence(said, " The next one: ", why(room.cause))
    return sentence(said, " What stops the next one: ", stops(room), ".")


def amounts_lead(found: OtherAmounts) -> Sentence:
    """Return what asking for less would give: of each resource the largest smaller amount that gives more."""
    said: Sentence = []
    for curve in found.curves:
        now = next((one.fit for one in curve.points if one.amount == curve.asked), 0)
        less = [one for one in curve.points if one.amount < curve.asked and one.fit > now]
        if less:
            best = less[-1]
            more = sentence(
                strong(f"{best.fit:,}{' or more' if best.or_more else ''}"), f" fit instead of {now:,}"
            )
            said = sentence(
                said, " " if said else "", "Asking for ", amount(best.amount, curve.resource), " instead of ",
                amount(curve.asked, curve.resource)[:1], ", ", more, ".",
            )  # fmt: skip
    return said or sentence("Asking for less cpu or memory alone lets no more fit.")


def _is_claim_alone(room: Room) -> bool:
    """Return whether one more is a made-up pod that has nothing but a claim of a template."""
    kind, _, _ = room.shape.partition("/")
    return kind.partition(".")[0] == RESOURCE_CLAIM_TEMPLATE.name


def _fit(room: Room) -> str:
    return " fits" if room.fit == 1 and room.ended_by == "first" else " fit"


def _count(room: Room) -> str:
    if not room.fit and room.ended_by == "first":
        return "No more"
    return f"{room.fit:,} more" if room.ended_by == "first" else f"{room.fit:,} or more"


def shape(name: str) -> Name | Text:
    """Return the name of a shape: that of a workload, or what somebody calls it."""
    return workload(name) if name.count("/") >= 2 else Text(name)


def stops(room: Room) -> Sentence:
    """Return what stops the next one, by nodes: "cpu on 29 nodes, a taint on 6"."""
    said: Sentence = []
    for place, one in enumerate(room.stops[:_LISTED]):
        said = sentence(said, ", " if place else "", stop(one, room), " on ", number(one.nodes, "node"))
    more = sum(one.nodes for one in room.stops[_LISTED:])
    return sentence(said, ", something else on ", number(more, "node")) if more else said


def stop(one: Stopping, room: Room) -> Sentence:
    """Return what stops the next one on some nodes, without their number."""
    if one.lack is not None:
        return sentence(in_short(one.lack))
    if one.resource:
        return sentence("the pod limit" if one.resource == "pods" else Name("resource", one.resource))
    cause = room.cause
    held = () if cause is None else cause.held
    found = next((each for each in held if (each.plugin, each.reason) == (one.plugin, one.reason)), None)
    if cause is not None and cause.kind == "pre_filter" and found is not None and len(found.reasons) == 1:
        return [Words(next(iter(found.reasons)))]
    words = words_of_held(found).title if found is not None else one.plugin
    return sentence(words[:1].lower() + words[1:])


def _table(rooms: list[Room]) -> Table:
    pools = list(dict.fromkeys(one.pool for room in rooms for one in room.pools))
    columns = [
        Column("shape", "one more of"),
        *(Column(f"pool {pool}".strip(), pool or "no pool", number=True) for pool in pools),
        Column("fit", "fit in all", number=True),
        Column("evicting", "by evicting", number=True),
        Column("evicted", "would be evicted"),
        Column("stops", "what stops the next one"),
    ]
    return Table("shapes", "How many more fit", columns, [_row(room, pools) for room in rooms])


def _row(room: Room, pools: list[str]) -> list[Sentence]:
    by_pool = {one.pool: one for one in room.pools}
    stopped = stops(room) if room.stops else []
    if not stopped and room.cause is not None:
        stopped = sentence(words_of(room.cause).title)
    beside = [*room.devices, *(["no tolerations"] if _is_claim_alone(room) else [])]
    return [
        sentence(shape(room.shape), f" ({', '.join(beside)})" if beside else ""),
        *(_in_pool(by_pool[pool], room) if pool in by_pool else [] for pool in pools),
        sentence(number(room.fit), "" if room.ended_by == "first" else " or more"),
        sentence(number(room.evicting)) if room.evicting else [],
        of_workloads(room.evicted),
        stopped,
    ]


def _in_pool(one: PoolRoom, room: Room) -> Sentence:
    if one.closed:
        return sentence("closed")
    if not one.fit and room.ended_by != "first":  # no more were tried than fit elsewhere
        return sentence(NOT_ASKED)
    return sentence(number(one.fit, "pod" if room.size > 1 else ""))
