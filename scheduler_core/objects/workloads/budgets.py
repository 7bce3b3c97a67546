"""How many evictions a PodDisruptionBudget allows, as its controller would work it out.

A snapshot carries what the controller said last; this is for budgets that an edit adds or changes, and
for those whose pods an edit adds or takes away. In come the budget and its pods, out goes its new status.

Source: kubernetes v1.36 pkg/controller/disruption getExpectedPodCount, countHealthyPods, updatePdbStatus.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scheduler_core.objects import selectors
from scheduler_core.objects.identity import controller_of, labels_of, name_of, namespace_of, spec_of
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import LabelSelector, convert

Object = dict[str, Any]
Labels = dict[str, str]
_MOST_COMPILED = 20_000

FindScale = Callable[[Object], tuple[str, int] | None]
"""Who (the topmost controller, by any key) wants how many pods like this one; None where it is not known."""


def selected_pods(budget: Object, pods: list[Object]) -> list[Object]:
    """Return the pods that a budget protects; one without a selector protects none."""
    compiled = _selector_of(budget)
    namespace = namespace_of(budget)
    return [
        pod for pod in pods if namespace_of(pod) == namespace and selectors.matches(compiled, labels_of(pod))
    ]


def _selector_of(budget: Object) -> Selector | None:
    selector = spec_of(budget).get("selector")
    return None if selector is None else selectors.from_label_selector(convert(selector, LabelSelector))


def labels_by_namespace(pods: Iterable[Object]) -> dict[str, list[Labels]]:
    """Return the labels of some pods by their namespace, those of pods that are alike once."""
    distinct = {(namespace_of(pod), tuple(sorted(labels_of(pod).items()))): labels_of(pod) for pod in pods}
    found: dict[str, list[Labels]] = {}
    for (namespace, _), labels in distinct.items():
        found.setdefault(namespace, []).append(labels)
    return found


class BudgetSelectors:
    """Says which budgets protect pods with certain labels; compiles each selector once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Object, Selector | None]] = {}
        """By the id of a budget's spec, with the spec, so that nothing else gets that id meanwhile."""

    def selects_any(self, budget: Object, labels: Mapping[str, list[Labels]]) -> bool:
        """Return whether a budget protects one of the pods with these labels by namespace."""
        inside = labels.get(namespace_of(budget))
        if not inside:
            return False
        selector = self._compiled(budget)
        return any(selectors.matches(selector, one) for one in inside)

    def _compiled(self, budget: Object) -> Selector | None:
        spec = spec_of(budget)
        known = self._known.get(id(spec))
        if known is None:
            if len(self._known) >= _MOST_COMPILED:
                self._known.clear()
            known = self._known[id(spec)] = spec, _selector_of(budget)
        return known[1]


def budget_status(budget: Object, pods: list[Object], scale_of: FindScale) -> Object:
    """Return a budget's status for the pods that it protects."""
    old = budget.get("status") or {}
    disrupted = old.get("disruptedPods") or {}
    healthy = sum(1 for pod in pods if _is_healthy(pod) and name_of(pod) not in disrupted)
    expected, desired = expected_of(spec_of(budget), pods, scale_of) or (0, 0)
    allowed = max(0, healthy - desired) if expected > 0 else 0
    return {
        **old,
        "currentHealthy": healthy,
        "desiredHealthy": desired,
        "expectedPods": expected,
        "disruptionsAllowed": allowed,
        "observedGeneration": (budget.get("metadata") or {}).get("generation") or 1,
    }


def _is_healthy(pod: Object) -> bool:
    if (pod.get("metadata") or {}).get("deletionTimestamp"):
        return False
    status = pod.get("status") or {}
    conditions = status.get("conditions")
    if conditions is None:  # a hand-written pod does not say; then running counts as ready
        return bool(status.get("phase") == "Running")
    return any(
        condition.get("type") == "Ready" and condition.get("status") == "True" for condition in conditions
    )


def expected_of(spec: Object, pods: list[Object], scale_of: FindScale) -> tuple[int, int] | None:
    """Return how many pods there should be, and how many of them must stay healthy.

    None where that hangs on a controller that is not known: then the real one allows no eviction at all.
    """
    unavailable, available = spec.get("maxUnavailable"), spec.get("minAvailable")
    if unavailable is None and not isinstance(available, str):
        return (0, 0) if available is None else (len(pods), int(available))
    expected = _scale(pods, scale_of)
    if expected is None:
        return None
    if unavailable is None:
        return expected, share(str(available), expected)
    return expected, max(0, expected - share(unavailable, expected))


def _scale(pods: list[Object], scale_of: FindScale) -> int | None:
    """Return the sum of what the pods' controllers want; None where one is not known."""
    scales: dict[str, int] = {}
    for pod in pods:
        if controller_of(pod) is None:
            continue
        scale = scale_of(pod)
        if scale is None:
            return None
        scales[scale[0]] = scale[1]
    return sum(scales.values())


def share(amount: int | str, whole: int) -> int:
    """Return a number of pods; a percentage is of `whole`, rounded up."""
    if isinstance(amount, int):
        return amount
    percent = amount.strip().removesuffix("%")
    return -(-int(percent) * whole // 100) if percent.isascii() and percent.isdigit() else 0
