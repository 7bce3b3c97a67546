"""Where pages of objects that schedulers bring are, found by their kinds."""

from typing import Any, NamedTuple

from dashboard.kinds import all_kinds
from dashboard.models import Snapshot


class Tab(NamedTuple):
    """A list of objects of a snapshot: its name among the tabs, address and title, how many there are."""

    name: str
    address: str
    title: str
    number: int


class Part(NamedTuple):
    """A part of a page: its template, and what it shows."""

    template: str
    context: dict[str, Any]


class Found(NamedTuple):
    """What a search found: its kind, its name, what else is said of it in a few words, and its address.

    `cluster` is the name of the cluster that it is in where that is another one than the one at hand.
    """

    kind: str
    name: str
    says: str
    address: str
    cluster: str = ""


def tabs(snapshot: Snapshot) -> list[Tab]:
    """Return the lists of a snapshot that are not empty, each once: kinds may have one in common."""
    return list(dict.fromkeys(tab for kind in all_kinds() for tab in kind.tabs(snapshot)))


def workload_address(snapshot: Snapshot, workload: str) -> str | None:
    """Return the page of `Kind/namespace/name`, None for one that no scheduler brings."""
    return next(filter(None, (kind.workload_address(snapshot, workload) for kind in all_kinds())), None)


def group_address(snapshot: Snapshot, group: str) -> str | None:
    """Return the page of the pod group `namespace/name`, None where the snapshot has none."""
    return next(filter(None, (kind.group_address(snapshot, group) for kind in all_kinds())), None)


def found_in(snapshot: Snapshot, text: str, most: int) -> list[tuple[str, list[Found]]]:
    """Return objects of a snapshot by words of their names, at most so many of each kind of object."""
    return [found for kind in all_kinds() for found in kind.found_in(snapshot, text, most)]


def workload_parts(snapshot: Snapshot, workload: str) -> list[Part]:
    """Return what schedulers have of a workload, such as its pod groups."""
    return [part for kind in all_kinds() for part in kind.workload_parts(snapshot, workload)]


def node_parts(snapshot: Snapshot, node: str) -> list[Part]:
    """Return what schedulers have of a node, such as the cards that they share."""
    return [part for kind in all_kinds() for part in kind.node_parts(snapshot, node)]


def node_groups(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    """Return by what else than zone and pool a map may group nodes, and each node's group by its name."""
    return {what: groups for kind in all_kinds() for what, groups in kind.node_groups(snapshot).items()}


def stylesheets() -> list[str]:
    """Return the style sheets that the debugger takes for schedulers' own cards."""
    return [sheet for kind in all_kinds() for sheet in kind.stylesheets]
