"""How pools are named, and what ends a search.

Source: kubernetes v1.36 dynamic-resource-allocation/structured/internal types.go.
"""

from __future__ import annotations

from typing import NamedTuple

MOST_DEVICES = 32
"""Devices that one claim may get. Source: resource/v1 AllocationResultsMaxSize."""


class PoolId(NamedTuple):
    """A driver's pool."""

    driver: str
    pool: str

    def __str__(self) -> str:
        """Return the pool as messages name it."""
        return f"{self.driver}/{self.pool}"


class AllocationError(Exception):
    """The attempt ends with an error; the text is kube-scheduler's."""


class InvalidPools(Exception):
    """Nothing was found on this node, which sees a pool that contradicts itself."""


class SchedulerPanics(Exception):
    """The real scheduler would crash; the text says over what."""


class UnreadableSelector(Exception):
    """An expression of a selector is not supported; an API server takes none that is wrong."""


class SearchTooLong(Exception):
    """The search was given up; the real scheduler may have run out of time too."""
