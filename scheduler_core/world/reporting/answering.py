"""What schedulers answer about pods and jobs that wait in the cluster as it is; nothing changes by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.schedulers.cause import Answered, Cause
from scheduler_core.schedulers.unasked import TEXTS
from scheduler_core.schedulers.unclocked import Described
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import name_of
from scheduler_core.world.controllers.lasting_refusals import LastingRefusals, Lasts


class Answering(ABC):
    """Answers about the pods of a cluster and the jobs of its schedulers. `seq` is the last decision."""

    @property
    @abstractmethod
    def cluster(self) -> ClusterState:
        """Nodes and pods as columns, to be read only."""

    @property
    @abstractmethod
    def schedulers(self) -> Sequence[Described]:
        """Who schedules, to be asked only."""

    def knows(self, pod: str) -> bool:
        """Return whether a pod, by uid, takes part."""
        return pod in self.cluster.pods.by_uid

    def why(self, pod: str) -> Answered:
        """Return why a pod, by uid, has no node after decision `seq`; change nothing.

        Raises KeyError for a pod that there is not, LookupError while a session is open.
        """
        return next(answered for _, answered in self.whys([pod]))

    def whys(self, pods: Iterable[str]) -> Iterator[tuple[str, Answered]]:
        """Yield the same of several pods, each as soon as it is known, those of a scheduler together."""
        state = self.cluster
        serving = {name: one for one in self.schedulers for name in one.row().profiles}
        asked: dict[str, list[int]] = {}
        for uid in pods:
            row = state.pods.by_uid[uid]
            asked.setdefault(state.pods.infos[row].scheduler_name, []).append(row)
        for name, rows in asked.items():
            uids = [state.pods.infos[row].uid for row in rows]
            scheduler = serving.get(name)
            if scheduler is None:
                reason = TEXTS.scheduler.format(scheduler=name)
                unserved = Answered(Cause("unserved", nodes=len(state.nodes), reason=reason))
                yield from ((uid, unserved) for uid in uids)
                continue
            for uid, answered in zip(uids, scheduler.whys(rows), strict=True):
                yield uid, answered.by(scheduler.name)

    def whys_of_jobs(self, jobs: Collection[str]) -> Iterator[tuple[str, Answered]]:
        """Yield why jobs wait after decision `seq`, named as their pod groups (`namespace/name`).

        They need not have pods; those that no scheduler knows are left out. Raises LookupError as `why`.
        """
        for scheduler in self.schedulers:
            for job, answered in scheduler.whys_of_jobs(jobs):
                yield job, answered.by(scheduler.name)

    def devices_on(self, pod: str, node: str) -> DevicesTried | None:
        """Return what comes of each device of a node for the claims of a pod, by uid; change nothing.

        None where its scheduler gives no devices, or the node needs none for it. Raises KeyError for what is
        not there.
        """
        state = self.cluster
        row, place = state.pods.by_uid[pod], state.nodes.index[node]
        name = state.pods.infos[row].scheduler_name
        serving = (one for one in self.schedulers if name in one.row().profiles)
        found = next(serving, None)
        return None if found is None else found.devices_on(row, place)

    def why_in_session(self, asked: str, steps: int) -> Answered:
        """Return why a pod (its uid) or a job (`namespace/name`) waits so many steps into a session.

        Nothing changes. The session is that which decision `seq` has opened. Raises LookupError where it has
        opened none, or one of another scheduler than the pod's; KeyError for what is not there.
        """
        pods = self.cluster.pods
        row = None if "/" in asked else pods.by_uid[asked]
        for scheduler in self.schedulers:
            serves = row is None or pods.infos[row].scheduler_name in scheduler.row().profiles
            if scheduler.in_session and serves:
                answered = scheduler.why_in_session(asked if row is None else row, steps)
                return answered.by(scheduler.name)
        raise LookupError("no session has just opened")

    def lasting_refusals(self, pods: Iterable[str]) -> dict[str, tuple[list[str], Lasts]]:
        """Return of pods, by uid, which budgets cover them, and for how long these refuse their evictions."""
        state = self.cluster
        lasting, rows = LastingRefusals(state), {uid: state.pods.by_uid[uid] for uid in pods}
        covered = {uid: covering(state, state.pods.infos[row]) for uid, row in rows.items()}
        return {uid: (list(map(name_of, some)), lasting.lasts(some)) for uid, some in covered.items()}

    def queue_shares(self) -> dict[str, Any]:
        """Return the rows of queues, by name, with the figures that sessions would begin with after `seq`.

        Changes nothing. Raises LookupError while a session is open.
        """
        return {name: row for one in self.schedulers for name, row in one.shares().items()}
