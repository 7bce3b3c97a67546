"""The kube-scheduler that HAMi's release installs: HAMi is its extender.

The settings are HAMi's own; `kubeSchedulerConfiguration` among them is the kube-scheduler's, for what the
release leaves at its default. If that names extenders, the one with the release's urlPrefix is HAMi.

Source: HAMi v2.10.0 charts/hami/templates/scheduler/configmapnew.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from scheduler_core.hami.configuration.settings import (
    OBJECT,
    Configuration,
    read_configuration,
    unread_settings,
)
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.profile import Profile
from scheduler_core.objects.problems import BadInput, Problem

URL_PREFIX = "https://127.0.0.1:443"
"""Where the release's kube-scheduler finds HAMi: beside it in one pod."""
INNER = "kubeSchedulerConfiguration"


class KubeWithHami(dict[str, Profile]):
    """A kube-scheduler's profiles, by scheduler name, and the HAMi beside it."""

    def __init__(self, profiles: Mapping[str, Profile], hami: Configuration) -> None:
        super().__init__(profiles)
        self.hami = hami


def build_with_hami(config: Mapping[str, Any] | None) -> KubeWithHami:
    """Return what a HAMi with these settings is built as. Raises BadInput."""
    settings = dict(config or {})
    inner = settings.pop(INNER, None)
    unknown = [Problem(OBJECT, field, "is no setting of HAMi") for field in unread_settings(settings)]
    if unknown:
        raise BadInput(unknown)
    hami = read_configuration(settings)
    whole = kube_configuration(hami, inner)
    try:
        profiles = build_profiles(whole)
    except BadInput as error:
        raise BadInput([_inside(problem) for problem in error.problems]) from None
    if not any(extender.url_prefix == URL_PREFIX for one in profiles.values() for extender in one.extenders):
        field = f"{INNER}.extenders"
        raise BadInput([Problem(OBJECT, field, f"none of them is HAMi: {URL_PREFIX}")])
    return KubeWithHami(profiles, hami)


def kube_part(config: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return what HAMi's settings say of the kube-scheduler, None for nothing."""
    return (config or {}).get(INNER)


def kube_configuration(hami: Configuration, inner: Any = None) -> dict[str, Any]:
    """Return the KubeSchedulerConfiguration of these settings; what `inner` has stands above it."""
    if inner is not None and not isinstance(inner, Mapping):
        raise BadInput([Problem(OBJECT, INNER, "must be an object")])
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": hami.scheduler_name}],
        "extenders": [_extender(hami)],
        **(inner or {}),
    }


def _inside(problem: Problem) -> Problem:
    return Problem(problem.object, f"{INNER}.{problem.field}".rstrip("."), problem.message)


def _extender(hami: Configuration) -> dict[str, Any]:
    return {
        "urlPrefix": URL_PREFIX,
        "filterVerb": "filter",
        "bindVerb": "bind",
        "nodeCacheCapable": True,
        "weight": 1,
        "httpTimeout": "30s",
        "enableHTTPS": True,
        "tlsConfig": {"insecure": True},
        "managedResources": [{"name": name, "ignoredByScheduler": True} for name in managed_resources(hami)],
    }


def managed_resources(hami: Configuration) -> list[str]:
    """Return the resources of all configured vendors: HAMi counts them, not kube-scheduler."""
    settings = msgspec.to_builtins(hami.device_config)
    if not hami.enable_ascend:
        settings.pop("vnpus", None)
    if not hami.enable_iluvatar:
        settings.pop("iluvatars", None)
    return list(dict.fromkeys(_resources(settings)))


def _resources(settings: Any) -> Iterator[str]:
    if isinstance(settings, list):
        for item in settings:
            yield from _resources(item)
        return
    for key, value in settings.items():
        if isinstance(value, dict | list | tuple):
            yield from _resources(list(value) if isinstance(value, tuple) else value)
        elif key.startswith("resource") and value:
            yield value
