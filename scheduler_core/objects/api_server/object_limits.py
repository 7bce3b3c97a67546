"""ResourceQuotas and LimitRanges about objects that are no pods: how many there may be, and how large claims.

Quotas with scopes are about pods, or about a class of volume attributes, which none counts here.
What is used is what a quota's status says; without one the objects that are known are counted.

Source: kubernetes v1.36 pkg/quota/v1/evaluator/core (persistent_volume_claims.go, services.go, the old names
of counts in registry.go), k8s.io/apiserver pkg/quota/v1/generic ObjectCountQuotaResourceNameFor,
plugin/pkg/admission/limitranger PersistentVolumeClaimValidateLimitFunc.
"""

import re
from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.amounts.pod_resources import Amounts, amounts
from scheduler_core.objects.amounts.quantity import Quantity, parse_quantity
from scheduler_core.objects.amounts.requests import add_to
from scheduler_core.objects.api_server.limits import exceeded, used_of
from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    LIMIT_RANGE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    RESOURCE_QUOTA,
    SERVICE,
    Kind,
    kind_of,
)

Object = dict[str, Any]

_ONE = 10**9
_COUNTED_BY_NAME = {
    "ConfigMap": "configmaps",
    "PersistentVolumeClaim": "persistentvolumeclaims",
    "ReplicationController": "replicationcontrollers",
    "ResourceQuota": "resourcequotas",
    "Service": "services",
}
_IES, _ES = re.compile("(?<![aeiou])y$"), re.compile("(s|x|z|ch|sh|(?<![aeiou])y)$")
_OF_CLASS = ".storageclass.storage.k8s.io/"
_CLAIMS = "PersistentVolumeClaim"


class ObjectLimits:
    """The quotas and ranges of a cluster, and what is used of the quotas as objects come."""

    def __init__(self, limits: Iterable[Object], there: Iterable[Object]) -> None:
        """`limits`: ResourceQuotas and LimitRanges. `there`: what quotas without a status count."""
        self._ranges: dict[str, list[Object]] = {}
        self._quotas: dict[str, list[tuple[Object, Amounts]]] = {}
        unknown: list[tuple[Object, Amounts]] = []
        for one in sorted(limits, key=name_of):
            if kind_of(one) == LIMIT_RANGE:
                self._ranges.setdefault(namespace_of(one), []).append(one)
            elif kind_of(one) == RESOURCE_QUOTA and not _has_scopes(one):
                used = used_of(one)
                counted = one, {} if used is None else used
                self._quotas.setdefault(namespace_of(one), []).append(counted)
                unknown += [counted] if used is None else []
        for document in there if unknown else ():
            for quota, used in unknown:
                if namespace_of(quota) == namespace_of(document):
                    add_to(used, usage(document))

    def charge(self, document: Object) -> list[str]:
        """Count a new object, or return why it is refused, in the API server's words, and count nothing."""
        asked = usage(document)
        quotas = self._quotas.get(namespace_of(document), [])
        too_many = (exceeded(quota, asked, used, _text) for quota, used in quotas)
        found = [*self._too_large(document), *filter(None, too_many)]
        if not found:
            for _, used in quotas:
                add_to(used, asked)
        return found

    def _too_large(self, document: Object) -> list[str]:
        if kind_of(document) != PERSISTENT_VOLUME_CLAIM:
            return []
        requests = amounts(spec_of(document).get("resources"), "requests")
        found = []
        for one in self._ranges.get(namespace_of(document), ()):
            for item in spec_of(one).get("limits") or ():
                if item.get("type") == _CLAIMS:
                    found += [f"{said} (LimitRange {name_of(one)})" for said in _outside(item, requests)]
        return found


def usage(document: Object) -> Amounts:
    """Return what an object that is no pod counts for in quotas, by the names that quotas use."""
    kind = kind_of(document)
    if kind == POD:
        return {}
    used = {_count_name(kind): _ONE}
    if not kind.group and kind.name in _COUNTED_BY_NAME:
        used[_COUNTED_BY_NAME[kind.name]] = _ONE
    if kind == SERVICE:
        add_to(used, _usage_of_service(document))
    if kind == PERSISTENT_VOLUME_CLAIM:
        storage = -(-amounts(spec_of(document).get("resources"), "requests").get("storage", 0) // _ONE) * _ONE
        used["requests.storage"] = storage
        if name := spec_of(document).get("storageClassName"):
            used |= {f"{name}{_OF_CLASS}persistentvolumeclaims": _ONE}
            used |= {f"{name}{_OF_CLASS}requests.storage": storage}
    return used


def _usage_of_service(service: Object) -> Amounts:
    spec = spec_of(service)
    ports = spec.get("ports") or ()
    match spec.get("type"):
        case "NodePort":
            return {"services.nodeports": len(ports) * _ONE}
        case "LoadBalancer":
            are_given = spec.get("allocateLoadBalancerNodePorts") is not False
            named = [one for one in ports if isinstance(one, dict) and one.get("nodePort")]
            counted = ports if are_given else named
            return {"services.loadbalancers": _ONE, "services.nodeports": len(counted) * _ONE}
    return {}


def _count_name(kind: Kind) -> str:
    """Return `count/deployments.apps`; plurals are those of English, as nearly all kinds have them."""
    plural = kind.name.lower()
    if plural != "endpoints":
        plural = _IES.sub("i", plural) + ("es" if _ES.search(plural) else "s")
    return f"count/{plural}.{kind.group}" if kind.group else f"count/{plural}"


def _outside(item: Object, requests: Amounts) -> Iterable[str]:
    for field, word in (("min", "minimum"), ("max", "maximum")):
        for name, text in (item.get(field) or {}).items():
            bound, start = parse_quantity(text).nanos, f"{word} {name} usage per {_CLAIMS} is {text}"
            asked = requests.get(name)
            if asked is None:
                yield f"{start}.  No request is specified"
            elif asked < bound if field == "min" else asked > bound:
                yield f"{start}, but request is {_text(name, asked)}"


def _has_scopes(quota: Object) -> bool:
    return bool(spec_of(quota).get("scopes") or spec_of(quota).get("scopeSelector"))


def _text(name: str, nanos: int) -> str:
    is_storage = name == "storage" or name.endswith("requests.storage")
    return str(Quantity(nanos, "BinarySI" if is_storage else "DecimalSI"))
