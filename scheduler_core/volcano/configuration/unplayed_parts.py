"""Plugins and actions of Volcano that sessions are played without: what each does, and when that matters.

Whether one could matter is asked of the cluster's objects and of the rest of the configuration. Only what
cannot have an effect is said to have none. Of their arguments only extender's are known
(`extender_verbs.py`), since imports leave the others out.

Source: volcano v1.16 pkg/scheduler/plugins and actions, and for what it has no longer v1.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scheduler_core.objects.identity import has_ended
from scheduler_core.objects.kinds import NODE, POD, Kind, kind_of
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME
from scheduler_core.volcano.model.label_discovery import CONFIG_MAP
from scheduler_core.volcano.model.node_load import load_of
from scheduler_core.volcano.model.queues import ROOT

_LISTED = 3
_REVOCABLE_ZONE = "volcano.sh/revocable-zone"
_VGPUS, _MODE_AT, _MIG = "volcano.sh/node-vgpu-register", 5, "mig"

Object = Mapping[str, Any]


class Facts:
    """What unplayed parts may bear on: what a cluster has and asks for.

    `searched` is how many pod groups and Jobs are tried in hyper nodes or in parts, `nodes_with_load` how
    many of the `nodes` say how busy they are, `revocable` how many are of a zone that tdm lends, `by_mig`
    how many divide cards into MIG instances; `config_maps` are all that are there. Of pods those count that
    ask for Volcano and have not ended, and the templates that such pods are made of.
    """

    def __init__(self, objects: Iterable[Object]) -> None:
        self._asked: Counter[frozenset[str]] = Counter()
        self._asked_in_templates: Counter[frozenset[str]] = Counter()
        self.nodes = self.nodes_with_load = self.revocable = self.by_mig = self.searched = 0
        self._parents: dict[str, str] = {}
        self.config_maps: list[Object] = []
        for item in objects:
            self._take(item)

    def _take(self, item: Object) -> None:
        kind, spec = kind_of(item), item.get("spec") or {}
        if kind == NODE:
            self.nodes += 1
            self.nodes_with_load += load_of(item["metadata"].get("annotations")) is not None
            self.revocable += bool((item["metadata"].get("labels") or {}).get(_REVOCABLE_ZONE))
            self.by_mig += _divides_by_mig((item["metadata"].get("annotations") or {}).get(_VGPUS) or "")
            return
        if kind == POD:
            if spec.get("schedulerName") == SCHEDULER_NAME and not has_ended(dict(item)):
                self._asked[_resources([spec])] += 1
            return
        if kind == CONFIG_MAP:
            self.config_maps.append(item)
            return
        if kind == VOLCANO_POD_GROUP:
            self.searched += bool(spec.get("networkTopology") or spec.get("subGroupPolicy"))
            return
        if kind == VOLCANO_QUEUE:
            self._parents[item["metadata"]["name"]] = spec.get("parent") or ROOT
            return
        self.searched += kind == VOLCANO_JOB and _is_searched(spec)
        templates = list(_templates(kind, spec))
        self._asked_in_templates[_resources(one.get("spec") or {} for one in templates)] += 1

    @property
    def orphans(self) -> list[str]:
        """The queues whose parent is not there, by name."""
        there = {*self._parents, ROOT}
        return sorted(name for name, parent in self._parents.items() if parent not in there)

    def asking(self, prefixes: tuple[str, ...]) -> Match:
        """Return the pods that ask for resources whose names begin so."""
        return _matching(self._asked, lambda name: name.startswith(prefixes))

    def asking_later(self, prefixes: tuple[str, ...]) -> Match:
        """Return the workloads whose pods would ask for them."""
        return _matching(self._asked_in_templates, lambda name: name.startswith(prefixes))

    def asks_for(self, names: Collection[str]) -> bool:
        """Return whether a pod asks for one of these resources, or one of a workload's would."""
        return any(not asked.isdisjoint(names) for asked in (*self._asked, *self._asked_in_templates))


def _divides_by_mig(cards: str) -> bool:
    """Return whether a node's text about its cards names the mode mig."""
    modes = (card.split(",")[_MODE_AT:] for card in cards.split(":"))
    return any(_MIG in mode[:1] for mode in modes)


