"""Of which release of Kubernetes a cluster is, where that is taken from, and what to say of another one.

What an API server said of itself counts first, then the image of kube-scheduler's own pods, the kubelets of
the control plane's nodes, and those of all nodes: a kubelet may be older than its API server, never newer.

Source: kubernetes website, releases/version-skew-policy.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.kube.framework_releases.between import changes_between
from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.kinds import NODE, POD, kind_of
from scheduler_core.objects.node_groups import is_control_plane
from scheduler_core.objects.server_version import git_version
from scheduler_core.schedulers.names import BASE
from scheduler_core.schedulers.registry import kinds

Object = Mapping[str, Any]
Release = tuple[int, int]
"""Major and minor."""

SYSTEM_NAMESPACE = "kube-system"
SCHEDULER_POD = "kube-scheduler-"
"""How the names begin of the static pods that kubeadm and most others make."""

_CONTAINER = "kube-scheduler"
_DECISIONS = ("scores", "filters", "preemption")
_RELEASE = re.compile(r"v?(\d+)\.(\d+)")
_TAG = re.compile(r":(v\d+\.\d+[\w.-]*)(?:@|\Z)")
_FIRST_OF_FRAMEWORK: Release = (1, 19)
"""Since then plugins decide, and a KubeSchedulerConfiguration says which."""


def release_of(version: Any) -> Release | None:
    """Return the release of a version such as v1.29.4-eks-036c24b; None for what is no version."""
    found = _RELEASE.match(version) if isinstance(version, str) else None
    return (int(found[1]), int(found[2])) if found else None


def written(release: Release) -> str:
    """Return a release as people write it: 1.36."""
    return f"{release[0]}.{release[1]}"


@dataclass(frozen=True)
class ToldRelease:
    """What a cluster's objects tell of its release, by where they tell it.

    servers: what API servers said, as v1.29.4-eks-036c24b; the others are releases.
    """

    servers: frozenset[str] = frozenset()
    schedulers: frozenset[Release] = frozenset()
    control_plane: frozenset[Release] = frozenset()
    kubelets: frozenset[Release] = frozenset()

    @property
    def release(self) -> Release | None:
        """The cluster's release: the highest that the first source tells; None where none does."""
        served = {release for version in self.servers if (release := release_of(version)) is not None}
        sources = (served, self.schedulers, self.control_plane, self.kubelets)
        return next((max(source) for source in sources if source), None)

    @property
    def is_least(self) -> bool:
        """Whether the API server may be of a newer release: no other part is newer than it is."""
        return not self.servers

    @property
    def source(self) -> str:
        """The beginning of a sentence that says the release and who tells it; empty where none does."""
        release = self.release
        if release is None:
            return ""
        if self.servers:
            versions = " and ".join(sorted(self.servers))
            servers = "API server is" if len(self.servers) == 1 else "newest API server is"
            return f"the {servers} of {written(release)} ({versions})"
        if self.schedulers:
            return f"the pods of kube-scheduler itself are of {written(release)}"
        if self.control_plane:
            return f"the control plane's kubelets are of {written(release)}"
        newest = "newest " if len(self.kubelets) > 1 else ""
        return f"the nodes' {newest}kubelets are of {written(release)}"


def told_by(objects: Iterable[Object]) -> ToldRelease:
    """Return what these objects tell."""
    servers: set[str] = set()
    schedulers, control_plane, kubelets = (set[Release]() for _ in range(3))
    for one in objects:
        if kind_of(one) == NODE and (release := kubelet_release(one)) is not None:
            kubelets.add(release)
            if is_of_control_plane(one):
                control_plane.add(release)
        elif kind_of(one) == POD:
            schedulers.update(scheduler_releases(one))
        elif version := git_version(dict(one)):
            servers.add(version)
    return ToldRelease(
        frozenset(servers), frozenset(schedulers), frozenset(control_plane), frozenset(kubelets)
    )


def kubelet_release(node: Object) -> Release | None:
    """Return the release of a node's kubelet."""
    status = node.get("status")
    info = status.get("nodeInfo") if isinstance(status, Mapping) else None
    return release_of(info.get("kubeletVersion")) if isinstance(info, Mapping) else None


def is_of_control_plane(node: Object) -> bool:
    """Tell whether a node has a label of the control plane's nodes."""
    metadata = node.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, Mapping) else None
    return isinstance(labels, Mapping) and is_control_plane(labels)


def scheduler_releases(pod: Object) -> Iterator[Release]:
    """Yield the release of a kube-scheduler's pod, by its image's tag; nothing of any other pod."""
    metadata, spec = pod.get("metadata"), pod.get("spec")
    if not isinstance(metadata, Mapping) or not isinstance(spec, Mapping):
        return
    is_scheduler = str(metadata.get("name")).startswith(SCHEDULER_POD)
    if not is_scheduler or namespace_of(dict(pod)) != SYSTEM_NAMESPACE:
        return
    for container in spec.get("containers") or ():
        if isinstance(container, Mapping) and container.get("name") == _CONTAINER:
            tag = _TAG.search(str(container.get("image")))
            if tag and (release := release_of(tag[1])) is not None:
                yield release


def nearest_release(release: Release) -> Release:
    """Return the nearest release that is played, one of the scheduling framework for one that has it."""
    with_framework = release >= _FIRST_OF_FRAMEWORK
    known = [one for one in _played() if (one >= _FIRST_OF_FRAMEWORK) == with_framework]
    return min(known, key=lambda one: abs(one[1] - release[1]))


def played_instead(played: str, told: ToldRelease) -> str:
    """Return a phrase where the cluster is of another release than the one played; else nothing."""
    release = told.release
    if release is None or written(release) == played:
        return ""
    nearest = nearest_release(release)
    phrase = f"played as {played}; {told.source}{_otherwise(played, written(nearest))}"
    if nearest == release:
        return phrase
    return f"{phrase}; {written(release)} itself is not played, and what else it does otherwise is not known"


def _otherwise(played: str, release: str) -> str:
    """Return whose decisions differ in another release, after a colon; nothing where that is not known."""
    changes = changes_between(played, release)
    named = {change.plugin for change in changes if change.area in _DECISIONS and change.plugin}
    plugins = sorted({plugin for several in named for plugin in several.split(", ")})
    return f": in {release} other rules hold for {', '.join(plugins)}" if plugins else ""


def _played() -> Iterator[Release]:
    for profile in kinds()[BASE].versions:
        if (release := release_of(profile.removeprefix("kube-"))) is not None:
            yield release
