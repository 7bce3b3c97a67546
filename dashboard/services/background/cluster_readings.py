"""What a worker reads of a connected cluster: all of it, or what has changed since the reading before.

Of a reading that was whole the next one takes what has not changed, at most for a day: then all is listed
again. It is taken of the same cluster alone, which the uid of its namespace kube-system tells.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from django.utils import timezone

from dashboard.models import Cluster, Snapshot
from dashboard.models.lists import join, split
from dashboard.services.imports.findings import documents_of_files, without_objects
from dashboard.services.workspace.clusters import Payload, connection_of
from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.privacy.kept_by_kind import CONFIG_MAP
from scheduler_core.objects.server_version import SERVER_VERSION
from scheduler_core.objects.whole_lists import WHOLE_LISTS
from scheduler_core.world.reporting.trust import touched_pods

if TYPE_CHECKING:
    from dashboard.live.api_server import ApiServer
    from dashboard.live.reading import Reading

LISTED_AGAIN = timedelta(days=1)
"""After so long all is listed again, whatever watches say."""
FEW = 2000
"""So many objects are listed in less time than a watch takes to say that nothing has changed."""
_ASKED_ANEW = {CONFIG_MAP, SERVER_VERSION, WHOLE_LISTS}

Report = Callable[[str, int, int], None]


@dataclass
class ClusterRead:
    """The files of an import, what they lack, and the fields of the snapshot that come from elsewhere.

    has_base: whether the first file is what of a former reading has not changed. withheld: kinds that the
    account may not list, by kubectl's names.
    """

    payloads: list[Payload]
    notes: list[str]
    has_base: bool = False
    fields: dict[str, Any] = field(default_factory=dict)
    withheld: dict[str, Kind] = field(default_factory=dict)

    def fill(self, snapshot: Snapshot) -> None:
        """Give an unsaved row what is known of its base, before it is described."""
        for name, value in self.fields.items():
            setattr(snapshot, name, value)

    def note_touched(self, cluster_id: int, pods: Iterable[dict[str, Any]]) -> None:
        """Keep of each kind that may not be listed how many pods of the reading its objects matter to."""
        cluster = Cluster.objects.filter(pk=cluster_id).first()
        if cluster is None or not cluster.access:
            return
        touched = touched_pods(pods, list(self.withheld.values()))
        kinds = {name: {"kind": str(kind), "pods": touched.get(kind)} for name, kind in self.withheld.items()}
        Cluster.objects.filter(pk=cluster_id).update(access={**cluster.access, "touched": kinds})


class _Metadata(msgspec.Struct):
    name: str = ""
    namespace: str = ""
    uid: str = ""


class _Object(msgspec.Struct):
    kind: str = ""
    version: str = msgspec.field(name="apiVersion", default="")
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


def read_connected(cluster: Cluster, report: Report) -> ClusterRead:
    """Read a cluster. Raises BadInput."""
    from dashboard.live.access import access_to  # the client costs a start half a second
    from dashboard.live.api_server import connected
    from dashboard.live.reading import read_cluster
    from dashboard.live.resources import resources_of

    connection = connection_of(cluster)
    report(f"asking {cluster.name} what may be read", 0, 0)
    with connected(connection) as server:
        resources = resources_of(server)
        access = access_to(server, resources)
        known = {} if access is None else access._asdict()
        Cluster.objects.filter(pk=cluster.pk).update(access=known, checked_at=timezone.now())
        uid = _uid_of(server)

        def tell(what: str, number: int) -> None:
            report(f"reading {what}", number, 0)

        base = _base_of(cluster, uid)
        found = None if base is None else _read_changes(server, resources, base, uid, tell)
        if found is None:
            read = read_cluster(server, resources, tell)
            goes_on = _goes_on(read, uid, timezone.now())
            found = ClusterRead(read.payloads, read.notes, fields={"goes_on": goes_on})
    withheld = () if access is None else access.withheld
    found.withheld = {one.name: one.kind for one in resources if one.name in withheld}
    return found


def _uid_of(server: "ApiServer") -> str:
    """Return by what a cluster is told from another one; empty where the account may not see it."""
    from dashboard.live.api_server import Refused

    with server.understood():
        try:
            text = server.get("/api/v1/namespaces/kube-system")
        except Refused:
            return ""
        return msgspec.json.decode(text, type=_Object).metadata.uid


def _goes_on(read: "Reading", uid: str, listed_at: datetime, **more: Any) -> dict[str, Any]:
    """Return from where the next reading may go on, {} where it may not."""
    if not uid or not read.known.versions:
        return {}
    return {
        "uid": uid,
        "versions": read.known.versions,
        "config_maps": sorted(map(list, read.known.config_maps)),
        "listed_at": listed_at.isoformat(),
        **more,
    }


def _base_of(cluster: Cluster, uid: str) -> Snapshot | None:
    """Return the newest reading, if the next one may begin with it."""
    newest = cluster.snapshots.filter(status=Snapshot.Status.READY).order_by("-created_at", "-pk").first()
    if newest is None or not uid or newest.goes_on.get("uid") != uid or sum(newest.counts.values()) < FEW:
        return None
    listed_at = datetime.fromisoformat(newest.goes_on["listed_at"])
    return newest if timezone.now() - listed_at < LISTED_AGAIN else None


def _read_changes(
    server: "ApiServer", resources: Any, base: Snapshot, uid: str, tell: Callable[[str, int], None]
) -> ClusterRead | None:
    from dashboard.live.changes import read_changes
    from dashboard.live.reading import Known

    goes_on: Mapping[str, Any] = base.goes_on
    known = Known(goes_on["versions"], frozenset((space, name) for space, name in goes_on["config_maps"]))
    objects = [(one, _about(one)) for one in split(base.list_json())]
    kinds = {kind for _, (kind, _, _) in objects} - _ASKED_ANEW
    changes = read_changes(server, resources, known, kinds, tell)
    if changes is None:
        return None
    gone = changes.anew | _ASKED_ANEW
    left, replaced = list[bytes](), set[str]()
    for text, name in objects:
        if name[0] not in gone and name not in changes.touched:
            left.append(text)
        else:
            replaced.add(object_name(msgspec.json.decode(text)))
    unchanged = join(left)
    listed_at = datetime.fromisoformat(goes_on["listed_at"])
    found = without_objects(documents_of_files(base.findings), replaced)
    changed = len(changes.touched)
    fields = {
        "goes_on": _goes_on(changes.reading, uid, listed_at, base=base.pk, changed=changed),
        "findings": [finding.document() for finding in found],
        "dropped": base.dropped,
    }
    payloads = [(f"snapshot {base.pk}", unchanged), *changes.reading.payloads]
    return ClusterRead(payloads, changes.reading.notes, has_base=True, fields=fields)


def _about(text: bytes) -> tuple[Kind, str, str]:
    found = msgspec.json.decode(text, type=_Object)
    kind = kind_of({"apiVersion": found.version, "kind": found.kind})
    return kind, found.metadata.namespace, found.metadata.name
