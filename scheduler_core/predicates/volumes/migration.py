"""In-tree volumes as their CSI drivers know them: driver, handle and topology after CSI migration.

Seven in-tree plugins have a translation; for two of them (azure-file, vsphere) the scheduler never uses it.

Source: k8s.io/csi-translation-lib v0.36 translate.go and plugins/; kubernetes v1.36
plugins/nodevolumelimits/utils.go and plugins/volumebinding/binder.go (isCSIMigrationOn...).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from scheduler_core.objects.storage import CSINode, PersistentVolume, PersistentVolumeSpec
from scheduler_core.objects.types import LabelSelectorRequirement, NodeSelectorTerm, Volume
from scheduler_core.predicates.volumes.faults import (
    MigrationError,
    NoEbsVolume,
    NotOneRegion,
    OddZone,
    UnsupportedDiskKind,
)

ZONE, BETA_ZONE = "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"
REGION, BETA_REGION = "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"
ZONE_DELIMITER = "__"
_MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_EBS_VOLUME = re.compile(r"vol-[^/]*\Z")
_UNSPECIFIED = "UNSPECIFIED"


@dataclass(frozen=True)
class InTreePlugin:
    """An in-tree volume plugin: the field of its source, its CSI driver, the driver's zone label.

    `migrated` is whether the scheduler ever treats its volumes as the driver's.
    """

    field: str
    name: str
    driver: str
    topology_key: str = ""
    migrated: bool = True


PLUGINS = (
    InTreePlugin(
        "aws_elastic_block_store", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"
    ),
    InTreePlugin(
        "gce_persistent_disk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"
    ),
    InTreePlugin(
        "cinder",
        "kubernetes.io/cinder",
        "cinder.csi.openstack.org",
        "topology.cinder.csi.openstack.org/zone",
    ),
    InTreePlugin("azure_disk", "kubernetes.io/azure-disk", "disk.csi.azure.com"),
    InTreePlugin("portworx_volume", "kubernetes.io/portworx-volume", "pxd.portworx.com"),
    InTreePlugin("azure_file", "kubernetes.io/azure-file", "file.csi.azure.com", migrated=False),
    InTreePlugin("vsphere_volume", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", migrated=False),
)
BY_PROVISIONER = {plugin.name: plugin for plugin in PLUGINS}


def in_tree_plugin(source: Volume | PersistentVolumeSpec) -> InTreePlugin | None:
    """Return the plugin of a pod's or a persistent volume's in-tree source, None without a translation."""
    for plugin in PLUGINS:
        if getattr(source, plugin.field) is not None:
            return plugin
    return None


def migrated_on(plugin: InTreePlugin, csi_node: CSINode | None) -> bool:
    """Return whether a node announces that the plugin's volumes are its CSI driver's there."""
    if csi_node is None:
        return False
    announced = (csi_node.metadata.annotations or {}).get(_MIGRATED_PLUGINS, "")
    return plugin.name in announced.split(",")


# -- handles -----------------------------------------------------------------------------------------


def inline_handle(plugin: InTreePlugin, volume: Volume) -> str:
    """Return the CSI handle of a disk that a pod names itself. Raises MigrationError."""
    source = getattr(volume, plugin.field)
    if plugin.field == "gce_persistent_disk":
        return _gce_handle("zones", _UNSPECIFIED, source)
    return _plain_handle(plugin, source)


def volume_handle(plugin: InTreePlugin, volume: PersistentVolume) -> str:
    """Return the CSI handle of an in-tree persistent volume. Raises MigrationError."""
    source = getattr(volume.spec, plugin.field)
    if plugin.field == "gce_persistent_disk":
        return _gce_volume_handle(volume, source)
    return _plain_handle(plugin, source)


def _plain_handle(plugin: InTreePlugin, source: dict[str, Any]) -> str:
    if plugin.field == "aws_elastic_block_store":
        return _ebs_handle(source.get("volumeID") or "")
    if plugin.field == "azure_disk":
        kind = source.get("kind")
        if kind is not None and str(kind).lower() != "managed":
            raise MigrationError(UnsupportedDiskKind(str(kind)))
        return source.get("diskURI") or ""
    return source.get("volumeID") or ""


def _ebs_handle(identifier: str) -> str:
    if not identifier.startswith("aws://"):
        return identifier
    handle = urlsplit(identifier).path.strip("/")
    if not _EBS_VOLUME.match(handle):
        raise MigrationError(NoEbsVolume(identifier))
    return handle


def _gce_volume_handle(volume: PersistentVolume, source: dict[str, Any]) -> str:
    labels = volume.metadata.labels or {}
    zones = (labels.get(BETA_ZONE) or labels.get(ZONE) or "").split(ZONE_DELIMITER)
    if len(zones) > 1:
        return _gce_handle("regions", _gce_region(zones), source)
    return _gce_handle("zones", zones[0] or _UNSPECIFIED, source)


def _gce_handle(scope: str, place: str, source: dict[str, Any]) -> str:
    return f"projects/{_UNSPECIFIED}/{scope}/{place}/disks/{source.get('pdName') or ''}"


def _gce_region(zones: Sequence[str]) -> str:
    regions = set()
    for zone in zones:
        parts = zone.split("-")
        if len(parts) != 3:
            raise MigrationError(OddZone(zone))
        regions.add("-".join(parts[:2]))
    if len(regions) != 1:
        raise MigrationError(NotOneRegion(tuple(sorted(regions))))
    return regions.pop()


# -- topology ----------------------------------------------------------------------------------------


def required_terms(volume: PersistentVolume) -> list[NodeSelectorTerm] | None:
    """Return the terms of which a node must satisfy one, None where the volume asks for no node."""
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return None
    return affinity.required.node_selector_terms or []


def migrated_terms(plugin: InTreePlugin, volume: PersistentVolume) -> list[NodeSelectorTerm] | None:
    """Return the required terms of an in-tree volume once it is the CSI driver's. Raises MigrationError."""
    volume_handle(plugin, volume)
    terms = required_terms(volume)
    if not plugin.topology_key:
        return terms
    zone_key, region_key = _topology_labels(terms or (), volume)
    if any(requirement.values for requirement in _requirements(terms or (), zone_key)):
        terms = _renamed(terms or [], zone_key, plugin.topology_key)
    elif zone_key in (volume.metadata.labels or {}):
        terms = _in_zones(terms, plugin.topology_key, (volume.metadata.labels or {})[zone_key])
    if region_key == BETA_REGION and any(item.values for item in _requirements(terms or (), region_key)):
        terms = _renamed(terms or [], region_key, REGION)
    return terms


