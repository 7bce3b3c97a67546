"""What a RuntimeClass adds to a pod: overhead, node selector, tolerations.

Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass, pkg/util/tolerations.MergeTolerations.
"""

from collections.abc import Mapping
from typing import Any

from scheduler_core.objects.amounts.quantity import parse_quantity

Object = dict[str, Any]


def apply_runtime_class(
    spec: Object, classes: Mapping[str, Object], changes: list[str]
) -> list[tuple[str, str]]:
    """Apply a pod's RuntimeClass in place, note the changes, return the field and reason of each refusal."""
    name = spec.get("runtimeClassName")
    if not name:
        if spec.get("overhead"):
            return [("overhead", "must not be given without a RuntimeClass that defines it")]
        return []
    runtime_class = classes.get(name)
    if runtime_class is None:
        return [("runtimeClassName", f"RuntimeClass {name!r} not found")]
    return [
        *_apply_overhead(spec, name, (runtime_class.get("overhead") or {}).get("podFixed") or {}, changes),
        *_apply_scheduling(spec, name, runtime_class.get("scheduling") or {}, changes),
    ]


def _apply_overhead(spec: Object, name: str, overhead: Object, changes: list[str]) -> list[tuple[str, str]]:
    given = spec.get("overhead") or {}
    if given and _exact(given) != _exact(overhead):
        return [("overhead", f"does not match the overhead of RuntimeClass {name}")]
    if overhead and not given:
        spec["overhead"] = overhead
        values = ", ".join(f"{resource} {text}" for resource, text in sorted(overhead.items()))
        changes.append(f"overhead {values} by RuntimeClass {name}")
    return []


def _exact(amounts: Object) -> dict[str, int]:
    return {resource: parse_quantity(text).nanos for resource, text in amounts.items()}


def _apply_scheduling(
    spec: Object, name: str, scheduling: Object, changes: list[str]
) -> list[tuple[str, str]]:
    selector = spec.get("nodeSelector") or {}
    added = {
        key: value for key, value in (scheduling.get("nodeSelector") or {}).items() if key not in selector
    }
    for key, value in (scheduling.get("nodeSelector") or {}).items():
        if selector.get(key, value) != value:
            return [(f"nodeSelector.{key}", f"conflicts with {value!r} of RuntimeClass {name}")]
    if added:
        spec["nodeSelector"] = {**selector, **added}
        labels = ", ".join(f"{key}={value}" for key, value in sorted(added.items()))
        changes.append(f"node selector {labels} by RuntimeClass {name}")
    tolerations = scheduling.get("tolerations") or []
    if tolerations:
        merged = merge_tolerations([*(spec.get("tolerations") or ()), *tolerations])
        if merged != spec.get("tolerations"):
            spec["tolerations"] = merged
            changes.append(f"tolerations by RuntimeClass {name}")
    return []


def merge_tolerations(tolerations: list[Object]) -> list[Object]:
    """Return the tolerations without those that another one covers."""
    merged: list[Object] = []
    for index, toleration in enumerate(tolerations):
        later = (other for other in tolerations[index + 1 :] if other != toleration)
        if not any(_covers(other, toleration) for other in (*merged, *later)):
            merged.append(toleration)
    return merged


def _covers(wide: Object, narrow: Object) -> bool:
    if wide == narrow:
        return True
    matches_all_keys = not wide.get("key") and wide.get("operator") == "Exists"
    if (wide.get("key") or "") != (narrow.get("key") or "") and not matches_all_keys:
        return False
    if wide.get("effect") and wide["effect"] != narrow.get("effect"):
        return False
    seconds, narrow_seconds = wide.get("tolerationSeconds"), narrow.get("tolerationSeconds")
    if (
        wide.get("effect") == "NoExecute"
        and seconds is not None
        and (narrow_seconds is None or narrow_seconds > seconds)
    ):
        return False
    if wide.get("operator") in (None, "", "Equal"):
        return narrow.get("operator") == "Equal" and (wide.get("value") or "") == (narrow.get("value") or "")
    return wide.get("operator") == "Exists"
