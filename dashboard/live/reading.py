"""A whole cluster, read as of one moment: what a snapshot is made of.

All lists are asked for at the resource version of the first answer, so that a pod on a node is never there
without the node. Where the API server has forgotten that moment meanwhile, all is read anew.

Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go GetList (resourceVersionMatch
Exact), pkg/storage/continue.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from dashboard.live.api_server import ApiServer, Expired, Failing, NotServed, Refused
from dashboard.live.resources import Resource
from scheduler_core.objects.kinds import NODE, POD, Kind
from scheduler_core.objects.whole_lists import whole_lists_object
from scheduler_core.schedulers.registry import BASE, kinds

PAGE = 500
"""How many objects are asked for at once, as kubectl does."""
TRIES = 3
"""How often a reading begins anew because its moment is too long ago."""
_NEEDED = (NODE, POD)

MOST_PAGES = 10_000
IN_PART = "Left out, since"
"""How the note of a reading begins that lacks kinds."""

Payload = tuple[str, bytes]
Tell = Callable[[str, int], None]
"""Is told of what, and how much of it, has been read."""


ConfigMaps = frozenset[tuple[str, str]]
"""Namespaces and names."""


class Known(NamedTuple):
    """From where the next reading may go on (`changes.py`).

    versions: by kubectl's name of a resource, as of which resource version it is known. config_maps: those
    that pods of schedulers mount.
    """

    versions: dict[str, str]
    config_maps: ConfigMaps


class Reading(NamedTuple):
    """The files of an import, sentences about what they lack, and from where the next reading may go on."""

    payloads: list[Payload]
    notes: list[str]
    known: Known


class Lacking(NamedTuple):
    """What is left out: what the account may not read, and what the API server failed to give."""

    withheld: list[str]
    failing: list[str]

    def add(self, name: str, refused: Refused) -> None:
        (self.failing if isinstance(refused, Failing) else self.withheld).append(name)


class Lists(NamedTuple):
    """The files of lists: of which kinds, what is exactly of the moment and what is not, what is left out."""

    payloads: list[Payload]
    whole: list[Kind]
    exact: list[str]
    beside: list[str]
    lacking: Lacking


class _Page(msgspec.Struct):
    metadata: dict[str, Any]
    items: list[msgspec.Raw] | None = None


class _Mount(msgspec.Struct):
    name: str = ""


class _Volume(msgspec.Struct):
    configMap: _Mount | None = None


class _Spec(msgspec.Struct):
    volumes: list[_Volume] | None = None


class _Metadata(msgspec.Struct):
    namespace: str = ""


class _Pod(msgspec.Struct):
    metadata: _Metadata
    spec: _Spec


def read_cluster(
    server: ApiServer, resources: Sequence[Resource], tell: Tell = lambda what, number: None
) -> Reading:
    """Read these resources of a cluster.

    Raises BadInput where no answer can be had, or none of its nodes or pods.
    """
    with server.understood():
        for _ in range(TRIES):
            try:
                return _read(server, resources, moment_of(server, resources), tell)
            except Expired:
                continue
        return _read(server, resources, "", tell)


def _read(server: ApiServer, resources: Iterable[Resource], moment: str, tell: Tell) -> Reading:
    """Read all lists as of a moment, or each as it is now. Raises Expired for a moment that is forgotten."""
    lists = list_all(server, resources, moment, tell)
    notes = []
    if not moment:
        notes.append(
            f"Each list is of a moment of its own: the API server forgot the first one {TRIES} times."
        )
    return with_the_rest(server, lists, Known(dict.fromkeys(lists.exact, moment), frozenset()), notes)


def list_all(server: ApiServer, resources: Iterable[Resource], moment: str, tell: Tell) -> Lists:
    """Return all lists as of a moment, "": as they are now. Raises Expired for one that is forgotten."""
    found = Lists([], [], [], [], Lacking([], []))
    for resource in resources:
        try:
            pages, is_exact = _pages(server, resource, moment, tell)
        except NotServed:  # a custom resource that has just gone
            continue
        except Expired:
            raise
        except Refused as refused:
            if resource.kind in _NEEDED:
                raise server.unanswered(f"does not list {resource.name}: {refused}") from refused
            found.lacking.add(resource.name, refused)
            continue
        found.whole.append(resource.kind)
        if moment:
            (found.exact if is_exact else found.beside).append(resource.name)
        found.payloads.extend((f"{resource.name}-{place}.json", text) for place, text in enumerate(pages))
    return found


def with_the_rest(server: ApiServer, lists: Lists, known: Known, notes: Iterable[str]) -> Reading:
    """Return a reading of lists and of what no list has: the version, configurations, and when it was read.

    known: what the lists are known as of, with the ConfigMaps that are mounted besides by pods not in them.
    """
    config_maps = known.config_maps.union(_mounted(lists.payloads))
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    payloads = [
        ("version.json", server.get("/version")),
        *lists.payloads,
        *_configurations(server, config_maps, lists.lacking),
        ("whole-lists.json", msgspec.json.encode(whole_lists_object(lists.whole, now))),
    ]
    said = [*_notes(lists.lacking, lists.beside), *notes]
    return Reading(payloads, said, known._replace(config_maps=config_maps))


def moment_of(server: ApiServer, resources: Iterable[Resource]) -> str:
    """Return the cluster's newest resource version."""
    nodes = next((one for one in resources if one.kind == NODE), None)
    if nodes is None:
        raise server.unanswered("serves no nodes: it is no API server of a cluster")
    try:
        page = msgspec.json.decode(server.get(nodes.path, {"limit": 1}), type=_Page)
    except Refused as refused:
        raise server.unanswered(f"does not list {nodes.name}: {refused}") from refused
    return str(page.metadata.get("resourceVersion", ""))


