"""Which kinds an API server was asked for as a whole: of these an import lacks nothing.

Like what a server says of its version this is no object of Kubernetes. It stands among a cluster's objects,
so that exports keep it. Only what reads a cluster itself writes it: in a file nothing tells a list of all
namespaces from that of one.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.kinds import Kind, kind_of

Object = dict[str, Any]

WHOLE_LISTS = Kind("sandtable", "WholeLists")


def whole_lists_object(kinds: Iterable[Kind], read_time: str) -> Object:
    """Return the object that says of which kinds a cluster's objects are all there, and when they were read.

    read_time: as in 2026-06-01T00:00:00Z. The picture is as new as that, however old its objects are.
    """
    group, name = WHOLE_LISTS
    return {
        "apiVersion": f"{group}/v1",
        "kind": name,
        "metadata": {"name": "whole"},
        "readTime": read_time,
        "kinds": sorted(map(str, kinds)),
    }


def listed_as_a_whole(documents: Iterable[Object]) -> frozenset[str]:
    """Return the kinds that such objects name, as text."""
    listed = [one.get("kinds") for one in documents if kind_of(one) == WHOLE_LISTS]
    lists = (names for names in listed if isinstance(names, list))
    return frozenset(name for names in lists for name in names if isinstance(name, str))
