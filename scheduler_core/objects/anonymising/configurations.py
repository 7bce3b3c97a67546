"""Schedulers' configurations in ConfigMaps: names in them are changed as in all objects."""

from collections.abc import Callable
from typing import Any

import msgspec

from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.privacy.configurations import configurations_in
from scheduler_core.objects.privacy.dropped import Dropped

Object = dict[str, Any]


def changed_entries(
    data: Any, texts: Texts, kubes: Callable[[Object], Object], place: str, dropped: Dropped
) -> Object:
    """Return the entries of a ConfigMap that hold configurations, with other names and nothing else.

    `kubes` changes the names in a configuration of kube-scheduler.
    """
    own = {
        owner: change
        for module in data_modules("anonymised")
        for owner, change in module.CONFIGURATIONS.items()
    }
    kept = {}
    for name, text in data.items() if isinstance(data, dict) else ():
        documents = [
            own[owner](document, texts) if owner in own else kubes(document)
            for owner, document in configurations_in(text)
        ]
        if documents:
            kept[texts.name(name)] = "\n---\n".join(map(_rendered, documents)) + "\n"
        else:
            dropped.count_field(place, "entries")
    return kept


def _rendered(document: Object) -> str:
    return msgspec.json.format(msgspec.json.encode(document)).decode()
