"""How Volcano's fields, annotations and configuration are anonymised, as data."""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from scheduler_core.go.regexp import BadPattern, Pattern
from scheduler_core.objects.anonymising.texts import Texts

DOMAINS = ("volcano.sh",)
PLAIN_WORDS = frozenset(("volcano", "vgpu", "device", "config", "yaml"))
"""Those of the ConfigMap with settings of vGPUs and of its entry, too: they are found by their names."""
NODE_KEYS = frozenset(("volcano.sh/vgpu-node",))
NODE_KINDS = frozenset(("Numatopology",))
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
        "cooldown-time",
        "sla-waiting-time",
        "vgpu-mode",
        "vgpu-podgroup-policy",
        "bind-phase",
        "resource-strategy-scoring-type",
    )
)
_FIELDS = {
    "NAME": "queue parent targets volumeClaimName pendingJobs runningJobs failedJobs completedJobs"
    " terminatedJobs unKnowJobs jobDependsOnList requiredDuringSchedulingIgnoredDuringExecution"
    " preferredDuringSchedulingIgnoredDuringExecution",
    "NODE": "nodes",
    "WORD": "event events state dequeueStrategy mode topologyPolicy jobRetainPolicy iteration",
    "NUMBER": "timeout runningEstimate cooldownTime schedule timeZone",
    "AMOUNTS": "minResources capability deserved allocated resource resReserved",
    "PLAIN": "policies numares cpuDetail",
    "BY_NAME": "minTaskMember",
    "FLAGS": "mpi",
    "MEMBERS": "members",
    "DROPPED": "mountPath regexMatch taskStatusCount",
}
FIELDS = {name: how for how, names in _FIELDS.items() for name in names.split()}
"""How fields are anonymised that Kubernetes' own objects do not have."""
_DURATION = re.compile(r"(?:[0-9.]+(?:ns|us|µs|ms|s|m|h))+")
_PLACE = re.compile(r"(.*)(-[0-9]+\])")
_PLAIN_GROUP = re.compile(r"group[0-9]{1,3}")
_PROFILE = re.compile(r"[0-9]g\.[0-9]+gb")
_OWN = re.compile(r"[^;,:\s]+")


def _cards(text: str, texts: Texts) -> str:
    """Return cards of the form `id,…:` with other ids; containers stand between semicolons."""
    return ";".join(":".join(_card(one, texts) for one in part.split(":")) for part in text.split(";"))


def _card(text: str, texts: Texts) -> str:
    uuid, comma, rest = text.partition(",")
    card, bracket, instance = uuid.partition("[")
    if instance and (place := _PLACE.fullmatch(instance)):
        instance = f"{_group(place[1], texts)}{place[2]}"
    return f"{texts.name(card)}{bracket}{instance}{comma}{rest}" if comma and card else text


def _group(name: str, texts: Texts) -> str:
    """Return the name of a group of geometries. Volcano can't read one with dashes, so they stay."""
    if _PLAIN_GROUP.fullmatch(name):
        return name
    return f"{texts.name(name).replace('-', '')}{'-' * name.count('-')}"


def _names(text: str, texts: Texts) -> str:
    """Return names between commas and semicolons; spaces count, and stay."""
    return _OWN.sub(lambda found: texts.name(found[0]), text)


def _duration(text: str, texts: Texts) -> str:
    """Return a time; what Volcano can't read stays unreadable."""
    return text if _DURATION.fullmatch(text) or not text else "unreadable"


def _by_name(text: str, texts: Texts) -> str:
    """Return JSON whose keys are names; what Volcano can't read stays unreadable."""
    try:
        return msgspec.json.encode(_renamed(msgspec.json.decode(text), texts)).decode()
    except (msgspec.DecodeError, RecursionError):
        return "{"


def _renamed(value: Any, texts: Texts) -> Any:
    if isinstance(value, dict):
        return {texts.name(key): _renamed(one, texts) for key, one in value.items()}
    return value


