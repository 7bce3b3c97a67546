"""How much each node's images count: as things stood when the scheduler last looked at the node.

Before an attempt the scheduler copies those nodes anew that have changed, or a pod on them, and with them on
how many nodes their images are. So other nodes' images that come and go count late. An image keeps the size
that the first of its nodes gave it for as long as some node has it.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/cache.go UpdateSnapshot, addNodeImageStates,
removeNodeImageStates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.objects.types import Node
from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.nodes import ImageOnNodes, IntArray, NodeTable, images_on
from scheduler_core.state.register import Register

_ANYBODY = ""


class Version(NamedTuple):
    """An image from an epoch on: its size in bytes, and how many nodes have it."""

    epoch: int
    size: int
    holders: int


def _versions(items: Iterable[Any]) -> tuple[Version, ...]:
    return tuple(Version(*item) for item in items)


class _View(Checkpointed):
    """What one scheduler has seen of the nodes."""

    remembered = {"seen": "seen", "unseen": "unseen"}

    def __init__(self, journal: Journal, names: Iterable[str]) -> None:
        self.seen: Register[str, int] = Register(journal)
        """The epoch at which each node was looked at, if that isn't 0."""
        self.unseen: Register[str, bool] = Register(journal, dict.fromkeys(names, True).items())
        """Nodes that have changed since they were looked at."""

    def touch(self, name: str) -> None:
        if name not in self.unseen.values:
            self.unseen.put(name, True)

    def look(self, epoch: int) -> None:
        for name in list(self.unseen.values):
            if epoch:
                self.seen.put(name, epoch)
            self.unseen.drop(name)


class SeenImages(Checkpointed):
    """A new epoch begins with each change of a node's images. `start` are the nodes of epoch 0.

    Every scheduler looks by itself. Until one has joined there is one view, which is everybody's.
    """

    remembered = {"epoch": "_epoch", "versions": "_versions", "told": "_told", "views": "_by_viewer"}

    def __init__(self, journal: Journal, nodes: NodeTable, start: Sequence[Node]) -> None:
        self._journal = journal
        self._nodes = nodes
        self._start = start
        self._at_start: dict[str, ImageOnNodes] | None = None
        self._places: dict[str, dict[str, int]] = {}
        self._epoch: Register[str, int] = Register(journal, {"now": 0}.items())
        self._versions: Register[str, tuple[Version, ...]] = Register(journal, read=_versions)
        self._told: Register[str, int] = Register(journal)
        """The epoch at which each node came or changed last, if it has since the start."""
        self._views = {_ANYBODY: _View(journal, nodes.names)}
        self._viewers: dict[str, str] = {}
        self._by_viewer = ByName(self._views.items)

    def join(self, viewer: str, scheduler_names: Iterable[str]) -> None:
        """Let a scheduler look by itself, for the pods that ask for one of these names."""
        self._views.pop(_ANYBODY, None)
        self._views[viewer] = _View(self._journal, self._nodes.names)
        self._viewers.update(dict.fromkeys(scheduler_names, viewer))

    def touch(self, name: str) -> None:
        """Note that a node or its pods have changed."""
        for view in self._views.values():
            view.touch(name)

    def look(self, viewer: str = "") -> None:
        """Note that a scheduler looks at all nodes that have changed."""
        self._views[viewer].look(self._epoch.values["now"])

    def node_changes(self, old: Node | None, new: Node | None) -> None:
        """Note what a node's coming (no old), going (no new) or change does to images."""
        node = old if new is None else new
        assert node is not None
        self.touch(node.metadata.name)
        before, after = _sizes(old), _sizes(new)
        if before != after:
            self._begin_epoch(before, after)
        if new is not None:
            self._told.put(node.metadata.name, self._epoch.values["now"])

    def _begin_epoch(self, before: dict[str, int], after: dict[str, int]) -> None:
        """Note that a node has other images, given with their sizes."""
        epoch = self._epoch.values["now"] + 1
        self._epoch.put("now", epoch)
        for image in before | after:
            last = self._last(image)
            others = last.holders - (image in before)
            size = last.size if others or image not in after else after[image]
            version = Version(epoch, size, others + (image in after))
            self._versions.put(image, (*(self._versions.get(image) or ()), version))

    def varies(self, image: str) -> bool:
        """Return whether an image has come to nodes or gone from them."""
        return image in self._versions.values

    def scaled(
        self, image: str, on: ImageOnNodes, scale: Callable[[int, int], int], scheduler_name: str = ""
    ) -> IntArray | int:
        """Return `scale(size, count)` for each of the nodes that have an image, as its scheduler saw them."""
        versions = self._versions.get(image)
        if versions is None:
            return scale(on.size, len(on.nodes))
        view = self._views[self._viewers.get(scheduler_name, _ANYBODY)]
        known = (self._at_start_of(image), *versions)
        seen = (self._as_seen(view, row, known) for row in on.nodes.tolist())
        return np.array([scale(*version[1:]) for version in seen], dtype=np.int64)

    def scaled_as_told(self, image: str, on: ImageOnNodes, scale: Callable[[int, int], int]) -> IntArray:
        """Return `scale(size, count)` for each of the nodes that have an image, as they were told of.

        A node counts those that had the image when it came or changed last. The nodes of the start come in
        the order of the import, and each counts those before it and itself.
        """
        known = (self._at_start_of(image), *(self._versions.get(image) or ()))
        places = self._places_at_start(image)
        scaled = []
        for name in (self._nodes.names[row] for row in on.nodes.tolist()):
            epoch = self._told.get(name)
            if epoch is None:
                scaled.append(scale(known[0].size, places[name]))
            else:
                version = next(one for one in reversed(known) if one.epoch <= epoch)
                scaled.append(scale(version.size, version.holders))
        return np.array(scaled, dtype=np.int64)

    def _places_at_start(self, image: str) -> dict[str, int]:
        """Return the names of the start's nodes that have an image, numbered from 1 on."""
        places = self._places.get(image)
        if places is None:
            self._at_start_of(image)
            on = (self._at_start or {}).get(image)
            rows = [] if on is None else on.nodes.tolist()
            places = {self._start[row].metadata.name: place for place, row in enumerate(rows, 1)}
            self._places[image] = places
        return places

    def _as_seen(self, view: _View, row: int, known: Sequence[Version]) -> Version:
        name = self._nodes.names[row]
        if name in view.unseen.values:
            return known[-1]
        epoch = view.seen.get(name) or 0
        return next(version for version in reversed(known) if version.epoch <= epoch)

    def _last(self, image: str) -> Version:
        versions = self._versions.get(image)
        return self._at_start_of(image) if versions is None else versions[-1]

    def _at_start_of(self, image: str) -> Version:
        if self._at_start is None:
            self._at_start = images_on(self._start)
        on = self._at_start.get(image)
        return Version(0, 0, 0) if on is None else Version(0, on.size, len(on.nodes))


def _sizes(node: Node | None) -> dict[str, int]:
    """Return a node's images with their sizes; of a name that is there twice the first counts."""
    sizes: dict[str, int] = {}
    for image in (node.status.images or ()) if node is not None else ():
        for name in image.names or ():
            sizes.setdefault(name, image.size_bytes or 0)
    return sizes
