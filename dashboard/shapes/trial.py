"""What a scenario would change, tried before it runs: `dashboard/services/workspace/trying.py`."""

from typing import Any, NotRequired, TypedDict

from dashboard.shapes.counted import CountedAs
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import LeftAlone
from dashboard.shapes.problems import ProblemDocument


class Figure(TypedDict):
    """A count or a capacity in the snapshot and after the edits; `resource` is empty for a count."""

    what: str
    resource: str
    before: int
    after: int
    counts: NotRequired[CountedAs]


class Trial(TypedDict):
    """What each edit changes and every problem, as the engine finds them.

    figures: none if the scenario cannot be played. trust: what the answers of a run would rest on (the
    engine's `Trust`), else null. left_alone: pending pods that name a scheduler which the scenario has not,
    so that nothing is decided about them. untried: why the scenario was not tried at all, else empty;
    preparing: whether that is because a worker is still at it, so that it is known soon. ended: whether
    somebody has ended that.
    """

    edits: list[EditResult]
    problems: list[ProblemDocument]
    figures: list[Figure]
    trust: dict[str, Any] | None
    left_alone: list[LeftAlone]
    untried: str
    preparing: bool
    ended: bool