def _topology_labels(terms: Iterable[NodeSelectorTerm], volume: PersistentVolume) -> tuple[str, str]:
    """Return the keys of zone and region: the current ones unless only the old zone key is in use."""
    keys = {requirement.key for term in terms for requirement in term.match_expressions or ()}
    for used in (keys, set(volume.metadata.labels or {})):
        if ZONE in used:
            return ZONE, REGION
        if BETA_ZONE in used:
            return BETA_ZONE, BETA_REGION
    return ZONE, REGION


def _requirements(terms: Iterable[NodeSelectorTerm], key: str) -> list[LabelSelectorRequirement]:
    return [item for term in terms for item in term.match_expressions or () if item.key == key]


def _renamed(terms: list[NodeSelectorTerm], old: str, new: str) -> list[NodeSelectorTerm]:
    return [
        NodeSelectorTerm(
            [
                LabelSelectorRequirement(new if item.key == old else item.key, item.operator, item.values)
                for item in term.match_expressions or ()
            ],
            term.match_fields,
        )
        for term in terms
    ]


def _in_zones(terms: list[NodeSelectorTerm] | None, key: str, label: str) -> list[NodeSelectorTerm] | None:
    """Add the zones of a label to every term; to a new one where there is none."""
    zones = sorted({zone.strip() for zone in label.split(ZONE_DELIMITER)} - {""})
    if not zones:
        return terms
    requirement = LabelSelectorRequirement(key, "In", zones)
    return [
        NodeSelectorTerm([*(term.match_expressions or ()), requirement], term.match_fields)
        for term in terms or [NodeSelectorTerm()]
    ]
