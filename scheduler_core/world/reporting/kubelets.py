"""Of which releases of Kubernetes the nodes' kubelets are, beside the release that is played."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.kube.framework_releases.between import changes_between
from scheduler_core.objects.kinds import NODE, kind_of

Release = tuple[int, int]
"""Major and minor."""

_DECISIONS = ("scores", "filters", "preemption")
_RELEASE = re.compile(r"v?(\d+)\.(\d+)")


def release_of(version: Any) -> Release | None:
    """Return the release of a `kubeletVersion`; None for what is no version."""
    found = _RELEASE.match(version) if isinstance(version, str) else None
    return (int(found[1]), int(found[2])) if found else None


def written(release: Release) -> str:
    """Return a release as people write it: 1.36."""
    return f"{release[0]}.{release[1]}"


def kubelet_releases(objects: Iterable[Mapping[str, Any]]) -> frozenset[Release]:
    """Return the releases of the kubelets of all nodes among the objects, as far as they tell them."""
    return frozenset(
        release
        for one in objects
        if kind_of(one) == NODE and (release := release_of(_kubelet_version(one))) is not None
    )


def _kubelet_version(node: Mapping[str, Any]) -> Any:
    status = node.get("status")
    info = status.get("nodeInfo") if isinstance(status, Mapping) else None
    return info.get("kubeletVersion") if isinstance(info, Mapping) else None


def played_instead(played: str, kubelets: Iterable[Release]) -> str:
    """Return a phrase where the newest kubelet is of another release than the one played; else nothing.

    Kubelets may be older than their API server and its scheduler, so that older ones tell nothing.
    """
    releases = sorted(kubelets)
    if not releases or written(releases[-1]) == played:
        return ""
    *others, last = map(written, releases)
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"played as {played}; the nodes' kubelets are {listed}{_otherwise(played, written(releases[-1]))}"


def _otherwise(played: str, release: str) -> str:
    """Return whose decisions differ in another release, after a colon; nothing where that is not known."""
    changes = changes_between(played, release)
    plugins = sorted({change.plugin for change in changes if change.area in _DECISIONS and change.plugin})
    return f": in {release} other rules hold for {', '.join(plugins)}" if plugins else ""
