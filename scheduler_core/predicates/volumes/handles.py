"""Which CSI volumes each pod mounts, and which are attached to a node: what NodeVolumeLimits counts.

A volume is known by its driver and handle. A claim without a volume stands for one that its class's driver
is yet to make. In-tree volumes count as their CSI driver's on nodes with a CSINode, and only such nodes
have limits.

Source: kubernetes v1.36 plugins/nodevolumelimits csi.go.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np

from scheduler_core.objects import storage
from scheduler_core.objects.storage import PersistentVolume, PersistentVolumeClaim, VolumeAttachment
from scheduler_core.objects.types import Pod, Volume
from scheduler_core.predicates.known_pods import common_start
from scheduler_core.predicates.volumes import claims as volume_claims
from scheduler_core.predicates.volumes import migration as volume_migration
from scheduler_core.predicates.volumes.faults import (
    MigrationError,
    MissingClaim,
    UnnamedClaim,
    UntranslatableVolume,
    VolumeError,
    VolumeFault,
)
from scheduler_core.state.nodes import IntArray, NodeTable
from scheduler_core.state.pods import PodInfo, PodTable
from scheduler_core.state.volumes import Volumes, key_of_claim

Handle = tuple[str, str]
"""A CSI driver and its name for a volume."""


def counts_for_limits(pod: Pod) -> bool:
    """Return whether the pod has volumes of a kind that can count against a limit."""
    return any(
        volume_claims.claim_of(pod, volume) or volume_migration.in_tree_plugin(volume)
        for volume in pod.spec.volumes or ()
    )


def handles_of(pod: Pod, namespace: str, volumes: Volumes, *, incoming: bool, migrated: bool) -> set[Handle]:
    """Return the CSI volumes that the pod mounts on a node with (`migrated`) or without a CSINode.

    Raises VolumeError; for a MissingClaim only of the incoming pod, since those of running pods do not count.
    """
    handles = set()
    for volume in pod.spec.volumes or ():
        use = volume_claims.claim_of(pod, volume)
        if use is None:
            handle = _inline(volume) if migrated else None
        else:
            handle = _claimed(pod, namespace, use, volumes, incoming=incoming, migrated=migrated)
        if handle is not None and all(handle):
            handles.add(handle)
    return handles


def _inline(volume: Volume) -> Handle | None:
    plugin = volume_migration.in_tree_plugin(volume)
    if plugin is None or not plugin.migrated:
        return None
    try:
        return plugin.driver, volume_migration.inline_handle(plugin, volume)
    except MigrationError as error:
        raise VolumeError(UntranslatableVolume(volume.name, error.fault)) from error


def _claimed(
    pod: Pod,
    namespace: str,
    use: volume_claims.ClaimUse,
    volumes: Volumes,
    *,
    incoming: bool,
    migrated: bool,
) -> Handle | None:
    if not use.claim:
        raise VolumeError(UnnamedClaim())
    claim = volumes.claim(namespace, use.claim)
    if claim is None:
        if incoming:
            raise VolumeError(MissingClaim(namespace, use.claim))
        return None
    if use.ephemeral and not volume_claims.owned_by(claim, pod):
        raise VolumeError(volume_claims.foreign(claim, pod))
    volume = volumes.volumes.get(claim.spec.volume_name) if claim.spec.volume_name else None
    if volume is None:
        return _to_be_made(claim, volumes, migrated=migrated)
    return _of_volume(volume, migrated=migrated)


def _to_be_made(claim: PersistentVolumeClaim, volumes: Volumes, *, migrated: bool) -> Handle | None:
    """Return the volume that the claim's class would make; a claim stands for the same one each time."""
    storage_class = volumes.classes.get(storage.class_of_claim(claim))
    if storage_class is None:
        return None
    driver = storage_class.provisioner
    plugin = volume_migration.BY_PROVISIONER.get(driver)
    if plugin is not None:
        if not (migrated and plugin.migrated):
            return None
        driver = plugin.driver
    # No driver's handle begins with a null character.
    return driver, "\0" + "/".join(key_of_claim(claim))


