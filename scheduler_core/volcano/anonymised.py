"""How Volcano's fields, annotations and configuration are anonymised, as data."""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from scheduler_core.go.regexp import BadPattern, Pattern
from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.volcano.configuration.known_arguments import all_known_arguments
from scheduler_core.volcano.configuration.stored_configuration import ACTIONS, PLUGINS

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
        "jdb-min-available",
        "jdb-max-unavailable",
        "vgpu-mode",
        "vgpu-podgroup-policy",
        "bind-phase",
        "resource-strategy-scoring-type",
    )
)
_WORDS_TEXT = (
    # events, actions and states
    "* PodFailed PodEvicted PodPending PodRunning TaskCompleted TaskFailed OutOfSync CommandIssued"
    " JobUpdated JobUnknown AbortJob RestartJob RestartTask RestartPod RestartPartition TerminateJob"
    " CompleteJob ResumeJob SyncJob EnqueueJob SyncQueue OpenQueue CloseQueue PluginError PVCError"
    " PodGroupError ExecuteAction JobStatusError PodGroupPending Aborting Aborted Restarting Completing"
    " Completed Terminated Inqueue Open Closed Closing Scheduled Succeed"
    # modes, policies and strategies
    " MostAllocated LeastAllocated lowNodeUtilization"
    " hard soft none best-effort restricted single-numa-node any all retain delete fifo traverse true"
    " false binpack spread mig mps allocating success failed"
    # of a node's topology
    " CPUManagerPolicy TopologyManagerPolicy MemoryManagerPolicy static cpu memory allocatable capacity numa"
    " socket core"
)
API_WORDS = frozenset(_WORDS_TEXT.split())
"""Words that its API defines."""
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
_ZONE = "volcano.sh/revocable-zone"
_DURATION = re.compile(r"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|ms|s|m|h))+|0")
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
    if instance:
        place = _PLACE.fullmatch(instance)
        instance = f"{_group(place[1], texts)}{place[2]}" if place else texts.name(instance)
    named = texts.name(card) if card else card
    return f"{named}{bracket}{instance}{comma}{','.join(map(texts.model, rest.split(',')))}"


def _group(name: str, texts: Texts) -> str:
    """Return the name of a group of geometries. Volcano can't read one with dashes, so they stay."""
    if _PLAIN_GROUP.fullmatch(name):
        return name
    return f"{texts.name(name).replace('-', '')}{'-' * name.count('-')}"


def _names(text: str, texts: Texts) -> str:
    """Return names between commas and semicolons; spaces count, and stay."""
    return _OWN.sub(lambda found: texts.name(found[0]), text)


def _zone(text: str, texts: Texts) -> str:
    """Return the name of a zone that is lent at times; a star stands for any."""
    return text if text == "*" else texts.value(_ZONE, text)


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
    (re.compile(r"(?:volcano\.sh/)?(?:sla-waiting-time|cooldown-time)"), _duration),
    (re.compile(re.escape(_ZONE)), _zone),
    (re.compile(r"volcano\.sh/(?:nodegroup-resource-limits|resource-strategy-weight)"), _by_name),
)
_LIST = re.compile(r"[^\s,]+(\s*,\s*[^\s,]+)*")
_OF_RESOURCE = re.compile(r"((?:hypernode\.)?binpack\.resources\.)(.+)")
_OF_ZONE = "tdm.revocable-zone."
_METRICS = re.compile("(?:prometheus|prometheus_adapt|prometheus_adaptor|elasticsearch)?")
_INNER_KEYS_TEXT = (
    "enable resources resourceWeight resourceProportion weight type cpu memory mem pods request_ratio"
    " burst_ratio risk_threshold risk_factor be_cpu be_mem name params thresholds targetThresholds"
)
_INNER_KEYS = frozenset(_INNER_KEYS_TEXT.split())
_PLAIN = re.compile(
    r"[0-9]+(?:\.[0-9]*)?|true|false|binpack|spread|[0-9]{1,2}:[0-9]{1,2}-[0-9]{1,2}:[0-9]{1,2}"
)
_RULES = "deviceshare.GPUExclusiveRules"
_KEYS_ARE_NAMES = frozenset(("resources", "resourceWeight", "resourceProportion"))


def _changed(document: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return a configuration in which the resources that arguments name have other names."""
    changed = dict(document)
    for part in ("tiers", "configurations"):
        if part in changed:
            changed[part] = [_owner(one, texts) for one in changed[part] or ()]
    if isinstance(actions := document.get("actions"), str):
        changed["actions"] = _OWN.sub(lambda found: _named(found[0], ACTIONS, texts), actions)
    if isinstance(metrics := document.get("metrics"), dict):
        changed["metrics"] = {key: one for key, one in metrics.items() if _is_plain_metric(str(one or ""))}
    return changed


def _is_plain_metric(text: str) -> bool:
    return (_METRICS.fullmatch(text) or _DURATION.fullmatch(text)) is not None


def _named(name: str, known: frozenset[str], texts: Texts) -> str:
    """Return the name of a plugin or an action: of one that is not Volcano's own another name."""
    return name if name in known else texts.name(name)


def _owner(owner: dict[str, Any], texts: Texts) -> dict[str, Any]:
    changed = dict(owner)
    if isinstance(owner.get("name"), str):
        changed["name"] = _named(owner["name"], PLUGINS | ACTIONS, texts)
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
    elif key.startswith(_OF_ZONE):
        key = f"{_OF_ZONE}{_zone(key.removeprefix(_OF_ZONE), texts)}"
    elif key not in all_known_arguments():
        return None
    if key == _RULES:
        return key, [_labels(one, texts) for one in value if isinstance(one, dict)] if value else value
    if isinstance(value, dict):
        return key, _part(value, texts, names=key in _KEYS_ARE_NAMES)
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return key, [_part(one, texts, names=False) for one in value]
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
        if not names and key not in _INNER_KEYS:
            continue
        own = f"{texts.name(key.rstrip('*'))}{'*' * key.count('*')}" if names and key != "*" else key
        if isinstance(value, dict):
            changed[own] = _part(value, texts, names=key in _KEYS_ARE_NAMES)
        elif isinstance(value, str) and key == "resources":
            changed[own] = ",".join(texts.name(one.strip()) for one in value.split(","))
        elif not isinstance(value, str):
            changed[own] = value
        elif key in _INNER_KEYS:
            changed[own] = texts.word(value)
    return changed


def _settings(document: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return settings of vGPUs in which resources, groups and profiles have other names; models stay."""
    nvidia = dict(document["nvidia"])
    for key in (key for key in nvidia if key.startswith("resource") and nvidia[key]):
        nvidia[key] = texts.name(str(nvidia[key]))
    if "knownMigGeometries" in nvidia:
        known = _objects_in(nvidia["knownMigGeometries"])
        nvidia["knownMigGeometries"] = [_of_models(one, texts) for one in known]
    return {**document, "nvidia": nvidia}


def _of_models(known: dict[str, Any], texts: Texts) -> dict[str, Any]:
    models = known.get("models")
    return {
        "models": [texts.model(str(model)) for model in models] if isinstance(models, list) else [],
        "allowedGeometries": [_geometry(of, texts) for of in _objects_in(known.get("allowedGeometries"))],
    }


def _geometry(geometry: dict[str, Any], texts: Texts) -> dict[str, Any]:
    profiles = [
        {**one, "name": _profile(str(one.get("name")), texts)}
        for one in _objects_in(geometry.get("geometries"))
    ]
    return {"group": _group(str(geometry.get("group")), texts), "geometries": profiles}


def _objects_in(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


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
