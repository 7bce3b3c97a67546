"""What the extender answers, in full and as it goes over the wire (extender v1 of kube-scheduler).

Source: k8s.io/kube-scheduler v0.36 extender/v1 types.go; HAMi v2.10.0 pkg/scheduler/event.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler_core.hami.extender.node_verdicts import NOBODY, Judged
from scheduler_core.hami.extender.reasons import counted_words
from scheduler_core.hami.rules.cards import Allocated

WARNING, NORMAL = "Warning", "Normal"
FILTERING_FAILED, FILTERING_SUCCEEDED = "FilteringFailed", "FilteringSucceed"
BINDING_FAILED, BINDING_SUCCEEDED = "BindingFailed", "BindingSucceed"


class Told(msgspec.Struct, frozen=True):
    """An event of a pod."""

    type: str
    reason: str
    message: str

    def __str__(self) -> str:
        return f"{self.type} {self.reason} {self.message}"


def _warning(message: str) -> Told:
    return Told(WARNING, FILTERING_FAILED, message)


class FilterAnswer(msgspec.Struct, frozen=True):
    """`judged` says which nodes fit and why others don't, `best` are the equals at the top, of this `score`.

    `fault` is what `error` is about, without the pod. `annotations` and `labels` are what the pod gets.
    """

    node_names: Sequence[str] | None = None
    error: str = ""
    fault: str = ""
    judged: Judged = NOBODY
    best: Sequence[str] = ()
    score: float | None = None
    chosen: str = ""
    devices: Allocated = {}
    annotations: dict[str, str] | None = None
    labels: dict[str, str] | None = None

    @property
    def scores(self) -> dict[str, float]:
        """The scores of all nodes that fit."""
        return self.judged.scores

    @property
    def reasons(self) -> dict[str, str]:
        """Why others don't fit."""
        return self.judged.reasons

    @property
    def events(self) -> list[Told]:
        """The pod's events where there is no node for it: which nodes have which reason."""
        if self.error:
            return [_warning(self.error)]
        if self.node_names is not None:
            return []
        told = [
            _warning(f"{len(names)} nodes {word}({','.join(names)})")
            for word, names in sorted(counted_words(self.reasons).items())
        ]
        return [*told, _warning(f"no available node, {len(self.reasons)} nodes do not meet")]

    @property
    def failed_nodes(self) -> dict[str, str] | None:
        """What the wire has of the reasons: all of them if nothing fits, else none."""
        return None if self.node_names is not None or self.error else self.reasons

    def wire(self) -> dict[str, Any]:
        """Return the ExtenderFilterResult."""
        names = None if self.node_names is None else list(self.node_names)
        return {
            "Nodes": None,
            "NodeNames": names,
            "FailedNodes": self.failed_nodes,
            "FailedAndUnresolvableNodes": None,
            "Error": self.error,
        }

    def success(self) -> Told:
        """Return the event of a pod for which a node was found; it names every node that fits."""
        listed = ",".join(f"{name}:{score:.2f}" for name, score in sorted(self.scores.items()))
        message = (
            f"find fit node({self.chosen}), {len(self.reasons)} nodes not fit, "
            f"{len(self.scores)} nodes fit({listed})"
        )
        return Told(NORMAL, FILTERING_SUCCEEDED, message)


class DryRunAnswer(msgspec.Struct, frozen=True):
    """What a filter answers about nodes that are given as objects: `node` is the best, None if none fits."""

    node: dict[str, Any] | None = None
    failed: dict[str, str] | None = None
    error: str = ""

    def wire(self) -> dict[str, Any]:
        """Return the ExtenderFilterResult."""
        nodes = None if self.node is None else {"metadata": {}, "items": [self.node]}
        return {
            "Nodes": nodes,
            "NodeNames": None,
            "FailedNodes": self.failed,
            "FailedAndUnresolvableNodes": None,
            "Error": self.error,
        }


class BindAnswer(msgspec.Struct, frozen=True):
    """`annotations` are what the pod gets; None where the bind failed before."""

    error: str = ""
    annotations: dict[str, str] | None = None
    events: Sequence[Told] = ()

    def wire(self) -> dict[str, Any]:
        """Return the ExtenderBindingResult."""
        return {"Error": self.error}
