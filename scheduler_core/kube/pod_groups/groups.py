"""The pod groups of a cluster, with their members.

Source: kubernetes v1.36 plugins/gangscheduling PreEnqueue, Permit; backend/cache podGroupState.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.gates import GroupGates
from scheduler_core.kube.pod_groups.listed_nodes import ListedNodes
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.sampling import next_start
from scheduler_core.objects.identity import name_of
from scheduler_core.objects.kinds import POD_GROUP, PRIORITY_CLASS, kind_of
from scheduler_core.objects.pod_groups import GroupKey, PodGroup, group_named_by, key_of
from scheduler_core.objects.types import convert
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo
from scheduler_core.state.register import Register

PLUGIN = "GangScheduling"
SCHEDULED = "PodGroupScheduled"
WHOLE = "PodGroup"
"""The disruption mode of groups that go and stay as one."""


def group_of(pod: PodInfo) -> GroupKey | None:
    """Return the group that a pod names, None for a pod of none."""
    return group_named_by(pod.pod)


def has_group(pod: PodInfo) -> bool:
    """Return whether a pod names a group."""
    return group_of(pod) is not None


Classes = Mapping[str, int]
"""The priorities of PriorityClasses by name; that of the global default under an empty one."""


def classes_in(objects: Iterable[dict[str, Any]]) -> Classes:
    """Return the priorities of the PriorityClasses among objects."""
    classes: dict[str, int] = {}
    for item in objects:
        if kind_of(item) == PRIORITY_CLASS:
            classes[name_of(item)] = int(item.get("value") or 0)
            if item.get("globalDefault"):
                classes[""] = int(item.get("value") or 0)
    return classes


def groups_in(objects: Iterable[dict[str, Any]]) -> list[PodGroup]:
    """Return the groups among objects."""
    return [convert(item, PodGroup) for item in objects if kind_of(item) == POD_GROUP]


def _with_priority(group: PodGroup, classes: Classes) -> PodGroup:
    """Return a group with its priority: its own, or that of its class.

    Source: kubernetes v1.36 plugin/pkg/admission/priority, which fills it in when a group is created.
    """
    if group.spec.priority is not None:
        return group
    priority = classes.get(group.spec.priority_class_name or "", 0)
    return replace(group, spec=replace(group.spec, priority=priority))


Attempt = Callable[[Profile, ClusterState, PodInfo, IntArray | None, int], AttemptResult]
"""Decides about a member, on all nodes or on these; the search begins there where not all are scored."""


def _attempt(
    profile: Profile, state: ClusterState, pod: PodInfo, within: IntArray | None, start: int
) -> AttemptResult:
    return attempt_pod(profile, state, pod, start=start, within=within)


class Condition(msgspec.Struct, frozen=True):
    """PodGroupScheduled, as kube-scheduler writes it."""

    status: str
    reason: str
    message: str = ""


class Groups:
    """The groups by key. `conditions` say how each was scheduled, as kube-scheduler writes it.

    `attempt` decides about a member; a group that `tells` has each try by name. `loses_nominations`: members
    hold no room for each other where they are nominated, since the queue doesn't know pods in flight.
    """

    attempt: Attempt = staticmethod(_attempt)
    tells = loses_nominations = False
    search_from = 0
    """Where the next search for feasible nodes begins, within a cycle."""
    listed: ListedNodes
    """As the last cycle began."""

    def __init__(
        self,
        state: ClusterState,
        groups: Iterable[PodGroup],
        gates: GroupGates,
        classes: Classes = MappingProxyType({}),
    ) -> None:
        self.state = state
        self.gates = gates
        self._classes = classes
        self.known: Register[GroupKey, PodGroup] = Register(
            state.journal,
            ((key_of(one), _with_priority(one, classes)) for one in groups),
            read=lambda value: value if isinstance(value, PodGroup) else convert(value, PodGroup),
        )
        self.conditions: Register[GroupKey, Condition] = Register(
            state.journal,
            (
                (key, Condition(condition.status, condition.reason))
                for key, one in self.by_key.items()
                for condition in one.status.conditions or ()
                if condition.type == SCHEDULED
            ),
            read=lambda value: value if isinstance(value, Condition) else msgspec.convert(value, Condition),
        )
        self.away: set[int] = set()
        """Pods that are taken away for a while to see whether a group would fit without them."""
        self._rows: dict[GroupKey, list[int]] = {}
        self._counted: list[str] = []

    @property
    def by_key(self) -> Mapping[GroupKey, PodGroup]:
        """The groups that there are."""
        return self.known.values

    def come(self, group: PodGroup) -> PodGroup | None:
        """Let a group come or have a new version; return the one before."""
        key = key_of(group)
        before = self.known.get(key)
        self.known.put(key, _with_priority(group, self._classes))
        return before

    def go(self, group: PodGroup) -> None:
        """Let a group go, by its name; its condition goes with it."""
        key = key_of(group)
        for register in (self.known, self.conditions):
            if key in register.values:
                register.drop(key)

    def of(self, pod: PodInfo) -> PodGroup | None:
        """Return the group object of a pod, None where it has none or there is none."""
        key = group_of(pod)
        return None if key is None else self.by_key.get(key)

    def members(self, key: GroupKey) -> list[int]:
        """Return the pods of a group that there are."""
        infos, gone = self.state.pods.infos, self.state.gone.values
        counted = len(self._counted)
        if counted and (len(infos) < counted or infos[counted - 1].uid != self._counted[-1]):
            self._rows, self._counted, counted = {}, [], 0  # some were taken back
        for info in infos[counted:]:
            self._counted.append(info.uid)
            if (group := group_of(info)) is not None:
                self._rows.setdefault(group, []).append(info.row)
        return [pod for pod in self._rows.get(key, ()) if pod not in gone]

    def placed(self, key: GroupKey) -> list[int]:
        """Return the members that have a node, for good or for now."""
        return [pod for pod in self.members(key) if self.state.node_of(pod)]

    def pre_enqueue(self, pod: PodInfo) -> Status | None:
        """Return the rejection of a pod whose group isn't there, or is too small; None for any other."""
        key = group_of(pod)
        if key is None or not self.gates.gangs:
            return None
        group = self.by_key.get(key)
        if group is None:
            reason = f'waiting for pods\'s pod group "{key[1]}" to appear in scheduling queue'
            return Status(PLUGIN, UNRESOLVABLE, [reason])
        gang = group.spec.scheduling_policy.gang
        if gang is not None and len(self.members(key)) < gang.min_count:
            reason = "waiting for minCount pods from a gang to appear in scheduling queue"
            return Status(PLUGIN, UNRESOLVABLE, [reason])
        return None

    def try_member(self, profile: Profile, pod: int, within: IntArray | None) -> AttemptResult:
        """Decide about a member; the next one is looked for where this search ended."""
        state = self.state
        result = self.attempt(profile, state, state.pods.infos[pod], within, self.search_from)
        nodes = len(state.nodes) if within is None else len(within)
        self.search_from = next_start(self.search_from, result.searched, nodes)
        return result

    def permits(self, key: GroupKey) -> bool:
        """Return whether Permit lets members be bound now, or they wait for more."""
        group = self.by_key.get(key)
        gang = None if group is None else group.spec.scheduling_policy.gang
        if not self.gates.gangs or gang is None:
            return True
        away = sum(pod in self.away for pod in self.members(key)) if self.away else 0
        return len(self.placed(key)) + away >= gang.min_count

    def note(self, key: GroupKey, status: str, reason: str, message: str) -> None:
        """Write the condition; once true it stays so."""
        if key not in self.by_key:
            return
        known = self.conditions.get(key)
        if known is not None and known.status == "True" and status != "True":
            return
        self.conditions.put(key, Condition(status, reason, message))


def topology_key_of(group: PodGroup | None) -> str | None:
    """Return the key of the first topology constraint, None without one."""
    constraints = None if group is None else group.spec.scheduling_constraints
    return constraints.topology[0].key if constraints is not None and constraints.topology else None