class Match(NamedTuple):
    """How many have one of some names, and which of these there are."""

    number: int
    names: list[str]


def _matching(counted: Counter[frozenset[str]], is_meant: Callable[[str], bool]) -> Match:
    meant = {names: found for names in counted if (found := {name for name in names if is_meant(name)})}
    return Match(sum(counted[names] for names in meant), sorted(set[str]().union(*meant.values())))


def _is_searched(spec: Object) -> bool:
    """Return whether a Job has a network topology, or parts."""
    return bool(spec.get("networkTopology")) or any(
        task.get("partitionPolicy") for task in spec.get("tasks") or ()
    )


def _templates(kind: Kind, spec: Object) -> Iterator[Object]:
    """Yield the templates of pods that ask for Volcano."""
    if kind == VOLCANO_JOB:
        if (spec.get("schedulerName") or SCHEDULER_NAME) == SCHEDULER_NAME:
            yield from (task.get("template") or {} for task in spec.get("tasks") or ())
        return
    within = (spec.get("jobTemplate") or {}).get("spec") or {}
    for template in (spec.get("template"), within.get("template")):
        asked = template.get("spec") if isinstance(template, dict) else None
        if template is not None and (asked or {}).get("schedulerName") == SCHEDULER_NAME:
            yield template


def _resources(specs: Iterable[Object]) -> frozenset[str]:
    return frozenset(
        name
        for spec in specs
        for container in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
        for amounts in ("requests", "limits")
        for name in (container.get("resources") or {}).get(amounts) or ()
    )


Rule = Callable[[Facts], str]
"""Returns why a part could matter here, empty where it can't."""


class Part(NamedTuple):
    """A plugin or an action. `does` says what for; `idle` why it has no effect where its rule finds nothing.

    `release` is whose it is, where that isn't the release that is played.
    """

    does: str
    matters: Rule
    idle: str = ""
    release: str = ""


def _always(why: str = "answers may differ in reality") -> Rule:
    return lambda _: why


def _asked(*prefixes: str) -> Rule:
    """Where pods ask for resources whose names begin so."""
    untrusted = "answers are not to be trusted"

    def rule(facts: Facts) -> str:
        if found := _found(facts.asking(prefixes)):
            told = _count(found.number, "pod asks", "pods ask")
            return f"{told} for {_some(found.names)}, {'its' if found.number == 1 else 'their'} {untrusted}"
        if found := _found(facts.asking_later(prefixes)):
            told = _count(found.number, "workload", "workloads")
            return f"the pods of {told} would ask for {_some(found.names)}, their {untrusted}"
        return ""

    return rule


def _found(match: Match) -> Match | None:
    return match if match.number else None


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _some(names: Iterable[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:_LISTED]) + (", …" if len(listed) > _LISTED else "")


_BEFORE = "before 1.6"
_NO_ASCEND = "no pod asks for huawei.com/…"

PLUGINS = {
    "deviceshare.AscendMindClusterVNPUEnable": Part(
        "shares Ascend chips among pods", _asked("huawei.com/"), _NO_ASCEND
    ),
    "deviceshare.AscendHAMiVNPUEnable": Part(
        "shares Ascend chips among pods", _asked("huawei.com/"), _NO_ASCEND
    ),
    "deviceshare.NodeLockEnable": Part(
        "hands out one card of a node at a time",
        _asked("volcano.sh/vgpu-", "volcano.sh/gpu-"),
        "no pod asks for volcano.sh/vgpu-… or volcano.sh/gpu-…",
    ),
    "extender": Part(
        "asks a server outside which nodes fit, how they score, what may be evicted and which jobs enter",
        _always("a run asks nobody, and any decision may differ in reality"),
    ),
    "reservation": Part("keeps nodes for a job that has waited for long", _always(), release=_BEFORE),
}  # fmt: skip
"""By name, as a configuration has it."""

ACTIONS = {
    "elect": Part("chooses a job to keep nodes for", _always(), release=_BEFORE),
    "reserve": Part("keeps nodes for the job that elect chose", _always(), release=_BEFORE),
}
