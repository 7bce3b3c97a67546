"""Checkpoints of a play with sessions.

A session is decided as it goes on and can't be written down in its middle: a checkpoint there is the one of
the session's beginning, with the number of steps since.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scheduler_core.events.decisions import Decision


@dataclass
class SessionStart:
    """What `dump` returned when a session was to be opened, and how many steps it has taken."""

    dump: bytes
    steps: int


class WithinSessions(ABC):
    """A play that can be written down at any decision, also within a session."""

    _session: SessionStart | None = None

    @property
    @abstractmethod
    def _in_session(self) -> bool:
        """Whether a session is open."""

    @abstractmethod
    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""

    @abstractmethod
    def _dump(self) -> dict[str, Any]:
        """Return as plain data where the play stands; no session is open."""

    @abstractmethod
    def _load(self, data: Mapping[str, Any]) -> None:
        """Bring a play of the same input, wherever it stands, to what `_dump` returned."""

    def _begin_session(self) -> None:
        self._session = SessionStart(msgspec.msgpack.encode(self._dump()), 0)

    def dump(self) -> dict[str, Any]:
        """Return as plain data all from which `load` goes on."""
        if self._in_session:
            assert self._session is not None
            return {"session": self._session.dump, "steps": self._session.steps}
        return self._dump()

    def load(self, data: Mapping[str, Any]) -> None:
        """Bring a play of the same input, wherever it stands, to what `dump` returned."""
        self._session = None
        if "session" in data:
            self._load(msgspec.msgpack.decode(data["session"]))
            for _ in range(data["steps"]):
                self.step()
        else:
            self._load(data)
