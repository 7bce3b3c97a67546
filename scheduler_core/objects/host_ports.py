"""The host ports of a pod, and when two of them exclude each other.

Source: kubernetes v1.36 pkg/scheduler/util.GetHostPorts; kube-scheduler v0.36 framework HostPortInfo.
"""

from collections.abc import Iterable

from scheduler_core.objects.types import Container, Pod

HostPort = tuple[str, str, int]
"""Address, protocol and port."""
ANY_ADDRESS = "0.0.0.0"  # noqa: S104 (compared with, never bound to)


def host_ports(pod: Pod) -> tuple[HostPort, ...]:
    """Return the host ports of containers and sidecars."""
    sidecars = [c for c in pod.spec.init_containers or () if c.restart_policy == "Always"]
    return _ports_of([*sidecars, *(pod.spec.containers or ())])


def ports_of_containers(pod: Pod) -> tuple[HostPort, ...]:
    """Return the host ports of containers alone."""
    return _ports_of(pod.spec.containers or ())


def _ports_of(containers: Iterable[Container]) -> tuple[HostPort, ...]:
    return tuple(
        (port.host_ip or ANY_ADDRESS, port.protocol or "TCP", port.host_port)
        for container in containers
        for port in container.ports or ()
        if port.host_port is not None and port.host_port > 0
    )


def conflicts(wanted: HostPort, used: HostPort) -> bool:
    """Return whether the ports exclude each other on a node; 0.0.0.0 stands for every address."""
    address, other = wanted[0], used[0]
    return wanted[1:] == used[1:] and (address == other or ANY_ADDRESS in (address, other))
