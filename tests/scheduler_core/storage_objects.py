"""Storage objects for tests, as kubectl prints them: the fewest fields that mean something."""

from tests.builders import cluster_object, node, pod

ZONE = "topology.kubernetes.io/zone"
STORAGE = "storage.k8s.io/v1"
DRIVER = "disk.example.com"
BIND_COMPLETED = {"pv.kubernetes.io/bind-completed": "yes"}


def storage_class(name, provisioner=DRIVER, mode="WaitForFirstConsumer", zones=None):
    """A class that binds late unless told otherwise; `zones` are its allowed topologies."""
    fields = {"provisioner": provisioner, "volumeBindingMode": mode}
    if zones:
        fields["allowedTopologies"] = [{"matchLabelExpressions": [{"key": ZONE, "values": zones}]}]
    return cluster_object("StorageClass", name, version=STORAGE, **fields)


def claim(name, of="fast", size="1Gi", volume=None, modes=("ReadWriteOnce",), owner=None, annotations=None):
    """A claim of a class: fully bound to `volume`, or unbound."""
    spec = {
        "storageClassName": of,
        "accessModes": list(modes),
        "resources": {"requests": {"storage": size}},
    }
    made = cluster_object("PersistentVolumeClaim", name, namespace="default", spec=spec)
    made["metadata"]["annotations"] = {**(BIND_COMPLETED if volume else {}), **(annotations or {})}
    if volume:
        spec["volumeName"] = volume
    if owner:
        reference = {"apiVersion": "v1", "kind": "Pod", "name": owner["metadata"]["name"]}
        made["metadata"]["ownerReferences"] = [
            {**reference, "uid": owner["metadata"]["uid"], "controller": True}
        ]
    return made


def volume(name, of="fast", size="1Gi", on=None, zones=None, kept_for=None, labels=None, **source):
    """A volume that is available, or bound to the claim `kept_for`; `on` nodes or in `zones`."""
    spec = {"storageClassName": of, "capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"]}
    spec.update(source or {"csi": {"driver": DRIVER, "volumeHandle": name}})
    for key, values in (("kubernetes.io/hostname", on), (ZONE, zones)):
        if values:
            term = {"matchExpressions": [{"key": key, "operator": "In", "values": values}]}
            spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [term]}}
    if kept_for:
        spec["claimRef"] = {"namespace": "default", "name": kept_for}
    phase = "Bound" if kept_for else "Available"
    made = cluster_object("PersistentVolume", name, spec=spec, status={"phase": phase})
    made["metadata"]["labels"] = labels or {}
    return made


def csi_node(name, limit=None, migrated=""):
    """What the driver registered on a node; `migrated` names in-tree plugins."""
    driver = {"name": DRIVER, "nodeID": name}
    if limit is not None:
        driver["allocatable"] = {"count": limit}
    made = cluster_object("CSINode", name, version=STORAGE, spec={"drivers": [driver]})
    made["metadata"]["annotations"] = {"storage.alpha.kubernetes.io/migrated-plugins": migrated}
    return made


def csi_driver(*, counts_capacity):
    """The driver of the classes above."""
    return cluster_object("CSIDriver", DRIVER, version=STORAGE, spec={"storageCapacity": counts_capacity})


def pool(name, size, zone, of="fast"):
    """What is left of a class's storage in a zone."""
    topology = {"matchLabels": {ZONE: zone}}
    fields = {"storageClassName": of, "capacity": size, "nodeTopology": topology}
    return cluster_object("CSIStorageCapacity", name, version=STORAGE, namespace="default", **fields)


def attachment(name, of, to):
    """A volume that is attached to a node."""
    spec = {"attacher": DRIVER, "nodeName": to, "source": {"persistentVolumeName": of}}
    return cluster_object("VolumeAttachment", name, version=STORAGE, spec=spec)


def pod_with(name, *claims, on="", priority=0, scheduler="default-scheduler", **more):
    """A pod that mounts claims; a keyword's value is a volume's source as written."""
    volumes = [{"name": made, "persistentVolumeClaim": {"claimName": made}} for made in claims]
    volumes += [{"name": key, **source} for key, source in more.items()]
    spec = {"volumes": volumes, "priority": priority, "schedulerName": scheduler}
    return pod(name, on=on, spec=spec)


def zonal_nodes(**zones):
    """Nodes by name, each in its zone."""
    return [node(name, labels={ZONE: zone}) for name, zone in zones.items()]
