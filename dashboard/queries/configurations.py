"""The configurations of schedulers that a snapshot's ConfigMaps hold, to be given to a scenario."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from dashboard.models import Snapshot
from scheduler_core.hami.installed import installed_settings
from scheduler_core.hami.kube_scheduler import INNER
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.configurations import HAMI, KUBE_SCHEDULER, configurations_in
from scheduler_core.objects.privacy.kinds import CONFIG_MAP

Object = dict[str, Any]
_MARK = f'"{CONFIG_MAP}"'.encode()


class FoundConfiguration(NamedTuple):
    """A configuration, whose it is (kube-scheduler, volcano, hami), and where it stands.

    inner: of HAMi's settings, the ConfigMap of the kube-scheduler's configuration that they hold too.
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
    if not snapshot.counts.get(str(CONFIG_MAP)):
        return []
    return list(configurations_among(_config_maps(snapshot.list_json())))


class _List(msgspec.Struct):
    items: list[msgspec.Raw]


def _config_maps(content: bytes) -> Iterator[Object]:
    """Yield the objects that may be ConfigMaps: a large cluster is not decoded for the few of them."""
    for text in msgspec.json.decode(content, type=_List).items:
        if _MARK in bytes(text):
            yield msgspec.json.decode(text)


def configurations_among(objects: Iterable[Object]) -> Iterator[FoundConfiguration]:
    """Yield the configurations in those of the objects that are ConfigMaps.

    HAMi's are its settings, put together from those of its namespace.
    """
    found = list(_in_config_maps(objects))
    for one in found:
        yield _installed(one, found) if one.scheduler == HAMI else one


def _installed(hami: FoundConfiguration, found: Iterable[FoundConfiguration]) -> FoundConfiguration:
    """Return HAMi's settings with the first configuration of a kube-scheduler beside them that is HAMi's."""
    for other in found:
        if _are_neighbours(hami, other):
            settings = installed_settings(hami.config, [other.config])
            if INNER in settings:
                return hami._replace(config=settings, inner=other.config_map)
    return hami._replace(config=installed_settings(hami.config, []))


def _in_config_maps(objects: Iterable[Object]) -> Iterator[FoundConfiguration]:
    for item in objects:
        if kind_of(item) != CONFIG_MAP:
            continue
        metadata, data = item.get("metadata") or {}, item.get("data") or {}
        name = f"{metadata.get('namespace') or 'default'}/{metadata.get('name')}"
        for entry, text in data.items():
            for scheduler, document in configurations_in(text):
                yield FoundConfiguration(name, entry, scheduler, document)


def _are_neighbours(hami: FoundConfiguration, other: FoundConfiguration) -> bool:
    """Tell whether the other is of a kube-scheduler in the same namespace."""
    namespaces = {one.config_map.partition("/")[0] for one in (hami, other)}
    return other.scheduler == KUBE_SCHEDULER and len(namespaces) == 1
