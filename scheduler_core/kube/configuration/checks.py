"""What a KubeSchedulerConfiguration may say beyond its shape: the checks with which kube-scheduler starts.

Source: kubernetes v1.36 pkg/scheduler/apis/config/validation/validation.go;
pkg/scheduler/framework/runtime/framework.go NewFramework, updatePluginList, getValidScoreWeights.
"""

from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.configuration.arguments import check_arguments
from scheduler_core.kube.configuration.placements import GANGS, with_gated
from scheduler_core.kube.configuration.points import enabled_at, merge_multi_point
from scheduler_core.kube.gates import Gates
from scheduler_core.kube.registry import Registry
from scheduler_core.kube.release import Release
from scheduler_core.objects.checks.field_rules import MAX_INT32, Findings

_DEFAULT_INITIAL_BACKOFF, _DEFAULT_MAX_BACKOFF = 1, 10
_MAX_SCORE = 100
_REQUIRED_POINTS = {"queueSort": "PrioritySort", "bind": "DefaultBinder"}
"""The points of which a scheduler needs a plugin, and the default one."""

Section = Mapping[str, Any]


def check_configuration(findings: Findings, config: Section, release: Release, gates: Gates) -> None:
    """Note what the real scheduler would refuse to start with, and gangs without their plugin."""
    registry = with_gated(release.registry, gates.pod_groups)
    if config.get("parallelism") is not None:
        findings.within("parallelism", config["parallelism"], 1, MAX_INT32)
    _check_backoff(findings, config)
    profiles = config.get("profiles") or []
    seen: set[str] = set()
    for place, profile in enumerate(profiles):
        path = f"profiles[{place}]"
        name = profile.get("schedulerName")
        if len(profiles) > 1 and not name:
            findings.add(f"{path}.schedulerName", "must be given where there are several profiles")
        elif name and name in seen:
            findings.add(f"{path}.schedulerName", f"{name!r} is the name of an earlier profile")
        elif name == "":
            findings.add(f"{path}.schedulerName", "must not be empty")
        seen.add(name or "")
        _check_plugins(findings, f"{path}.plugins", profile.get("plugins") or {}, registry)
        for index, entry in enumerate(profile.get("pluginConfig") or ()):
            where = f"{path}.pluginConfig[{index}].args"
            check_arguments(findings, where, entry.get("name") or "", entry.get("args") or {}, release.gates)


def _check_backoff(findings: Findings, config: Section) -> None:
    initial, longest = config.get("podInitialBackoffSeconds"), config.get("podMaxBackoffSeconds")
    initial = _DEFAULT_INITIAL_BACKOFF if initial is None else initial
    longest = _DEFAULT_MAX_BACKOFF if longest is None else longest
    if initial <= 0:
        findings.add("podInitialBackoffSeconds", f"must be greater than 0, not {initial}")
    if longest < initial:
        findings.add("podMaxBackoffSeconds", f"must be at least podInitialBackoffSeconds, {initial}")


def _check_plugins(findings: Findings, path: str, plugins: Section, registry: Registry) -> None:
    for point, plugin_set in plugins.items():
        _check_enabled(findings, f"{path}.{point}.enabled", point, plugin_set or {}, registry)
    multi_point = merge_multi_point(registry, plugins.get("multiPoint") or {})
    for point, default in _REQUIRED_POINTS.items():
        if default not in enabled_at(registry, point, plugins, multi_point):
            findings.add(f"{path}.{point}", f"a scheduler needs a plugin there, such as {default}")
    for point in ("preEnqueue", "permit") if GANGS in registry.by_name else ():
        if GANGS not in enabled_at(registry, point, plugins, multi_point):
            findings.add(f"{path}.{point}", f"{GANGS} can't be left out while its feature gate is on")
    _check_weights(findings, f"{path}.score.enabled", plugins.get("score") or {})


def _check_weights(findings: Findings, path: str, score: Section) -> None:
    """Note weights whose sum, in the real scheduler's int64, leaves no room for the other plugins'."""
    total = 0
    for index, entry in enumerate(score.get("enabled") or ()):
        total += _MAX_SCORE * (entry.get("weight") or 1)
        if total < 0:
            findings.add(f"{path}[{index}].weight", "must not make the sum of the weights negative")
            return


def _check_enabled(
    findings: Findings, path: str, point: str, plugin_set: Section, registry: Registry
) -> None:
    known = registry.by_name
    seen: set[str] = set()
    for index, entry in enumerate(plugin_set.get("enabled") or ()):
        name = entry.get("name") or ""
        place = f"{path}[{index}].name"
        if name not in known:
            findings.add(place, f"{name!r} is no plugin of kube-scheduler that is supported")
        elif point != "multiPoint" and not known[name].extends(point):
            findings.add(place, f"{name} has no part in {point}")
        elif name in seen:
            findings.add(place, f"{name} is enabled twice")
        seen.add(name)