def _of_volume(volume: PersistentVolume, *, migrated: bool) -> Handle | None:
    if volume.spec.csi is not None:
        return volume.spec.csi.driver, volume.spec.csi.volume_handle
    plugin = volume_migration.in_tree_plugin(volume.spec)
    if plugin is None or not (migrated and plugin.migrated):
        return None
    try:
        volume_migration.migrated_terms(plugin, volume)
        return plugin.driver, volume_migration.volume_handle(plugin, volume)
    except MigrationError:
        return None


class Mounting:
    """The rows of all pods whose volumes can count against limits, in order, whatever there is to mount."""

    def __init__(self) -> None:
        self._infos: list[PodInfo] = []
        self._rows: list[int] = []

    def since(self, known: int, infos: Sequence[PodInfo]) -> list[int]:
        """Return those of this table that are not among its first so many."""
        same = common_start(self._infos, infos)
        del self._infos[same:], self._rows[bisect_left(self._rows, same) :]
        self._infos += infos[same:]
        self._rows += [info.row for info in infos[same:] if counts_for_limits(info.pod)]
        return self._rows[bisect_left(self._rows, known) :]


class HandleIndex:
    """The CSI volumes of all pods and attachments, numbered.

    `driver_of[volume]` indexes `drivers`; `faults` has the running pods whose volumes cannot be counted.
    """

    def __init__(self, nodes: NodeTable, volumes: Volumes, *, attached: bool = True) -> None:
        self.nodes = nodes
        self.volumes = volumes
        self.drivers: dict[str, int] = {}
        self.faults: dict[int, VolumeFault] = {}
        self.of_pod: dict[int, tuple[int, ...]] = {}
        self._ids: dict[Handle, int] = {}
        self._drivers_of: list[int] = []
        self._infos: list[PodInfo] = []
        self._driver_of: IntArray = np.zeros(0, dtype=np.int64)
        self._mounts: IntArray | None = None
        self.attached = self._attachments(volumes.attachments if attached else ())
        """(node, volume) of each attachment, shape (attachments, 2)."""

    def extend(self, pods: PodTable) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        infos = pods.infos
        known = common_start(self._infos, infos)
        if known < max(len(self._infos), len(infos)):
            self._mounts = None
        for info in self._infos[known:]:
            self.of_pod.pop(info.row, None)
            self.faults.pop(info.row, None)
        del self._infos[known:]
        self._infos += infos[known:]
        for row in pods.companion(Mounting).since(known, infos):
            self._take_in(infos[row])

    def _take_in(self, info: PodInfo) -> None:
        try:
            handles = handles_of(info.pod, info.namespace, self.volumes, incoming=False, migrated=True)
        except VolumeError as error:
            self.faults[info.row] = error.fault
            return
        if handles:
            self.of_pod[info.row] = self.intern(sorted(handles))

    def intern(self, handles: Iterable[Handle]) -> tuple[int, ...]:
        """Return the numbers of the volumes."""
        numbers = []
        for handle in handles:
            if handle not in self._ids:
                self._ids[handle] = len(self._ids)
                self._drivers_of.append(self.drivers.setdefault(handle[0], len(self.drivers)))
            numbers.append(self._ids[handle])
        return tuple(numbers)

    @property
    def driver_of(self) -> IntArray:
        """The driver of each volume."""
        if len(self._driver_of) != len(self._drivers_of):
            self._driver_of = np.array(self._drivers_of, dtype=np.int64)
        return self._driver_of

    @property
    def mounts(self) -> IntArray:
        """(pod, volume) for every volume that a pod mounts, shape (mounts, 2)."""
        if self._mounts is None:
            pairs = [(pod, volume) for pod, volumes in self.of_pod.items() for volume in volumes]
            self._mounts = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return self._mounts

    def _attachments(self, attachments: Iterable[VolumeAttachment]) -> IntArray:
        """Read the VolumeAttachments: those of CSI volumes on nodes that exist."""
        pairs = []
        for attachment in attachments:
            spec = attachment.spec
            node = self.nodes.index.get(spec.node_name)
            volume = self.volumes.volumes.get(spec.source.persistent_volume_name or "")
            if node is None or not spec.attacher or volume is None or volume.spec.csi is None:
                continue
            pairs.append((node, *self.intern([(spec.attacher, volume.spec.csi.volume_handle)])))
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
