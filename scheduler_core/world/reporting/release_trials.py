"""Trials: the attempts of a run once more, under another release and under single differences of it.

While a run is played again, each attempt at certain pods is also decided by the other release on the very
same cluster. If that comes to something else, each part in which the releases differ is taken over alone, to
find those that change the decision by themselves. The run itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.dropped_fields import SIDECARS, DroppedField
from scheduler_core.kube.framework_releases.between import ReleaseChange
from scheduler_core.kube.framework_releases.exchanging import Exchange, exchanges
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.release import Release
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.kind import Config, Object
from scheduler_core.state.build import build_state
from scheduler_core.state.cluster import ClusterState

Read = Callable[[Sequence[DroppedField]], tuple[Sequence[Object], Sequence[Object]]]
"""Returns the objects of a run's start, and those that come later, without fields that are dropped."""


class NotTried(Exception):
    """A release can't be tried on a run; the message says why."""


class Came(NamedTuple):
    """What an attempt came to: its outcome, and the node that was chosen or nominated, or nothing."""

    outcome: str
    node: str


class _Decided(NamedTuple):
    """What an attempt came to, and the rows of the nodes that were equally good."""

    came: Came
    best: frozenset[int]


class Tried(NamedTuple):
    """An attempt that was tried under another release.

    came: in the run itself; other: under the other release. changes: the differences that change the
    decision alone. not_tried: differences that could not be tried, of an attempt that comes out otherwise.
    by_lot: whether the node of one release is among those between which the other one draws lots.
    """

    came: Came
    other: Came
    changes: tuple[ReleaseChange, ...] = ()
    not_tried: tuple[ReleaseChange, ...] = ()
    by_lot: bool = False

    @property
    def differs(self) -> bool:
        """Whether the other release decides otherwise on the same cluster."""
        return self.came != self.other


class _Way(NamedTuple):
    """How a release decides: by these profiles of each scheduler, on a cluster that it reads in its way.

    state: None where it reads the cluster as the run does.
    """

    profiles: Mapping[str, Mapping[str, Profile]]
    state: ClusterState | None = None


class _Step(NamedTuple):
    """A step of a part: the release that has it so, None where that can't be tried."""

    way: _Way | None
    changes: tuple[ReleaseChange, ...]


class ReleaseTrials:
    """The trials of a run, which is played by `schedulers`, under the releases `one` and, in trials, `other`.

    tried: the attempts at each pod that is watched, by its uid, in their order. number: of all of them.
    """

    def __init__(
        self,
        schedulers: Mapping[str, Attempts],
        configs: Mapping[str, Config],
        one: str,
        other: str,
        read: Read,
        *,
        builds: bool = True,
    ) -> None:
        """Take the schedulers and their configurations by name. Raises NotTried.

        `builds`: a cluster that a release reads in another way may be built anew, which takes as long and as
        much memory as the run's own.
        """
        self.tried: dict[str, list[Tried]] = {}
        self.number = 0
        self._schedulers, self._configs = schedulers, configs
        self._clusters = _Clusters(FRAMEWORK_RELEASES[one], read, schedulers, builds=builds)
        if any(profile.extenders for each in schedulers.values() for profile in each.profiles.values()):
            raise NotTried("its extenders are not asked again")
        self._run = _Way({name: scheduler.profiles for name, scheduler in schedulers.items()})
        self._other = self._way_of(FRAMEWORK_RELEASES[other])
        self._parts = [[self._step(each) for each in steps] for steps in exchanges(one, other)]

    def watch(self, pods: Collection[str]) -> None:
        """Try each attempt at the pods of these uids from now on, and at no others."""
        self.tried = {uid: [] for uid in pods}
        for name, scheduler in self._schedulers.items():
            scheduler.watch = partial(self._try, name) if pods else None

    def _way_of(self, release: Release) -> _Way:
        """Return how a release decides. Raises NotTried."""
        try:
            profiles = {
                name: build_profiles(self._configs[name], release=release, gates=release.gates)
                for name in self._schedulers
            }
        except BadInput as error:
            problem = error.problems[0]
            raise NotTried(f"it takes no such configuration: {problem.field} {problem.message}") from None
        for of_one in profiles.values():
            for profile in of_one.values():
                profile.siblings = frozenset(of_one)
        return _Way(profiles, self._clusters.of(release))

    def _step(self, exchange: Exchange) -> _Step:
        try:
            return _Step(self._way_of(exchange.release), exchange.changes)
        except NotTried:
            return _Step(None, exchange.changes)

    def _try(self, name: str, pod: int, turn: int) -> None:
        scheduler = self._schedulers[name]
        uid = scheduler.state.pods.infos[pod].uid
        if uid not in self.tried:
            return
        self.number += 1
        attempt = _Attempt(name, scheduler, pod, turn)
        (came, best), (other, best_of_other) = attempt.decided(self._run), attempt.decided(self._other)
        changes: list[ReleaseChange] = []
        not_tried: list[ReleaseChange] = []
        for steps in self._parts if came != other else ():
            if steps[-1].way is None:
                not_tried += [change for step in steps for change in step.changes]
            elif attempt.come_to(steps[-1].way) != came:
                changes += _deciding(attempt, came, steps)
        by_lot = came != other and attempt.is_among(came, best_of_other, other, best)
        self.tried[uid].append(Tried(came, other, tuple(changes), tuple(not_tried), by_lot))


