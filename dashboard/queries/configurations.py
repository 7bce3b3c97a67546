"""The configurations of schedulers that a snapshot's ConfigMaps hold, to be given to a scenario."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from dashboard.models import Snapshot
from scheduler_core.hami.installed import installed_settings
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.configurations import HAMI, KUBE_SCHEDULER, configurations_in
from scheduler_core.objects.privacy.kinds import CONFIG_MAP

Object = dict[str, Any]


class FoundConfiguration(NamedTuple):
    """A configuration, whose it is (kube-scheduler, volcano, hami), and where it stands."""

    config_map: str
    entry: str
    scheduler: str
    config: Object


def configurations_of(snapshot: Snapshot) -> list[FoundConfiguration]:
    """Return those of a snapshot, in the order of its objects; quick where it has no ConfigMap."""
    if not snapshot.counts.get(str(CONFIG_MAP)):
        return []
    return list(configurations_among(msgspec.json.decode(snapshot.list_json())["items"]))


def configurations_among(objects: Iterable[Object]) -> Iterator[FoundConfiguration]:
    """Yield the configurations in those of the objects that are ConfigMaps.

    HAMi's are its settings, put together from those of its namespace.
    """
    found = list(_in_config_maps(objects))
    for one in found:
        if one.scheduler == HAMI:
            beside = (other.config for other in found if _are_neighbours(one, other))
            yield one._replace(config=installed_settings(one.config, beside))
        else:
            yield one


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
