"""What changes from one release of kube-scheduler to another, in words."""

import msgspec

from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.release import Area


class ReleaseChange(msgspec.Struct, frozen=True):
    """A difference between two releases.

    release: the minor release that made it, as 1.36. plugin: whose decisions it concerns, empty for those of
    the framework. before, since: whole sentences about older releases and about this one and newer ones.
    """

    release: str
    area: Area
    plugin: str
    before: str
    since: str


def changes_between(one: str, other: str) -> list[ReleaseChange]:
    """Return the differences of two minor releases, in either order, the oldest first.

    Nothing where one of them is no release since the scheduling framework.
    """
    oldest_first = list(reversed(FRAMEWORK_RELEASES))
    if one not in FRAMEWORK_RELEASES or other not in FRAMEWORK_RELEASES:
        return []
    first, last = sorted((oldest_first.index(one), oldest_first.index(other)))
    steps = zip(oldest_first[first:last], oldest_first[first + 1 : last + 1], strict=True)
    return [
        ReleaseChange(newer, change.area, change.plugin, change.then, change.next)
        for older, newer in steps
        for change in FRAMEWORK_RELEASES[older].differences
    ]
