"""Workloads with their pods: agents on every node, Deployments, StatefulSets with claims, Jobs.

Pods go where their constraints let them, as long as there is room; the others wait, with the reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from benchmarks.operators.making import DAY, HOUR, MINUTE, Maker, Object
from benchmarks.operators.nodes import Place, Room
from benchmarks.operators.pods import PENDING, RUNNING, SUCCEEDED, add_pod, requests_of

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
_ALWAYS = ("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
Fits = Callable[[Place], bool]
node_name, zone = attrgetter("name"), attrgetter("zone")
"""What pods may be apart by."""


@dataclass(frozen=True)
class App:
    """A workload to be: its pods' spec, where they may go, and how far they must be apart.

    by_zone: the n-th pod goes to the n-th zone, or waits. apart: what no two pods share, a node or a zone.
    why: what is said of pods that wait; empty where nothing is said yet.
    """

    name: str
    namespace: str
    spec: Object
    replicas: int
    fits: Fits
    by_zone: bool = False
    apart: Callable[[Place], str] | None = None
    why: str = ""

    @property
    def own_labels(self) -> dict[str, str]:
        """Labels by which its objects know its pods."""
        return {"app.kubernetes.io/name": self.name, "app.kubernetes.io/part-of": self.namespace}


class Controllers:
    """Makes workloads and their pods, as controllers and a scheduler would have."""

    def __init__(self, maker: Maker, room: Room, places: Sequence[Place]) -> None:
        self.maker = maker
        self.places = places
        self.pods = 0
        self._room = room

    # -- pods ----------------------------------------------------------------------------------------

    def _place(self, app: App, number: int, taken: set[str]) -> Place | None:
        zones = sorted({place.zone for place in self.places})
        zone = zones[number % len(zones)] if app.by_zone else ""
        among = [
            place
            for place in self.places
            if app.fits(place) and zone in ("", place.zone) and not (app.apart and app.apart(place) in taken)
        ]
        found = self._room.take(requests_of(app.spec), among)
        if found is not None and app.apart:
            taken.add(app.apart(found))
        return found

    def _add_pod(
        self, app: App, name: str, owner: Object, age: int, place: Place | None, **more: Any
    ) -> None:
        labels = {**app.own_labels, **more.pop("labels", {})}
        add_pod(self.maker, name, owner, app.spec, age=age, place=place, labels=labels, why=app.why, **more)
        self.pods += 1

    def _new(self, kind: str, app: App, age: int, spec: Object, status: Object, **more: Any) -> Object:
        labels = {**app.own_labels, "app.kubernetes.io/managed-by": "Helm", **more.pop("labels", {})}
        version = "batch/v1" if kind in ("Job", "CronJob") else "apps/v1"
        name = more.pop("name", app.name)
        return self.maker.new(
            kind,
            name,
            app.namespace,
            version=version,
            age=age,
            labels=labels,
            spec=spec,
            status=status,
            **more,
        )

    def _template(self, app: App, **labels: str) -> Object:
        return {"metadata": {"labels": {**app.own_labels, **labels}}, "spec": app.spec}

    # -- workloads -----------------------------------------------------------------------------------

    def deployment(self, app: App, *, old: bool = False) -> int:
        """Add a Deployment with its ReplicaSets and pods, and return how many of these run."""
        age = self.maker.random.randrange(10 * MINUTE, 60 * DAY)
        selector = {"matchLabels": app.own_labels}
        spec = {
            "progressDeadlineSeconds": 600,
            "replicas": app.replicas,
            "revisionHistoryLimit": 10,
            "selector": selector,
            "strategy": {
                "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"},
                "type": "RollingUpdate",
            },
            "template": self._template(app),
        }
        made = self._new("Deployment", app, age, spec, {})
        sets = [self._replica_set(app, made, age + DAY, 0, "1")] if old else []
        sets.append(self._replica_set(app, made, age, app.replicas, str(len(sets) + 1)))
        taken: set[str] = set()
        ready = 0
        current = sets[-1]
        labels = {"pod-template-hash": current["metadata"]["labels"]["pod-template-hash"]}
        for number in range(app.replicas):
            place = self._place(app, number, taken)
            ready += place is not None
            name = f"{current['metadata']['name']}-{self.maker.token()}"
            self._add_pod(app, name, current, age - self.maker.random.randrange(60), place, labels=labels)
        counts = {"observedGeneration": 1, "replicas": app.replicas}
        ready_counts = {"availableReplicas": ready, "readyReplicas": ready} if ready else {}
        current["status"] = {**counts, **ready_counts}
        lacking = {"unavailableReplicas": app.replicas - ready} if ready < app.replicas else {}
        made["status"] = {**counts, **ready_counts, **lacking, "updatedReplicas": app.replicas}
        return ready

    def _replica_set(self, app: App, owner: Object, age: int, replicas: int, revision: str) -> Object:
        hashed = self.maker.token(10)
        labels = {"pod-template-hash": hashed}
        selector = {"matchLabels": {**app.own_labels, **labels}}
        spec = {"replicas": replicas, "selector": selector, "template": self._template(app, **labels)}
        status = {"observedGeneration": 1, "replicas": replicas}
        notes = {"deployment.kubernetes.io/revision": revision}
        name = f"{app.name}-{hashed}"
        return self._new(
            "ReplicaSet", app, age, spec, status, name=name, owner=owner, labels=labels, annotations=notes
        )

    def stateful_set(self, app: App, storage: tuple[str, str, str], gibibytes: int) -> None:
        """Add a StatefulSet with a claim and a volume for each pod."""
        age = self.maker.random.randrange(DAY, 120 * DAY)
        claim = {
            "metadata": {"name": "data"},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": f"{gibibytes}Gi"}},
                "storageClassName": storage[0],
                "volumeMode": "Filesystem",
            },
        }
        spec = {
            "podManagementPolicy": "OrderedReady",
            "replicas": app.replicas,
            "selector": {"matchLabels": app.own_labels},
            "serviceName": f"{app.name}-headless",
            "template": self._template(app),
            "updateStrategy": {"type": "RollingUpdate"},
            "volumeClaimTemplates": [{"apiVersion": "v1", "kind": "PersistentVolumeClaim", **claim}],
        }
        made = self._new("StatefulSet", app, age, spec, {})
        self.service(app, f"{app.name}-headless", clusterIP="None")
        revision = f"{app.name}-{self.maker.token(9)}"
        taken: set[str] = set()
        ready = 0
        for number in range(app.replicas):
            name = f"{app.name}-{number}"
            place = self._place(app, number, taken)
            if place is None:  # it makes one pod after the other
                break
            ready += 1
            claimed = {"claimName": f"data-{name}"}
            volumes = [{"name": "data", "persistentVolumeClaim": claimed}]
            own = replace(app, spec={**app.spec, "volumes": volumes})
            marks = {
                "apps.kubernetes.io/pod-index": str(number),
                "controller-revision-hash": revision,
                "statefulset.kubernetes.io/pod-name": name,
            }
            self._add_pod(own, name, made, age, place, labels=marks)
            self.claim(app, f"data-{name}", storage, gibibytes, place.zone)
        counts = {
            "replicas": ready,
            "readyReplicas": ready,
            "availableReplicas": ready,
            "currentReplicas": ready,
        }
        made["status"] = {**counts, "currentRevision": revision, "updateRevision": revision}

    def claim(
        self,
        app: App,
        name: str,
        storage: tuple[str, str, str],
        gibibytes: int,
        zone: str,
        *,
        bound: bool = True,
    ) -> None:
        """Add a claim, and in this zone the volume that it is bound to."""
        amount, maker = {"storage": f"{gibibytes}Gi"}, self.maker
        spec: Object = {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": amount},
            "storageClassName": storage[0],
            "volumeMode": "Filesystem",
        }
        made = maker.new("PersistentVolumeClaim", name, app.namespace, labels=app.own_labels, spec=spec)
        made["status"] = {"phase": "Pending"}
        if not bound:
            return
        volume = f"pvc-{made['metadata']['uid']}"
        spec["volumeName"] = volume
        made["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
        made["status"] = {"accessModes": ["ReadWriteOnce"], "capacity": amount, "phase": "Bound"}
        term = {"matchExpressions": [{"key": storage[2], "operator": "In", "values": [zone]}]}
        reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "name": name}
        reference |= {"namespace": app.namespace, "uid": made["metadata"]["uid"]}
        fields = {
            "accessModes": ["ReadWriteOnce"],
            "capacity": amount,
            "claimRef": reference,
            "csi": {"driver": storage[1], "fsType": "ext4", "volumeHandle": f"vol-{maker.token(17)}"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}},
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": storage[0],
            "volumeMode": "Filesystem",
        }
        maker.new("PersistentVolume", volume, spec=fields, status={"phase": "Bound"})

    def daemon_set(self, app: App) -> int:
        """Add a DaemonSet with a pod for each node that fits, and return how many nodes have none yet."""
        spec = {
            "selector": {"matchLabels": app.own_labels},
            "template": self._template(app),
            "updateStrategy": {
                "rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"},
                "type": "RollingUpdate",
            },
        }
        made = self._new("DaemonSet", app, 200 * DAY, spec, {})
        labels = {"controller-revision-hash": self.maker.token(10), "pod-template-generation": "1"}
        nodes = [place for place in self.places if app.fits(place)]
        ready = 0
        for place in nodes:
            term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [place.name]}]}
            wish = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
            own = replace(app, spec={**app.spec, "affinity": {"nodeAffinity": wish}})
            here = replace(place, is_open=True)
            found = self._room.take(requests_of(app.spec), [here])
            ready += found is not None
            name = f"{app.name}-{self.maker.token()}"
            self._add_pod(own, name, made, self.maker.random.randrange(HOUR, 60 * DAY), found, labels=labels)
        made["status"] = {
            "currentNumberScheduled": len(nodes),
            "desiredNumberScheduled": len(nodes),
            "numberAvailable": ready,
            "numberMisscheduled": 0,
            "numberReady": ready,
            "numberUnavailable": len(nodes) - ready,
            "observedGeneration": 1,
            "updatedNumberScheduled": len(nodes),
        }
        return len(nodes) - ready

    def job(self, app: App, *, phase: str = RUNNING, owner: Object | None = None, age: int = HOUR) -> None:
        """Add a Job whose pods all run, wait, or have succeeded."""
        uid_labels = {"batch.kubernetes.io/job-name": app.name, "job-name": app.name}
        spec = {
            "backoffLimit": 6,
            "completionMode": "NonIndexed",
            "completions": app.replicas,
            "parallelism": app.replicas,
            "suspend": False,
            "template": self._template(app, **uid_labels),
        }
        made = self._new("Job", app, age, spec, {}, owner=owner)
        uid = made["metadata"]["uid"]
        own = {**uid_labels, "batch.kubernetes.io/controller-uid": uid, "controller-uid": uid}
        spec["selector"] = {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
        spec["template"] = self._template(app, **own)
        taken: set[str] = set()
        for number in range(app.replicas):
            place = None
            if phase == RUNNING:
                place = self._place(app, number, taken)
            elif phase == SUCCEEDED:  # it holds nothing any more
                place = self._room.take({}, [one for one in self.places if app.fits(one)])
            name = f"{app.name}-{self.maker.token()}"
            self._add_pod(app, name, made, age, place, labels=own, phase=phase if place else PENDING)
        if phase == SUCCEEDED:
            done = {"status": "True", "type": "Complete"}
            made["status"] = {"conditions": [done], "ready": 0, "succeeded": app.replicas}
        else:
            made["status"] = {"active": app.replicas}

    # -- beside them ---------------------------------------------------------------------------------

    def service(self, app: App, name: str = "", **more: Any) -> None:
        """Add a Service of the pods."""
        port = {"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}
        spec = {"ports": [port], "selector": app.own_labels, "type": "ClusterIP", **more}
        self.maker.new("Service", name or app.name, app.namespace, labels=app.own_labels, spec=spec)

    def budget(self, app: App, ready: int, allowed: int) -> None:
        """Add a PodDisruptionBudget that lets so many of the `ready` pods go at a time."""
        spec = {"maxUnavailable": allowed, "selector": {"matchLabels": app.own_labels}}
        wanted = max(app.replicas - allowed, 0)
        status = {
            "currentHealthy": ready,
            "desiredHealthy": wanted,
            "disruptionsAllowed": max(ready - wanted, 0),
            "expectedPods": app.replicas,
            "observedGeneration": 1,
        }
        fields = {"version": "policy/v1", "labels": app.own_labels, "spec": spec, "status": status}
        self.maker.new("PodDisruptionBudget", app.name, app.namespace, **fields)


def agent_tolerations() -> list[Object]:
    """Return the tolerations of DaemonSets' pods that go everywhere, their controller's included."""
    lost = [
        {"effect": "NoExecute", "key": f"node.kubernetes.io/{key}", "operator": "Exists"}
        for key in ("not-ready", "unreachable")
    ]
    own = [
        {"effect": "NoSchedule", "key": f"node.kubernetes.io/{key}", "operator": "Exists"} for key in _ALWAYS
    ]
    return [{"operator": "Exists"}, *lost, *own]
