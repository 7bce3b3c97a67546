"""LimitRange and ResourceQuota: what a namespace gives its pods by default, and what it refuses.

`apply_limit_ranges` fills defaults in, `limit_range_faults` and `Quotas.charge` answer with the reasons for a
refusal, in the API server's words. Amounts are compared exactly.

Source: kubernetes v1.36 plugin/pkg/admission/limitranger, SetDefaults_LimitRangeItem,
pkg/quota/v1/evaluator/core pods.go, k8s.io/apiserver admission/plugin/resourcequota.
"""

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

from scheduler_core.objects.amounts.pod_resources import Amounts, amounts, containers_of, pod_totals
from scheduler_core.objects.amounts.quantity import Quantity, parse_quantity
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.identity import has_ended, name_of, namespace_of, spec_of

Object = dict[str, Any]

_COMPUTE = ("cpu", "memory", "ephemeral-storage")
_MUST_BE_SET = ("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")


class Defaulted(NamedTuple):
    """What LimitRanges gave a pod: sentences, and by the field of a request who gave the limit beside it."""

    changes: list[str]
    limits: dict[str, str]


def apply_limit_ranges(spec: Object, ranges: list[Object]) -> Defaulted:
    """Fill the defaults of a namespace's LimitRanges into a pod spec in place; say what was set.

    Fields are such as `containers[0].resources.requests.cpu`.
    """
    changes: list[str] = []
    given: dict[str, str] = {}
    for limit_range in ranges:
        limits, requests = _container_defaults(limit_range)
        for path, container in containers_of(spec):
            for side, defaults in (("limits", limits), ("requests", requests)):
                values = _fill(container, side, defaults)
                if not values:
                    continue
                source = f"LimitRange {name_of(limit_range)}"
                listed = ", ".join(f"{name} {text}" for name, text in sorted(values.items()))
                changes.append(f"container {container.get('name')}: {side} {listed} by {source}")
                if side == "limits":
                    whose = f"the default of {source} for container {container.get('name')}"
                    given |= {f"{path}.resources.requests.{name}": whose for name in values}
    return Defaulted(changes, given)


def _fill(container: Object, side: str, defaults: Object) -> Object:
    """Give a container the amounts that it lacks, and return them."""
    resources = container.get("resources") or {}
    listed = resources.get(side) or {}
    missing = {name: text for name, text in defaults.items() if name not in listed}
    if missing:
        container["resources"] = {**resources, side: {**listed, **missing}}
    return missing


def _container_defaults(limit_range: Object) -> tuple[Object, Object]:
    """Return default limits and requests: a missing limit is the maximum, a missing request the limit."""
    limits: Object = {}
    requests: Object = {}
    for item in spec_of(limit_range).get("limits") or ():
        if item.get("type") != "Container":
            continue
        default = {**(item.get("max") or {}), **(item.get("default") or {})}
        limits.update(default)
        requests.update({**(item.get("min") or {}), **default, **(item.get("defaultRequest") or {})})
    return limits, requests


def limit_range_faults(spec: Object, ranges: list[Object]) -> list[str]:
    """Return why a namespace's LimitRanges refuse a pod: in the API server's words, with who and whom."""
    return [
        f"{fault} (LimitRange {name_of(limit_range)}{_listed(containers)})"
        for limit_range in ranges
        for fault, containers in _range_faults(spec, limit_range).items()
    ]


def _range_faults(spec: Object, limit_range: Object) -> dict[str, list[str]]:
    """Return each fault with the containers that have it; none where it is the whole pod's."""
    found: dict[str, list[str]] = {}
    for item in spec_of(limit_range).get("limits") or ():
        if item.get("type") == "Container":
            for _, container in containers_of(spec):
                resources = container.get("resources")
                for fault in _item_faults(item, amounts(resources, "requests"), amounts(resources, "limits")):
                    found.setdefault(fault, []).append(str(container.get("name")))
        elif item.get("type") == "Pod":
            requests = pod_totals(spec, "requests", with_overhead=False)
            for fault in _item_faults(item, requests, pod_totals(spec, "limits", with_overhead=False)):
                found.setdefault(fault, [])
    return found


def _listed(containers: list[str]) -> str:
    if not containers:
        return ""
    return f", container{'' if len(containers) == 1 else 's'} {', '.join(dict.fromkeys(containers))}"


