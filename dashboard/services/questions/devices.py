"""What comes of each device of a node for a pod's claims, as the cluster stands."""

from __future__ import annotations

import msgspec

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.trials.warm_world import WarmWorld


class OnNode(msgspec.Struct, frozen=True):
    """The devices of a node; None where the pod needs none there, or its scheduler gives none."""

    devices: DevicesTried | None


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> OnNode:
    """Ask about `pod` (its uid) and `node` (its name)."""
    pod, node = str(asked.get("pod", "")), str(asked.get("node", ""))
    try:
        return OnNode(world.simulation.devices_on(pod, node))
    except KeyError as error:
        named, field = (pod, "pod") if not world.simulation.knows(pod) else (node, "node")
        raise BadInput([Problem(named, field, f"is no {field} of this cluster")]) from error


KIND = QuestionKind("devices", 1, OnNode, _answer)
