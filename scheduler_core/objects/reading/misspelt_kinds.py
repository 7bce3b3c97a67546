"""Kinds that nobody has: the name of one that is read, or its API group, was misspelt.

Custom resources may have any name in groups of their own. In a group whose kinds are read, or one that is
spelt like such a group, a name that is nearly one of those is none of its own.
"""

from functools import lru_cache

from scheduler_core.objects.kinds import READ_KINDS, Kind
from scheduler_core.objects.own_kinds import OWN_KINDS, names_in
from scheduler_core.objects.suggestions import VERY_CLOSE, closest

UNKNOWN_KIND = "is an unknown kind"
UNKNOWN_GROUP = "is of an unknown API group"
_GROUPS_OF_OTHERS = frozenset({"scheduling.x-k8s.io"})
"""Spelt like one that is read, and with kinds of the same names: those of scheduler-plugins."""
_GROUPS_OF = {
    kind.name: frozenset(one.group for one in READ_KINDS | OWN_KINDS if one.name == kind.name)
    for kind in READ_KINDS | OWN_KINDS
}


@lru_cache(maxsize=1024)
def misspelt(kind: Kind) -> tuple[str, str] | None:
    """Return the field of an object that is misspelt, and the message about it; None if its kind may be."""
    names = names_in(kind.group)
    if kind.name in names or kind.group in _GROUPS_OF_OTHERS:
        return None
    if meant := closest(kind.name, names, VERY_CLOSE):
        return "kind", f"{UNKNOWN_KIND}; did you mean {meant}?"
    groups = _GROUPS_OF.get(kind.name, frozenset())
    if not names and (group := closest(kind.group, groups - {""}, VERY_CLOSE)):
        return "apiVersion", f"{UNKNOWN_GROUP}; did you mean {group}?"
    return None
