"""The scheduling framework: what a plugin is, and what it sees of the cluster.

A plugin answers for all nodes at once. In PreFilter it looks at the incoming pod and computes a
`FilterState`; Filter then returns a code for each node asked about, 0 for "fits". A `View` is the cluster
as a filter sees it: the real one, or a trial in which each node, independently of all others, has pods
added or removed. Dry runs of preemption and nominated pods are such trials, over all nodes at once.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/framework, pkg/scheduler/framework/runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from scheduler_core.events.decisions import Code, Status
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.events.explanation import Figure
from scheduler_core.go.arithmetic import go_divide
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.predicates.slack import Slack
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.node_pods import add_requests
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo

MAX_NODE_SCORE = 100
UNSCHEDULABLE: Code = "Unschedulable"
UNRESOLVABLE: Code = "UnschedulableAndUnresolvable"
ERROR: Code = "Error"


class NotModelled(Exception):
    """The pod or the cluster uses something whose rule is not implemented; `what` is a whole phrase."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class PluginError(Exception):
    """An extension point ends with an error and not with an answer; `status` says whose and why."""

    def __init__(self, status: Status) -> None:
        super().__init__(*status.reasons)
        self.status = status


@dataclass(frozen=True)
class Skip:
    """PreFilter's or PreScore's answer of a plugin that has nothing to do with the pod."""


SKIP = Skip()


@dataclass(frozen=True)
class Rejected:
    """PreFilter's answer that rejects the pod for all nodes."""

    status: Status


@dataclass(frozen=True)
class NodeNames:
    """PreFilter's answer that leaves only nodes of these names, beside the plugin's FilterState."""

    state: FilterState
    names: frozenset[str]


PreFilterAnswer = FilterState | NodeNames | Rejected | Skip


@dataclass
class PreFiltered:
    """The outcome of PreFilter.

    `rejected` ends the attempt for all nodes; `names` are the nodes left over (None: all), `narrowed_by` the
    plugins that left nodes out, `blamed` those named with them in the message. `unprepared`: a plugin whose
    PreFilter did not run any more, without which this release can't take pods away.
    """

    rejected: Status | None = None
    names: frozenset[str] | None = None
    narrowed_by: list[str] = field(default_factory=list)
    blamed: set[str] = field(default_factory=set)
    unprepared: str = ""


@dataclass
class Cycle:
    """One attempt at one pod.

    By a plugin's name, `states` has what its PreFilter computed, and `refusals` what its Filter says of every
    node alike. `prepared` are the plugins whose PreFilter ran. `emptied`: an extender answered with whole
    nodes, so that plugins which score a node by its pods or images find neither. `within` are the nodes among
    which one is looked for, shape (some,), None for all; plugins know all nodes.
    """

    state: ClusterState
    pod: PodInfo
    prepared: set[str] = field(default_factory=set)
    skipped_filters: set[str] = field(default_factory=set)
    states: dict[str, FilterState] = field(default_factory=dict)
    refusals: dict[str, Status] = field(default_factory=dict)
    emptied: bool = False
    within: IntArray | None = None

    def status(self, plugin: FilterPlugin, code: int) -> Status:
        """Return the rejection that a plugin's code stands for."""
        if plugin.name in self.refusals:
            return self.refusals[plugin.name]
        return plugin.status(self.states.get(plugin.name), code)


