"""How Volcano's fields, annotations and configuration are anonymised, as data."""

import re
from typing import Any

from scheduler_core.objects.anonymising.texts import Texts

DOMAINS = ("volcano.sh",)
PLAIN_WORDS = frozenset(("volcano",))
NODE_KEYS: frozenset[str] = frozenset()
VERDICT_WORDS: frozenset[str] = frozenset()
WORD_KEYS = frozenset(
    f"volcano.sh/{word}"
    for word in (
        "network-topology-mode",
        "numa-topology-policy",
        "closed-by-parent",
        "revocable-zone",
        "jdb-min-available",
        "jdb-max-unavailable",
    )
)
_FIELDS = {
    "NAME": "queue parent targets volumeClaimName",
    "NODE": "nodes",
    "WORD": "event events state dequeueStrategy mode topologyPolicy jobRetainPolicy iteration",
    "NUMBER": "timeout runningEstimate cooldownTime",
    "AMOUNTS": "minResources capability deserved allocated resource",
    "BY_NAME": "minTaskMember",
    "FLAGS": "mpi",
    "DROPPED": "mountPath regexMatch taskStatusCount",
}
FIELDS = {name: how for how, names in _FIELDS.items() for name in names.split()}
"""How fields are anonymised that Kubernetes' own objects do not have."""
ANNOTATIONS: tuple[tuple[re.Pattern[str], Any], ...] = ()
_LIST = re.compile(r"[^\s,]+(\s*,\s*[^\s,]+)*")
_OF_RESOURCE = "binpack.resources."


def _changed(document: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return a configuration in which the resources that arguments name have other names."""
    changed = dict(document)
    for part in ("tiers", "configurations"):
        if part in changed:
            changed[part] = [_owner(one, texts) for one in changed[part] or ()]
    return changed


def _owner(owner: dict[str, Any], texts: Texts) -> dict[str, Any]:
    changed = dict(owner)
    if isinstance(owner.get("plugins"), list):
        changed["plugins"] = [_owner(one, texts) for one in owner["plugins"]]
    if isinstance(owner.get("arguments"), dict):
        changed["arguments"] = dict(
            item for key, value in owner["arguments"].items() if (item := _argument(key, value, texts))
        )
    return changed


def _argument(key: str, value: Any, texts: Texts) -> tuple[str, Any] | None:
    """Return an argument: a number stays, a list of resources has their names; nothing else can be told."""
    if key.startswith(_OF_RESOURCE):
        key = f"{_OF_RESOURCE}{texts.name(key.removeprefix(_OF_RESOURCE))}"
    if not isinstance(value, str):
        return (key, value) if value is None or isinstance(value, bool | int | float) else None
    if re.fullmatch(r"[0-9.]+[smh]?|true|false", value.strip()):
        return key, value
    if not _LIST.fullmatch(value.strip()):
        return None
    return key, ", ".join(texts.name(one.strip()) for one in value.split(","))


CONFIGURATIONS = {"volcano": _changed}
