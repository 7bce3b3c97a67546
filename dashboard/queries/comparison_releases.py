"""Two runs that differ in the release of kube-scheduler alone: what the newer release changes for these pods.

A difference of the releases is named as a cause only where trials show that it alone has a pod's decision
come out otherwise (`comparison_causes`). All others are listed as possible.
"""

import msgspec

from dashboard.models import Run
from dashboard.queries.comparison import Differences
from dashboard.queries.comparison_causes import Cause, causes_of
from dashboard.queries.comparison_settings import different_settings
from dashboard.queries.release_words import sentence_of_release
from scheduler_core.kube.framework_releases.between import ReleaseChange, changes_between
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES


class Releases(msgspec.Struct, frozen=True):
    """Two releases, run `a` under the first and `b` under the second.

    sentence: what changes, and why. causes: why pods end otherwise; not_tried: why no cause was looked for,
    empty where one was. mattered: the differences that are a cause; possible: the others, oldest first.
    """

    a: str
    b: str
    sentence: str
    causes: list[Cause]
    not_tried: str
    mattered: list[ReleaseChange]
    possible: list[ReleaseChange]

    @property
    def by_lot(self) -> bool:
        """Whether any pod might have come to the same node under both releases."""
        return any(cause.by_lot for cause in self.causes)


def compared_releases(a: Run, b: Run, found: Differences) -> Releases | None:
    """Return what the release changes where nothing else differs and both runs finished; else None."""
    one, other = (run.profile.removeprefix("kube-") for run in (a, b))
    if different_settings(a, b) != ["profile"] or not {one, other} <= FRAMEWORK_RELEASES.keys():
        return None
    if any(run.status != Run.Status.FINISHED for run in (a, b)):
        return None
    changes, causes = changes_between(one, other), causes_of(a, b, found.pods)
    named = {change for cause in causes.causes for change in cause.changes}
    return Releases(
        one,
        other,
        sentence_of_release(one, other, found.pods, causes.causes),
        causes.causes,
        causes.why_not,
        [change for change in changes if change in named],
        [change for change in changes if change not in named],
    )