def _item_faults(item: Object, requests: Amounts, limits: Amounts) -> list[str]:
    kind = item["type"]
    found = []
    for name, text in (item.get("min") or {}).items():
        least = parse_quantity(text).nanos
        start = f"minimum {name} usage per {kind} is {text}"
        if name not in requests:
            found.append(f"{start}.  No request is specified")
        elif requests[name] < least:
            found.append(f"{start}, but request is {_text(name, requests[name])}")
        elif name in limits and limits[name] < least:
            found.append(f"{start}, but limit is {_text(name, limits[name])}")
    for name, text in (item.get("max") or {}).items():
        most = parse_quantity(text).nanos
        start = f"maximum {name} usage per {kind} is {text}"
        if name not in limits:
            found.append(f"{start}.  No limit is specified")
        elif limits[name] > most:
            found.append(f"{start}, but limit is {_text(name, limits[name])}")
        elif requests.get(name, 0) > most:
            found.append(f"{start}, but request is {_text(name, requests[name])}")
    for name, text in (item.get("maxLimitRequestRatio") or {}).items():
        found += _ratio_fault(kind, name, text, requests.get(name, 0), limits.get(name, 0))
    return found


def _ratio_fault(kind: str, name: str, text: Any, request: int, limit: int) -> list[str]:
    start = f"{name} max limit to request ratio per {kind} is {text}"
    if not request:
        return [f"{start}, but no request is specified or request is 0"]
    if not limit:
        return [f"{start}, but no limit is specified or limit is 0"]
    if limit * 10**9 > parse_quantity(text).nanos * request:
        return [f"{start}, but provided ratio is {limit / request:f}"]
    return []


class Quotas:
    """The ResourceQuotas of a cluster and what is used of them, as pods come and go."""

    def __init__(self, quotas: Iterable[Object], pods: Iterable[Object]) -> None:
        self._quotas: dict[str, list[Object]] = {}
        for quota in sorted(quotas, key=name_of):
            self._quotas.setdefault(namespace_of(quota), []).append(quota)
        self._used = {self._key(quota): used_of(quota) for group in self._quotas.values() for quota in group}
        unknown = {key for key, used in self._used.items() if used is None}
        for key in unknown:
            self._used[key] = {}
        for pod in pods if unknown else ():
            for quota in self._matching(pod):
                if self._key(quota) in unknown:
                    self._count(quota, usage(pod), 1)

    def copy(self) -> "Quotas":
        """Return the same quotas, counted by themselves from here."""
        twin = copy(self)
        twin._used = {key: None if used is None else used.copy() for key, used in self._used.items()}
        return twin

    def charge(self, pod: Object) -> list[str]:
        """Count a new pod, or return why a quota refuses it and count nothing."""
        reasons = self.reasons(pod)
        if not reasons:
            self.count(pod)
        return reasons

    def reasons(self, pod: Object) -> list[str]:
        """Return why quotas refuse a new pod, and count nothing."""
        used_by_pod = usage(pod)
        return [reason for quota in self._matching(pod) for reason in self._reasons(quota, pod, used_by_pod)]

    def count(self, pod: Object) -> None:
        """Count a pod that is there, whether there is room for it or not."""
        for quota in self._matching(pod):
            self._count(quota, usage(pod), 1)

    def release(self, pod: Object) -> None:
        """Count a pod that is gone."""
        for quota in self._matching(pod):
            self._count(quota, usage(pod), -1)

    def _matching(self, pod: Object) -> list[Object]:
        return [quota for quota in self._quotas.get(namespace_of(pod), ()) if _in_scope(quota, pod)]

    def _reasons(self, quota: Object, pod: Object, used_by_pod: Amounts) -> list[str]:
        missing = _missing(_hard(quota), pod)
        if missing:
            return [f"failed quota: {name_of(quota)}: must specify {missing}"]
        counted = self._used[self._key(quota)] or {}
        used = {name: max(0, amount) for name, amount in counted.items()}
        said = exceeded(quota, used_by_pod, used, _text)
        return [said] if said else []

    def _count(self, quota: Object, used_by_pod: Amounts, sign: int) -> None:
        used = self._used[self._key(quota)]
        if used is not None:
            for name, amount in used_by_pod.items():
                used[name] = used.get(name, 0) + sign * amount

    @staticmethod
    def _key(quota: Object) -> tuple[str, str]:
        return namespace_of(quota), name_of(quota)


