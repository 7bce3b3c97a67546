"""What every kube-scheduler does around an attempt, whether or not a clock moves.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go (nextStartNodeIndex, Reserve).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.events.state import ActorRow
from scheduler_core.kube.attempt import attempt_pod, fitting
from scheduler_core.kube.attempt_by_node import in_full
from scheduler_core.kube.attempt_explanation import Seen
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.equivalence.cache import Keeping, Kept
from scheduler_core.kube.equivalence.comparing import require_same
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.extender import Extender
from scheduler_core.kube.extenders.http_extender import HttpExtender
from scheduler_core.kube.extenders.panel import Panel
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.framework import Cycle, NotModelled
from scheduler_core.kube.look import Gated, Look, Looked
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.sampling import next_start
from scheduler_core.kube.tie_breaking import Lots, drawn, first
from scheduler_core.kube.unplayed_gates import unplayed
from scheduler_core.kube.why import devices_on, why
from scheduler_core.objects.types import Pod
from scheduler_core.schedulers.cause import Answered
from scheduler_core.schedulers.kind import nominated_in_status
from scheduler_core.schedulers.unclocked import Basis
from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.pods import PodInfo
from scheduler_core.state.register import Register

Object = dict[str, Any]
AttemptFunction = Callable[[Profile, ClusterState, PodInfo, Lots, int], AttemptResult]


def over_http(extender: ExtenderSettings, exchanges: Exchanges) -> Extender:
    """Return an extender that answers over HTTP, or did when the log was written."""
    return HttpExtender(extender, exchanges)


NEWEST_RELEASE = "1.37"
"""Of the kube-scheduler that is played where no other is asked for."""
BESIDE_OTHERS = "1.36"
"""Of the kube-scheduler in HAMi, and of one beside HAMi or Volcano, where no other is asked for."""


@dataclass(frozen=True)
class Settings:
    """What differs between versions and runs: all as in 1.36 unless an older release says otherwise.

    `release` is that of Kubernetes. `attempt` decides about one pod, `nomination_of` reads where a snapshot
    nominates it, `by_priority` orders the queue; a pod's attempt number `attempt_limit` is the last
    of the run; `seed` draws among equals.
    `extender_of` says who answers for an extender; answers from outside go through `exchanges`.
    `keeping` says how answers are kept, where `attempt` is that of 1.36. `feature_gates` are those that are
    set, by name.
    """

    engine: str = "kube-1.36"
    release: str = BESIDE_OTHERS
    attempt: AttemptFunction = attempt_pod
    nomination_of: Callable[[Pod], str] = nominated_in_status
    by_priority: bool = True
    attempt_limit: int = 10
    seed: int | None = None
    exchanges: Exchanges = field(default_factory=Exchanges)
    keeping: Keeping = field(default_factory=Keeping)
    extender_of: Callable[[ExtenderSettings, Exchanges], Extender] = over_http
    feature_gates: Mapping[str, bool] = field(default_factory=dict)


class Attempts(Checkpointed):
    """A scheduler's attempts. `profiles` are its profiles by the scheduler name that pods ask for."""

    remembered = {"search": "_search", "plugins": "_plugins"}

    binds_at_once = True
    """Whether a pod is bound where its attempt ends."""
    plays_groups: ClassVar[bool] = False
    """Whether pods of a pod group are tried together."""

    def __init__(
        self, name: str, state: ClusterState, profiles: Mapping[str, Profile], settings: Settings
    ) -> None:
        self.name = name
        self.state = state
        self.profiles = profiles
        self.settings = settings
        self._search: Register[str, int] = Register(state.journal, {"from": 0}.items())
        self._plugins = ByName(self._reserving)
        self.kept = Kept(state, settings.keeping) if settings.attempt is attempt_pod else None
        self.watch: Callable[[int, int], None] | None = None
        """Is told of each decision beforehand, by pod and turn; it may look and must change nothing."""
        for profile in profiles.values():
            profile.siblings = frozenset(profiles)
            profile.panel = self._panel(profile)

    def _panel(self, profile: Profile) -> Panel:
        exchanges = self.settings.exchanges
        extenders = [self.settings.extender_of(each, exchanges) for each in profile.extenders]
        return Panel(extenders, exchanges, self.binds_at_once, profile.skips_binders)

    def row(self) -> ActorRow:
        """Return what the log says of this scheduler."""
        return ActorRow(self.name, self.settings.engine, sorted(self.profiles))

    def is_ours(self, pod: int) -> bool:
        """Return whether one of the profiles schedules the pod."""
        return self.state.pods.infos[pod].scheduler_name in self.profiles

    @property
    def _turn(self) -> int:
        """The number of the next draw among equals."""
        raise NotImplementedError

    def decide(self, pod: int, turn: int) -> AttemptResult:
        """Decide about a pod and change nothing; `turn` is the number of the draw among equals.

        Raises KeptDiffers where what was kept is found to be wrong.
        """
        if self.watch is not None:
            self.watch(pod, turn)
        info = self.state.pods.infos[pod]
        result = self._decide_by_kept(info, turn)
        if result is None:
            return self._decide_plainly(info, turn)
        if self.kept is not None and self.kept.is_to_be_checked:
            require_same(result, self._decide_plainly(info, turn))
        return result

    def in_full(self, look: Look) -> Look:
        """Return what was looked at as the plugins say it, where it came of kept answers.

        Raises KeptDiffers where the two are not the same.
        """
        if isinstance(look, Gated) or look.result.known is None:
            return look
        result = self._decide_plainly(look.result.cycle.pod, self._turn)
        require_same(look.result, result)
        return replace(look, result=result)

    def noted(self, look: Look) -> Seen:
        """Return what there is to explain an attempt by; to be asked before it is carried out."""
        result = look.result if isinstance(look, Looked) else None
        return Seen(in_full(self.state, look), result, self.profiles)

    def _decide_by_kept(self, pod: PodInfo, turn: int) -> AttemptResult | None:
        """Decide by what is kept; None where the plugins are to be asked."""
        if self.kept is None:
            return None
        profile, start = self.profiles[pod.scheduler_name], self._search.values["from"]
        mark = self.state.mark()
        result = self.kept.attempt(profile, pod, self._lots(turn), start)
        noted = self.state.journal.take_back(mark)
        if result is not None:
            result.noted = noted
        return result

    def _decide_plainly(self, pod: PodInfo, turn: int) -> AttemptResult:
        """Decide by the plugins alone, whatever is kept."""
        return self.decide_by(self.profiles, self.state, pod.row, turn)

    def decide_by(
        self, profiles: Mapping[str, Profile], state: ClusterState, pod: int, turn: int
    ) -> AttemptResult:
        """Decide by the plugins of these profiles, on a cluster that has the same rows; change nothing."""
        info, start = state.pods.infos[pod], self._search.values["from"]
        mark = state.mark()
        try:
            profile = profiles[info.scheduler_name]
            result = self.settings.attempt(profile, state, info, self._lots(turn), start)
        except NotModelled as error:
            return AttemptResult(Cycle(state, info), "error", message=f"not modelled: {error.what}")
        result.noted = state.journal.take_back(mark)
        return result

    def fits(self, pod: int) -> BoolArray:
        """Return on which nodes the pod fits with nobody evicted, shape (nodes,); change nothing.

        Extenders are not asked.
        """
        info = self.state.pods.infos[pod]
        profile = self.profiles[info.scheduler_name]
        if self.kept is None:
            result = self.decide_by(self.profiles, self.state, pod, 0)
            return np.isin(self.state.nodes.all, result.feasible)
        fits = self.kept.fits(profile, info)
        return fitting(profile, self.state, info) if fits is None else fits

    def why(self, pod: int) -> Answered:
        """Return why a pod waits, as this scheduler would have it if it tried the pod now; change nothing."""
        info = self.state.pods.infos[pod]

        def decide(profile: Profile) -> AttemptResult:
            return self.decide_by({info.scheduler_name: profile}, self.state, pod, self._turn)

        return why(self.profiles[info.scheduler_name], self.state, info, decide)

    def devices_on(self, pod: int, node: int) -> DevicesTried | None:
        """Return what comes of each device of a node for a pod (rows); change nothing."""
        info = self.state.pods.infos[pod]
        return devices_on(self.profiles[info.scheduler_name], self.state, info, node)

    def carry_out_noted(self, result: AttemptResult) -> None:
        """Let extenders in process have noted what they noted when they answered."""
        for change in result.noted:
            self.state.journal.do(change)

    def _lots(self, turn: int) -> Lots:
        seed = self.settings.seed
        return first if seed is None else drawn(seed, turn)

    def search_on(self, result: AttemptResult) -> None:
        """Let the next search for feasible nodes begin where this one ended."""
        before = self._search.values["from"]
        start = next_start(before, result.searched, len(self.state.nodes))
        if start != before:
            self._search.put("from", start)

    def profile_of(self, result: AttemptResult) -> Profile:
        """Return the profile by which an attempt was decided."""
        return self.profiles[result.cycle.pod.scheduler_name]

    def reserve(self, result: AttemptResult) -> int:
        """Let the plugins take note of the chosen node, and return it."""
        assert result.chosen is not None
        for plugin in self.profile_of(result).reserving:
            plugin.reserve(result.cycle, result.chosen)
        return result.chosen

    # -- the trust line ------------------------------------------------------------------------------

    def basis(
        self, objects: Sequence[Object], everything: Sequence[Object], nodes: int, *, controlled: bool
    ) -> Basis:
        """Return what answers rest on: how many of so many nodes are looked at, and where searches end."""
        profiles, settings = self.profiles.values(), self.settings
        gates = unplayed(
            settings.feature_gates,
            settings.release,
            everything,
            clocked=not self.binds_at_once,
            groups=self.plays_groups,
        )
        return Basis(
            not_modelled=[*ends_of_search(profiles, nodes), *gates.told, *self._one_by_one()],
            without_effect=gates.without_effect,
            sampled=any(profile.samples(nodes) for profile in profiles),
            release=self.settings.release,
        )

    def _one_by_one(self) -> list[str]:
        """Return that pods of pod groups are tried one by one, where some wait and groups are not played."""
        infos, waiting = (
            self.state.pods.infos,
            np.flatnonzero(self.state.pod_node[: len(self.state.pods)] < 0),
        )
        mine = (pod for pod in waiting.tolist() if self.is_ours(pod))
        number = (
            0 if self.plays_groups else sum(infos[pod].pod.spec.scheduling_group is not None for pod in mine)
        )
        pods = "1 pod" if number == 1 else f"{number:,} pods"
        return [f"{pods} of pod groups, tried one by one: no gang waits to be whole"] if number else []

    # -- checkpoints ---------------------------------------------------------------------------------

    def _reserving(self) -> Iterator[tuple[str, Any]]:
        for name, profile in self.profiles.items():
            yield from ((f"{name}/{plugin.name}", plugin) for plugin in profile.reserving)


def ends_of_search(profiles: Iterable[Profile], nodes: int) -> list[str]:
    """Return whole phrases about candidates that the real scheduler's preemption would not look for."""
    plugins = [plugin for profile in profiles for plugin in profile.post_filters]
    sought = {
        plugin.candidates_looked_for(nodes) for plugin in plugins if isinstance(plugin, DefaultPreemption)
    }
    return [
        f"preemption's search, which ends at {number:,} candidates of {nodes:,} nodes, from a random one on"
        for number in sorted(sought)
        if number < nodes
    ]
