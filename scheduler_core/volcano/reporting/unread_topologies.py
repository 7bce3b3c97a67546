"""Network topologies that a configuration leaves without effect, as the trust line says it.

Source: volcano v1.16 pkg/scheduler/framework/session_plugins.go HyperNodeGradientForJobFn: where no plugin
says which hyper nodes come into question, the whole cluster does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import kind_of
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP
from scheduler_core.volcano.configuration.scheduler_conf import FLAGS, Configuration
from scheduler_core.volcano.framework.functions import functions_of
from scheduler_core.volcano.registry import PLUGINS

_READING = "hyper_node_gradients"
_NAMED = 3

Object = Mapping[str, Any]


def unread_topologies(configuration: Configuration, objects: Iterable[Object]) -> Iterator[str]:
    """Yield a phrase where pod groups or Jobs of a cluster have a networkTopology that no plugin reads."""
    options = (option for tier in configuration.tiers for option in tier)
    if any(_READING in functions_of(PLUGINS[one.name]) and one.enabled(FLAGS[_READING]) for one in options):
        return
    for kind in (VOLCANO_POD_GROUP, VOLCANO_JOB):
        found = sorted(_key(one) for one in objects if kind_of(one) == kind and _has_topology(one))
        if not found:
            continue
        listed = ", ".join(found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
        what = f"the networkTopology of {len(found):,} {kind.name}{'' if len(found) == 1 else 's'} ({listed})"
        effect = "their pods may go to any node, as in the real scheduler"
        yield f"{what} is read by no plugin of the configuration (network-topology-aware does): {effect}"


def _has_topology(item: Object) -> bool:
    spec = item.get("spec") or {}
    parts = (*(spec.get("subGroupPolicy") or ()), *map(_partition, spec.get("tasks") or ()))
    return any((one or {}).get("networkTopology") for one in (spec, *parts))


def _partition(task: Object | None) -> Object:
    return (task or {}).get("partitionPolicy") or {}


def _key(item: Object) -> str:
    return f"{namespace_of(dict(item))}/{name_of(dict(item))}"
