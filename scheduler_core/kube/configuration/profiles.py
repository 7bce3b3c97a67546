"""KubeSchedulerConfiguration v1: its profiles, with the plugins of each extension point and their arguments.

Source: kubernetes v1.36 pkg/scheduler/framework/runtime/framework.go NewFramework and getScoreWeights.
"""

from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.configuration.checks import check_configuration
from scheduler_core.kube.configuration.extenders import check_extenders, read_extenders
from scheduler_core.kube.configuration.placements import placement_plugins
from scheduler_core.kube.configuration.points import (
    enabled_anywhere,
    enabled_at,
    merge_multi_point,
    weights_at,
)
from scheduler_core.kube.configuration.shape import API_VERSION, fault_of_shape
from scheduler_core.kube.extenders.settings import ExtenderSettings, ignored_resources
from scheduler_core.kube.framework import FilterPlugin, Plugin, ScorePlugin
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import DEFAULT_GATES, FIELD, Gates, read_gates
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.post_filter import PostFilterPlugin
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.registry import Point, Registered
from scheduler_core.kube.release import Release
from scheduler_core.kube.sampling import ALL_NODES
from scheduler_core.objects.checks.field_rules import Findings
from scheduler_core.objects.problems import BadInput, Problem

_OBJECT = "KubeSchedulerConfiguration"
DEFAULT_SCHEDULER = "default-scheduler"
MAX_PROFILES = 100
"""Each has plugins of its own: thousands would keep whoever checks them busy for minutes."""


def build_profiles(
    config: Mapping[str, Any] | None,
    *,
    percentage_of_nodes_to_score: int | None = None,
    gates: Gates = DEFAULT_GATES,
    release: Release = V1_36,
) -> dict[str, Profile]:
    """Return a release's profiles by scheduler name; the default configuration for None.

    All nodes are scored unless the configuration says otherwise (0 is the real scheduler's adaptive share);
    `percentage_of_nodes_to_score` stands above the configuration's own, below a profile's. Raises BadInput
    where the real scheduler would not start with the configuration, and beyond MAX_PROFILES.
    """
    config = config or {}
    if config and config.get("kind", _OBJECT) != _OBJECT:
        raise _bad("kind", f"must be {_OBJECT}, not {config['kind']!r}")
    if config.get("apiVersion", API_VERSION) not in release.configuration_versions:
        versions = " or ".join(release.configuration_versions)
        raise _bad("apiVersion", f"must be {versions}, not {config['apiVersion']!r}")
    if fault := fault_of_shape(config):
        raise _bad(*fault)
    if len(config.get("profiles") or ()) > MAX_PROFILES:
        raise _bad("profiles", f"must have at most {MAX_PROFILES} entries")
    gates = read_gates(config.get(FIELD), release.minor, gates)
    findings = Findings(_OBJECT)
    check_configuration(findings, config, release, gates)
    check_extenders(findings, config)
    if findings.problems:
        raise BadInput(findings.problems)
    if percentage_of_nodes_to_score is None:
        percentage_of_nodes_to_score = _percentage(config, "", ALL_NODES)
    extenders = read_extenders(config)
    profiles = [
        _build_profile(profile, f"profiles[{place}]", percentage_of_nodes_to_score, gates, extenders, release)
        for place, profile in enumerate(config.get("profiles") or [{}])
    ]
    return {profile.scheduler_name: profile for profile in profiles}


def _bad(field: str, message: str) -> BadInput:
    return BadInput([Problem(_OBJECT, field, message)])


def _percentage(source: Mapping[str, Any], where: str, absent: int) -> int:
    percentage = source.get("percentageOfNodesToScore")
    if percentage is None:
        return absent
    if isinstance(percentage, bool) or not isinstance(percentage, int) or not 0 <= percentage <= 100:
        raise _bad(f"{where}percentageOfNodesToScore", "must be a whole number from 0 to 100")
    return percentage


def _build_profile(
    profile: Mapping[str, Any],
    where: str,
    percentage: int,
    gates: Gates,
    extenders: list[ExtenderSettings],
    release: Release,
) -> Profile:
    registry = release.registry
    plugins = profile.get("plugins") or {}
    multi_point = merge_multi_point(registry, plugins.get("multiPoint") or {})
    arguments = _arguments(profile, where)
    if ignored := ignored_resources(extenders):
        _leave_to_extenders(arguments, ignored, where, enabled_anywhere(registry, plugins, multi_point))
    built: dict[str, Plugin] = {}

    def at(point: Point) -> list[Plugin]:
        names = enabled_at(registry, point, plugins, multi_point)
        entries = [registry.by_name[name] for name in names if name in registry.by_name]
        return [_instance(entry, arguments, gates, built) for entry in entries if point in entry.points]

    weights = weights_at(registry.by_name, plugins.get("score") or {}, multi_point)
    return release.profile(
        scheduler_name=profile.get("schedulerName") or DEFAULT_SCHEDULER,
        pre_enqueue=at("preEnqueue"),
        pre_filters=at("preFilter"),
        filters=[plugin for plugin in at("filter") if isinstance(plugin, FilterPlugin)],
        scores=[(plugin, weights[plugin.name]) for plugin in at("score") if isinstance(plugin, ScorePlugin)],
        pre_scores=[plugin for plugin in at("preScore") if isinstance(plugin, ScorePlugin)],
        reserves=at("reserve"),
        pre_binds=at("preBind"),
        post_filters=[plugin for plugin in at("postFilter") if isinstance(plugin, PostFilterPlugin)],
        percentage_of_nodes_to_score=_percentage(profile, f"{where}.", percentage),
        in_use=[
            _instance(registry.by_name[name], arguments, gates, built)
            for name in enabled_anywhere(registry, plugins, multi_point)
            if registry.by_name[name].plugin is not None
        ],
        extenders=extenders,
        placements=placement_plugins(registry, plugins, arguments),
    )


def _leave_to_extenders(
    arguments: dict[str, dict[str, Any]], ignored: list[str], where: str, enabled: list[str]
) -> None:
    """Let the filter of resources leave some to extenders, whatever it was told to ignore itself."""
    fit = NodeResourcesFit.name
    if fit not in enabled and fit not in arguments:
        reason = f"{fit} must be enabled or configured where an extender's resource is ignoredByScheduler"
        raise _bad(f"{where}.plugins", reason)
    arguments[fit] = {**arguments.get(fit, {}), "ignoredResources": ignored}


def _instance(
    entry: Registered, arguments: Mapping[str, dict[str, Any]], gates: Gates, built: dict[str, Plugin]
) -> Plugin:
    if entry.name not in built:
        assert entry.plugin is not None
        built[entry.name] = entry.plugin(arguments.get(entry.name), gates)
    return built[entry.name]


def _arguments(profile: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    arguments: dict[str, dict[str, Any]] = {}
    for place, entry in enumerate(profile.get("pluginConfig") or ()):
        name = entry.get("name", "")
        if name in arguments:
            raise _bad(f"{where}.pluginConfig[{place}].name", f"{name} is configured twice")
        arguments[name] = entry.get("args") or {}
    return arguments
