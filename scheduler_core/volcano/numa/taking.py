"""Which cpus are taken: whole sockets, then whole cores, then threads on cores that are partly taken.

Source: volcano v1.16 pkg/scheduler/plugins/numaaware/provider/cpumanager/cpu_assignment.go.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.go.sort import go_sort
from scheduler_core.volcano.numa.topology import Cpu, Cpus


def take(topology: Mapping[int, Cpu], available: Cpus, number: int) -> Cpus | None:
    """Return so many of the available cpus, None where there are too few."""
    taking = _Taking(topology, available, number)
    if taking.needed < 1:
        return frozenset()
    return frozenset(taking.taken) if taking.succeeds() else None


class _Taking:
    """`left` are the available cpus that are not taken yet."""

    def __init__(self, topology: Mapping[int, Cpu], available: Cpus, number: int) -> None:
        self._all = topology
        self.left = {number: cpu for number, cpu in topology.items() if number in available}
        self.taken: set[int] = set()
        self.needed = number

    def succeeds(self) -> bool:
        """Take what is needed; return whether there is enough."""
        if self.needed > len(self.left):
            return False
        return self._whole_sockets() or self._whole_cores() or self._threads()

    def _take(self, cpus: set[int]) -> bool:
        """Take cpus, and return whether that is enough."""
        self.taken |= cpus
        self.left = {number: cpu for number, cpu in self.left.items() if number not in cpus}
        self.needed -= len(cpus)
        return self.needed < 1

    def _whole_sockets(self) -> bool:
        """Sockets count whose number is that of a cpu which is left, too: so Volcano has it."""
        size = len(self._all) // (len({cpu.socket for cpu in self._all.values()}) or 1)
        if self.needed >= size:
            for socket in sorted({cpu.socket for cpu in self.left.values()} & self.left.keys()):
                if self._take(_in_socket(self.left, socket)):
                    return True
                if self.needed < size:
                    break
        return False

    def _whole_cores(self) -> bool:
        size = len(self._all) // (len({(cpu.socket, cpu.core) for cpu in self._all.values()}) or 1)
        if self.needed >= size:
            for core in self._free_cores():
                if self._take(_in_core(self.left, core)):
                    return True
                if self.needed < size:
                    break
        return False

    def _free_cores(self) -> list[int]:
        """Return cores by their sockets, those with the fewest cores first; numbers count as with sockets."""
        sockets = sorted({cpu.socket for cpu in self.left.values()})
        cores = {socket: self._cores_of(socket) for socket in sockets}

        def less(one: int, other: int) -> bool:
            return len(cores[one]) < len(cores[other]) or one < other

        go_sort(sockets, less)
        return [core for socket in sockets for core in cores[socket]]

    def _cores_of(self, socket: int) -> list[int]:
        return sorted({cpu.core for cpu in self.left.values() if cpu.socket == socket} & self.left.keys())

    def _threads(self) -> bool:
        return any(self._take({cpu}) for cpu in self._free_cpus())

    def _free_cpus(self) -> list[int]:
        """Return cpus by their cores: near what is taken, on full sockets, on full cores."""
        cores = sorted({cpu.core for cpu in self.left.values()})
        figures = {core: self._figures(core) for core in cores}

        def less(one: int, other: int) -> bool:
            mine, theirs = figures[one], figures[other]
            return any(left < right for left, right in zip(mine, theirs, strict=True))

        go_sort(cores, less)
        return [cpu for core in cores for cpu in sorted(_in_core(self.left, core))]

    def _figures(self, core: int) -> tuple[int, ...]:
        """Return by what cores are compared, the less the sooner: a core is less if any of these is."""
        socket = self._all[min(_in_core(self._all, core))].socket
        near = len(_in_socket(self._all, socket) & self.taken)
        return -near, len(_in_socket(self.left, socket)), len(_in_core(self.left, core)), socket, core


def _in_socket(cpus: Mapping[int, Cpu], socket: int) -> set[int]:
    return {number for number, cpu in cpus.items() if cpu.socket == socket}


def _in_core(cpus: Mapping[int, Cpu], core: int) -> set[int]:
    return {number for number, cpu in cpus.items() if cpu.core == core}
