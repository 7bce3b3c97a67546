"""The configurations of schedulers that a snapshot's ConfigMaps hold, to be given to a scenario."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from dashboard.models import Snapshot
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.configurations import KUBE_SCHEDULER, configurations_in
from scheduler_core.objects.privacy.kept_by_kind import CONFIG_MAP
from scheduler_core.objects.reading.json_list import unread_items
from scheduler_core.schedulers.registry import kinds

Object = dict[str, Any]
_MARK = f'"{CONFIG_MAP}"'.encode()


class FoundConfiguration(NamedTuple):
    """A configuration, which kind of `scheduler` it is of, and where it stands.

    inner: the ConfigMap of a kube-scheduler's configuration that it holds too.
    """

    config_map: str
    entry: str
    scheduler: str
    config: Object
    inner: str = ""

    @property
    def config_maps(self) -> list[str]:
        """Where all of it stands."""
        return [name for name in (self.config_map, self.inner) if name]


def configurations_of(snapshot: Snapshot) -> list[FoundConfiguration]:
    """Return those of a snapshot, in the order of its objects; quick where it has no ConfigMap."""
    return list(configurations_among(config_maps_of(snapshot)))


def config_maps_of(snapshot: Snapshot) -> list[Object]:
    """Return a snapshot's ConfigMaps, in their order; quick where it has none."""
    if not snapshot.counts.get(str(CONFIG_MAP)):
        return []
    return [item for item in _maybe_config_maps(snapshot.list_json()) if kind_of(item) == CONFIG_MAP]


def _maybe_config_maps(content: bytes) -> Iterator[Object]:
    """Yield the objects that may be ConfigMaps: a large cluster is not decoded for the few of them."""
    for text in unread_items(content):
        if _MARK in bytes(text):
            yield msgspec.json.decode(text)


def configurations_among(objects: Iterable[Object]) -> Iterator[FoundConfiguration]:
    """Yield the configurations in those of the objects that are ConfigMaps.

    Some schedulers' are put together from several of a namespace.
    """
    found = list(_in_config_maps(objects))
    for one in found:
        yield _installed(one, found)


def _installed(one: FoundConfiguration, found: Iterable[FoundConfiguration]) -> FoundConfiguration:
    """Return a configuration as a scenario takes it, with those of kube-schedulers that belong to it."""
    neighbours = [other for other in found if _is_neighbour(one, other)]
    config, held = kinds()[one.scheduler].installed(one.config, [other.config for other in neighbours])
    return one._replace(config=config, inner="" if held is None else neighbours[held].config_map)


def _in_config_maps(objects: Iterable[Object]) -> Iterator[FoundConfiguration]:
    for item in objects:
        if kind_of(item) != CONFIG_MAP:
            continue
        metadata, data = item.get("metadata") or {}, item.get("data") or {}
        name = f"{metadata.get('namespace') or 'default'}/{metadata.get('name')}"
        for entry, text in data.items():
            for owner, document in configurations_in(text):
                if owner in kinds():
                    yield FoundConfiguration(name, entry, owner, document)


def _is_neighbour(one: FoundConfiguration, other: FoundConfiguration) -> bool:
    """Tell whether the other is of a kube-scheduler in the same namespace."""
    namespaces = {found.config_map.partition("/")[0] for found in (one, other)}
    return other.scheduler == KUBE_SCHEDULER and len(namespaces) == 1