def exceeded(quota: Object, asked: Amounts, used: Amounts, text: Callable[[str, int], str]) -> str:
    """Return that a quota has too little left, in the API server's words; empty where it has enough.

    `text` writes an amount of what a quota counts by this name.
    """
    hard = _hard(quota)
    over = [
        name
        for name in sorted(asked)
        if name in hard and asked[name] > 0 and used.get(name, 0) + asked[name] > hard[name]
    ]
    if not over:
        return ""
    parts = [
        ",".join(f"{name}={text(name, source.get(name, 0))}" for name in over)
        for source in (asked, used, hard)
    ]
    return f"exceeded quota: {name_of(quota)}, requested: {parts[0]}, used: {parts[1]}, limited: {parts[2]}"


def usage(pod: Object) -> Amounts:
    """Return what a pod counts for in quotas, by the names that quotas use."""
    used: Amounts = {"count/pods": 10**9}
    if has_ended(pod):
        return used
    used["pods"] = 10**9
    for name, amount in pod_totals(spec_of(pod), "requests", with_overhead=True).items():
        if name in _COMPUTE or name.startswith("hugepages-"):
            used[name] = amount
        if name in _COMPUTE or name.startswith("hugepages-") or is_extended(name):
            used[f"requests.{name}"] = amount
    for name, amount in pod_totals(spec_of(pod), "limits", with_overhead=True).items():
        if name in _COMPUTE:
            used[f"limits.{name}"] = amount
    return used


def _hard(quota: Object) -> Amounts:
    hard = (quota.get("status") or {}).get("hard") or spec_of(quota).get("hard") or {}
    return {name: parse_quantity(text).nanos for name, text in hard.items()}


def used_of(quota: Object) -> Amounts | None:
    """Return what is used of a quota, as its status says; None where it says nothing."""
    used = (quota.get("status") or {}).get("used")
    return None if used is None else {name: parse_quantity(text).nanos for name, text in used.items()}


def _missing(hard: Amounts, pod: Object) -> str:
    """Return what a quota on cpu or memory demands that a container does not specify."""
    if (spec_of(pod).get("resources") or {}).keys() & {"requests", "limits"}:
        return ""
    missing: dict[str, list[str]] = {}
    for name in sorted(set(hard) & set(_MUST_BE_SET)):
        side, _, resource = name.rpartition(".")
        for _, container in containers_of(spec_of(pod)):
            if resource not in ((container.get("resources") or {}).get(side or "requests") or {}):
                missing.setdefault(name, []).append(str(container.get("name")))
    return "; ".join(f"{name} for: {','.join(sorted(names))}" for name, names in missing.items())


def _in_scope(quota: Object, pod: Object) -> bool:
    spec = spec_of(quota)
    scopes = [{"scopeName": name, "operator": "Exists"} for name in spec.get("scopes") or ()]
    scopes += (spec.get("scopeSelector") or {}).get("matchExpressions") or []
    return all(_matches_scope(scope, spec_of(pod)) for scope in scopes)


def _matches_scope(scope: Object, spec: Object) -> bool:
    name, values = scope.get("scopeName"), scope.get("values") or []
    if name in ("Terminating", "NotTerminating"):
        return bool((spec.get("activeDeadlineSeconds") is not None) == (name == "Terminating"))
    if name in ("BestEffort", "NotBestEffort"):
        return bool(_is_best_effort(spec) == (name == "BestEffort"))
    if name == "PriorityClass":
        priority_class = spec.get("priorityClassName") or None
        match scope.get("operator"):
            case "In":
                return bool(priority_class in values)
            case "NotIn":
                return bool(priority_class not in values)
            case "DoesNotExist":
                return priority_class is None
            case _:
                return priority_class is not None
    if name == "CrossNamespacePodAffinity":
        return _crosses_namespaces(spec)
    return False


def _is_best_effort(spec: Object) -> bool:
    named = [*pod_totals(spec, "requests", with_overhead=False).items()]
    named += pod_totals(spec, "limits", with_overhead=False).items()
    return not any(amount for name, amount in named if name in ("cpu", "memory"))


def _crosses_namespaces(spec: Object) -> bool:
    for kind in ("podAffinity", "podAntiAffinity"):
        affinity = (spec.get("affinity") or {}).get(kind) or {}
        terms = list(affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or ())
        for weighted in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            terms.append(weighted.get("podAffinityTerm") or {})
        if any(term.get("namespaces") or term.get("namespaceSelector") is not None for term in terms):
            return True
    return False


def _text(name: str, nanos: int) -> str:
    return str(Quantity(nanos, "BinarySI" if "memory" in name or "storage" in name else "DecimalSI"))
