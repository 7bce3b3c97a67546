"""What the containers of a pod ask of each vendor.

Source: HAMi v2.10.0 pkg/device/devices.go Resourcereqs.
"""

from __future__ import annotations

from scheduler_core.hami.devices.all_vendors import Vendors
from scheduler_core.hami.rules.cards import Requests
from scheduler_core.hami.rules.pod_request import Object, all_containers, resources_of


def pod_requests(pod: Object, vendors: Vendors) -> list[Requests]:
    """Return the requests of each container, init containers first."""
    return [container_requests(container, vendors) for container in all_containers(pod)]


def container_requests(container: Object, vendors: Vendors) -> Requests:
    """Return what a container asks of each vendor."""
    found: Requests = {}
    for vendor in vendors.named_by(resources_of(container)):
        request = vendor.request(container)
        if request is not None and request.nums > 0:
            found[vendor.key] = request
    return found
