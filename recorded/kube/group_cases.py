"""The family gangs: pods of PodGroups, with the gates of pod groups on.

Who is popped takes along all members of its group that aren't gated. Who got a node is bound at once, in
order; victims are deleted; if there were any, everybody without a node enters the queue again.

Source: the driver of the recorded cases, docs/verification.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recorded.kube.cycles import cycle_of
from recorded.kube.group_rows import condition_row, cycle_row, group_row, in_sum, without_cleared
from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.attempt_by_node import in_full
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import Gates, GroupGates, read_gates
from scheduler_core.kube.look import Gated, Looked
from scheduler_core.kube.pod_groups.cycle import run_cycle
from scheduler_core.kube.pod_groups.groups import Groups, group_of
from scheduler_core.kube.pod_groups.outcomes import (
    Outcome,
    cleared_by,
    note_condition,
    outcomes_of,
    own_victims,
    victims_of_group,
)
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.sampling import ALL_NODES, next_start
from scheduler_core.objects.kinds import POD_GROUP, kind_of
from scheduler_core.objects.pod_groups import GroupKey, PodGroup
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.types import convert
from scheduler_core.state.build import build_state
from scheduler_core.world.beginning import RECORDED_EPOCH

MOST_ATTEMPTS = 10
_SECOND = 10**9
Object = dict[str, Any]


def gates_of(gates: Mapping[str, Any]) -> GroupGates | None:
    """Return what a case's gates say of pod groups, None where these are off."""
    known = read_gates(gates).pod_groups
    return known if known.groups else None


def play(case: Mapping[str, Any], gates: GroupGates) -> Object:
    """Return the cycles of a case. Raises BadInput where it cannot be run."""
    return {"cycles": _Play(case, gates).run()}


@dataclass
class _Queue:
    """Who waits: by priority, then by the latest entry. `first` has the entry that counts for members."""

    ready: dict[int, int] = field(default_factory=dict)
    parked: list[int] = field(default_factory=list)
    first: dict[int, int] = field(default_factory=dict)
    entries: int = 0

    def enter(self, pod: int) -> None:
        """Let a pod enter, at the end of its priority."""
        self.entries += 1
        self.first.setdefault(pod, self.entries)
        self.ready[pod] = self.entries


