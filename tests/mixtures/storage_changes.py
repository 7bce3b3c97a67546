"""Storage objects, claims of devices among them, made up and changed for the scheduling queue."""

from random import Random
from typing import Any

Document = dict[str, Any]

ZONE = "topology.kubernetes.io/zone"
DRIVERS = ("ebs.csi.aws.com", "pd.csi.storage.gke.io", "csi.example.com")
KINDS = (
    "PersistentVolume",
    "PersistentVolumeClaim",
    "StorageClass",
    "CSINode",
    "CSIDriver",
    "CSIStorageCapacity",
    "VolumeAttachment",
    "DeviceClass",
    "ResourceClaim",
    "ResourceSlice",
)
_STORAGE, _RESOURCE = "storage.k8s.io/v1", "resource.k8s.io/v1"
_VERSIONS = {
    "PersistentVolume": "v1",
    "PersistentVolumeClaim": "v1",
    "DeviceClass": _RESOURCE,
    "ResourceClaim": _RESOURCE,
    "ResourceSlice": _RESOURCE,
}


def made(random: Random, name: str, claims: list[str]) -> Document:
    """Return a new object of some kind; `claims` are names of which a new claim takes one now and then."""
    kind = random.choice(KINDS)
    item: Document = {
        "apiVersion": _VERSIONS.get(kind, _STORAGE),
        "kind": kind,
        "metadata": {"name": name, "uid": f"uid-{name}"},
    }
    if kind == "PersistentVolumeClaim":
        item["metadata"] |= {"namespace": random.choice(["default", "other"])}
        if claims and random.random() < 0.5:
            item["metadata"]["name"] = random.choice(claims)
    if kind == "CSIStorageCapacity":
        item["metadata"]["namespace"] = "default"
        item["storageClassName"] = "fast"
    if kind == "ResourceClaim":
        item["metadata"]["namespace"] = "default"
    if kind == "StorageClass":
        item["provisioner"] = random.choice(DRIVERS)
    if kind == "CSIDriver":
        item["metadata"]["name"] = random.choice(DRIVERS)
    if kind == "VolumeAttachment":
        source = {"persistentVolumeName": "pv"}
        item["spec"] = {"attacher": random.choice(DRIVERS), "nodeName": "n", "source": source}
    change(item, random)
    return item


def change(item: Document, random: Random) -> None:
    """Change what some hint may look at, or something else."""
    spec = item.setdefault("spec", {}) if item["kind"] not in _WITHOUT_SPEC else {}
    match item["kind"]:
        case "PersistentVolume":
            zones = random.choice(["a", "b", "a__b", "a____b", ""])
            item["metadata"]["labels"] = random.choice([{}, {ZONE: zones}])
        case "PersistentVolumeClaim":
            spec["volumeName"] = random.choice(["", "pv"])
        case "StorageClass":
            item["volumeBindingMode"] = random.choice(["Immediate", "WaitForFirstConsumer"])
            values = [random.choice(["a", "b"])]
            expressions = [{"key": ZONE, "values": values}]
            item["allowedTopologies"] = random.choice([[], [{"matchLabelExpressions": expressions}]])
        case "CSINode":
            if random.random() < 0.4:
                announced = random.choice(["kubernetes.io/aws-ebs", "kubernetes.io/gce-pd", ""])
                key = "storage.alpha.kubernetes.io/migrated-plugins"
                item["metadata"]["annotations"] = {key: announced}
            spec["drivers"] = [
                {"name": driver, "nodeID": "n", "allocatable": random.choice([None, {"count": number}])}
                for driver in DRIVERS
                if (number := random.randint(0, 3))
            ]
        case "CSIDriver":
            spec["storageCapacity"] = random.choice([True, False, None])
        case "CSIStorageCapacity":
            item["capacity"] = random.choice(["1Gi", "5Gi", None])
            item["maximumVolumeSize"] = random.choice(["1Gi", "2Gi", None, None])
        case "DeviceClass":
            spec["extendedResourceName"] = random.choice(["example.com/foo", "nvidia.com/gpu", None])
        case "ResourceClaim":
            item["status"] = random.choice([{}, {"allocation": {}}])
        case "ResourceSlice":
            pool = {"name": "p", "generation": random.randint(1, 3), "resourceSliceCount": 1}
            item["spec"] = {"driver": "d", "pool": pool, "nodeName": "n", "devices": []}


_WITHOUT_SPEC = ("StorageClass", "CSIStorageCapacity")
