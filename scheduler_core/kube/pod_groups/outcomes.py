"""What becomes of a group's members and of others once its cycle is over.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go submitPodGroupAlgorithmResult.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.events.decisions import Outcome as Result
from scheduler_core.kube.message import as_event
from scheduler_core.kube.pod_groups.cycle import GroupCycle
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.kube.pod_groups.tries import MemberTry
from scheduler_core.objects.pod_groups import GroupKey


@dataclass
class Outcome:
    """What became of a member. `tried`: how it was tried where that counts, None if it was not.

    `nominated` is the node of the new nomination, None to leave it. `own`: it fits nowhere by itself, so that
    the plugins count that rejected it.
    """

    pod: int
    result: Result
    chosen: str | None = None
    message: str | None = None
    nominated: str | None = None
    tried: MemberTry | None = None
    own: bool = False


def outcomes_of(groups: Groups, cycle: GroupCycle, victims: Sequence[int]) -> list[Outcome]:
    """Return what becomes of the members, in their order; by name where not all were tried."""
    infos, places = groups.state.pods.infos, list(enumerate(cycle.pods))
    tried = cycle.placements[0].members if cycle.placements else ()
    if len(tried) < len(cycle.pods):
        places.sort(key=lambda one: infos[one[1]].key)
    found = [_outcome(cycle, place, pod) for place, pod in places]
    for outcome in found:
        if outcome.nominated and outcome.result != "scheduled" and victims:
            outcome.result = "nominated"
    return found


def _outcome(cycle: GroupCycle, place: int, pod: int) -> Outcome:
    chosen = cycle.chosen
    member = chosen.members[place] if place < len(chosen.members) else None
    if chosen.error:
        own = member.result.message if member and member.result.outcome == "error" else None
        own = own or (as_event(member.fault) if member and member.fault else None)
        return Outcome(pod, "error", None, own or as_event(chosen.error), "", member)
    if member is None:
        return Outcome(pod, "unschedulable", None, as_event(chosen.message))
    if member.fits and chosen.fits:
        return Outcome(pod, "scheduled", member.node, tried=member)
    permit = as_event(f"pod group is unschedulable, {member.permit_message}")
    if member.fits:
        if chosen.waits:
            return Outcome(pod, "unschedulable", None, as_event(chosen.message), member.node, member)
        return Outcome(pod, "unschedulable", None, permit, "", member)
    if member.needs_preemption and not chosen.waits:
        return Outcome(pod, "unschedulable", None, permit, "", member)
    result = member.result
    return Outcome(pod, "unschedulable", None, result.message, result.nominate, member, own=True)


def own_victims(cycle: GroupCycle) -> dict[int, list[int]]:
    """Return by member whom its own preemption evicts that no member before it does."""
    found: dict[int, list[int]] = {}
    known: set[int] = set()
    for placement in cycle.placements:
        for member in placement.members:
            preemption = member.result.preemption
            victims = [] if preemption is None else dict.fromkeys(preemption.victims)
            found.setdefault(member.pod, []).extend(pod for pod in victims if pod not in known)
            known.update(victims)
    return found


def victims_of_group(groups: Groups, cycle: GroupCycle) -> list[int]:
    """Return whom the preemption of the whole group evicts, by name; not who is on the way out already."""
    infos = groups.state.pods.infos
    victims = cycle.preemption.victims if cycle.preemption is not None else ()
    staying = (pod for pod in victims if infos[pod].pod.metadata.deletion_timestamp is None)
    return sorted(staying, key=lambda pod: infos[pod].key)


def cleared_by(cycle: GroupCycle) -> list[int]:
    """Return who loses a nomination to a member; members themselves do not."""
    members = [one for placement in cycle.placements for one in placement.members]
    own = [one.result.preemption for one in members if one.result.preemption is not None]
    cleared = dict.fromkeys(pod for preemption in own for pod in preemption.cleared)
    return [pod for pod in cleared if pod not in cycle.pods]


def note_condition(groups: Groups, key: GroupKey, cycle: GroupCycle) -> None:
    """Write into the group's status what came of it."""
    if cycle.chosen.fits:
        groups.note(key, "True", "Scheduled", "")
    elif cycle.chosen.error:
        groups.note(key, "False", "SchedulerError", cycle.chosen.error)
    else:
        groups.note(key, "False", "Unschedulable", cycle.chosen.message)