class _Play:
    def __init__(self, case: Mapping[str, Any], gates: GroupGates) -> None:
        items = case["cluster"]["items"]
        built = build_state(items, V1_36.accounting, with_claims=True)
        self.state = built.state
        self.profiles = build_profiles(
            case.get("config"), percentage_of_nodes_to_score=ALL_NODES, gates=Gates(pod_groups=gates)
        )
        groups = [convert(item, PodGroup) for item in items if kind_of(item) == POD_GROUP]
        self.groups = Groups(self.state, groups, gates)
        self.groups.tells = True
        self.queue = _Queue()
        self.attempts: dict[int, int] = {}
        self.binds = 0
        self.search_from = 0
        self.cycles: list[Object] = []
        pending = {self.state.pods.infos[pod].key: pod for pod in built.pending}
        for pod in built.pending:
            self._take_over_nomination(pod)
        self.schedule = [self._pending(pending, key) for key in case.get("schedule") or ()]

    def _take_over_nomination(self, pod: int) -> None:
        """Note where a pod is nominated; it holds room there unless a gate keeps it out of the queue."""
        info = self.state.pods.infos[pod]
        nominated = info.pod.status.nominated_node_name
        if not nominated:
            return
        if info.scheduler_name in self.profiles and self._pre_enqueue(pod) is None:
            self.state.nominate(pod, nominated)
        else:
            self.state.note_nomination(pod, nominated)

    def _pending(self, pending: Mapping[str, int], key: str) -> int:
        if key not in pending or self.state.pods.infos[pending[key]].scheduler_name not in self.profiles:
            raise BadInput([Problem("case", "schedule", f"no pending pod {key}, or no profile for it")])
        return pending[key]

    def run(self) -> list[Object]:
        for pod in self.schedule:
            rejected = self._pre_enqueue(pod)
            if rejected is None:
                self.queue.enter(pod)
            else:
                self.cycles.append(cycle_of(in_full(self.state, Gated(pod, rejected))))
        while self.queue.ready:
            pod = min(self.queue.ready, key=self._rank)
            self.attempts[pod] = self.attempts.get(pod, 0) + 1
            key = group_of(self.state.pods.infos[pod])
            self.cycles.append(self._single(pod) if key is None else self._group(pod, key))
            if self.attempts[pod] >= MOST_ATTEMPTS:
                break
        return self.cycles

    def _rank(self, pod: int) -> tuple[int, int]:
        return -self.state.pods.infos[pod].priority, self.queue.ready[pod]

    def _pre_enqueue(self, pod: int) -> Status | None:
        info = self.state.pods.infos[pod]
        for plugin in self._profile(pod).pre_enqueue:
            status: Status | None = plugin.pre_enqueue(info, self.state.device_claims)
            if status is not None:
                return status
        return self.groups.pre_enqueue(info)

    def _profile(self, pod: int) -> Profile:
        return self.profiles[self.state.pods.infos[pod].scheduler_name]

    # -- one pod ---------------------------------------------------------------------------------------

    def _single(self, pod: int) -> Object:
        del self.queue.ready[pod]
        before = self.state.nominated[pod]
        result = attempt_pod(
            self._profile(pod), self.state, self.state.pods.infos[pod], start=self.search_from
        )
        self.search_from = next_start(self.search_from, result.searched, len(self.state.nodes))
        cycle = without_cleared(
            cycle_of(in_full(self.state, Looked(pod, self.attempts[pod], before, result)))
        )
        chosen = None if result.chosen is None else self.state.nodes.names[result.chosen]
        outcome = Outcome(pod, result.outcome, chosen, result.message, result.nominate)
        preemption = result.preemption
        victims = list(dict.fromkeys(preemption.victims)) if preemption else []
        self._carry_out([outcome], victims, preemption.cleared if preemption else [])
        cycle["nominated_after"] = self.state.nominated[pod]
        return cycle

    # -- a group ---------------------------------------------------------------------------------------

    def _group(self, popped: int, key: GroupKey) -> Object:
        members = [
            pod
            for pod in self.groups.members(key)
            if pod == popped or pod in self.queue.ready or pod in self.queue.parked
        ]
        members.sort(key=lambda pod: (-self.state.pods.infos[pod].priority, self.queue.first[pod]))
        for pod in members:
            self.queue.ready.pop(pod, None)
        self.queue.parked = [pod for pod in self.queue.parked if pod not in members]
        found = run_cycle(self._profile(popped), self.groups, key, members, self.search_from)
        self.search_from = found.search_from
        row = cycle_row(self.state, popped, self.attempts[popped])
        group = group_row(self.state, found)
        victims = list(dict.fromkeys([pod for some in own_victims(found).values() for pod in some]))
        victims += [pod for pod in victims_of_group(self.groups, found) if pod not in victims]
        outcomes = outcomes_of(self.groups, found, victims)
        note_condition(self.groups, key, found)
        self._carry_out(outcomes, victims, cleared_by(found))
        group["victims"] = [self.state.pods.infos[pod].key for pod in victims]
        group["condition"] = condition_row(self.groups, key)
        group["outcomes"] = [self._outcome_row(outcome, evicts=bool(victims)) for outcome in outcomes]
        row["result"] = in_sum([one["result"] for one in group["outcomes"]])
        return {**row, "group": group}

    def _outcome_row(self, outcome: Outcome, *, evicts: bool) -> Object:
        """Describe an outcome; a nomination from before, which stays while others are evicted, counts."""
        nominated = self.state.nominated[outcome.pod]
        stays = bool(nominated) and evicts and outcome.result == "unschedulable"
        return {
            "pod": self.state.pods.infos[outcome.pod].key,
            "result": "nominated" if stays else outcome.result,
            "chosen": outcome.chosen,
            "message": outcome.message,
            "nominated_after": nominated,
        }

    # -- what follows ----------------------------------------------------------------------------------

    def _carry_out(self, outcomes: Sequence[Outcome], victims: Sequence[int], cleared: Sequence[int]) -> None:
        state = self.state
        for outcome in outcomes:
            if outcome.result == "scheduled":
                assert outcome.chosen is not None
                self.binds += 1
                self._nominate(outcome.pod, "")
                state.bind(
                    outcome.pod, state.nodes.index[outcome.chosen], RECORDED_EPOCH + self.binds * _SECOND
                )
            elif outcome.nominated is not None:
                self._nominate(outcome.pod, outcome.nominated)
        for pod in victims:
            state.evict(pod)
        for pod in cleared:
            self._nominate(pod, "")
        for outcome in outcomes:
            if outcome.result == "scheduled":
                continue
            if victims:
                self.queue.enter(outcome.pod)
            else:
                self.queue.parked.append(outcome.pod)
        if victims:
            for pod in self.queue.parked:
                self.queue.enter(pod)
            self.queue.parked = []
        state.forget_journal()

    def _nominate(self, pod: int, node: str) -> None:
        if self.state.nominated[pod] != node:
            self.state.nominate(pod, node)
