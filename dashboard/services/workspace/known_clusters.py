"""Clusters whose scenarios are being tried, read once and kept in the memory of a web process.

A thread reads one cluster after another, so that no request waits for it longer than it wants to. What is
kept is bounded by pods and nodes; a cluster that nobody asks for is let go, and so is that of a snapshot that
is deleted.
"""

import gc
import logging
from queue import SimpleQueue
from threading import Event, Lock, Thread, Timer
from typing import Any

import msgspec
from django.conf import settings

from dashboard.models import Snapshot
from dashboard.models.packing import unpack
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.reading.json_list import unread_items
from scheduler_core.world.forecast import KnownCluster

logger = logging.getLogger(__name__)

IDLE_SECONDS = 900.0
_OWN_PARTS = ("metadata", "spec", "status")
_OWN_VALUES = ("name", "uid", "resourceVersion")

Key = tuple[int, str]
Object = dict[str, Any]


class Reading:
    """A cluster that is being read, or was. `done` counts the objects that were read, of `size`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.done = 0
        self.cluster: KnownCluster | None = None
        self.failed = False
        self.ended = Event()

    def read(self, content: bytes) -> None:
        """Read the packed List of a snapshot."""
        try:
            gc.collect()
            with collector_at_rest():
                self.cluster = KnownCluster(self._objects(content))
                gc.freeze()  # millions of objects that stay are no matter for collections
        except Exception:
            self.failed = True
            logger.exception("A cluster could not be read for trials.")
        finally:
            self.ended.set()

    def _objects(self, content: bytes) -> list[Object]:
        reader, found = _Reader(), []
        for text in unread_items(unpack(content)):
            found.append(reader.read(text))
            self.done += 1
        return found


class KnownClusters:
    """Those of this process. `most` is how many pods and nodes of all of them together are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: dict[Key, Reading] = {}
        self._waiting: SimpleQueue[tuple[Reading, bytes]] = SimpleQueue()
        self._thread: Thread | None = None
        self._timer: Timer | None = None

    def holds(self, snapshot: Snapshot) -> bool:
        """Return whether the cluster is small enough to be kept."""
        return size_of(snapshot) <= self._most

    def reading(self, snapshot: Snapshot, wait: float = 0.0) -> Reading:
        """Return the reading of a snapshot's cluster, waiting so many seconds for its end."""
        key = (snapshot.pk, snapshot.content_hash)
        with self._lock:
            reading = self._kept.pop(key, None)
            if reading is None or reading.failed:
                reading = Reading(size_of(snapshot))
                self._let_go(self._most - reading.size)
                self._waiting.put((reading, bytes(snapshot.content)))
                self._read_soon()
            self._kept[key] = reading  # behind all that were asked for before
            self._let_go_later()
        reading.ended.wait(wait)
        return reading

    def forget(self, number: int) -> None:
        """Let the cluster of a snapshot go."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == number]:
                del self._kept[key]

    def _read_soon(self) -> None:
        """Start the thread that reads; a process that is to end doesn't wait for it."""
        if self._thread is None:
            self._thread = Thread(target=self._read, name="known-clusters", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        while True:
            reading, content = self._waiting.get()
            with self._lock:
                is_wanted = reading in self._kept.values()
            if is_wanted:
                reading.read(content)
            del reading, content  # while nothing is to be read nothing is held

    def _let_go(self, most: int) -> None:
        """Let those go that nobody has asked for the longest, until no more than that are kept."""
        while self._kept and sum(one.size for one in self._kept.values()) > most:
            del self._kept[next(iter(self._kept))]

    def _let_go_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = Timer(IDLE_SECONDS, self._let_all_go)
        self._timer.daemon = True
        self._timer.start()

    def _let_all_go(self) -> None:
        with self._lock:
            self._kept.clear()


known_clusters = KnownClusters(settings.TRIAL_KEPT)


def size_of(snapshot: Snapshot) -> int:
    """Return how many pods and nodes a snapshot has."""
    return int(snapshot.counts.get("Pod", 0) + snapshot.counts.get("Node", 0))


class _Reader:
    """Reads objects, of which equal parts are one and the same afterwards."""

    def __init__(self) -> None:
        self._parts = msgspec.json.Decoder(dict[str, msgspec.Raw])
        self._whole = msgspec.json.Decoder()
        self._known: dict[bytes, Any] = {}

    def read(self, text: msgspec.Raw) -> Object:
        """Return the object of a text."""
        found: Object = {}
        for name, part in self._parts.decode(text).items():
            if name in _OWN_PARTS and bytes(part).startswith(b"{"):
                values = self._parts.decode(part).items()
                found[name] = {
                    key: self._whole.decode(value) if key in _OWN_VALUES else self._shared(value)
                    for key, value in values
                }
            else:
                found[name] = self._shared(part)
        return found

    def _shared(self, raw: msgspec.Raw) -> Any:
        text = bytes(raw)
        if text not in self._known:
            self._known[text] = self._whole.decode(text)
        return self._known[text]
