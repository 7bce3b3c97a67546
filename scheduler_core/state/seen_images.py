"""How much each node's images count: as things stood when the scheduler last looked at the node.

Before an attempt the scheduler copies those nodes anew that have changed, or a pod on them, and with them on
how many nodes their images are. So other nodes' images that come and go count late. An image keeps the size
that the first of its nodes gave it for as long as some node has it.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/cache.go UpdateSnapshot, addNodeImageStates,
removeNodeImageStates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.objects.types import Node
from scheduler_core.state.journal import Journal
from scheduler_core.state.nodes import ImageOnNodes, IntArray, NodeTable, images_on
from scheduler_core.state.register import Register


class Version(NamedTuple):
    """An image from an epoch on: its size in bytes, and how many nodes have it."""

    epoch: int
    size: int
    holders: int


class SeenImages:
    """A new epoch begins with each change of a node's images. `start` are the nodes of epoch 0."""

    def __init__(self, journal: Journal, nodes: NodeTable, start: Sequence[Node]) -> None:
        self._nodes = nodes
        self._start = start
        self._at_start: dict[str, ImageOnNodes] | None = None
        self._epoch: Register[str, int] = Register(journal, {"now": 0}.items())
        self._versions: Register[str, tuple[Version, ...]] = Register(journal)
        self._seen: Register[str, int] = Register(journal)
        """The epoch at which each node was looked at, if that isn't 0."""
        self._unseen: Register[str, bool] = Register(journal, ((name, True) for name in nodes.names))
        """Nodes that have changed since they were looked at."""

    def touch(self, name: str) -> None:
        """Note that a node or its pods have changed."""
        if name not in self._unseen.values:
            self._unseen.put(name, True)

    def look(self) -> None:
        """Note that the scheduler looks at all nodes that have changed."""
        epoch = self._epoch.values["now"]
        for name in list(self._unseen.values):
            if epoch:
                self._seen.put(name, epoch)
            self._unseen.drop(name)

    def node_changes(self, old: Node | None, new: Node | None) -> None:
        """Note what a node's coming (no old), going (no new) or change does to images."""
        node = old if new is None else new
        assert node is not None
        self.touch(node.metadata.name)
        before, after = _sizes(old), _sizes(new)
        if before == after:
            return
        epoch = self._epoch.values["now"] + 1
        self._epoch.put("now", epoch)
        for image in before | after:
            last = self._last(image)
            others = last.holders - (image in before)
            size = last.size if others or image not in after else after[image]
            version = Version(epoch, size, others + (image in after))
            self._versions.put(image, (*(self._versions.get(image) or ()), version))

    def scaled(self, image: str, on: ImageOnNodes, scale: Callable[[int, int], int]) -> IntArray | int:
        """Return `scale(size, count)` for each of the nodes that have an image."""
        versions = self._versions.get(image)
        if versions is None:
            return scale(on.size, len(on.nodes))
        known = (self._at_start_of(image), *versions)
        return np.array([scale(*self._as_seen(row, known)[1:]) for row in on.nodes.tolist()], dtype=np.int64)

    def _as_seen(self, row: int, known: Sequence[Version]) -> Version:
        name = self._nodes.names[row]
        if name in self._unseen.values:
            return known[-1]
        epoch = self._seen.get(name) or 0
        return next(version for version in reversed(known) if version.epoch <= epoch)

    def _last(self, image: str) -> Version:
        versions = self._versions.get(image)
        return self._at_start_of(image) if versions is None else versions[-1]

    def _at_start_of(self, image: str) -> Version:
        if self._at_start is None:
            self._at_start = images_on(self._start)
        on = self._at_start.get(image)
        return Version(0, 0, 0) if on is None else Version(0, on.size, len(on.nodes))

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return what was seen as plain data."""
        registers = ("_epoch", "_versions", "_seen", "_unseen")
        return {name: getattr(self, name).dump() for name in registers}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        for name in ("_epoch", "_seen", "_unseen"):
            getattr(self, name).load(data[name])
        self._versions.load(
            [image, tuple(Version(*item) for item in items)] for image, items in data["_versions"]
        )


def _sizes(node: Node | None) -> dict[str, int]:
    """Return a node's images with their sizes; of a name that is there twice the first counts."""
    sizes: dict[str, int] = {}
    for image in (node.status.images or ()) if node is not None else ():
        for name in image.names or ():
            sizes.setdefault(name, image.size_bytes or 0)
    return sizes
