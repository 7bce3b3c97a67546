"""Which names resources may have, by where they are asked for or limited.

Source: kubernetes v1.36 pkg/apis/core/validation validateContainerResourceName, validatePodResourceName,
ValidateResourceQuotaResourceName and validateLimitRangeResourceName; pkg/apis/core/helper. An API server
takes any name in a node's status; one that no container may ask for is of no use there.
"""

import re
from functools import lru_cache

from scheduler_core.objects.suggestions import did_you_mean

_HUGE_PAGES = "hugepages-"
_REQUESTS = "requests."
_KUBERNETES = "kubernetes.io/"
OF_PODS = ("cpu", "memory")
OF_CONTAINERS = (*OF_PODS, "ephemeral-storage")
OF_QUOTAS = (
    *OF_CONTAINERS,
    *(f"{side}.{name}" for side in ("requests", "limits") for name in OF_CONTAINERS),
    "requests.storage",
    *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"),
    *("persistentvolumeclaims", "services.nodeports", "services.loadbalancers"),
)
OF_LIMITS = (*OF_QUOTAS, "storage")
OF_NODES = (*OF_CONTAINERS, "pods")
OF_NO_POD = "is no resource that pods can ask for"
"""How the message about a resource of a node begins that is misspelt."""
_COUNTED_BY_NODES = "attachable-volumes-"
_MEANT = dict.fromkeys(("gpu", "gpus"), "nvidia.com/gpu")
"""What is meant by names that no standard one is like."""
_PART = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", re.ASCII)
_DOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LONGEST_DOMAIN = 253


@lru_cache(maxsize=4096)
def name_fault(name: str, standard: tuple[str, ...]) -> str | None:
    """Return what is wrong with a resource's name; `standard` (OF_...) are those without a domain there."""
    if not is_qualified(name):
        return "is no name of a resource"
    if "/" not in name:
        if name in standard or name.startswith(_HUGE_PAGES):
            return None
        if standard in (OF_QUOTAS, OF_LIMITS) and name.startswith(_REQUESTS + _HUGE_PAGES):
            return None
        if standard == OF_NODES and name.startswith(_COUNTED_BY_NODES):
            return None
        fault = OF_NO_POD if standard == OF_NODES else "is no resource that is known here"
        return f"{fault}{_rule(standard)}{_question(name, standard)}"
    if standard == OF_PODS:
        return "is no resource that whole pods can ask for: these are cpu, memory and hugepages-…"
    if standard == OF_CONTAINERS and _KUBERNETES not in name and not _is_extended(name):
        return "is no name that an extended resource can have"
    return None


def _rule(standard: tuple[str, ...]) -> str:
    if standard in (OF_QUOTAS, OF_LIMITS):
        return " (one of another kind is called domain/name)"
    return f" (known are {', '.join(standard)}, hugepages-… and domain/name)"


def _question(name: str, standard: tuple[str, ...]) -> str:
    meant = _MEANT.get(name.lower())
    return f"; did you mean {meant}?" if meant else did_you_mean(name, standard)


def _is_extended(name: str) -> bool:
    return not name.startswith(_REQUESTS) and is_qualified(f"{_REQUESTS}{name}")


def is_qualified(name: str) -> bool:
    """Tell whether a name is one, after a domain if there is a slash."""
    domain, slash, short = name.rpartition("/")
    if slash and (len(domain) > _LONGEST_DOMAIN or _DOMAIN.fullmatch(domain) is None):
        return False
    return _PART.fullmatch(short) is not None
