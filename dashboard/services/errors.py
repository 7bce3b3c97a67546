"""What the services refuse, under the name by which their callers know it."""

from dashboard.errors import (
    Cancelled,
    HasDependents,
    LeaseLost,
    NoSuchDecision,
    NoSuchNode,
    NotPossibleNow,
    NotYet,
    OthersInTheWay,
    RecordedByOtherEngine,
    Refused,
    VersionConflict,
)

__all__ = [
    "Cancelled",
    "HasDependents",
    "LeaseLost",
    "NoSuchDecision",
    "NoSuchNode",
    "NotPossibleNow",
    "NotYet",
    "OthersInTheWay",
    "RecordedByOtherEngine",
    "Refused",
    "VersionConflict",
]