def _deciding(attempt: _Attempt, came: Came, steps: Sequence[_Step]) -> list[ReleaseChange]:
    """Return which of a part's steps change what an attempt comes to."""
    found: list[ReleaseChange] = []
    before = came
    for step in steps:
        now = before if step.way is None else attempt.come_to(step.way)
        if now != before:
            found += step.changes
        before = now
    return found


class _Attempt:
    """An attempt that is about to be made, to be decided in several ways."""

    def __init__(self, name: str, scheduler: Attempts, pod: int, turn: int) -> None:
        self._name, self._scheduler, self._pod, self._turn = name, scheduler, pod, turn
        self._dump: dict[str, Any] | None = None
        self._loaded: set[int] = set()

    def come_to(self, way: _Way) -> Came:
        """Return what the attempt comes to. Changes nothing of the run."""
        return self.decided(way).came

    def decided(self, way: _Way) -> _Decided:
        """Return what the attempt comes to, and which nodes were equally good."""
        state = self._scheduler.state if way.state is None else self._as_now(way.state)
        result = self._scheduler.decide_by(way.profiles[self._name], state, self._pod, self._turn)
        best = result.best.tolist() if result.outcome == "scheduled" else ()
        return _Decided(Came(result.outcome, _node(result, state)), frozenset(best))

    def is_among(self, one: Came, of_other: frozenset[int], other: Came, of_one: frozenset[int]) -> bool:
        """Tell whether the node of one release is among the equally good ones of the other."""
        rows = self._scheduler.state.nodes.index
        return rows.get(one.node, -1) in of_other or rows.get(other.node, -1) in of_one

    def _as_now(self, state: ClusterState) -> ClusterState:
        """Bring a cluster of a trial to where the run's own is."""
        if id(state) not in self._loaded:
            if self._dump is None:
                self._dump = self._scheduler.state.dump()
            state.load(self._dump)
            self._loaded.add(id(state))
        return state


def _node(result: AttemptResult, state: ClusterState) -> str:
    return state.nodes.names[result.chosen] if result.chosen is not None else result.nominate or ""


class _Clusters:
    """A run's cluster as releases read it, one for all that read it alike."""

    def __init__(self, own: Release, read: Read, schedulers: Mapping[str, Attempts], *, builds: bool) -> None:
        self._own, self._read, self._schedulers, self._builds = own, read, schedulers, builds
        self._pods = [item for some in read(()) for item in some if kind_of(item) == POD]
        self._built: list[tuple[Release, ClusterState]] = []

    def of(self, release: Release) -> ClusterState | None:
        """Return the cluster, None where it is read as the run reads it. Raises NotTried."""
        if self._reads_alike(self._own, release):
            return None
        for other, state in self._built:
            if self._reads_alike(other, release):
                return state
        if not self._builds:
            raise NotTried("it reads the cluster in another way, and that is too large to be built anew")
        objects, later = self._read(release.drops)
        state = build_state(objects, release.accounting, more=later).state
        for name, scheduler in self._schedulers.items():
            if not scheduler.binds_at_once:
                state.join(name, scheduler.profiles)
        self._built.append((release, state))
        return state

    def _reads_alike(self, one: Release, other: Release) -> bool:
        """Tell whether no pod has anything that two releases count in another way."""
        fields = set(one.drops) ^ set(other.drops)
        if one.accounting != other.accounting:
            fields.add(SIDECARS)  # what accounting of the framework's releases differs in
        return not any(field.drop(pod) is not pod for field in fields for pod in self._pods)
