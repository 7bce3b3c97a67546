"""Who acts where a clock moves. Instants are nanoseconds since the run's start.

Each says when there is something to do, and does it, one thing at a time; in which order is said in
`timed_world.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from scheduler_core.world.clocked.happening import Happening


class ClockedActor(ABC):
    """The scenario, a scheduler, a controller, the kubelets, the eviction API."""

    urgent: bool = False
    """Whether it comes before all that is due, however long, as soon as there is something to do."""
    begins: ClassVar[bool] = False
    """Whether it begins something: then it doesn't act after the clock's end."""

    @abstractmethod
    def due(self) -> int | None:
        """Return when there is something to do, None if nothing is until something else happens."""

    @abstractmethod
    def act(self) -> Happening | None:
        """Do the next thing, which is due; None if nobody is told of it."""

    @property
    def is_settled(self) -> bool:
        """Whether time alone lets it do nothing."""
        return self.due() is None

    def heed(self, happening: Happening) -> None:  # noqa: B027 - few need it
        """Hear what has happened, whoever did it."""

    def close(self, until: int, *, quiet: bool) -> Happening | None:
        """Return what is still to be told when nothing happens any more, whether all is `quiet` or not."""
        return None
