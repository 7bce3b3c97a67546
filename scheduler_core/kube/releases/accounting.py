"""What 1.8 to 1.13 count of a pod.

What the API of that time did not know is gone before (`api_fields.py`). Init containers set a minimum for the
pod that is being placed, and nothing once it is on a node. In 1.8 a host port is its number alone, whatever
protocol and address.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler: schedulercache/node_info.go
calculateResource, updateUsedPorts; algorithm/predicates GetResourceRequest; algorithm/priorities
getNonZeroRequests; util GetUsedPorts.
"""

import msgspec

from scheduler_core.objects.amounts import requests
from scheduler_core.objects.host_ports import ANY_ADDRESS, HostPort, host_ports
from scheduler_core.objects.types import Pod
from scheduler_core.state.pods import Accounting


def _without_init(pod: Pod) -> Pod:
    return msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, init_containers=None))


def _requests(pod: Pod) -> requests.Amounts:
    """A resource of which only init containers ask, and ask nothing, is not asked for."""
    of_containers = _running_requests(pod)
    asked = requests.pod_requests(pod)
    return {name: amount for name, amount in asked.items() if amount or name in of_containers}


def _running_requests(pod: Pod) -> requests.Amounts:
    return requests.pod_requests(_without_init(pod))


def _scored_requests(pod: Pod) -> requests.Amounts:
    return requests.scored_requests(_without_init(pod))


def _non_zero_requests(pod: Pod) -> tuple[int, int]:
    return requests.non_zero_requests(_without_init(pod))


def _ports(pod: Pod) -> tuple[HostPort, ...]:
    return host_ports(_without_init(pod))


def _port_numbers(pod: Pod) -> tuple[HostPort, ...]:
    return tuple((ANY_ADDRESS, "TCP", number) for _, _, number in _ports(pod))


_SINCE_1_9 = Accounting(_requests, _running_requests, _non_zero_requests, _scored_requests, _ports)
_1_8 = Accounting(_requests, _running_requests, _non_zero_requests, _scored_requests, _port_numbers)


def accounting_of(release: str) -> Accounting:
    """Return what a release counts."""
    return _1_8 if release == "1.8" else _SINCE_1_9
