"""Which plugins a profile has at an extension point: MultiPoint's, changed by the point's own list.

A plugin that the registry does not know is at no point by MultiPoint; that it is refused is said elsewhere.

Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go mergePluginSet,
pkg/scheduler/framework/runtime/framework.go expandMultiPointPlugins.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.kube.registry import Registry

LISTED = (
    "queueSort",
    "preEnqueue",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)
"""The extension points for which a profile lists plugins, whether they decide something here or not.

Those of placements are read in `placements.py`.
"""


def enabled_weights(entries: Any) -> dict[str, int]:
    """Return name to weight (0: none given) of a list of enabled plugins, in its order."""
    return {entry.get("name") or "": int(entry.get("weight") or 0) for entry in entries or ()}


def weights_at(
    names: Iterable[str], plugin_set: Mapping[str, Any], multi_point: Mapping[str, int]
) -> dict[str, int]:
    """Return plugins' weights at a point: those of its own list, else MultiPoint's, else 1."""
    own = enabled_weights(plugin_set.get("enabled"))
    return {name: (own[name] if name in own else multi_point.get(name, 0)) or 1 for name in names}


def merge_multi_point(registry: Registry, custom: Mapping[str, Any]) -> dict[str, int]:
    """Return the MultiPoint plugins with their weights: the default ones, changed by the profile's own."""
    disabled = {entry.get("name") for entry in custom.get("disabled") or ()}
    enabled = enabled_weights(custom.get("enabled"))
    merged: dict[str, int] = {}
    if "*" not in disabled:
        for entry in registry.entries:
            if entry.name not in disabled:
                merged[entry.name] = enabled.get(entry.name, entry.weight)
    return merged | {name: weight for name, weight in enabled.items() if name not in merged}


def enabled_anywhere(
    registry: Registry, plugins: Mapping[str, Any], multi_point: Mapping[str, int]
) -> list[str]:
    """Return the plugins that stand at some extension point or in MultiPoint, in the registry's order.

    One of MultiPoint that is disabled at each of its points is there all the same: its hints are asked.

    Source: kubernetes v1.36 pkg/scheduler/framework/runtime/framework.go pluginsNeeded.
    """
    enabled = {name for point in LISTED for name in enabled_at(registry, point, plugins, multi_point)}
    return [entry.name for entry in registry.entries if entry.name in enabled or entry.name in multi_point]


def enabled_at(
    registry: Registry, point: str, plugins: Mapping[str, Any], multi_point: Mapping[str, int]
) -> list[str]:
    """Return the plugins of one extension point in their order.

    First those that MultiPoint enables and the point names too (in the point's order), then the rest of
    MultiPoint, then what only the point names.
    """
    known, plugin_set = registry.by_name, plugins.get(point) or {}
    own = list(enabled_weights(plugin_set.get("enabled")))
    disabled = {entry.get("name") for entry in plugin_set.get("disabled") or ()}
    if "*" in disabled:
        return own
    extending = [name for name in multi_point if name in known and known[name].extends(point)]
    from_multi_point = [name for name in extending if name not in disabled]
    overridden = [name for name in own if name in from_multi_point]
    rest = [name for name in from_multi_point if name not in own]
    return overridden + rest + [name for name in own if name not in overridden]
