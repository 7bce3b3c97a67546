"""Disks that two pods of a node cannot both mount.

Source: kubernetes v1.36 plugins/volumerestrictions isVolumeConflict.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.objects.types import Pod, Volume


def disks_of(pod: Pod) -> list[Volume]:
    """Return the pod's volumes that are disks of which one mount may exclude another."""
    return [
        volume
        for volume in pod.spec.volumes or ()
        if volume.gce_persistent_disk is not None
        or volume.aws_elastic_block_store is not None
        or volume.rbd is not None
        or volume.iscsi is not None
    ]


def same_disk(left: Volume, right: Volume) -> bool:
    """Return whether two volumes are one disk that they cannot both mount.

    Any but EBS disks may be shared as long as both mount them read-only.
    """
    return (
        _both_hold(left.aws_elastic_block_store, right.aws_elastic_block_store, _same_ebs_disk)
        or _both_hold(left.gce_persistent_disk, right.gce_persistent_disk, _same_gce_disk)
        or _both_hold(left.iscsi, right.iscsi, _same_iscsi_disk)
        or _both_hold(left.rbd, right.rbd, _same_image)
    )


_Source = dict[str, Any]


def _both_hold(
    left: _Source | None, right: _Source | None, conflicting: Callable[[_Source, _Source], bool]
) -> bool:
    return left is not None and right is not None and conflicting(left, right)


def _same_ebs_disk(left: _Source, right: _Source) -> bool:
    return bool(left.get("volumeID") == right.get("volumeID"))


def _same_gce_disk(left: _Source, right: _Source) -> bool:
    return left.get("pdName") == right.get("pdName") and _one_writes(left, right)


def _same_iscsi_disk(left: _Source, right: _Source) -> bool:
    return left.get("iqn") == right.get("iqn") and _one_writes(left, right)


def _same_image(left: _Source, right: _Source) -> bool:
    """Return whether two RBD images are one: same pool, same name, and a monitor in common."""
    shared = set(left.get("monitors") or ()) & set(right.get("monitors") or ())
    same = all((left.get(key) or "") == (right.get(key) or "") for key in ("pool", "image"))
    return bool(shared) and same and _one_writes(left, right)


def _one_writes(left: _Source, right: _Source) -> bool:
    return not (left.get("readOnly") and right.get("readOnly"))
