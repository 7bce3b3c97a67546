"""What a process keeps between requests because it takes long to make: used last stays, the rest goes."""

import gc
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dashboard.memory import give_back

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


@dataclass(frozen=True)
class _Held(Generic[Thing]):
    thing: Thing
    weight: int
    used: float


class Kept(Generic[Key, Thing]):
    """The things that were used last, by owner and number, shared between threads.

    There are at most `size` of them and, but for the last one, they weigh at most `weight` (bytes) together.
    What nobody has used for `idle` seconds goes, and its memory is given back; 0 keeps it.
    """

    def __init__(self, size: int, weight: int = 0, idle: float = 0.0) -> None:
        self._size = size
        self._weight = weight
        self._idle = idle
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._things: OrderedDict[tuple[Key, int], _Held[Thing]] = OrderedDict()

    def take(self, key: Key, accepts: Callable[[int], bool]) -> Thing | None:
        """Remove and return the owner's thing with the highest number that is accepted."""
        with self._lock:
            numbers = [number for owner, number in self._things if owner == key and accepts(number)]
            return self._things.pop((key, max(numbers))).thing if numbers else None

    def take_idle(self, is_fit: Callable[[Key], bool], seconds: float) -> Thing | None:
        """Remove and return a fit owner's thing that is unused for the longest, and for so many seconds."""
        with self._lock:
            latest = time.monotonic() - seconds
            for place, held in self._things.items():
                if is_fit(place[0]) and held.used <= latest:
                    return self._things.pop(place).thing
            return None

    def put(self, key: Key, number: int, thing: Thing, weight: int = 0) -> None:
        """Keep the thing, and let go of what was used the longest ago."""
        with self._lock:
            self._things[key, number] = _Held(thing, weight, time.monotonic())
            self._things.move_to_end((key, number))
            while len(self._things) > self._size or (len(self._things) > 1 and self._is_too_heavy()):
                self._things.popitem(last=False)
            self._look_later()

    def _look_later(self) -> None:
        if self._idle and self._things and self._timer is None:
            self._timer = threading.Timer(self._idle, self._let_idle_go)
            self._timer.daemon = True
            self._timer.start()

    def _let_idle_go(self) -> None:
        with self._lock:
            self._timer = None
            before, latest = len(self._things), time.monotonic() - self._idle
            for place in [place for place, held in self._things.items() if held.used <= latest]:
                del self._things[place]
            went = len(self._things) < before
            self._look_later()
        if went:
            gc.collect()  # simulations refer to themselves
            give_back()

    def make_room(self, weight: int) -> bool:
        """Let go of what was used the longest ago, until one more so heavy has room; tell if any went."""
        with self._lock:
            before = len(self._things)
            while self._things and (
                len(self._things) >= self._size
                or sum(held.weight for held in self._things.values()) > self._weight - weight
            ):
                self._things.popitem(last=False)
            return len(self._things) < before

    def let_go_oldest(self) -> bool:
        """Let go of what was used the longest ago, unless it is the last one; tell if it went."""
        with self._lock:
            if len(self._things) < 2:
                return False
            self._things.popitem(last=False)
            return True

    def _is_too_heavy(self) -> bool:
        return sum(held.weight for held in self._things.values()) > self._weight

    def clear(self) -> bool:
        """Let go of everything; tell if there was anything."""
        with self._lock:
            had_any = bool(self._things)
            self._things.clear()
            return had_any
