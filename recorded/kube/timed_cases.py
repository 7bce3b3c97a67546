"""Recorded plays of kube-scheduler in virtual time: attempts, moves between the parts of the queue.

Source: docs/verification.md, the family `timed`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recorded.kube.cycles import cycle_of
from recorded.kube.group_rows import condition_row, cycle_row, group_row, in_sum
from recorded.kube.moves import in_seconds, recorded_move
from scheduler_core.kube.attempt_by_node import in_full
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import Gates, GroupGates, read_gates
from scheduler_core.kube.look import Looked
from scheduler_core.kube.pod_groups.groups import Groups, groups_in
from scheduler_core.kube.pod_groups.members import MemberLook
from scheduler_core.kube.pod_groups.timed_scheduler import TimedGroupScheduler
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import Backoff, backoff_of
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.kube.release import Release
from scheduler_core.kube.sampling import ALL_NODES
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.timed_scheduler import Begun, TimedScheduler
from scheduler_core.objects.kinds import POD, kind_named, kind_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.types import convert
from scheduler_core.schedulers.names import BASE
from scheduler_core.state.build import build_state
from scheduler_core.world.beginning import RECORDED_EPOCH
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.clocked.timed_world import TimedWorld
from scheduler_core.world.timeline_entry import Entry

_MILLISECOND = 10**6
_EARLY = "SchedulerPopFromBackoffQ"


def play(case: Mapping[str, Any], release: Release = V1_36) -> dict[str, Any]:
    """Play a case to its end. Raises BadInput where it cannot be played."""
    gates = read_gates({name: on for name, on in (case.get("gates") or {}).items() if name != _EARLY})
    if gates.pod_groups.groups:
        return _GroupPlayer(case, release, gates.pod_groups).play()
    return _Player(case, release).play()


class _Player:
    """A timed world, and what is written down of it."""

    def __init__(self, case: Mapping[str, Any], release: Release) -> None:
        early = (case.get("gates") or {}).get(_EARLY)
        config, items = case.get("config"), case["cluster"]["items"]
        timeline = [_entry(entry) for entry in case["timeline"]]
        wanted = [entry["add"] for entry in case["timeline"] if "add" in entry]
        self._state = build_state(items, release.accounting, more=wanted, with_claims=True).state
        cluster = Cluster(self._state, RECORDED_EPOCH)
        profiles = build_profiles(
            config, percentage_of_nodes_to_score=ALL_NODES, gates=self._gates_of(release), release=release
        )
        backoff = backoff_of(config, release.queueing, pops_early=early)
        scheduler = self._make(profiles, Settings(keeping=Keeping(since=1)), backoff, release, items)
        self._scheduler, self._cluster = scheduler, cluster
        driver = case["driver"]
        self._world = TimedWorld(
            cluster, [scheduler], timeline, _instant(driver["attempt"]), _instant(driver["until"])
        )
        self._world.hooks.watch = lambda looked, _: self._begin(looked, scheduler)
        cluster.start()
        self._cycles: list[dict[str, Any]] = []
        self._moves: list[dict[str, Any]] = []

    def _gates_of(self, release: Release) -> Gates:
        return release.gates

    def _make(
        self,
        profiles: Mapping[str, Profile],
        settings: Settings,
        backoff: Backoff,
        release: Release,
        items: Sequence[dict[str, Any]],
    ) -> TimedScheduler:
        return TimedScheduler(BASE, self._state, profiles, settings, backoff, release)

    def play(self) -> dict[str, Any]:
        """Play to the end."""
        while (happening := self._world.step()) is not None:
            self._note(happening.report)
            if happening.kind == "end":
                self._end(happening)
        told = {"cycles": self._cycles, "moves": self._moves}  # what is empty is not written down
        return {**{name: rows for name, rows in told.items() if rows}, "final": self._final()}

    def _begin(self, looked: Looked, scheduler: TimedScheduler) -> None:
        waiting = scheduler.queue.next()
        assert waiting is not None
        cycle = cycle_of(in_full(self._state, looked))
        self._cycles.append(cycle | {"at": in_seconds(self._cluster.now), "from": waiting.part})

    def _end(self, happening: Happening) -> None:
        begun = happening.begun
        assert begun is not None
        cycle = self._cycles[-1]
        if begun.outcome == "scheduled":
            return
        rejected_by = self._rejected_by(begun)
        if rejected_by:
            cycle["rejected_by"] = rejected_by
        cycle["nominated_after"] = self._nominated_after(begun)
        if begun.outcome == "nominated":
            cycle["preemption"]["cleared"] = self._keys_of_those_there(begun.cleared)

    def _rejected_by(self, begun: Begun) -> list[str]:
        queued = self._scheduler.queue.tables.pods.get(begun.uid)
        return begun.plugins if queued is None else sorted(queued.rejecters)

    def _keys_of_those_there(self, pods: list[int]) -> list[str]:
        return [self._state.pods.infos[pod].key for pod in pods if pod not in self._state.gone.values]

    def _nominated_after(self, begun: Begun) -> str:
        pod = begun.pod
        return "" if pod in self._state.gone.values else self._state.nominated[pod]

    def _note(self, report: Report | None) -> None:
        for move in report.moves if report is not None else ():
            if not move.is_of_attempt:
                self._moves.append(recorded_move(move, self._cluster.now))

    def _tried(self) -> Iterator[str]:
        for cycle in self._cycles:
            yield cycle["pod"]

    def _final(self) -> dict[str, Any]:
        infos, queue = self._state.pods.infos, self._scheduler.queue
        placed = {}
        for key in self._tried():
            pod = self._cluster.by_key.get(key)
            node = infos[pod].pod.spec.node_name if pod is not None else ""
            if node:
                placed[key] = node
        nominated = {key: node for node, keys in queue.nominator.of_nodes().items() for key in keys}
        return {
            "placed": placed,
            "pending": {queued.key: queued.part for queued in queue.tables.pods.values()},
            "nominated": nominated,
            "counts": {
                queued.key: {
                    "attempts": queued.attempts,
                    "rejections": queued.rejections,
                    "errors": queued.errors,
                }
                for queued in queue.tables.pods.values()
            },
            "terminated": [
                {"at": in_seconds(at), "pod": infos[pod].key, "why": why}
                for pod, (at, why) in self._cluster.ended.values.items()
            ],
        }


class _GroupPlayer(_Player):
    """Pods of pod groups are tried together."""

    def __init__(self, case: Mapping[str, Any], release: Release, gates: GroupGates) -> None:
        self._gates = gates
        super().__init__(case, release)

    def _gates_of(self, release: Release) -> Gates:
        return replace(release.gates, pod_groups=self._gates)

    def _make(
        self,
        profiles: Mapping[str, Profile],
        settings: Settings,
        backoff: Backoff,
        release: Release,
        items: Sequence[dict[str, Any]],
    ) -> TimedScheduler:
        groups = Groups(self._state, groups_in(items), self._gates)
        groups.tells = True
        self._groups = groups
        return TimedGroupScheduler(BASE, self._state, profiles, settings, backoff, groups, rests=False)

    def _begin(self, looked: Looked, scheduler: TimedScheduler) -> None:
        if not isinstance(looked, MemberLook):
            super()._begin(looked, scheduler)
        elif looked.place == 0:
            turn, waiting = looked.turn, scheduler.queue.next()
            assert waiting is not None
            row = cycle_row(self._state, looked.pod, 0)
            row |= {"at": in_seconds(self._cluster.now), "from": waiting.part}
            victims = [self._state.pods.infos[pod].key for some in turn.victims.values() for pod in some]
            row["group"] = group_row(self._state, turn.cycle) | {"victims": victims, "outcomes": []}
            self._cycles.append(row)

    def _end(self, happening: Happening) -> None:
        begun, cycle = happening.begun, self._cycles[-1]
        assert begun is not None
        if "group" not in cycle:
            super()._end(happening)
            return
        group, outcome = cycle["group"], self._outcome(begun)
        group["outcomes"].append(outcome)
        namespace, _, name = group["name"].partition("/")
        group["condition"] = condition_row(self._groups, (namespace, name))
        cycle["result"] = in_sum([one["result"] for one in group["outcomes"]])

    def _outcome(self, begun: Begun) -> dict[str, Any]:
        row: dict[str, Any] = {"pod": self._state.pods.infos[begun.pod].key, "result": begun.outcome}
        if begun.outcome == "scheduled":
            return row | {"chosen": begun.node, "message": None, "nominated_after": ""}
        there = begun.pod not in self._state.gone.values
        rejected_by = self._rejected_by(begun) if there else []
        row |= {"rejected_by": rejected_by} if rejected_by else {}
        row |= {"attempt": begun.attempt, "chosen": None, "message": begun.message}
        return row | {"nominated_after": self._nominated_after(begun)}

    def _tried(self) -> Iterator[str]:
        for cycle in self._cycles:
            group = cycle.get("group")
            yield from [cycle["pod"]] if group is None else [one["pod"] for one in group["outcomes"]]


def _entry(entry: Mapping[str, Any]) -> Entry:
    at = _instant(entry["at"])
    if "finish" in entry:
        return Entry(at, "finish", POD, entry["finish"])
    if "delete" in entry:
        kind, _, key = entry["delete"].partition(" ")
        return Entry(at, "delete", kind_named(kind), key)
    document = entry.get("add") or entry["update"]
    metadata, kind = document["metadata"], kind_of(document)
    if kind not in WATCHED:
        raise BadInput([Problem("case", "timeline", f"no scheduler watches {kind}")])
    namespace = metadata.get("namespace") or ("default" if kind == POD else "")
    key = f"{namespace}/{metadata['name']}" if namespace else metadata["name"]
    return Entry(at, "put" if "add" in entry else "update", kind, key, convert(document, WATCHED[kind]))


def _instant(seconds: float) -> int:
    return int(seconds * 1000 + 0.5) * _MILLISECOND
