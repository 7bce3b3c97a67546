"""What the containers of a pod ask of each vendor.

Source: HAMi v2.10.0 pkg/device/devices.go Resourcereqs.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.hami.asking import Object, all_containers, resources_of
from scheduler_core.hami.cards import Requests
from scheduler_core.hami.devices.vendor import Vendor


def pod_requests(pod: Object, vendors: Mapping[str, Vendor]) -> list[Requests]:
    """Return the requests of each container, init containers first."""
    return [container_requests(container, vendors) for container in all_containers(pod)]


def container_requests(container: Object, vendors: Mapping[str, Vendor]) -> Requests:
    """Return what a container asks of each vendor."""
    found: Requests = {}
    names = resources_of(container)
    for key, vendor in vendors.items():
        if vendor.names.isdisjoint(names):
            continue
        request = vendor.request(container)
        if request is not None and request.nums > 0:
            found[key] = request
    return found
