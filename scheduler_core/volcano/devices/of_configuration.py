"""Which devices a configuration switches on, and what of them each node has.

Source: volcano v1.16 pkg/scheduler/plugins/deviceshare/deviceshare.go enablePredicate,
pkg/scheduler/api/node_info.go setNodeOthersResource.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core.objects.types import Node
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.devices.gpu_share import gpu_share_node
from scheduler_core.volcano.devices.vgpu import vgpu_node
from scheduler_core.volcano.devices.vgpu_requests import Wishes
from scheduler_core.volcano.devices.vgpu_settings import VgpuSettings
from scheduler_core.volcano.model.node_devices import NodeDevices

PLUGIN = "deviceshare"
VGPU, GPU_SHARE, GPU_NUMBER = (f"{PLUGIN}.{what}Enable" for what in ("VGPU", "GPUSharing", "GPUNumber"))
POLICY, WEIGHT = f"{PLUGIN}.SchedulePolicy", f"{PLUGIN}.ScheduleWeight"
EXCLUSIVE_RULES = f"{PLUGIN}.GPUExclusiveRules"


@dataclass(frozen=True)
class DeviceSharing:
    """What is switched on. `policy` is that by which cards are handed out: the last plugin's."""

    vgpu: bool = False
    by_memory: bool = False
    by_number: bool = False
    policy: str = ""

    def _of_node(self, node: Node, wishes: Wishes) -> list[NodeDevices]:
        """Return a node's devices, of each kind that is switched on and there."""
        found: list[NodeDevices | None] = []
        if self.by_memory or self.by_number:
            found.append(gpu_share_node(node, by_memory=self.by_memory, by_number=self.by_number))
        if self.vgpu:
            found.append(vgpu_node(node, wishes))
        return [one for one in found if one is not None]

    def by_row(self, nodes: Iterable[Node], settings: VgpuSettings) -> dict[int, list[NodeDevices]]:
        """Return the devices of those nodes that have any, by the nodes' rows."""
        if not (self.vgpu or self.by_memory or self.by_number):
            return {}
        wishes = Wishes(settings)
        pairs = ((row, self._of_node(node, wishes)) for row, node in enumerate(nodes))
        return {row: devices for row, devices in pairs if devices}


def device_sharing(configuration: Configuration) -> DeviceSharing:
    """Return what a configuration switches on; of several such plugins the last one counts."""
    found = DeviceSharing()
    for option in (option for tier in configuration.tiers for option in tier if option.name == PLUGIN):
        given = option.arguments
        found = DeviceSharing(
            given.boolean(VGPU, found.vgpu),
            given.boolean(GPU_SHARE, found.by_memory),
            given.boolean(GPU_NUMBER, found.by_number),
            given.text(POLICY),
        )
    return found