class View:
    """The nodes with their pods, as filters see them: shapes as in ClusterState."""

    def __init__(self, cycle: Cycle, states: dict[str, FilterState] | None = None) -> None:
        self.cycle = cycle
        self.cluster = cycle.state
        self.requested = cycle.state.requested
        self.pod_count = cycle.state.pod_count
        self.states = cycle.states if states is None else states

    def ask(self, plugin: FilterPlugin, nodes: IntArray) -> IntArray:
        """Return a plugin's code for each of `nodes`: 0 fits."""
        if plugin.name in self.cycle.refusals:
            return np.ones(len(nodes), dtype=np.int64)
        return plugin.filter(self, nodes)

    def trial(self) -> View:
        """Return a copy in which pods can be added and removed."""
        trial = View(self.cycle, {name: state.copy() for name, state in self.states.items()})
        trial.requested = self.requested.copy(order="K")
        trial.pod_count = self.pod_count.copy()
        return trial

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        """Add (sign 1) or remove (sign -1) `pods[i]` on `nodes[i]`; a node may occur several times."""
        self._count(nodes, pods, sign)
        for state in self.states.values():
            state.update(nodes, pods, sign)

    def promise(self, nodes: IntArray, pods: IntArray) -> None:
        """Add `pods[i]`, which are nominated to `nodes[i]`, on top of whatever is added or removed."""
        self._count(nodes, pods, 1)
        for state in self.states.values():
            state.promise(nodes, pods)

    def _count(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        add_requests(self.requested, nodes, self.cluster.pods.requests, pods, sign)
        np.add.at(self.pod_count, nodes, sign)


class Reads(Enum):
    """What a plugin reads, beside the incoming pod, to answer for a node: each kind also what is above it.

    NODE is the node's own object, ROOM the sums of what its pods ask for, PODS any pods wherever they are,
    VOLUMES claims, volumes and disks. Answers are kept (`kube/equivalence/`) until something of it changes.
    """

    NODE = 1
    ROOM = 2
    PODS = 3
    VOLUMES = 4


class Plugin:
    """Base of all plugins. `name` is spelt as in kube-scheduler; `args` is its pluginConfig or {}.

    `reads` says what its filter and its score hang on. `unprepared` is the error of Filter and Reserve where
    the plugin's PreFilter is switched off; a plugin that then looks at the pod in Filter has none.
    """

    name: ClassVar[str]
    reads: ClassVar[Reads] = Reads.VOLUMES
    unprepared: ClassVar[str] = ""

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        self.args = args or {}
        self.gates = gates

    def unfiltered(self, cycle: Cycle) -> str:
        """Return the error of Reserve where the plugin's Filter is switched off, "" where there is none."""
        return ""


class FilterPlugin(Plugin):
    """PreFilter and Filter.

    `reasons_apart`: each of its reasons is a want of its own, so that a node may have several at once.
    `looks_for_devices`: `devices` says what came of each device of a node.
    `looks_at_cordons`: it refuses nodes that are cordoned.
    """

    reasons_apart: ClassVar[bool] = False
    looks_for_devices: ClassVar[bool] = False
    looks_at_cordons: ClassVar[bool] = False

    @property
    def reads_pods(self) -> bool:
        """Whether the answer hangs on pods that are on nodes."""
        return self.reads in (Reads.ROOM, Reads.PODS)

    def slack(self, view: View, nodes: IntArray) -> Slack | None:
        """Return what is left on nodes beside the pod; None where that is not all that the filter looks at.

        None too where 64 bits may not hold the sums.
        """
        return None

    @property
    def each(self) -> Sequence[FilterPlugin]:
        """The filters that answer one by one: itself, or those that it is made of."""
        return (self,)

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        """Look at the incoming pod."""
        return FilterState()

    def pre_filter_late(self, cycle: Cycle) -> PreFilterAnswer:
        """Look at the incoming pod in Filter, because PreFilter is switched off."""
        return self.pre_filter(cycle)

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        """Return a code for each of `nodes`: 0 fits, anything else is a key for `status`."""
        raise NotImplementedError

    def status(self, state: FilterState | None, code: int) -> Status:
        """Return the rejection that a code stands for; `state` is what PreFilter computed, if anything."""
        raise NotImplementedError

    def numbers(self, view: View, node: int) -> list[Figure]:
        """Return the figures behind the answer for one node."""
        return []

    def wanted(self, view: View) -> list[Wanted]:
        """Return what the pod asks for and all nodes have, of a filter whose reasons are about amounts."""
        return []

    def particulars(self, view: View, nodes: IntArray) -> list[str]:
        """Return what stands against the pod, of those of the nodes of which that can be named.

        A taint or a label, which the reason doesn't name.
        """
        return []

    def goes_with_cordon(self, view: View) -> BoolArray | None:
        """Return where uncordoning lifts what it has against the pod, shape (nodes,); None for nowhere.

        Asked of filters beside the one that looks at cordons.
        """
        return None

    def devices(self, view: View, node: int) -> DevicesTried | None:
        """Return what came of each device of a node; None of a filter that looks for none."""
        return None

    def asking(self, view: View) -> Callable[[int], int]:
        """Return a function that gives the code of one node; it is good until nodes come, change or go."""
        return lambda node: int(self.filter(view, np.array([node], dtype=np.int64))[0])

    def woken_by(self, cycle: Cycle) -> BoolArray | None:
        """Return which pods may end PreFilter's Skip by coming to a node, shape (pods,); None: nobody.

        Asked of a filter that reads PODS and skipped itself.
        """
        return None


@runtime_checkable
class ReservePlugin(Protocol):
    """Reserve: takes note of a placement. Changes go through the journal of the cluster's state."""

    name: ClassVar[str]

    def reserve(self, cycle: Cycle, node: int) -> None:
        """Take note that the pod goes to the node."""

    def dump(self) -> dict[str, Any]:
        """Return what was noted so far as plain data."""

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `dump` returned."""


class ScoreFault(Exception):
    """The pod cannot be scored; the text is kube-scheduler's."""


class ScorePlugin(Plugin):
    """PreScore, Score and NormalizeScore. `unscored` is Score's error where PreScore is switched off.

    NormalizeScore looks at no more than a node's own score and the highest, unless the plugin reads PODS.
    """

    unscored: ClassVar[str] = ""

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        """Return what `score` needs, or SKIP; `nodes` are the feasible ones. Raises ScoreFault."""
        return None

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        """Return what `score` needs, because PreScore is switched off. Raises ScoreFault."""
        if self.unscored:
            raise ScoreFault(self.unscored)
        return self.pre_score(cycle, nodes)

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        """Return the raw score of each of `nodes`."""
        raise NotImplementedError

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        """Return the scores from 0 to 100."""
        return scores

    def hangs_on_more(self, cycle: Cycle) -> bool:
        """Return whether scores hang on more than `reads` says, so that they can't be kept."""
        return False

    def scores_alike(self, cycle: Cycle) -> bool:
        """Return whether every node has the same score for pods like this one, whatever happens."""
        return False

    def scoring(self, cycle: Cycle, prepared: Any) -> Callable[[int], int]:
        """Return a function that gives the raw score of one node; good until nodes come, change or go."""
        return lambda node: int(self.score(cycle, prepared, np.array([node], dtype=np.int64))[0])

    def follow_scores(self, cycle: Cycle, prepared: Any, nodes: IntArray, touched: Touched) -> bool:
        """Bring what PreScore found up to date for pods that came or went, and for these feasible nodes.

        False: that is not known, ask PreScore again. Asked of a plugin that reads PODS and skipped not.
        """
        return False

    def concerned_by(self, cycle: Cycle) -> BoolArray | None:
        """Return which pods change scores by coming to a node or leaving it, shape (pods,); None: nobody.

        Asked of a plugin that reads PODS.
        """
        return None


def scale_to_maximum(scores: IntArray, *, reverse: bool = False) -> IntArray:
    """Return 100 * score / maximum, truncated; reversed: 100 minus that (100 for all if the maximum is 0).

    Source: kubernetes v1.36 plugins/helper.DefaultNormalizeScore.
    """
    highest = max(0, int(scores.max())) if len(scores) else 0
    if highest == 0:
        return np.full_like(scores, MAX_NODE_SCORE) if reverse else scores
    scaled = go_divide(MAX_NODE_SCORE * scores, highest)
    return MAX_NODE_SCORE - scaled if reverse else scaled