def _pages(server: ApiServer, resource: Resource, moment: str, tell: Tell) -> tuple[list[bytes], bool]:
    """Return the texts of a list's pages, and whether they are of the moment."""
    try:
        return list(_list(server, resource, moment, tell)), True
    except (Expired, NotServed):
        raise
    except Refused:
        if not moment:
            raise
        return list(_list(server, resource, "", tell)), False  # of another store, which counts for itself


def _list(server: ApiServer, resource: Resource, moment: str, tell: Tell) -> Iterator[bytes]:
    first: dict[str, str | int] = {"limit": PAGE}
    if moment:
        first |= {"resourceVersion": moment, "resourceVersionMatch": "Exact"}
    query, number = first, 0
    for _ in range(MOST_PAGES):
        try:
            text = server.get(resource.path, query)
        except Expired as expired:
            if moment or not expired.rest:
                raise
            query = {"limit": PAGE, "continue": expired.rest}  # what comes now is younger than what came
            continue
        page = msgspec.json.decode(text, type=_Page)
        yield text
        number += len(page.items or ())
        tell(resource.name, number)
        rest = page.metadata.get("continue")
        if not rest:
            return
        query = {"limit": PAGE, "continue": rest}
    raise server.unanswered(f"lists {resource.name} without an end")


def _configurations(server: ApiServer, names: ConfigMaps, lacking: Lacking) -> Iterator[Payload]:
    """Yield the ConfigMaps that pods of schedulers and their controllers mount; each is asked for by name."""
    for namespace, name in sorted(names):
        try:
            yield f"{namespace}-{name}.json", server.get(f"/api/v1/namespaces/{namespace}/configmaps/{name}")
        except NotServed:
            continue
        except Refused as refused:
            lacking.add(f"configmap {namespace}/{name}", refused)


def _mounted(payloads: Iterable[Payload]) -> Iterator[tuple[str, str]]:
    """Yield namespace and name of each mounted ConfigMap whose name says that it is a scheduler's."""
    words = ("scheduler", *(name for name in kinds() if name != BASE))
    for filename, text in payloads:
        if filename.startswith("pods-"):
            for item in msgspec.json.decode(text, type=_Page).items or ():
                pod = msgspec.json.decode(item, type=_Pod)
                for volume in pod.spec.volumes or ():
                    if volume.configMap and any(word in volume.configMap.name for word in words):
                        yield pod.metadata.namespace, volume.configMap.name


def _notes(lacking: Lacking, beside: list[str]) -> Iterator[str]:
    if lacking.withheld:
        yield f"{IN_PART} this account may not read them: {', '.join(lacking.withheld)}."
    if lacking.failing:
        yield f"{IN_PART} the API server failed to list them: {', '.join(lacking.failing)}."
    if beside:
        yield f"Read some moments after the rest: {', '.join(beside)}."
