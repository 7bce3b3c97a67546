"""What a run stores of its start and of how far it is."""

from typing import Any, NotRequired, TypedDict

from dashboard.shapes.edits import EditResult


class RunProgress(TypedDict):
    """How far a run is: pods that waited at its start, and those placed since.

    until: the instant at which its clock is to end, in milliseconds since the start, where one moves.
    """

    stage: str
    pending: int
    placed: int
    until: NotRequired[int]


class RunStart(TypedDict, total=False):
    """What a run's row has of its start: the packed first state, the engine's `Trust`, what its edits did."""

    base: bytes
    trust: dict[str, Any]
    edit_results: list[EditResult]
