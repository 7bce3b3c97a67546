"""Fold the decision log: which pod is where, waits where and is promised what after each decision.

In goes the `RunState` before the first decision, then decisions in the order of their numbers; out comes
the state after any of them, forwards and backwards. Nothing is decided here: a decision's `changes` are
carried out to the letter, and `revert` is their exact inverse, the order of every list included.
`static/js/fold.js` is the same in the browser; both are held to `tests/vectors/fold/`.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from scheduler_core.events.decisions import (
    Bind,
    Create,
    Decision,
    Delete,
    Evict,
    Move,
    Nominate,
    PodCard,
    RunState,
    Terminate,
)


class OutOfStep(ValueError):
    """A decision or a change that doesn't fit the state it is applied to."""


class Fold:
    """A state that moves one decision forwards or backwards.

    Pods keep their place in the order of arrival for as long as the fold lives: an evicted pod is only
    marked absent, so that reverting its eviction puts it back where it was. A pending pod has no start
    time, which is why reverting a `Bind` clears it.
    """

    def __init__(self, run_state: RunState) -> None:
        self.at = run_state.at
        self._nodes = list(run_state.nodes)
        self._pods = {pod.uid: pod for pod in run_state.pods}
        self._absent: set[str] = set()
        self._node_pods = {node: list(pods) for node, pods in run_state.node_pods.items()}

    def apply(self, decision: Decision) -> None:
        """Move from decision `seq - 1` to `seq`; raises OutOfStep if the fold stands elsewhere."""
        if decision.seq != self.at + 1:
            raise OutOfStep(f"decision {decision.seq} doesn't follow decision {self.at}")
        for change in decision.changes:
            _APPLY[type(change)](self, change)
        self.at = decision.seq

    def revert(self, decision: Decision) -> None:
        """Move from decision `seq` back to `seq - 1`; raises OutOfStep if the fold stands elsewhere."""
        if decision.seq != self.at:
            raise OutOfStep(f"decision {decision.seq} isn't the last one, {self.at} is")
        for change in reversed(decision.changes):
            _REVERT[type(change)](self, change)
        self.at = decision.seq - 1

    def state(self) -> RunState:
        """Return the present state, independent of later moves."""
        return RunState(
            at=self.at,
            nodes=list(self._nodes),
            pods=[pod for uid, pod in self._pods.items() if uid not in self._absent],
            node_pods={node: list(pods) for node, pods in self._node_pods.items()},
        )

    def _pod(self, uid: str) -> PodCard:
        pod = self._pods.get(uid)
        if pod is None or uid in self._absent:
            raise OutOfStep(f"pod {uid} isn't there")
        return pod

    def _set(self, uid: str, **fields: Any) -> None:
        self._pods[uid] = replace(self._pod(uid), **fields)

    def _bind(self, change: Bind) -> None:
        self._set(change.pod, node=change.node, start_time=change.start_time)
        self._node_pods.setdefault(change.node, []).append(change.pod)

    def _unbind(self, change: Bind) -> None:
        pods = self._node_pods[change.node]
        if not pods or pods[-1] != change.pod:
            raise OutOfStep(f"pod {change.pod} isn't the last one on {change.node}")
        pods.pop()
        self._set(change.pod, node="", start_time=None)

    def _evict(self, change: Evict | Delete) -> None:
        self._take_off(change)
        self._absent.add(change.pod)

    def _bring_back(self, change: Evict | Delete) -> None:
        self._absent.remove(change.pod)
        self._put_back(change)

    def _terminate(self, change: Terminate) -> None:
        self._take_off(change)
        self._node_pods[change.node].append(change.pod)
        self._set(change.pod, terminating=True)

    def _terminate_back(self, change: Terminate) -> None:
        self._node_pods[change.node].pop()
        self._put_back(change)
        self._set(change.pod, terminating=change.was)

    def _take_off(self, change: Evict | Delete | Terminate) -> None:
        self._pod(change.pod)
        pods = self._node_pods[change.node]
        if change.position >= len(pods) or pods[change.position] != change.pod:
            raise OutOfStep(f"pod {change.pod} isn't at place {change.position} on {change.node}")
        last = pods.pop()
        if change.position < len(pods):
            pods[change.position] = last

    def _put_back(self, change: Evict | Delete | Terminate) -> None:
        pods = self._node_pods[change.node]
        if change.position < len(pods):
            pods.append(pods[change.position])
            pods[change.position] = change.pod
        else:
            pods.append(change.pod)

    def _nominate(self, change: Nominate) -> None:
        self._set(change.pod, nominated=change.new)

    def _nominate_back(self, change: Nominate) -> None:
        self._set(change.pod, nominated=change.old)

    def _move(self, change: Move) -> None:
        self._set(change.pod, queue=change.new)

    def _move_back(self, change: Move) -> None:
        self._set(change.pod, queue=change.old)

    def _create(self, change: Create) -> None:
        if change.pod.uid in self._pods:
            raise OutOfStep(f"pod {change.pod.uid} is there already")
        self._pods[change.pod.uid] = change.pod

    def _uncreate(self, change: Create) -> None:
        self._pod(change.pod.uid)
        del self._pods[change.pod.uid]


_APPLY: dict[type, Callable[[Fold, Any], None]] = {
    Bind: Fold._bind,
    Evict: Fold._evict,
    Terminate: Fold._terminate,
    Delete: Fold._evict,
    Nominate: Fold._nominate,
    Move: Fold._move,
    Create: Fold._create,
}
_REVERT: dict[type, Callable[[Fold, Any], None]] = {
    Bind: Fold._unbind,
    Evict: Fold._bring_back,
    Terminate: Fold._terminate_back,
    Delete: Fold._bring_back,
    Nominate: Fold._nominate_back,
    Move: Fold._move_back,
    Create: Fold._uncreate,
}
