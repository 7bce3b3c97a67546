"""Which of a cluster's resources are read: those whose kinds a scheduler here knows, and that are served."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dashboard.live.api_server import ApiServer, NotServed, Refused
from scheduler_core.objects.kinds import READ_KINDS, SCHEDULER_CONFIGURATION, Kind
from scheduler_core.objects.privacy.kept_by_kind import CONFIG_MAP
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER
from scheduler_core.schedulers.registry import kinds

_CORE = "v1"
_NEVER = frozenset({SCHEDULER_CONFIGURATION, CONFIG_MAP, Kind("", "Secret")})
"""The first is no resource; of ConfigMaps only some are asked for, by name; of Secrets none ever."""


_NAME = re.compile(r"[a-z0-9.-]{1,253}")
"""Neither a subresource nor what a shell would take for more than a name: pages print it in commands."""


class Resource(NamedTuple):
    """A kind, what kubectl calls it, and the path of its list."""

    kind: Kind
    name: str
    path: str

    @property
    def plural(self) -> str:
        """The name of the resource within its group."""
        return self.path.rpartition("/")[2]


def resources_of(server: ApiServer) -> list[Resource]:
    """Return what is read of a cluster, by kind. Raises Unanswered."""
    with server.understood():
        try:
            return _served(server)
        except Refused as refused:
            raise server.unanswered(f"does not say what it serves: {refused}") from refused


def _served(server: ApiServer) -> list[Resource]:
    wanted = READ_KINDS.union({AUTOSCALER}, *(one.own_kinds for one in kinds().values())) - _NEVER
    found: dict[Kind, Resource] = {}
    for version in _versions_of(server, wanted):
        for one in _in_version(server, version):
            found.setdefault(one.kind, one)
    return [found[kind] for kind in sorted(wanted, key=lambda kind: (kind.group, kind.name)) if kind in found]


def _versions_of(server: ApiServer, wanted: Iterable[Kind]) -> Iterator[str]:
    """Yield the versions of the groups of which something is wanted, as `apps/v1`, the preferred first.

    A kind may be served in none but another: PodGroups are in `scheduling.k8s.io/v1alpha2` alone.
    """
    groups = {kind.group for kind in wanted}
    yield _CORE
    for group in server.document("/apis").get("groups") or ():
        if group["name"] in groups:
            yield group["preferredVersion"]["groupVersion"]
            yield from (one["groupVersion"] for one in group["versions"])


def _in_version(server: ApiServer, version: str) -> Iterator[Resource]:
    path = f"/api/{version}" if version == _CORE else f"/apis/{version}"
    try:
        served: Iterable[dict[str, Any]] = server.document(path).get("resources") or ()
    except NotServed:  # an aggregated API that has just gone
        return
    for one in served:
        if _NAME.fullmatch(one["name"]) and "list" in one["verbs"]:
            kind = Kind(version.rpartition("/")[0], one["kind"])
            name = f"{one['name']}.{kind.group}" if kind.group else one["name"]
            yield Resource(kind, name, f"{path}/{one['name']}")