ANNOTATIONS: tuple[tuple[re.Pattern[str], Callable[[str, Texts], str | None]], ...] = (
    (re.compile(r"volcano\.sh/(?:node-vgpu-register|vgpu-ids-new)"), _cards),
    (re.compile(r"volcano\.sh/(?:vgpu-(?:no)?use-gpuuuid|task-topology-.+)"), _names),
    (re.compile(r"sla-waiting-time"), _duration),
    (re.compile(r"volcano\.sh/(?:nodegroup-resource-limits|resource-strategy-weight)"), _by_name),
)
_LIST = re.compile(r"[^\s,]+(\s*,\s*[^\s,]+)*")
_OF_RESOURCE = re.compile(r"((?:hypernode\.)?binpack\.resources\.)(.+)")
_PLAIN = re.compile(r"[0-9.]+|true|false|binpack|spread|[0-9]{1,2}:[0-9]{1,2}-[0-9]{1,2}:[0-9]{1,2}")
_RULES = "deviceshare.GPUExclusiveRules"
_KEYS_ARE_NAMES = frozenset(("resources", "resourceWeight", "resourceProportion"))


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
    """Return an argument: a number stays, a list has other names; of other texts none can be told."""
    if named := _OF_RESOURCE.fullmatch(key):
        key = f"{named[1]}{texts.name(named[2])}"
    if key == _RULES:
        return key, [_labels(one, texts) for one in value if isinstance(one, dict)] if value else value
    if isinstance(value, dict):
        return key, _part(value, texts, names=key in _KEYS_ARE_NAMES)
    if not isinstance(value, str):
        return (key, value) if value is None or isinstance(value, bool | int | float) else None
    if _PLAIN.fullmatch(value.strip()) or _DURATION.fullmatch(value.strip()):
        return key, value
    if not _LIST.fullmatch(value.strip()):
        return None
    return key, ", ".join(texts.name(one.strip()) for one in value.split(","))


def _labels(rule: dict[Any, Any], texts: Texts) -> dict[str, Any]:
    """Return labels with other keys and values."""
    return {
        texts.name(key): texts.value(key, value) if isinstance(value, str) else value
        for key, value in rule.items()
        if isinstance(key, str)
    }


def _part(part: dict[Any, Any], texts: Texts, *, names: bool) -> dict[str, Any]:
    """Return a part of an argument; names: its keys are names of resources, maybe with a star at the end."""
    changed: dict[str, Any] = {}
    for key, value in part.items():
        own = f"{texts.name(key.rstrip('*'))}{'*' * key.count('*')}" if names and key != "*" else key
        if isinstance(value, dict):
            changed[own] = _part(value, texts, names=key in _KEYS_ARE_NAMES)
        elif isinstance(value, str) and key == "resources":
            changed[own] = ",".join(texts.name(one.strip()) for one in value.split(","))
        elif not isinstance(value, str) or key == "type":
            changed[own] = value
    return changed


def _settings(document: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return settings of vGPUs in which resources, groups and profiles have other names; models stay."""
    nvidia = dict(document["nvidia"])
    for key in (key for key in nvidia if key.startswith("resource") and nvidia[key]):
        nvidia[key] = texts.name(str(nvidia[key]))
    if isinstance(nvidia.get("knownMigGeometries"), list):
        nvidia["knownMigGeometries"] = [
            {**one, "allowedGeometries": [_geometry(of, texts) for of in one.get("allowedGeometries") or ()]}
            for one in nvidia["knownMigGeometries"]
        ]
    return {**document, "nvidia": nvidia}


def _geometry(geometry: dict[str, Any], texts: Texts) -> dict[str, Any]:
    profiles = [{**one, "name": _profile(str(one.get("name")), texts)} for one in geometry["geometries"]]
    return {"group": _group(str(geometry.get("group")), texts), "geometries": profiles}


def _profile(name: str, texts: Texts) -> str:
    return name if _PROFILE.fullmatch(name) else texts.name(name)


def _undiscovered(document: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return the controllers' configuration without its sources: HyperNodes stand for what was discovered."""
    return {**document, "networkTopologyDiscovery": []}


CONFIGURATIONS = {"volcano": _changed, "volcano-controller": _undiscovered, "volcano-vgpus": _settings}


def resolved(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the objects with hyper nodes whose patterns have become the names of the nodes that they find.

    A pattern that can't be read finds none. What a member that is no such selection has stays as it is.
    """
    nodes = [item["metadata"]["name"] for item in objects if item.get("kind") == "Node"]
    return [_by_names(item, nodes) if item.get("kind") == "HyperNode" else item for item in objects]


def _by_names(hyper_node: dict[str, Any], nodes: list[str]) -> dict[str, Any]:
    spec = hyper_node.get("spec")
    members = spec.get("members") if isinstance(spec, dict) else None
    if not isinstance(spec, dict) or not isinstance(members, list):
        return hyper_node
    found = [one for member in members for one in _named_members(member, nodes)]
    return {**hyper_node, "spec": {**spec, "members": found}}


def _named_members(member: Any, nodes: list[str]) -> list[Any]:
    selector = member.get("selector") if isinstance(member, dict) else None
    if not isinstance(selector, dict) or member.get("type") != "Node":
        return [member]
    pattern = selector.get("regexMatch")
    if not isinstance(pattern, dict):
        return [member]
    try:
        matching = Pattern(str(pattern.get("pattern") or ""))
    except BadPattern:
        return []
    names = [name for name in nodes if matching.is_in(name)]
    kept = {key: value for key, value in selector.items() if key != "regexMatch"}
    rest = [{**member, "selector": kept}] if kept else []
    return [*({"type": "Node", "selector": {"exactMatch": {"name": name}}} for name in names), *rest]
