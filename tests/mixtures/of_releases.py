"""Cases of another release since the framework, and what its queue tells."""

from collections.abc import Iterable
from typing import Any

from tests.mixtures.mixing import Case, Document

FAMILIES = (
    "config",
    "gates",
    "minimal",
    "mixed",
    "nodeaffinity",
    "nominated",
    "pdb",
    "podaffinity",
    "ports_volumes_images",
    "preempt",
    "resources",
    "spread",
    "taints",
    "volumes",
)
"""The recorded families whose clusters say nothing that only 1.36 knows."""
_DEVICES = "resource.k8s.io/"
_COUNTS = frozenset({"rejections", "errors", "gate"})
_HINTS = frozenset({"events", "hints", "during", "event"})


def without_devices(case: Case) -> Case:
    """Return a case without objects of resource.k8s.io, which releases before 1.34 do not watch."""
    cluster = case["cluster"] | {"items": [item for item in case["cluster"]["items"] if not _is_device(item)]}
    changed = case | {"cluster": cluster}
    for name in {"ops", "timeline"} & case.keys():
        changed[name] = [entry for entry in case[name] if not any(map(_is_device, _objects_of(entry)))]
    return changed


def _objects_of(entry: Document) -> Iterable[Any]:
    """Return the objects of an operation or of what happens at an instant."""
    kind = str(entry.get("delete", "")).partition(" ")[0]
    gone = {"apiVersion": _DEVICES} if kind == "DeviceClass" or kind.startswith("Resource") else None
    return entry.get("object"), entry.get("add"), entry.get("update"), gone


def _is_device(item: Any) -> bool:
    return isinstance(item, dict) and str(item.get("apiVersion", "")).startswith(_DEVICES)


def as_told(answer: Any, minor: int) -> Any:
    """Return an answer without what a real queue of 1.`minor` does not tell.

    Until 1.33 it neither counts rejections and errors nor keeps the name of a gate. Until 1.32 those who
    back off stand in one heap, by the end of their back-off alone. Until 1.31 no hint is asked, and what
    moved a pod is not recorded.
    """
    if minor > 33:
        return answer
    told = _leave_out(answer, _COUNTS if minor > 31 else _COUNTS | _HINTS)
    return _with_heaps(told) if minor < 33 else told


def _with_heaps(answer: Any) -> Any:
    """Sort those who back off until the same instant by name."""
    for step in answer.get("expect", answer).get("steps", ()):
        step["state"]["backoff"].sort(key=lambda waiting: (waiting["expires"], waiting["pod"]))
    return answer


def _leave_out(answer: Any, names: frozenset[str]) -> Any:
    if isinstance(answer, dict):
        return {key: _leave_out(value, names) for key, value in answer.items() if key not in names}
    return [_leave_out(value, names) for value in answer] if isinstance(answer, list) else answer
